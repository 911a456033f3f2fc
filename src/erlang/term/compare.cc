#include "erlang/term/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "erlang/term/arithmetic.h"
#include "erlang/term/bits.h"
#include "erlang/term/each_name.h"
#include "erlang/term/header.h"
#include "erlang/term/map.h"
#include "erlang/term/native_record.h"
#include "erlang/term/release.h"
#include "erlang/term/work_stack.h"

namespace ravel::erlang {

namespace {

bool same_bits(Term a, Term b) {
  const BitView left = view_bits(a);
  const BitView right = view_bits(b);
  if (left.length != right.length) return false;
  return compare_bits(left.bytes, left.offset, left.length, right.bytes, right.offset, right.length) == 0;
}

// Two runs of words that are still to be compared, one with the other.
struct Run {
  const Term* left;
  const Term* right;
  std::size_t count;
};

// The arithmetic walk (==) differs from the exact one (=:=) in numbers, and in maps: keys stay exact.
enum class Numbers : std::uint8_t { kExact, kArithmetic };

template <Numbers kNumbers>
class Equality {
 public:
  bool holds(Term a, Term b) {
    if (!visit(a, b)) return false;
    while (!runs_.is_empty()) {
      Run& run = runs_.top();
      const Term left = *run.left++;
      const Term right = *run.right++;
      if (--run.count == 0) runs_.pop();
      if (left != right && !visit(left, right)) return false;
    }
    return true;
  }

 private:
  // Decides about two different words, or adds runs that decide.
  bool visit(Term a, Term b) {
    while (a.is_cons() && b.is_cons()) {
      const Term* left = a.cell();
      const Term* right = b.cell();
      if (left[0] == right[0] || !left[0].is_pointer()) {
        if (left[0] != right[0] && !visit_leaf(left[0], right[0])) return false;
        a = left[1];
        b = right[1];
      } else {
        if (left[1] != right[1]) runs_.push({left + 1, right + 1, 1});
        a = left[0];
        b = right[0];
      }
      if (a == b) return true;
    }
    return visit_leaf(a, b);
  }

  // Decides about words that are not both lists.
  bool visit_leaf(Term a, Term b) {
    if (!a.is_boxed() || !b.is_boxed()) {
      if constexpr (kNumbers == Numbers::kExact) return false;
      return is_number(a) && is_number(b) && compare_numbers(a, b) == 0;
    }
    const Term* left = a.object();
    const Term* right = b.object();
    const Kind kind = kind_of(left[0]);
    switch (kind) {
      case Kind::kFloat:
        if (kind_of(right[0]) == Kind::kFloat) {
          if (kNumbers == Numbers::kExact && installed_release().are_zeros_distinct)
            return left[1] == right[1];
          return float_value(a) == float_value(b);
        }
        [[fallthrough]];
      case Kind::kPositiveBig:
      case Kind::kNegativeBig:
        if (kNumbers == Numbers::kArithmetic && left[0] != right[0])
          return is_number(b) && compare_numbers(a, b) == 0;
        return left[0] == right[0] && std::memcmp(left + 1, right + 1, size_of(left[0]) * sizeof(Term)) == 0;
      case Kind::kBytes:
      case Kind::kBitstring: return is_bitstring(b) && same_bits(a, b);
      default: break;
    }
    if (left[0] != right[0]) return false;
    if constexpr (kNumbers == Numbers::kArithmetic) {
      if (kind == Kind::kFlatMap) {
        return equal_exactly(left[1], right[1]) && add({left + 2, right + 2, size_of(left[0]) - 1});
      }
      if (kind == Kind::kHashMap)
        return left[1] == right[1] && visit_node(left + 2, right + 2, size_of(left[0]) - 1);
    }
    return add({left + 1, right + 1, size_of(left[0])});
  }

  // Leaves out what needs no walk, and finds out at once if an immediate differs.
  bool add(Run run) {
    while (run.count != 0 && *run.left == *run.right) ++run.left, ++run.right, --run.count;
    if (run.count == 0) return true;
    if constexpr (kNumbers == Numbers::kExact) {
      for (std::size_t i = 0; i < run.count; ++i)
        if (run.left[i] != run.right[i] && (run.left[i].is_immediate() || run.right[i].is_immediate()))
          return false;
    }
    runs_.push(run);
    return true;
  }

  // The trie's shape depends on its keys alone, so equal keys stand at the same places.
  bool visit_node(const Term* left, const Term* right, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (left[i] == right[i]) continue;
      if (left[i].is_cons() && right[i].is_cons()) {
        if (!equal_exactly(left[i].head(), right[i].head())) return false;
        if (left[i].tail() != right[i].tail()) runs_.push({left[i].cell() + 1, right[i].cell() + 1, 1});
      } else if (left[i].is_boxed() && right[i].is_boxed()) {
        if (left[i].header() != right[i].header()) return false;
        if (!visit_node(left[i].object() + 1, right[i].object() + 1, size_of(left[i].header()))) return false;
      } else {
        return false;
      }
    }
    return true;
  }

  WorkStack<Run, 24> runs_;
};

// The types in the order of the language. Integers and floats are told apart elsewhere.
enum class Rank : std::uint8_t {
  kNumber,
  kAtom,
  kReference,
  kFun,
  kPort,
  kPid,
  kTuple,
  kNativeRecord,
  kMap,
  kNil,
  kList,
  kBitstring
};

Rank rank_of(Term t) {
  if (t.is_small()) return Rank::kNumber;
  if (t.is_atom()) return Rank::kAtom;
  if (t.is_cons()) return Rank::kList;
  if (t.is_nil()) return Rank::kNil;
  if (t.is_pid()) return Rank::kPid;
  if (t.is_reference()) return Rank::kReference;
  if (t.is_port()) return Rank::kPort;
  switch (kind_of(t.header())) {
    case Kind::kFlatMap:
    case Kind::kHashMap: return Rank::kMap;
    case Kind::kBytes:
    case Kind::kBitstring: return Rank::kBitstring;
    case Kind::kFun:
    case Kind::kExternalFun: return Rank::kFun;
    case Kind::kPositiveBig:
    case Kind::kNegativeBig:
    case Kind::kFloat: return Rank::kNumber;
    case Kind::kNativeRecord: return Rank::kNativeRecord;
    case Kind::kForeign: {
      const Term type = t.object()[1];
      if (type == atoms::kPid) return Rank::kPid;
      if (type == atoms::kPort) return Rank::kPort;
      return type == atoms::kReference ? Rank::kReference : Rank::kFun;
    }
    default: return Rank::kTuple;
  }
}

int sign(auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; }

// Pids, ports and references of other nodes; a word of this node comes before any of them.
// The payload is type, node, creation, numbers.
int compare_foreign(const Names& names, Term a, Term b) {
  if (!a.is_boxed() || !b.is_boxed()) return a.is_boxed() ? 1 : -1;
  const Term* left = a.object();
  const Term* right = b.object();
  const Word left_size = size_of(left[0]);
  const Word right_size = size_of(right[0]);
  const auto by_node = [&] {
    const int by_name = names.atoms.compare(left[2], right[2]);
    return by_name != 0 ? by_name : compare(names, left[3], right[3]);
  };
  const bool is_pid = left[1] == atoms::kPid;
  if (!is_pid)
    if (const int order = by_node(); order != 0) return order;
  // The last number is the most significant one; a number that is missing is zero.
  for (Word i = std::max(left_size, right_size); i >= 4; --i) {
    const Term x = i <= left_size ? left[i] : Term::small(0);
    const Term y = i <= right_size ? right[i] : Term::small(0);
    if (const int order = compare(names, x, y); order != 0) return order;
  }
  return is_pid ? by_node() : 0;
}

// Two leaves of hash maps with the same key.
struct SharedKey {
  Term left;
  Term right;
};

// What distinguishes two hash maps: keys that only one has, and shared keys whose values are different words.
class MapDifference {
 public:
  void add_nodes(const Term* left, const Term* right, Word left_bits, Word right_bits) {
    for (Word bit = 1; bit != 0x10000; bit <<= 1) {
      const Term a = (left_bits & bit) != 0 ? *left++ : Term::none();
      const Term b = (right_bits & bit) != 0 ? *right++ : Term::none();
      if (a != b) add(a, b);
    }
  }

  std::vector<Term> only_left, only_right;
  std::vector<SharedKey> shared;

 private:
  static Word bitmap_of(Term node) { return static_cast<Word>(node.object()[1].small_value()); }

  void add(Term a, Term b) {
    if (a.is_none() || b.is_none()) {
      collect(a.is_none() ? b : a, a.is_none() ? only_right : only_left, Term::none());
    } else if (a.is_cons() && b.is_cons()) {
      if (equal_exactly(a.head(), b.head())) {
        if (a.tail() != b.tail()) shared.push_back({a, b});
      } else {
        only_left.push_back(a.head());
        only_right.push_back(b.head());
      }
    } else if (a.is_cons()) {
      if (const Term twin = collect(b, only_right, a.head()); twin.is_none()) {
        only_left.push_back(a.head());
      } else if (twin.tail() != a.tail()) {
        shared.push_back({a, twin});
      }
    } else if (b.is_cons()) {
      if (const Term twin = collect(a, only_left, b.head()); twin.is_none()) {
        only_right.push_back(b.head());
      } else if (twin.tail() != b.tail()) {
        shared.push_back({twin, b});
      }
    } else {
      add_nodes(a.object() + 2, b.object() + 2, bitmap_of(a), bitmap_of(b));
    }
  }

  // Adds the keys below `node` to `keys`, except `wanted`, whose leaf it returns.
  static Term collect(Term node, std::vector<Term>& keys, Term wanted) {
    if (node.is_cons()) {
      if (!wanted.is_none() && equal_exactly(node.head(), wanted)) return node;
      keys.push_back(node.head());
      return Term::none();
    }
    Term found = Term::none();
    for (Word i = 2; i <= size_of(node.header()); ++i)
      if (const Term leaf = collect(node.object()[i], keys, wanted); !leaf.is_none()) found = leaf;
    return found;
  }
};

// Whether names whose order decides are noted.
enum class Noting : std::uint8_t { kSilent, kNoted };

class Comparison {
 public:
  Comparison(const Names& names, Noting noting)
      : names_(names), notes_(noting == Noting::kNoted && names.uses.are_watched()) {}

  int order(Term a, Term b, Numbers numbers) {
    if (const int result = visit(a, b, numbers); result != 0) return result;
    while (!runs_.is_empty()) {
      ModalRun& top = runs_.top();
      const Term left = *top.run.left++;
      const Term right = *top.run.right++;
      const Numbers mode = top.numbers;
      if (--top.run.count == 0) runs_.pop();
      if (left == right) continue;
      if (const int result = visit(left, right, mode); result != 0) return result;
    }
    return 0;
  }

 private:
  struct ModalRun {
    Run run;
    Numbers numbers;
  };

  // Decides about two different words, or adds runs that decide.
  int visit(Term a, Term b, Numbers numbers) {
    while (a.is_cons() && b.is_cons()) {
      const Term* left = a.cell();
      const Term* right = b.cell();
      if (left[0] == right[0] || !left[0].is_pointer()) {
        if (left[0] != right[0])
          if (const int result = visit_leaf(left[0], right[0], numbers); result != 0) return result;
        a = left[1];
        b = right[1];
      } else {
        runs_.push({{left + 1, right + 1, 1}, numbers});
        a = left[0];
        b = right[0];
      }
      if (a == b) return 0;
    }
    return visit_leaf(a, b, numbers);
  }

  int visit_leaf(Term a, Term b, Numbers numbers) {
    if (a.is_small() && b.is_small()) return sign(a.small_value(), b.small_value());
    if (a.is_atom() && b.is_atom()) return names_.atoms.compare(a, b);
    const Rank rank = rank_of(a);
    if (const Rank other = rank_of(b); rank != other) return rank < other ? -1 : 1;
    switch (rank) {
      case Rank::kNumber: return compare_two_numbers(a, b, numbers);
      case Rank::kReference:
        return a.is_reference() && b.is_reference() ? order_references(a, b) : compare_foreign(names_, a, b);
      case Rank::kPid: return a.is_pid() && b.is_pid() ? order_pids(a, b) : compare_foreign(names_, a, b);
      case Rank::kPort:
        return a.is_port() && b.is_port() ? sign(a.port_name(), b.port_name())
                                          : compare_foreign(names_, a, b);
      case Rank::kFun: return compare_funs(a, b, numbers);
      case Rank::kMap: return compare_maps(a, b, numbers);
      case Rank::kNativeRecord: return compare_records(a, b, numbers);
      case Rank::kBitstring: {
        const BitView left = view_bits(a);
        const BitView right = view_bits(b);
        return compare_bits(left.bytes, left.offset, left.length, right.bytes, right.offset, right.length);
      }
      default: break;
    }
    const Term* left = a.object();
    const Term* right = b.object();
    if (left[0] != right[0]) return sign(size_of(left[0]), size_of(right[0]));
    return add({left + 1, right + 1, size_of(left[0])}, numbers);
  }

  int order_pids(Term a, Term b) {
    if (notes_ && a != b) {
      names_.uses.note(a);
      names_.uses.note(b);
    }
    return names_.compare_pids(a, b);
  }

  // Those of one creator are in the order in which it made them.
  int order_references(Term a, Term b) {
    if (const Term left = Names::creator_of(a), right = Names::creator_of(b); left != right)
      return order_pids(left, right);
    return names_.compare_references(a, b);
  }

  // The order of keys decides which values are compared first.
  void note_keys(Term map) {
    if (!notes_) return;
    const auto note = [this](Term pid) { names_.uses.note(pid); };
    for (MapIterator pairs(map); pairs.next();) for_each_name(pairs.key(), note);
  }

  static int compare_two_numbers(Term a, Term b, Numbers numbers) {
    if (is_float(a) && is_float(b)) {
      const int order = sign(float_value(a), float_value(b));
      const bool are_two_zeros = order == 0 && a.object()[1] != b.object()[1];
      if (!are_two_zeros || numbers == Numbers::kArithmetic || !installed_release().are_zeros_distinct)
        return order;
      return std::signbit(float_value(a)) ? -1 : 1;
    }
    if (numbers == Numbers::kExact && is_float(a) != is_float(b)) return is_float(b) ? -1 : 1;
    return compare_numbers(a, b);
  }

  // Local funs come before external ones; a fun of another node, which stays opaque, comes last.
  int compare_funs(Term a, Term b, Numbers numbers) {
    const Term* left = a.object();
    const Term* right = b.object();
    const Kind kind = kind_of(left[0]);
    const Kind other = kind_of(right[0]);
    const auto place = [](Kind k) { return k == Kind::kFun ? 0 : k == Kind::kExternalFun ? 1 : 2; };
    if (kind != other) return sign(place(kind), place(other));
    if (kind == Kind::kExternalFun) {
      if (const int order = names_.atoms.compare(left[1], right[1]); order != 0) return order;
      if (const int order = names_.atoms.compare(left[2], right[2]); order != 0) return order;
      return compare(names_, left[3], right[3]);
    }
    if (kind == Kind::kFun && left[1] != right[1]) {
      const FunEntry& x = names_.fun(static_cast<std::uint32_t>(left[1].small_value()));
      const FunEntry& y = names_.fun(static_cast<std::uint32_t>(right[1].small_value()));
      if (const int order = names_.atoms.compare(x.module, y.module); order != 0) return order;
      if (x.index != y.index) return sign(x.index, y.index);
      if (x.old_uniq != y.old_uniq) return sign(x.old_uniq, y.old_uniq);
      return std::memcmp(x.uniq, y.uniq, sizeof x.uniq) < 0 ? -1 : 1;
    }
    if (left[0] != right[0]) return sign(size_of(left[0]), size_of(right[0]));
    return add({left + 1, right + 1, size_of(left[0])}, numbers);
  }

  // Compares by module, name, whether the record is exported, and the number of fields; then by the names of
  // the fields, and by the values.
  int compare_records(Term a, Term b, Numbers numbers) {
    const Term left = record_definition(a), right = record_definition(b);
    if (left != right) {
      for (Word i = 1; i <= kDefinitionHead; ++i)
        if (const int order = names_.atoms.compare(element(left, i), element(right, i)); order != 0)
          return order;
      const auto mine = defined_fields(left), others = defined_fields(right);
      if (mine.size() != others.size()) return sign(mine.size(), others.size());
      for (std::size_t i = 0; i < mine.size(); ++i)
        if (const int order = names_.atoms.compare(mine[i], others[i]); order != 0) return order;
    }
    return add({record_values(a).data(), record_values(b).data(), record_values(a).size()}, numbers);
  }

  int compare_maps(Term a, Term b, Numbers numbers) {
    const Term* left = a.object();
    const Term* right = b.object();
    const bool is_flat = kind_of(left[0]) == Kind::kFlatMap;
    if (is_flat != (kind_of(right[0]) == Kind::kFlatMap)) return is_flat ? -1 : 1;
    if (left[is_flat ? 0 : 1] == right[is_flat ? 0 : 1]) {
      note_keys(a);
      note_keys(b);
    }
    if (is_flat) {
      if (left[0] != right[0]) return sign(size_of(left[0]), size_of(right[0]));
      if (left[1] == right[1]) return add({left + 2, right + 2, size_of(left[0]) - 1}, numbers);
      if (size_of(left[0]) > 1) runs_.push({{left + 2, right + 2, size_of(left[0]) - 1}, numbers});
      runs_.push({{left + 1, right + 1, 1}, Numbers::kExact});
      return 0;
    }
    if (left[1] != right[1]) return sign(left[1].small_value(), right[1].small_value());
    MapDifference difference;
    difference.add_nodes(left + 3, right + 3, static_cast<Word>(left[2].small_value()),
                         static_cast<Word>(right[2].small_value()));
    const auto comes_before = [&](Term x, Term y) { return compare_exactly(names_, x, y) < 0; };
    if (!difference.only_left.empty()) {
      // At the first place where the sorted keys differ stands the least key that only one map has.
      const Term x = *std::ranges::min_element(difference.only_left, comes_before);
      const Term y = *std::ranges::min_element(difference.only_right, comes_before);
      return comes_before(x, y) ? -1 : 1;
    }
    std::ranges::sort(difference.shared, comes_before,
                      [](const SharedKey& pair) { return pair.left.head(); });
    for (std::size_t i = difference.shared.size(); i-- > 0;)
      runs_.push({{difference.shared[i].left.cell() + 1, difference.shared[i].right.cell() + 1, 1}, numbers});
    return 0;
  }

  // Leaves out what needs no walk; where the first difference is between immediates, it decides.
  int add(Run run, Numbers numbers) {
    while (run.count != 0 && *run.left == *run.right) ++run.left, ++run.right, --run.count;
    if (run.count == 0) return 0;
    const Term a = *run.left;
    const Term b = *run.right;
    if (a.is_small() && b.is_small()) return sign(a.small_value(), b.small_value());
    if (a.is_atom() && b.is_atom()) return names_.atoms.compare(a, b);
    runs_.push({run, numbers});
    return 0;
  }

  const Names& names_;
  const bool notes_;
  WorkStack<ModalRun, 24> runs_;
};

}  // namespace

bool equal_exactly_slowly(Term a, Term b) { return Equality<Numbers::kExact>().holds(a, b); }
bool equal_slowly(Term a, Term b) { return Equality<Numbers::kArithmetic>().holds(a, b); }
int compare_slowly(const Names& names, Term a, Term b) {
  return Comparison(names, Noting::kNoted).order(a, b, Numbers::kArithmetic);
}
int compare_silently_slowly(const Names& names, Term a, Term b) {
  return Comparison(names, Noting::kSilent).order(a, b, Numbers::kArithmetic);
}
int compare_exactly_slowly(const Names& names, Term a, Term b) {
  return Comparison(names, Noting::kSilent).order(a, b, Numbers::kExact);
}

}  // namespace ravel::erlang
