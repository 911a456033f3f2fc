// What the built-ins of files share (files.cc, open_files.cc).
#pragma once

#include <optional>
#include <string>

#include "erlang/bif/file_tree.h"
#include "erlang/machine/builtin.h"

namespace ravel::erlang {

// A path as prim_file encodes it: a binary that ends with a zero. Nothing if it is none.
std::optional<std::string> path_of(Term binary);
// {error, Reason} for an errno; {ok, Value}.
Term posix_error(Call& call, int problem);
Term ok(Call& call, Term value);
// Raises what prim_file turns into {error, badarg}.
Term bad_file_argument(Call& call);
// #file_info{}; times are constant unless the program has set them.
Term file_info(Call& call, FileTree& files, const FileEntry& entry);

}  // namespace ravel::erlang
