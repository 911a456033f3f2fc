#include "erlang/bif/zlib_stream.h"

#include <algorithm>

namespace ravel::erlang {

namespace {

constexpr int kAtEndError = 0, kAtEndReset = 1;
constexpr std::size_t kWindow = 32768;

}  // namespace

ZlibStream::ZlibStream() { stream_.data_type = Z_BINARY; }

ZlibStream::~ZlibStream() {
  if (mode_ == Mode::kDeflate) deflateEnd(&stream_);
  if (mode_ == Mode::kInflate) inflateEnd(&stream_);
}

int ZlibStream::apply(const ZlibStep& step) {
  const int* n = step.numbers;
  const auto size = static_cast<uInt>(step.bytes.size());
  switch (step.kind) {
    case ZlibStep::Kind::kDeflateInit:
    case ZlibStep::Kind::kInflateInit: {
      const bool deflates = step.kind == ZlibStep::Kind::kDeflateInit;
      const int bits = deflates ? n[2] : n[0];
      const int status =
          deflates ? deflateInit2(&stream_, n[0], n[1], n[2], n[3], n[4]) : inflateInit2(&stream_, n[0]);
      if (status != Z_OK) return status;
      mode_ = deflates ? Mode::kDeflate : Mode::kInflate;
      is_raw_ = bits < 0;
      at_end_ = deflates ? kAtEndReset : n[1];
      checksum_ = 0;
      return status;
    }
    case ZlibStep::Kind::kSetDictionary:
      return deflates() ? deflateSetDictionary(&stream_, step.bytes.data(), size)
                        : inflateSetDictionary(&stream_, step.bytes.data(), size);
    case ZlibStep::Kind::kReset:
      queue_.clear();
      taken_ = 0;
      checksum_ = 0;
      has_ended_ = false;
      return deflates() ? deflateReset(&stream_) : inflateReset(&stream_);
    case ZlibStep::Kind::kParameters: {
      // All output was flushed before, so nothing is written here.
      Bytef nowhere = 0;
      stream_.next_out = &nowhere;
      stream_.avail_out = 1;
      const int status = deflateParams(&stream_, n[0], n[1]);
      return stream_.avail_out == 0 ? Z_STREAM_ERROR : status;
    }
    case ZlibStep::Kind::kEnqueue:
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(taken_));
      taken_ = 0;
      queue_.insert(queue_.end(), step.bytes.begin(), step.bytes.end());
      return Z_OK;
    case ZlibStep::Kind::kCode:
      if (inflates() && has_ended_ && taken_ < queue_.size()) {
        if (at_end_ == kAtEndError) return Z_DATA_ERROR;
        if (at_end_ == kAtEndReset) {
          if (const int status = inflateReset(&stream_); status != Z_OK) return status;
          has_ended_ = false;
        } else {
          taken_ = queue_.size();
        }
      }
      return code(n[0], n[1], n[2]);
  }
  return Z_STREAM_ERROR;
}

int ZlibStream::code(int input_max, int output_max, int flush) {
  const auto run = [&](int how) { return deflates() ? deflate(&stream_, how) : inflate(&stream_, how); };
  output_.resize(static_cast<std::size_t>(std::max(output_max, 1)));
  stream_.next_out = output_.data();
  stream_.avail_out = static_cast<uInt>(output_.size());
  int status = Z_OK;
  std::size_t consumed = 0;
  if (taken_ < queue_.size()) {
    const std::size_t offered =
        std::min(queue_.size() - taken_, static_cast<std::size_t>(std::max(input_max, 1)));
    stream_.next_in = queue_.data() + taken_;
    stream_.avail_in = static_cast<uInt>(offered);
    status = run(Z_NO_FLUSH);
    consumed = offered - stream_.avail_in;
    if (is_raw_ && deflates())
      checksum_ =
          static_cast<std::uint32_t>(crc32(checksum_, queue_.data() + taken_, static_cast<uInt>(consumed)));
    taken_ += consumed;
  }
  const std::size_t left = queue_.size() - taken_;
  if (status == Z_OK && left == 0 && stream_.avail_out > 0) {
    stream_.next_in = nullptr;
    stream_.avail_in = 0;
    status = run(flush);
  }
  const std::size_t produced = output_.size() - stream_.avail_out;
  if (status < 0 && status != Z_BUF_ERROR) return status;
  if (status == Z_STREAM_END) has_ended_ = true;
  if (is_raw_ && inflates())
    checksum_ = static_cast<std::uint32_t>(crc32(checksum_, output_.data(), static_cast<uInt>(produced)));
  if (consumed == 0 && produced == 0 && left != 0) return Z_DATA_ERROR;
  const bool is_full = produced == output_.size();
  output_.resize(produced);
  progress_ = left == 0 && !is_full   ? Progress::kFinished
              : status != Z_NEED_DICT ? Progress::kContinue
                                      : Progress::kNeedsDictionary;
  return Z_OK;
}

int ZlibStream::end_status() const {
  const bool has_more = taken_ < queue_.size();
  if (inflates()) return has_ended_ && !has_more ? Z_OK : Z_DATA_ERROR;
  // deflateEnd() says Z_DATA_ERROR if something was not written, which a copy can be asked for.
  z_stream copy{};
  if (deflateCopy(&copy, const_cast<z_stream*>(&stream_)) != Z_OK) return Z_STREAM_ERROR;
  const int status = deflateEnd(&copy);
  return status == Z_OK && has_more ? Z_DATA_ERROR : status;
}

std::uint32_t ZlibStream::checksum() const { return is_raw_ ? checksum_ : adler(); }

std::vector<std::uint8_t> ZlibStream::dictionary() {
  std::vector<std::uint8_t> bytes(kWindow);
  uInt size = 0;
  if (inflateGetDictionary(&stream_, bytes.data(), &size) != Z_OK) size = 0;
  bytes.resize(size);
  return bytes;
}

}  // namespace ravel::erlang
