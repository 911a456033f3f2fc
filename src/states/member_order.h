// In which order interchangeable actors get their names, so that states that differ in these only become one.
//
// The idea (C. N. Ip and D. L. Dill, "Better verification through symmetry", 1996; the heuristic
// canonicalization of Murphi): members of one kind exchange their names, with all that is below them. They
// are put in the order of what is known of each without its name: its own part of the state, and where its
// name lies elsewhere; that is refined by what is known of the others among which it lies. Those that are
// still equal are exchangeable unless something names two of them; then all orders are tried if there are
// few, and whoever asks takes the least state. If there are many there is no order.
//
// Whatever is taken for equal here, what comes out are other names for the same state. So nothing that goes
// wrong makes two states one that are not the same up to names: it only leaves more of them.
//
// Cost: for each round of refinement a look at all names in the state; few states need more than two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "states/name_shape.h"

namespace ravel {

// Names by index, each of which lies below another one, as P.1.2 below P.1.
class NameTree {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  virtual ~NameTree() = default;
  virtual std::uint32_t parent(std::uint32_t name) const = 0;   // kNone: it lies below none
  virtual std::uint32_t ordinal(std::uint32_t name) const = 0;  // among those below its parent
};

class MemberOrder {
 public:
  // What two members must have in common to exchange their names.
  using Kind = std::pair<std::uint64_t, std::uint64_t>;
  struct Exchange {
    std::uint32_t from = 0, to = 0;
  };

  // It must outlive this object.
  explicit MemberOrder(const NameTree& tree) : tree_(tree) {}

  // A new state.
  void begin();
  // The next part of it: an actor's, or nobody's (NameTree::kNone). The shape must stay until the next
  // begin().
  void add_part(std::uint32_t who, const NameShape& shape);
  // In the order of names, those above before those below. Who lies below another member is none.
  void add_member(std::uint32_t who, const Kind& kind);

  // After all of these. False: no two members could exchange their names, or it would take too long.
  bool find();
  // Who gets another name; the names are those of members of the same kind.
  std::span<const Exchange> exchanges() const { return exchanges_; }
  // Another order, where several have to be tried. False: there is no further one.
  bool next();

  bool is_member(std::uint32_t name) const { return name < member_of_.size() && member_of_[name] != kNobody; }
  // REQUIRES: it is a member.
  std::uint32_t new_name(std::uint32_t member) const { return members_[member_of_[member]].new_name; }
  // Whether this part holds a name that changes, by its number.
  bool has_changing_name(std::size_t part) const;

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  // How many orders of members that look the same are tried.
  static constexpr std::size_t kOrdersMax = 120;

  // The member whose name that is, or below which it lies, and the path from there.
  struct Owner {
    std::uint32_t member = kNobody;
    std::uint64_t path = 0;
  };
  struct Slot {
    Owner owner;
    std::uint32_t name = 0;
    std::uint64_t slot = 0;
  };
  struct Part {
    std::uint32_t who = NameTree::kNone;
    const NameShape* shape = nullptr;
    Owner owner = {};
    std::size_t first_slot = 0;  // in slots_
  };
  struct Member {
    std::uint32_t name = 0, new_name = 0;
    Kind kind = {};
    std::uint64_t colour = 0, next = 0;
  };
  using Range = std::pair<std::size_t, std::size_t>;  // first and one behind the last in order_

  Owner owner_of(std::uint32_t name) const;
  std::span<const Slot> slots_of(std::size_t part) const;
  std::vector<Range> runs(auto is_alike) const;
  std::span<std::uint32_t> in_order(const Range& range) {
    return std::span(order_).subspan(range.first, range.second - range.first);
  }
  void find_ties(auto is_alike);
  void find_owners();
  void colour_members();
  std::size_t count_colours() const;
  bool are_tied_entangled() const;
  void name_members();

  const NameTree& tree_;
  std::vector<Part> parts_;
  std::vector<Slot> slots_;
  std::vector<Member> members_;
  std::vector<std::uint32_t> member_of_;  // by name
  std::vector<std::uint32_t> order_;      // of members, kind by kind
  std::vector<Range> kinds_, ties_;       // ties: of members that look alike
  std::vector<Exchange> exchanges_;
};

}  // namespace ravel
