// Reading the host's files and finding modules: each file as it was when the program first looked at it, so that all
// executions see the same. What would change a file is refused: no schedule takes it back.
//
// These are native functions of prim_file, which the rest of OTP's file modules build on, and what ravel_code and
// ravel_file ask.
#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "erlang/bif/builtins.h"
#include "erlang/bif/process_family.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/module_source.h"
#include "erlang/term/bits.h"

namespace ravel::erlang {

namespace {

// A path as prim_file encodes it: a binary that ends with a zero. Nothing if it is none.
std::optional<std::string> path_of(Term binary) {
  if (!is_binary(binary)) return std::nullopt;
  const BitView view = view_bits(binary);
  std::string path(view.length / 8, '\0');
  copy_bits(reinterpret_cast<std::uint8_t*>(path.data()), 0, view.bytes, view.offset, view.length);
  if (!path.empty() && path.back() == '\0') path.pop_back();
  return path.find('\0') == std::string::npos ? std::optional(path) : std::nullopt;
}

Term bytes_of(Call& call, std::string_view text) { return make_binary(call.heap, text.data(), text.size()); }

Term posix_error(Call& call, int problem) {
  constexpr std::pair<int, std::string_view> kNames[] = {
      {EACCES, "eacces"}, {EINVAL, "einval"}, {EISDIR, "eisdir"}, {ELOOP, "eloop"},
      {EMFILE, "emfile"}, {ENAMETOOLONG, "enametoolong"}, {ENOENT, "enoent"}, {ENOTDIR, "enotdir"},
      {EPERM, "eperm"},
  };
  const auto known = std::ranges::find(kNames, problem, &std::pair<int, std::string_view>::first);
  return call.heap.tuple({atoms::kError, call.atom(known == std::end(kNames) ? "eio" : known->second)});
}

Term ok(Call& call, Term value) { return call.heap.tuple({atoms::kOk, value}); }

// prim_file turns this into {error, badarg}.
Term bad_path(Call& call) { return call.raise(ErrorClass::kError, atoms::kBadarg); }

Term get_cwd_nif_0(Call& call, const Term*) { return ok(call, bytes_of(call, call.machine.source().working_folder())); }

Term read_file_nif_1(Call& call, const Term* arguments) {
  const auto path = path_of(arguments[0]);
  if (!path) return bad_path(call);
  const FileBytes& file = call.machine.source().read_file(*path);
  if (file.problem != 0) return posix_error(call, file.problem);
  return ok(call, make_binary(call.heap, file.bytes.data(), file.bytes.size()));
}

// prim_file reverses the names.
Term list_dir_nif_1(Call& call, const Term* arguments) {
  const auto path = path_of(arguments[0]);
  if (!path) return bad_path(call);
  const FolderNames& folder = call.machine.source().list_folder(*path);
  if (folder.problem != 0) return posix_error(call, folder.problem);
  Term names = Term::nil();
  for (const std::string& name : folder.names) names = call.heap.cons(bytes_of(call, name), names);
  return ok(call, names);
}

// #file_info{}, its times constant.
Term read_info_nif_2(Call& call, const Term* arguments) {
  const auto path = path_of(arguments[0]);
  if (!path) return bad_path(call);
  const FileLook& look = call.machine.source().look_at_file(*path);
  if (look.problem != 0) return posix_error(call, look.problem);
  const std::string_view type = look.kind == FileLook::Kind::kRegular     ? "regular"
                                : look.kind == FileLook::Kind::kDirectory ? "directory"
                                                                          : "other";
  const Term time = Term::small(Machine::kVirtualEpochNs / 1'000'000'000);
  const Term zero = Term::small(0);
  return call.heap.tuple({call.atom("file_info"), Term::small(static_cast<std::int64_t>(look.size)), call.atom(type),
                          call.atom("read"), time, time, time, Term::small(look.mode), Term::small(1), zero, zero,
                          zero, zero, zero});
}

Term read_link_nif_1(Call& call, const Term* arguments) {
  const auto path = path_of(arguments[0]);
  if (!path) return bad_path(call);
  const int problem = call.machine.source().look_at_file(*path).problem;
  return posix_error(call, problem != 0 ? problem : EINVAL);
}

// ravel_code:folders(), root(), locate(Module): where modules are.

Term folders_0(Call& call, const Term*) {
  std::vector<Term> folders;
  for (const std::string& folder : call.machine.source().code_folders()) folders.push_back(bytes_of(call, folder));
  return call.heap.list(folders);
}

Term root_0(Call& call, const Term*) { return bytes_of(call, call.machine.source().root_folder()); }

Term locate_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  const auto path = call.machine.source().locate_module(call.names.atoms.text(arguments[0]));
  return path ? bytes_of(call, *path) : atoms::kUndefined;
}

// ravel_code:refuse(Name).
Term refuse_1(Call& call, const Term* arguments) {
  std::string name;
  for (Term rest = arguments[0]; rest.is_cons(); rest = rest.tail()) name += static_cast<char>(rest.head().small_value());
  call.machine.refuse("module code is asked to " + name +
                      ", but a search loads each module once, from where it was when the search began: leave it out of "
                      "the test, or name folders with --pa");
  return Term::none();
}

// ravel_logger:refuse_file().
Term refuse_file_0(Call& call, const Term*) {
  call.machine.refuse("a log handler that writes to files changes the host, and no schedule takes that back: let it log "
                      "to standard_io, or use a handler of your own");
  return Term::none();
}

// ravel_exunit:refuse_folder().
Term refuse_folder_0(Call& call, const Term*) {
  call.machine.refuse("a folder for the test (@tag :tmp_dir) is on the host, and no schedule takes back what a test writes "
                      "there: leave the test out, for example with a tag that test_helper.exs excludes");
  return Term::none();
}

// ravel_exunit:add_capture(Device, Options).
Term add_capture_2(Call& call, const Term*) {
  call.machine.refuse("capture_log listens to Elixir's Logger, which does not run here, because its timer never ends: leave the "
                      "test out, for example with a tag that test_helper.exs excludes, or add a handler to :logger");
  return Term::none();
}

// ravel_inet:refuse().
Term refuse_0(Call& call, const Term*) {
  call.machine.refuse("the network leads outside the program, where no schedule can control it: replace what uses it by a "
                      "stub");
  return Term::none();
}

constexpr auto kFileBuiltins = std::to_array<Builtin>({
    {"prim_file", "get_cwd_nif", 0, Effect::kPure, get_cwd_nif_0},
    {"prim_file", "list_dir_nif", 1, Effect::kPure, list_dir_nif_1},
    {"prim_file", "read_file_nif", 1, Effect::kPure, read_file_nif_1},
    {"prim_file", "read_info_nif", 2, Effect::kPure, read_info_nif_2},
    {"prim_file", "read_link_nif", 1, Effect::kPure, read_link_nif_1},
    {"ravel_code", "folders", 0, Effect::kPure, folders_0},
    {"ravel_code", "locate", 1, Effect::kPure, locate_1},
    {"ravel_code", "refuse", 1, Effect::kRefused, refuse_1},
    {"ravel_code", "root", 0, Effect::kPure, root_0},
    {"ravel_exunit", "add_capture", 2, Effect::kRefused, add_capture_2},
    {"ravel_exunit", "refuse_folder", 0, Effect::kRefused, refuse_folder_0},
    {"ravel_inet", "refuse", 0, Effect::kRefused, refuse_0},
    {"ravel_logger", "refuse_file", 0, Effect::kRefused, refuse_file_0},
});
static_assert(std::ranges::is_sorted(kFileBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> file_builtins() { return kFileBuiltins; }

}  // namespace ravel::erlang
