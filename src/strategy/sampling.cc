#include "strategy/sampling.h"

#include "base/clock.h"
#include "strategy/sample_source.h"

namespace ravel {

std::unique_ptr<PartSource> Sampling::make_source(System&, std::string position) const {
  PositionReader reader(position);
  const std::uint64_t next = reader.get();
  if (reader.is_damaged()) return nullptr;
  PositionWriter before;
  before.put(next);
  return std::make_unique<SampleSource>(next, end_of_all(), position.substr(before.bytes().size()),
                                        std::make_unique<SteadyClock>());
}

}  // namespace ravel
