// States that differ only in how interchangeable processes are called (machine/opaque_names.h), as one.
//
// The idea (C. N. Ip and D. L. Dill, "Better verification through symmetry", 1996; the heuristic
// canonicalization of Murphi): members of a group that have the same parent exchange their names, with all
// that is below them. They are put in the order of what is known of each without its name: its own image, and
// where its name lies elsewhere; that is refined by what is known of the others among which it lies. Those
// that are still equal are exchangeable unless something names two of them; then all orders are tried if
// there are few, and the least state is taken. If there are many the state is left as it is.
//
// What comes out is the state under other names, whatever was taken for equal: so nothing that goes wrong
// here makes two states one that are not the same up to names. It only leaves more of them.
//
// Members: live processes that are in a group, without those that are below another member.
//
// Cost: where a part of a state was seen before, a look-up; the rest is a walk over it. Where names are
// exchanged, what holds them is stored anew.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "erlang/machine/machine.h"
#include "erlang/system/name_shape.h"
#include "erlang/system/renaming.h"
#include "erlang/system/visited_states.h"

namespace ravel::erlang {

class StateSymmetry {
 public:
  enum class Images : std::uint8_t { kPlain, kNoted };  // kNoted: each one has a note
  StateSymmetry(Machine& machine, VisitedStates& visited, Images images)
      : machine_(machine), visited_(visited), images_(images), renaming_(machine) {}

  // The state that stands for this one: the words themselves, or those that are valid until the next call.
  // REQUIRES: the machine is in this state, and the nursery is empty.
  std::span<const Term> representative(std::span<const Term> words);
  // What the last representative has instead of its state's names, in a stored term.
  Term renamed(Term term);
  // The store was collected.
  void forget_terms();

 private:
  static constexpr std::int32_t kNobody = -1;
  static constexpr std::size_t kShapesMax = 1 << 16;
  // How many orders of members that look the same are tried.
  static constexpr std::size_t kOrdersMax = 120;

  struct Shape {
    NameShape names;
    std::uint32_t group = 0;  // of an image
  };
  // A part of the state: a process, or what no process owns.
  struct Part {
    Term pid = Term::none();
    Term image;
    const Shape* shape = nullptr;
    std::int32_t owner = kNobody;  // the member whose it is, or below which
    std::uint64_t path = 0;        // from there
  };
  struct Member {
    Term pid;
    std::uint32_t group;
    std::uint64_t colour = 0, next = 0;
  };

  const Shape& shape_of(Term image, auto make);
  Member& member(std::int32_t number) { return members_[static_cast<std::size_t>(number)]; }
  const Member& member(std::int32_t number) const { return members_[static_cast<std::size_t>(number)]; }
  void find_parts(std::span<const Term> words);
  Shape shape_of_process(Term pid, Term image) const;
  std::pair<std::size_t, std::uint32_t> class_of(const Member& member) const;
  bool find_members();
  std::int32_t owner_of(Term pid, std::uint64_t& path) const;
  void colour_members();
  std::size_t count_colours() const;
  bool are_entangled(std::span<const std::int32_t> order) const;
  void find_order();
  std::vector<std::pair<Term, Term>> names_for(std::span<const std::int32_t> order) const;
  bool rename(std::span<const Term> words, std::span<const std::pair<Term, Term>> names,
              std::vector<Term>& to);
  Term renamed_image(Term image);

  Machine& machine_;
  VisitedStates& visited_;
  const Images images_;
  Renaming renaming_;
  std::unordered_map<Word, Shape> shapes_;
  std::vector<Part> parts_;
  std::vector<Member> members_;
  std::vector<std::int32_t> member_of_;  // by pid name
  std::vector<std::int32_t> order_;      // of members, class by class
  // Of members that look alike, first and one behind the last in order_
  std::vector<std::pair<std::size_t, std::size_t>> ties_;
  std::vector<Term> words_, other_words_;
  std::vector<std::pair<Term, Term>> names_;
};

}  // namespace ravel::erlang
