#include "states/frontier.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace ravel {

namespace {

constexpr const char kFileIsLost[] =
    "the temporary file of a search by strata can't be read any more: the disk is at fault, or something "
    "else has written to it";

// Small for small differences of either sign.
std::uint64_t difference(std::uint32_t now, std::uint32_t before) {
  const std::int64_t by = static_cast<std::int64_t>(now) - static_cast<std::int64_t>(before);
  return by < 0 ? static_cast<std::uint64_t>(-by) * 2 - 1 : static_cast<std::uint64_t>(by) * 2;
}

std::uint32_t add(std::uint32_t before, std::uint64_t difference) {
  const auto half = static_cast<std::uint32_t>(difference / 2);
  return difference % 2 == 0 ? before + half : before - half - 1;
}

}  // namespace

Frontier::~Frontier() {
  if (file_ >= 0) close(file_);
}

void Frontier::put(const PutOff& put_off) {
  filling_.put(
      difference(static_cast<std::uint32_t>(put_off.state), static_cast<std::uint32_t>(last_.state)));
  filling_.put(difference(put_off.explorer, last_.explorer));
  filling_.put(put_off.place);
  last_ = put_off;
  ++size_;
  if (++filled_ == kOfBlock) end_block();
}

std::optional<PutOff> Frontier::take() {
  if (size_ == 0) return std::nullopt;
  if (taken_ == opened_.size()) {
    if (blocks_.empty()) end_block();
    opened_ = read(blocks_.front());
    held_ -= blocks_.front().bytes.size();
    blocks_.pop_front();
    taken_ = 0;
  }
  --size_;
  return opened_[taken_++];
}

PutOff Frontier::at(std::uint64_t index) const {
  CHECK(index < size_);
  const std::size_t first = opened_.size() - taken_;
  if (index < first) return opened_[taken_ + index];
  index -= first;
  const std::uint64_t block = index / kOfBlock;  // all are full, but for the one that is being filled
  const std::vector<PutOff> all = block < blocks_.size() ? read(blocks_[block]) : decoded(filling_.bytes());
  return all[index % kOfBlock];
}

void Frontier::swap(Frontier& other) {
  std::swap(memory_max_, other.memory_max_);
  std::swap(size_, other.size_);
  opened_.swap(other.opened_);
  std::swap(taken_, other.taken_);
  blocks_.swap(other.blocks_);
  std::swap(filling_, other.filling_);
  std::swap(filled_, other.filled_);
  std::swap(last_, other.last_);
  std::swap(held_, other.held_);
  std::swap(file_, other.file_);
  std::swap(file_end_, other.file_end_);
  std::swap(has_no_file_, other.has_no_file_);
}

std::uint64_t Frontier::bytes() const {
  return held_ + filling_.bytes().capacity() + opened_.capacity() * sizeof(PutOff) +
         blocks_.size() * sizeof(Block);
}

std::uint64_t Frontier::bytes_on_disk() const {
  std::uint64_t bytes = 0;
  for (const Block& block : blocks_) bytes += block.size - block.bytes.size();
  return bytes;
}

std::vector<PutOff> Frontier::decoded(std::string_view bytes) {
  std::vector<PutOff> all;
  PutOff last = {};
  for (PositionReader reader(bytes); !reader.is_complete();) {
    last.state = StateNumber{add(static_cast<std::uint32_t>(last.state), reader.get())};
    last.explorer = add(last.explorer, reader.get());
    last.place = reader.get32();
    CHECK_MESSAGE(!reader.is_damaged(), kFileIsLost);
    all.push_back(last);
  }
  return all;
}

std::vector<PutOff> Frontier::read(const Block& block) const {
  if (!block.bytes.empty()) return decoded(block.bytes);
  std::string bytes(block.size, '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t got =
        pread(file_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(block.offset + done));
    CHECK_MESSAGE(got > 0, kFileIsLost);
    done += static_cast<std::size_t>(got);
  }
  std::vector<PutOff> all = decoded(bytes);
  CHECK_MESSAGE(all.size() == block.count, kFileIsLost);
  return all;
}

void Frontier::end_block() {
  Block block = {.count = filled_, .size = static_cast<std::uint32_t>(filling_.bytes().size())};
  block.bytes = filling_.bytes();
  if (held_ + block.size > memory_max_ && write(block)) {
    block.bytes = {};
  } else {
    held_ += block.size;
  }
  blocks_.push_back(std::move(block));
  filling_ = {};
  filled_ = 0;
  last_ = {};
}

// False if it has to stay in memory.
bool Frontier::write(Block& block) {
  if (blocks_.empty()) file_end_ = 0;  // nothing that is there is still wanted
  if (!open_file()) return false;
  block.offset = file_end_;
  for (std::size_t done = 0; done < block.bytes.size();) {
    const ssize_t written = pwrite(file_, block.bytes.data() + done, block.bytes.size() - done,
                                   static_cast<off_t>(block.offset + done));
    if (written <= 0) {
      has_no_file_ = true;
      return false;
    }
    done += static_cast<std::size_t>(written);
  }
  file_end_ += block.size;
  return true;
}

bool Frontier::open_file() {
  if (file_ >= 0 || has_no_file_) return !has_no_file_;
  const char* const chosen = std::getenv("TMPDIR");
  std::string path =
      std::string(chosen != nullptr && *chosen != '\0' ? chosen : "/tmp") + "/ravel-strata-XXXXXX";
  file_ = mkstemp(path.data());
  if (file_ >= 0) unlink(path.c_str());
  has_no_file_ = file_ < 0;
  return !has_no_file_;
}

}  // namespace ravel
