// Built-ins of the external term format: term_to_binary and back.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "erlang/bif/builtins.h"
#include "erlang/bif/shown_names.h"
#include "erlang/machine/machine.h"
#include "erlang/term/bits.h"
#include "erlang/term/external_format.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

// What a call without options asks for.
EncodeOptions usual_options() {
  EncodeOptions options;
  options.minor_version = installed_release().external_minor_version;
  return options;
}

std::optional<EncodeOptions> encode_options(Term list) {
  EncodeOptions options = usual_options();
  for (; list.is_cons(); list = list.tail()) {
    const Term option = list.head();
    if (option == atoms::kCompressed) {
      options.compression = -1;
    } else if (option == atoms::kDeterministic) {
      options.is_deterministic = true;
    } else if (is_tuple_of(option, 2) && element(option, 2).is_small()) {
      const std::int64_t value = element(option, 2).small_value();
      if (element(option, 1) == atoms::kMinorVersion && value >= 0 && value <= 2) {
        options.minor_version = static_cast<int>(value);
      } else if (element(option, 1) == atoms::kCompressed && value >= 0 && value <= 9) {
        options.compression = static_cast<int>(value);
      } else {
        return std::nullopt;
      }
    } else {
      return std::nullopt;
    }
  }
  if (!list.is_nil()) return std::nullopt;
  return options;
}

Term to_binary(Call& call, Term term, const EncodeOptions& options) {
  if (!may_show(call, term, NameUse::kBytes)) return Term::none();
  const auto encoded = encode_external(call.heap, call.names, term, options);
  return encoded ? make_binary(call.heap, encoded->data(), encoded->size()) : call.system_limit();
}

Term term_to_binary_1(Call& call, const Term* arguments) {
  return to_binary(call, arguments[0], usual_options());
}

Term term_to_binary_2(Call& call, const Term* arguments) {
  const auto options = encode_options(arguments[1]);
  return options ? to_binary(call, arguments[0], *options) : call.badarg();
}

// The emulator makes large binaries elements of their own; how the bytes are cut is not promised, and here
// all of them are one binary.
Term term_to_iovec_1(Call& call, const Term* arguments) {
  const Term binary = term_to_binary_1(call, arguments);
  return binary.is_none() ? binary : call.heap.cons(binary, Term::nil());
}

Term term_to_iovec_2(Call& call, const Term* arguments) {
  const Term binary = term_to_binary_2(call, arguments);
  return binary.is_none() ? binary : call.heap.cons(binary, Term::nil());
}

// The decoded term and the number of bytes read; nothing if the bytes are no term.
std::optional<DecodedTerm> from_binary(Call& call, Term binary, NewAtoms new_atoms) {
  if (!is_binary(binary)) return std::nullopt;
  const BitView view = view_bits(binary);
  std::string copy;
  const std::uint8_t* data = nullptr;
  if (view.is_byte_aligned()) {
    data = view.data();
  } else {
    copy.resize(view.length / 8);
    copy_bits(reinterpret_cast<std::uint8_t*>(copy.data()), 0, view.bytes, view.offset, view.length);
    data = reinterpret_cast<const std::uint8_t*>(copy.data());
  }
  auto decoded = decode_external_prefix(call.heap, call.names, {data, view.length / 8}, new_atoms);
  if (!decoded || !may_show(call, decoded->term, NameUse::kBytes)) return std::nullopt;
  return *decoded;
}

Term binary_to_term_1(Call& call, const Term* arguments) {
  const auto decoded = from_binary(call, arguments[0], NewAtoms::kRunTime);
  return decoded ? decoded->term : call.badarg();
}

Term binary_to_term_2(Call& call, const Term* arguments) {
  NewAtoms new_atoms = NewAtoms::kRunTime;
  bool wants_size = false;
  Term list = arguments[1];
  for (; list.is_cons(); list = list.tail()) {
    if (list.head() == atoms::kSafe) {
      new_atoms = NewAtoms::kRefused;
    } else if (list.head() == atoms::kUsed) {
      wants_size = true;
    } else {
      return call.fail(atoms::kBadarg, atoms::kBadopt);
    }
  }
  if (!list.is_nil()) return call.fail(atoms::kBadarg, atoms::kBadopt);
  const auto decoded = from_binary(call, arguments[0], new_atoms);
  if (!decoded) return call.badarg();
  if (!wants_size) return decoded->term;
  return call.heap.tuple({decoded->term, Term::small(static_cast<std::int64_t>(decoded->size))});
}

Term size_of_encoding(Call& call, Term term, const EncodeOptions& options) {
  if (!may_show(call, term, NameUse::kSize)) return Term::none();
  return Term::small(static_cast<std::int64_t>(external_size(call.heap, call.names, term, options)));
}

Term external_size_1(Call& call, const Term* arguments) {
  return size_of_encoding(call, arguments[0], usual_options());
}

// Up to OTP 26 it knows fewer options than term_to_binary/2.
Term external_size_2(Call& call, const Term* arguments) {
  if (installed_release().sizes_by_any_option) {
    auto given = encode_options(arguments[1]);
    if (!given) return call.badarg();
    given->compression = 0;  // counts as it is without
    return size_of_encoding(call, arguments[0], *given);
  }
  EncodeOptions options = usual_options();
  Term list = arguments[1];
  for (; list.is_cons(); list = list.tail()) {
    const Term option = list.head();
    if (!is_tuple_of(option, 2) || element(option, 1) != atoms::kMinorVersion) return call.badarg();
    if (element(option, 2) == Term::small(0)) {
      options.minor_version = 0;
    } else if (element(option, 2) == Term::small(1)) {
      options.minor_version = 1;
    } else {
      return call.badarg();
    }
  }
  return list.is_nil() ? size_of_encoding(call, arguments[0], options) : call.badarg();
}

constexpr auto kExternalFormatBuiltins = std::to_array<Builtin>({
    {"erlang", "binary_to_term", 1, Effect::kPure, binary_to_term_1},
    {"erlang", "binary_to_term", 2, Effect::kPure, binary_to_term_2},
    {"erlang", "external_size", 1, Effect::kPure, external_size_1},
    {"erlang", "external_size", 2, Effect::kPure, external_size_2},
    {"erlang", "term_to_binary", 1, Effect::kPure, term_to_binary_1},
    {"erlang", "term_to_binary", 2, Effect::kPure, term_to_binary_2},
    {"erlang", "term_to_iovec", 1, Effect::kPure, term_to_iovec_1},
    {"erlang", "term_to_iovec", 2, Effect::kPure, term_to_iovec_2},
});
static_assert(std::ranges::is_sorted(kExternalFormatBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> external_format_builtins() { return kExternalFormatBuiltins; }

}  // namespace ravel::erlang
