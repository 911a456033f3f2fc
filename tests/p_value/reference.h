// Values in the most obvious representation, to compare those of the store with.

#pragma once

#include <compare>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "p/value/store.h"

namespace ravel::p {

struct Plain {
  enum class Kind {
    kNull,
    kBoolean,
    kInteger,
    kFloat,
    kString,
    kEvent,
    kMachine,
    kTuple,
    kNamedTuple,
    kSeq,
    kSet,
    kMap,
    kForeign
  };

  Kind kind = Kind::kNull;
  std::int64_t number = 0;  // of a truth, integer, event or machine; the shape of a tuple with names, the
                            // type of a foreign value
  double real = 0;
  std::string text;
  std::vector<Plain> parts;  // of a set in order, of a map in order of the keys: key, value, key, value
};

// The order that order.h says, word by word.
std::strong_ordering operator<=>(const Plain& a, const Plain& b);
inline bool operator==(const Plain& a, const Plain& b) { return (a <=> b) == 0; }

Plain plain_set(std::vector<Plain> elements);
// Of two entries with one key the later counts.
Plain plain_map(const std::vector<std::pair<Plain, Plain>>& entries);

// A small one, of few different contents, so that equal ones are common.
Plain random_plain(Random& random, unsigned depth = 3);

// The same in the store; sets and maps are filled in a random order.
Value stored(ValueStore& store, const Plain& plain, Random& random);
Plain read_back(Value value);

}  // namespace ravel::p
