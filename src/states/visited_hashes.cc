#include "states/visited_hashes.h"

#include "base/check.h"
#include "states/bit_filter.h"
#include "states/hash_set.h"
#include "states/shared_states.h"

namespace ravel {

std::unique_ptr<VisitedHashes> make_visited_hashes(const StateStorage& storage) {
  CHECK(!storage.is_exact());
  if (storage.shared != nullptr) return std::make_unique<SharedHashes>(*storage.shared);
  if (storage.hash_bits == 64) return std::make_unique<VisitedHashesOf<std::uint64_t>>();
  if (storage.hash_bits == 128) return std::make_unique<VisitedHashesOf<Hash128>>();
  CHECK(storage.hash_bits == 0);
  return std::make_unique<BitFilter>(storage.filter_bytes);
}

}  // namespace ravel
