// Actors: whatever can take a step (a process, a thread, a timer, a message in transit).
//
// An actor has two identities. Its logical name says where it stands in the tree of creation and is the
// same in every execution and after small changes of the program: users see it and tickets store it. Its
// ActorId is a small number that one System object gives to the name for as long as that object
// lives: searching uses it. The names are the logical identifiers of Concuerror (Christakis, Gotovos,
// Sagonas, "Systematic testing for detecting concurrency errors in Erlang programs", 2013), extended
// with a letter for children that are not ordinary actors.

#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ravel {

// Dense from 0; equal ids mean equal names, in all executions of one System object.
enum class ActorId : std::uint32_t {};

// `P`, `P.1`, `P.1.2`: the parent's name, then the how-many-th child of its kind, from 1. A kind is a lower
// case letter before the number (`P.1.t2`: the second timer of P.1), or nothing for an ordinary actor. The
// root is one capital letter: P for the test, others for what ran before it.
class ActorName {
 public:
  struct Child {
    char kind = '\0';  // '\0' for an ordinary actor, else 'a'..'z'
    std::uint32_t ordinal = 1;

    friend auto operator<=>(const Child&, const Child&) = default;
  };

  ActorName() = default;  // the name `P`
  explicit ActorName(char root) : root_(root) {}

  static Result<ActorName> parse(std::string_view text);
  std::string to_string() const;

  ActorName child(std::uint32_t ordinal, char kind = '\0') const;

  char root() const { return root_; }
  const std::vector<Child>& path() const { return path_; }

  // The logical order: parents before children, ordinary children before others, then by ordinal.
  friend auto operator<=>(const ActorName&, const ActorName&) = default;

 private:
  char root_ = 'P';
  std::vector<Child> path_;
};

}  // namespace ravel
