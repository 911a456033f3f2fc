// A stream of zlib at work, as the native functions of OTP's module zlib have it: what was put in and not
// taken yet, and zlib's own state.
//
// A stream cannot be part of a saved state, so a state holds what was done to it (Step), and a stream is what
// comes of doing it again. What it gives depends on nothing else.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace ravel::erlang {

struct ZlibStep {
  enum class Kind : std::uint8_t {
    kDeflateInit,
    kInflateInit,
    kSetDictionary,
    kReset,
    kParameters,
    kCode,
    kEnqueue
  } kind;
  int numbers[5] = {};              // the arguments
  std::vector<std::uint8_t> bytes;  // a dictionary, or what is put in
};

class ZlibStream {
 public:
  ZlibStream();
  ~ZlibStream();
  ZlibStream(const ZlibStream&) = delete;
  ZlibStream& operator=(const ZlibStream&) = delete;

  // zlib's status.
  int apply(const ZlibStep& step);
  // What a step of kCode has given, and how it went on.
  enum class Progress : std::uint8_t { kFinished, kContinue, kNeedsDictionary };
  const std::vector<std::uint8_t>& output() const { return output_; }
  Progress progress() const { return progress_; }

  bool deflates() const { return mode_ == Mode::kDeflate; }
  bool inflates() const { return mode_ == Mode::kInflate; }
  bool is_idle() const { return mode_ == Mode::kNone; }
  // What deflateEnd() and inflateEnd() would say.
  int end_status() const;
  std::uint32_t adler() const { return static_cast<std::uint32_t>(stream_.adler); }
  bool is_raw() const { return is_raw_; }
  std::uint32_t checksum() const;
  std::vector<std::uint8_t> dictionary();

 private:
  enum class Mode : std::uint8_t { kNone, kDeflate, kInflate };
  int code(int input_max, int output_max, int flush);

  z_stream stream_{};
  Mode mode_ = Mode::kNone;
  bool is_raw_ = false, has_ended_ = false;
  int at_end_ = 0;  // what inflate does with what comes after the end: an error, another stream, or nothing
  std::vector<std::uint8_t> queue_;  // put in and not taken yet
  std::size_t taken_ = 0;
  std::vector<std::uint8_t> output_;
  Progress progress_ = Progress::kFinished;
  std::uint32_t checksum_ = 0;  // of what a raw stream has taken or given
};

}  // namespace ravel::erlang
