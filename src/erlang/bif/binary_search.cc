// Searching in binaries: match, matches, split, and patterns that are prepared once.
//
// Of several patterns the one that begins first wins, and of those the longest. A single pattern is looked
// for as a whole; several are sorted by their first byte, and the text is scanned for a byte that begins one.
//
// A compiled pattern is {bm, Encoded} or {ac, Encoded}. Encoded is a binary of the patterns themselves, so it
// means the same in every execution and on every process; programs are not supposed to look inside.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "erlang/bif/binary_family.h"
#include "erlang/term/byte_text.h"
#include "erlang/term/release.h"

namespace ravel::erlang {

namespace {

struct Found {
  std::uint64_t start;
  std::uint64_t size;
};

class Patterns {
 public:
  // A binary or a list of binaries, none of them empty; or a compiled pattern.
  static std::optional<Patterns> parse(Term t) {
    Patterns result;
    if (is_tuple_of(t, 2)) {
      if (!result.decode(element(t, 1), element(t, 2))) return std::nullopt;
    } else if (is_binary(t)) {
      result.add(t);
    } else {
      for (; t.is_cons(); t = t.tail()) {
        if (!is_binary(t.head())) return std::nullopt;
        result.add(t.head());
      }
      if (!t.is_nil()) return std::nullopt;
    }
    const bool has_empty = std::ranges::any_of(result.texts_, &std::string::empty);
    if (result.texts_.empty() || has_empty) return std::nullopt;
    result.prepare();
    return result;
  }

  Term compiled(Heap& heap) const {
    std::string encoded(kMark);
    for (const std::string& text : texts_) {
      const std::uint64_t size = text.size();
      encoded.append(reinterpret_cast<const char*>(&size), sizeof size);
      encoded += text;
    }
    return heap.tuple(
        {texts_.size() == 1 ? atoms::kBm : atoms::kAc, make_binary(heap, encoded.data(), encoded.size())});
  }

  // The first match within text[from, to).
  std::optional<Found> find(std::string_view text, std::uint64_t from, std::uint64_t to) const {
    if (texts_.size() == 1) {
      const std::string& pattern = texts_.front();
      const void* at = memmem(text.data() + from, to - from, pattern.data(), pattern.size());
      if (at == nullptr) return std::nullopt;
      return Found{static_cast<std::uint64_t>(static_cast<const char*>(at) - text.data()), pattern.size()};
    }
    for (std::uint64_t at = from; at < to; ++at) {
      const auto first = static_cast<unsigned char>(text[at]);
      for (std::size_t i = begin_[first]; i < begin_[first + 1U]; ++i)
        if (text.substr(at, to - at).starts_with(sorted_[i])) return Found{at, sorted_[i].size()};
    }
    return std::nullopt;
  }

 private:
  static constexpr std::string_view kMark = "patterns:";

  void add(Term binary) { texts_.emplace_back(ByteText(binary).text()); }

  bool decode(Term tag, Term encoded) {
    if ((tag != atoms::kBm && tag != atoms::kAc) || !is_binary(encoded)) return false;
    const ByteText bytes(encoded);
    std::string_view rest = bytes.text();
    if (!rest.starts_with(kMark)) return false;
    for (rest.remove_prefix(kMark.size()); !rest.empty();) {
      std::uint64_t size;
      if (rest.size() < sizeof size) return false;
      std::memcpy(&size, rest.data(), sizeof size);
      rest.remove_prefix(sizeof size);
      if (size > rest.size()) return false;
      texts_.emplace_back(rest.substr(0, size));
      rest.remove_prefix(size);
    }
    return (tag == atoms::kBm) == (texts_.size() == 1);
  }

  // Sorts by first byte, the longest first.
  void prepare() {
    if (texts_.size() == 1) return;
    sorted_.assign(texts_.begin(), texts_.end());
    const auto first = [](std::string_view text) { return static_cast<unsigned char>(text.front()); };
    std::ranges::stable_sort(sorted_, [&](std::string_view a, std::string_view b) {
      return first(a) != first(b) ? first(a) < first(b) : a.size() > b.size();
    });
    begin_.assign(257, sorted_.size());
    for (std::size_t i = sorted_.size(); i-- > 0;) begin_[first(sorted_[i])] = i;
    for (std::size_t i = 256; i-- > 0;) begin_[i] = std::min(begin_[i], begin_[i + 1]);
  }

  std::vector<std::string> texts_;
  std::vector<std::string> sorted_;  // several patterns, by first byte, the longest first
  std::vector<std::size_t> begin_;   // where in sorted_ the patterns with a given first byte begin
};

struct Options {
  ByteRange scope;
  bool global = false;
  bool trim = false;
  bool trim_all = false;
};

enum class Family : std::uint8_t { kMatch, kSplit };

// The tail of the list of options is not looked at, as in the emulator.
std::optional<Options> parse_options(Term list, std::uint64_t size, Family family) {
  Options options{.scope = {0, size}};
  if (!is_list(list)) return std::nullopt;
  for (; list.is_cons(); list = list.tail()) {
    const Term option = list.head();
    if (family == Family::kSplit && option == atoms::kGlobal) {
      options.global = true;
    } else if (family == Family::kSplit && option == atoms::kTrim) {
      options.trim = true;
    } else if (family == Family::kSplit && option == atoms::kTrimAll) {
      options.trim_all = true;
    } else if (is_tuple_of(option, 2) && element(option, 1) == atoms::kScope &&
               is_tuple_of(element(option, 2), 2)) {
      const Term scope = element(option, 2);
      if (!find_byte_range(element(scope, 1), element(scope, 2), size, options.scope)) return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

std::vector<Found> find_all(const Patterns& patterns, std::string_view text, ByteRange scope,
                            bool only_first) {
  std::vector<Found> all;
  for (std::uint64_t from = scope.start; const auto found = patterns.find(text, from, scope.end);) {
    all.push_back(*found);
    if (only_first) break;
    from = found->start + found->size;
  }
  return all;
}

Term match(Call& call, Term binary, Term pattern, Term option_list, bool only_first) {
  if (!is_binary(binary)) return call.badarg();
  const auto options = parse_options(option_list, bit_size(binary) / 8, Family::kMatch);
  if (!options) return call.badarg();
  const Term not_found = only_first ? atoms::kNomatch : Term::nil();
  // Up to OTP 26 the emulator looks at the pattern only if there is something to search.
  if (options->scope.end == 0 && !installed_release().looks_at_patterns_first) return not_found;
  const auto patterns = Patterns::parse(pattern);
  if (!patterns) return call.badarg();
  if (options->scope.end == 0) return not_found;
  const ByteText bytes(binary);
  const std::vector<Found> all = find_all(*patterns, bytes.text(), options->scope, only_first);
  if (all.empty()) return not_found;
  const auto place = [&](const Found& found) {
    return call.heap.tuple({call.heap.unsigned_integer(found.start), call.heap.unsigned_integer(found.size)});
  };
  if (only_first) return place(all.front());
  Term list = Term::nil();
  for (std::size_t i = all.size(); i-- > 0;) list = call.heap.cons(place(all[i]), list);
  return list;
}

Term split(Call& call, Term binary, Term pattern, Term option_list) {
  if (!is_binary(binary)) return call.badarg();
  const std::uint64_t size = bit_size(binary) / 8;
  const auto options = parse_options(option_list, size, Family::kSplit);
  if (!options) return call.badarg();
  const bool trims = options->trim || options->trim_all;
  const Term not_found = trims && size == 0 ? Term::nil() : call.heap.cons(binary, Term::nil());
  if (options->scope.end == 0 && !installed_release().looks_at_patterns_first) return not_found;
  const auto patterns = Patterns::parse(pattern);
  if (!patterns) return call.badarg();
  if (options->scope.end == 0) return not_found;
  const ByteText bytes(binary);
  const std::vector<Found> all = find_all(*patterns, bytes.text(), options->scope, !options->global);
  if (all.empty()) return not_found;
  // From the end to the beginning. `trim` leaves out empty parts only until there is one that is not empty.
  bool skip_empty = trims;
  Term list = Term::nil();
  std::uint64_t end = size;
  const auto add_part = [&](std::uint64_t from) {
    if (from == end && skip_empty) return;
    list = call.heap.cons(make_sub_bits(call.heap, binary, from * 8, (end - from) * 8), list);
    skip_empty = options->trim_all;
  };
  for (std::size_t i = all.size(); i-- > 0;) {
    add_part(all[i].start + all[i].size);
    end = all[i].start;
  }
  add_part(0);
  return list;
}

}  // namespace

Term compile_pattern_1(Call& call, const Term* arguments) {
  if (is_tuple(arguments[0])) return call.badarg();
  const auto patterns = Patterns::parse(arguments[0]);
  return patterns ? patterns->compiled(call.heap) : call.badarg();
}

Term match_2(Call& call, const Term* arguments) {
  return match(call, arguments[0], arguments[1], Term::nil(), true);
}

Term match_3(Call& call, const Term* arguments) {
  return match(call, arguments[0], arguments[1], arguments[2], true);
}

Term matches_2(Call& call, const Term* arguments) {
  return match(call, arguments[0], arguments[1], Term::nil(), false);
}

Term matches_3(Call& call, const Term* arguments) {
  return match(call, arguments[0], arguments[1], arguments[2], false);
}

Term split_2(Call& call, const Term* arguments) {
  return split(call, arguments[0], arguments[1], Term::nil());
}

Term split_3(Call& call, const Term* arguments) {
  return split(call, arguments[0], arguments[1], arguments[2]);
}

}  // namespace ravel::erlang
