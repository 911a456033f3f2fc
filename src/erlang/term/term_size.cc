#include "erlang/term/term_size.h"

#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "erlang/term/atoms.h"
#include "erlang/term/bits.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"
#include "erlang/term/native_record.h"
#include "erlang/term/release.h"
#include "erlang/term/work_stack.h"

namespace ravel::erlang {

namespace {

constexpr std::uint64_t kReferenceWords = 3;  // of this node; pids and ports of this node are immediates
constexpr std::uint64_t kForeignWords = 3;    // without the number
constexpr std::uint64_t kSubBinaryWords = 5;

std::uint64_t bitstring_words(std::uint64_t bits) {
  const std::uint64_t bytes = (bits + 7) / 8;
  // Bytes that are not on the heap lie elsewhere.
  const std::uint64_t base =
      bytes <= kHeapBinaryMax ? 2 + (bytes + 7) / 8 : installed_release().large_binary_words;
  return bits % 8 == 0 || installed_release().has_short_bitstrings ? base : base + kSubBinaryWords;
}

std::uint64_t foreign_words(Term t) {
  const Word numbers = size_of(t.header()) - 3;
  return kForeignWords + (t.object()[1] == atoms::kReference ? numbers / 2 + 1 : 1);
}

// The words of a term without its parts.
std::uint64_t own_words(Term t) {
  if (t.is_reference()) return kReferenceWords;
  if (!t.is_pointer()) return 0;
  if (t.is_cons()) return 2;
  const Word size = size_of(t.header());
  switch (kind_of(t.header())) {
    case Kind::kTuple: return size == 0 ? 0 : size + 1;
    case Kind::kFlatMap: return size + 2;
    case Kind::kHashMap: return hash_children(t).size() + 2;
    case Kind::kHashNode: return hash_children(t).size() + 1;
    case Kind::kFun: return installed_release().fun_words + size - 2;
    case Kind::kExternalFun: return installed_release().external_fun_words;
    case Kind::kBytes:
    case Kind::kBitstring: return bitstring_words(bit_size(t));
    case Kind::kForeign: return foreign_words(t);
    default: return size + 1;
  }
}

// The words that may lead to other parts.
std::span<const Term> parts_of(Term t) {
  if (!t.is_pointer()) return {};
  if (t.is_cons()) return {t.cell(), 2};
  const Kind kind = kind_of(t.header());
  if (is_raw(kind) || kind == Kind::kBitstring) return {};
  return {t.object() + 1, size_of(t.header())};
}

// Gives equal objects one number each, from 1, bottom up.
class Numbering {
 public:
  std::uint64_t words_of_all_below(Term root) {
    std::vector<Term> pending{root};
    while (!pending.empty()) {
      const Term t = pending.back();
      const std::size_t depth = pending.size();
      if (t.is_pointer() && !by_address_.contains(t.bits()))
        for (const Term part : parts_of(t))
          if (!is_numbered(part)) pending.push_back(part);
      if (pending.size() != depth) continue;  // come back when the parts have their numbers
      pending.pop_back();
      if (!is_numbered(t)) add(t);
    }
    return words_;
  }

 private:
  using Content = std::vector<Word>;

  bool is_numbered(Term t) const {
    if (t.is_reference()) return by_content_.contains(Content{t.bits()});
    return !t.is_pointer() || by_address_.contains(t.bits());
  }

  void add(Term t) {
    Content content;
    if (!t.is_pointer()) {
      content = {t.bits()};
    } else if (is_bitstring(t)) {
      const BitView view = view_bits(t);
      content.assign(2 + (view.length + 63) / 64, 0);
      content[0] = make_header(Kind::kBytes, 0).bits();
      content[1] = view.length;
      copy_bits(reinterpret_cast<std::uint8_t*>(content.data() + 2), 0, view.bytes, view.offset, view.length);
    } else if (t.is_boxed() && is_raw(kind_of(t.header()))) {
      for (Word i = 0; i <= size_of(t.header()); ++i) content.push_back(t.object()[i].bits());
    } else {
      content.push_back(t.is_boxed() ? t.header().bits() : 1);
      for (const Term part : parts_of(t))
        content.push_back(part.is_pointer() ? by_address_.at(part.bits()) << 2 : part.bits());
    }
    const auto [found, is_new] = by_content_.try_emplace(std::move(content), by_content_.size() + 1);
    if (is_new) words_ += own_words(t);
    if (t.is_pointer()) by_address_.emplace(t.bits(), found->second);
  }

  std::unordered_map<Word, std::uint64_t> by_address_;
  std::map<Content, std::uint64_t> by_content_;
  std::uint64_t words_ = 0;
};

}  // namespace

std::uint64_t flat_size(Term t) {
  std::uint64_t words = 0;
  WorkStack<Term, 64> pending;
  pending.push(t);
  while (!pending.is_empty()) {
    t = pending.pop();
    words += own_words(t);
    for (const Term part : parts_of(t))
      if (part.is_pointer() || part.is_reference()) pending.push(part);
  }
  return words;
}

std::uint64_t shared_size(Term t) { return Numbering().words_of_all_below(t); }

}  // namespace ravel::erlang
