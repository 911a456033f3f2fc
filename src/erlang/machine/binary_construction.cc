// bs_create_bin: makes a binary of segments in two passes, first its size, then its bits.
#include "erlang/machine/instruction.h"
#include "erlang/machine/machine.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

Term Interpreter::create_binary(const CodeWord* segments, std::size_t count, std::uint64_t append_unit) {
  static constexpr std::string_view kTypes[] = {"integer", "float", "binary", "string",        "utf8",
                                                "utf16",   "utf32", "append", "private_append"};
  const auto segment_at = [&](std::size_t i) { return segments[i * kSegmentWords].quad; };
  const auto fail = [&](std::size_t i) {
    // As in OTP, error_info tells which segment failed and why.
    const BitError& error = bits_.error();
    Segment type = static_cast<Segment>(segment_at(i).a);
    if (type == Segment::kAppend || type == Segment::kPrivateAppend) type = Segment::kBinary;
    call_.raise(ErrorClass::kError, error.reason);
    const Term cause =
        heap.tuple({Term::small(segment_at(i).b), names.atoms.make(kTypes[static_cast<std::size_t>(type)]),
                    error.error, error.value});
    Term info = map_put(heap, names, empty_map(heap), atoms::kCause, cause);
    info = map_put(heap, names, info, names.atoms.make("function"), names.atoms.make("format_bs_fail"));
    info = map_put(heap, names, info, atoms::kModule, atoms::kErlErtsErrors);
    call_.exception.error_info = info;
    return Term::none();
  };

  bits_.start();
  bool appends = false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto segment = segment_at(i);
    const Term value = segment_values_[2 * i], size = segment_values_[2 * i + 1];
    bool ok = true;
    switch (static_cast<Segment>(segment.a)) {
      case Segment::kInteger:
      case Segment::kFloat: ok = bits_.add_size(size, segment.c); break;
      case Segment::kBinary:
        ok = size == atoms::kAll ? bits_.add_binary_all(value) : bits_.add_size(size, segment.c);
        break;
      case Segment::kString: bits_.add_bits(static_cast<std::uint64_t>(size.small_value()) * 8); break;
      case Segment::kUtf8: bits_.add_utf8(value); break;
      case Segment::kUtf16: bits_.add_utf16(value); break;
      case Segment::kUtf32: ok = bits_.add_utf32(value); break;
      case Segment::kAppend:
      case Segment::kPrivateAppend: appends = true; break;
    }
    if (!ok) return fail(i);
  }
  const Term result =
      appends ? bits_.append(heap, segment_values_[0], bits_.total_bits(), static_cast<unsigned>(append_unit))
              : bits_.begin(heap);
  if (result.is_none()) return fail(0);
  for (std::size_t i = appends ? 1 : 0; i < count; ++i) {
    const auto segment = segment_at(i);
    const Term value = segment_values_[2 * i], size = segment_values_[2 * i + 1];
    const auto field = [&] { return *field_bits(size, segment.c); };
    bool ok = true;
    switch (static_cast<Segment>(segment.a)) {
      case Segment::kInteger: ok = bits_.put_integer(value, field(), segment.d); break;
      case Segment::kFloat: ok = bits_.put_float(value, field(), segment.d); break;
      case Segment::kBinary:
        ok = size == atoms::kAll ? bits_.put_binary_all(value, segment.c) : bits_.put_binary(value, field());
        break;
      case Segment::kString:
        bits_.put_string(static_cast<const std::uint8_t*>(segments[i * kSegmentWords + 1].pointer),
                         static_cast<std::uint64_t>(size.small_value()));
        break;
      case Segment::kUtf8: ok = bits_.put_utf8(value); break;
      case Segment::kUtf16: ok = bits_.put_utf16(value, segment.d); break;
      case Segment::kUtf32: ok = bits_.put_utf32(value, segment.d); break;
      case Segment::kAppend:
      case Segment::kPrivateAppend: break;
    }
    if (!ok) return fail(i);
  }
  return result;
}

}  // namespace ravel::erlang
