// States that differ only in how interchangeable processes are called (machine/opaque_names.h), as one.
//
// The idea: states/member_order.h says which members get whose names, and the state under these names stands
// for all that differ in names only.
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
#include "states/member_order.h"

namespace ravel::erlang {

class StateSymmetry {
 public:
  enum class Images : std::uint8_t { kPlain, kNoted };  // kNoted: each one has a note
  StateSymmetry(Machine& machine, VisitedStates& visited, Images images)
      : machine_(machine), visited_(visited), images_(images), renaming_(machine), tree_(machine) {}

  // The state that stands for this one: the words themselves, or those that are valid until the next call.
  // REQUIRES: the machine is in this state, and the nursery is empty.
  std::span<const Term> representative(std::span<const Term> words);
  // What the last representative has instead of its state's names, in a stored term.
  Term renamed(Term term);
  // The store was collected.
  void forget_terms();

 private:
  static constexpr std::size_t kShapesMax = 1 << 16;

  struct Shape {
    NameShape names;
    std::uint32_t group = 0;  // of an image
  };
  // A part of the state: a process, or what no process owns.
  struct Part {
    Term pid = Term::none();
    Term image;
  };
  // Names of processes.
  class Tree final : public NameTree {
   public:
    explicit Tree(const Machine& machine) : machine_(machine) {}
    std::uint32_t parent(std::uint32_t name) const override;
    std::uint32_t ordinal(std::uint32_t name) const override;

   private:
    const Machine& machine_;
  };
  using NewNames = std::vector<std::pair<Term, Term>>;

  const Shape& shape_of(Term image, auto make);
  Shape shape_of_process(Term pid, Term image) const;
  void add_parts(std::span<const Term> words);
  bool rename(std::span<const Term> words, const NewNames& names, std::vector<Term>& to);
  Term renamed_image(Term image);

  Machine& machine_;
  VisitedStates& visited_;
  const Images images_;
  Renaming renaming_;
  std::unordered_map<Word, Shape> shapes_;
  const Tree tree_;
  MemberOrder order_{tree_};
  std::vector<Part> parts_;
  std::vector<Term> words_, other_words_;
  NewNames names_;  // of the last representative
};

}  // namespace ravel::erlang
