// Where the names of processes lie in a part of a state, and what that part is but for them.
//
// The idea: each name has a slot there, which depends on the place alone: an element of a tuple or list, or,
// where things lie in the order of their names (the keys of maps, links, the rows of a table), on what else
// is said of the name. The hash of the shape and the slots are the same for two parts that differ only in how
// processes are called; and if no two names are said something of together (`is_joint`), only for such ones,
// but for hashes that agree by accident.
//
// Cost: a walk over what holds names.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "erlang/machine/machine.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

struct NameSlot {
  Term pid;  // a name, or who has made a reference
  std::uint64_t slot;
};

struct NameShape {
  std::uint64_t shape = 0;
  std::vector<NameSlot> slots;  // in no order that counts
  bool is_joint = false;        // among things in the order of their names, one that holds two names
  bool is_too_large = false;    // to be looked at as a whole
};

// REQUIRES for all of these: stored terms.
NameShape shape_of_image(const ImageParts& parts);
NameShape shape_of_note(Term note);  // of what a process has asked (noted_requests.h)
NameShape shape_of_shared(Term image);
NameShape shape_of_tables(Term image);

}  // namespace ravel::erlang
