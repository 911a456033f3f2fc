#include "strategy/path_list.h"

#include "base/check.h"

namespace ravel {

void PathList::push(std::size_t shared, std::span<const std::uint32_t> rest) {
  put(shared);
  put(rest.size());
  std::size_t zeros = 0;
  for (const std::uint32_t position : rest) {
    if (position == 0) {
      ++zeros;
      continue;
    }
    put(zeros);
    put(position);
    zeros = 0;
  }
  if (zeros > 0) put(zeros);
}

std::size_t PathList::pop(Path& path) {
  const std::size_t shared = get();
  CHECK(shared <= path.size());
  path.resize(shared);
  const std::size_t length = shared + get();
  while (path.size() < length) {
    const std::size_t zeros = get();
    CHECK(path.size() + zeros <= length);
    path.resize(path.size() + zeros, 0);
    if (path.size() < length) path.push_back(static_cast<std::uint32_t>(get()));
  }
  return shared;
}

void PathList::write_position(PositionWriter& writer) const {
  writer.put_all(bytes_, [&](std::uint8_t byte) { writer.put(byte); });
}

void PathList::read_position(PositionReader& reader) {
  reader.get_all([&] { bytes_.push_back(static_cast<std::uint8_t>(reader.get())); });
}

// Seven bits a byte, lowest first; the high bit says that more follow.
void PathList::put(std::uint64_t number) {
  while (number >= 0x80) {
    bytes_.push_back(static_cast<std::uint8_t>(number | 0x80));
    number >>= 7;
  }
  bytes_.push_back(static_cast<std::uint8_t>(number));
}

std::uint64_t PathList::get() {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    CHECK(!bytes_.empty() && shift < 64);
    const std::uint8_t byte = bytes_.front();
    bytes_.pop_front();
    number |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return number;
  }
}

}  // namespace ravel
