// Where the names of processes lie in a part of a state of an Erlang program (states/name_shape.h): an
// element of a tuple or list; the keys of maps, links and the rows of a table lie in the order of their
// names. The name of a reference is that of the process that has made it.
//
// Cost: a walk over what holds names.
#pragma once

#include "erlang/machine/machine.h"
#include "erlang/term/term.h"
#include "states/name_shape.h"

namespace ravel::erlang {

// Names are indices of pids (Term::pid_name()).
// REQUIRES for all of these: stored terms.
NameShape shape_of_image(const ImageParts& parts);
NameShape shape_of_note(Term note);  // of what a process has asked (noted_requests.h)
NameShape shape_of_shared(Term image);
NameShape shape_of_tables(Term image);

}  // namespace ravel::erlang
