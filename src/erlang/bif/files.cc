// Files by name, and finding modules. These are native functions of prim_file, which the rest of OTP's file
// modules build on, and what ravel_code and ravel_file ask. What files there are is file_tree.h's business.
#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "erlang/bif/builtins.h"
#include "erlang/bif/file_family.h"
#include "erlang/bif/process_family.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/module_source.h"
#include "erlang/term/bits.h"

namespace ravel::erlang {

std::optional<std::string> path_of(Term binary) {
  if (!is_binary(binary)) return std::nullopt;
  const BitView view = view_bits(binary);
  std::string path(view.length / 8, '\0');
  copy_bits(reinterpret_cast<std::uint8_t*>(path.data()), 0, view.bytes, view.offset, view.length);
  if (!path.empty() && path.back() == '\0') path.pop_back();
  return path.find('\0') == std::string::npos ? std::optional(path) : std::nullopt;
}

Term posix_error(Call& call, int problem) {
  constexpr std::pair<int, std::string_view> kNames[] = {
      {EACCES, "eacces"}, {EBADF, "ebadf"},
      {EBUSY, "ebusy"},   {EEXIST, "eexist"},
      {EINVAL, "einval"}, {EFBIG, "efbig"},
      {EISDIR, "eisdir"}, {ELOOP, "eloop"},
      {EMFILE, "emfile"}, {ENAMETOOLONG, "enametoolong"},
      {ENOENT, "enoent"}, {ENOTDIR, "enotdir"},
      {EPERM, "eperm"},
  };
  const auto known = std::ranges::find(kNames, problem, &std::pair<int, std::string_view>::first);
  return call.heap.tuple({atoms::kError, call.atom(known == std::end(kNames) ? "eio" : known->second)});
}

Term ok(Call& call, Term value) { return call.heap.tuple({atoms::kOk, value}); }

Term bad_file_argument(Call& call) { return call.raise(ErrorClass::kError, atoms::kBadarg); }

// The size of all folders, as most file systems have it for small ones.
constexpr std::uint64_t kFolderSize = 4096;

Term file_info(Call& call, FileTree& files, const FileEntry& entry) {
  const std::string_view type = entry.kind == FileEntry::Kind::kRegular     ? "regular"
                                : entry.kind == FileEntry::Kind::kDirectory ? "directory"
                                : entry.kind == FileEntry::Kind::kLink      ? "symlink"
                                                                            : "other";
  const std::uint64_t size = entry.kind == FileEntry::Kind::kRegular ? files.size(entry.node)
                             : entry.kind == FileEntry::Kind::kLink  ? entry.target.size()
                                                                     : kFolderSize;
  const std::uint32_t names =
      entry.kind == FileEntry::Kind::kRegular ? std::max(files.count_names(entry.node), 1U) : 1;
  const Term zero = Term::small(0);
  return call.heap.tuple({call.atom("file_info"), Term::small(static_cast<std::int64_t>(size)),
                          call.atom(type), call.atom(entry.is_writable ? "read_write" : "read"),
                          Term::small(entry.accessed), Term::small(entry.modified),
                          Term::small(FileEntry::kFileTime), Term::small(entry.mode), Term::small(names),
                          zero, zero, Term::small(files.number_of(entry.node)), zero, zero});
}

namespace {

Term bytes_of(Call& call, std::string_view text) { return make_binary(call.heap, text.data(), text.size()); }

Term get_cwd_nif_0(Call& call, const Term*) {
  return ok(call, bytes_of(call, FileTree(call).working_folder()));
}

// A path of the first argument, and what is there.
struct Named {
  explicit Named(Call& call, Term argument, FileTree::LastLink last = FileTree::LastLink::kFollowed)
      : files(call) {
    const auto given = path_of(argument);
    if (!given) return;
    is_path = true;
    path = files.absolute(*given, problem, last);
    if (problem == 0) entry = files.find(path);
    if (!exists() && problem == 0) problem = entry.problem;
  }
  bool exists() const { return entry.kind != FileEntry::Kind::kNone; }
  // Not even something new can be there.
  bool is_bad() const { return !exists() && entry.problem == 0; }

  FileTree files;
  bool is_path = false;
  std::string path;
  int problem = 0;  // why nothing is there
  FileEntry entry;
};

Term read_file_nif_1(Call& call, const Term* arguments) {
  Named named(call, arguments[0]);
  if (!named.is_path) return bad_file_argument(call);
  if (!named.exists()) return posix_error(call, named.problem);
  if (named.entry.kind == FileEntry::Kind::kDirectory) return posix_error(call, EISDIR);
  // A pipe or a device would not give the same bytes again.
  if (named.entry.kind == FileEntry::Kind::kOther) return posix_error(call, EINVAL);
  if (is_binary(named.entry.node)) {
    const int problem = call.machine.code.source().read_file(*path_of(named.entry.node)).problem;
    if (problem != 0) return posix_error(call, problem);
  }
  const auto bytes = named.files.contents(named.entry.node);
  return ok(call, make_binary(call.heap, bytes.data(), bytes.size()));
}

Term set_cwd_nif_1(Call& call, const Term* arguments) {
  Named named(call, arguments[0]);
  if (!named.is_path) return bad_file_argument(call);
  if (!named.exists()) return posix_error(call, named.problem);
  if (named.entry.kind != FileEntry::Kind::kDirectory) return posix_error(call, ENOTDIR);
  named.files.set_working_folder(named.path);
  return atoms::kOk;
}

// prim_file reverses the names.
Term list_dir_nif_1(Call& call, const Term* arguments) {
  Named named(call, arguments[0]);
  if (!named.is_path) return bad_file_argument(call);
  if (!named.exists()) return posix_error(call, named.problem);
  if (named.entry.kind != FileEntry::Kind::kDirectory) return posix_error(call, ENOTDIR);
  Term names = Term::nil();
  for (const std::string& name : named.files.names_in(named.path))
    names = call.heap.cons(bytes_of(call, name), names);
  return ok(call, names);
}

// The second argument says whether a link is followed.
Term read_info_nif_2(Call& call, const Term* arguments) {
  Named named(call, arguments[0],
              arguments[1] == Term::small(0) ? FileTree::LastLink::kItself : FileTree::LastLink::kFollowed);
  if (!named.is_path) return bad_file_argument(call);
  return named.exists() ? file_info(call, named.files, named.entry) : posix_error(call, named.problem);
}

Term read_link_nif_1(Call& call, const Term* arguments) {
  Named named(call, arguments[0], FileTree::LastLink::kItself);
  if (!named.is_path) return bad_file_argument(call);
  if (named.entry.kind == FileEntry::Kind::kLink) return ok(call, bytes_of(call, named.entry.target));
  return posix_error(call, named.exists() ? EINVAL : named.problem);
}

Term make_soft_link_nif_2(Call& call, const Term* arguments) {
  const auto target = path_of(arguments[0]);
  Named named(call, arguments[1], FileTree::LastLink::kItself);
  if (!target || !named.is_path) return bad_file_argument(call);
  if (target->empty()) return posix_error(call, ENOENT);
  if (named.exists()) return posix_error(call, EEXIST);
  if (named.is_bad()) return posix_error(call, named.problem);
  if (const int problem = named.files.refusal_to_change_names(named.path)) return posix_error(call, problem);
  named.files.make_link(named.path, *target);
  return atoms::kOk;
}

Term make_hard_link_nif_2(Call& call, const Term* arguments) {
  Named existing(call, arguments[0], FileTree::LastLink::kItself),
      named(call, arguments[1], FileTree::LastLink::kItself);
  if (!existing.is_path || !named.is_path) return bad_file_argument(call);
  if (!existing.exists()) return posix_error(call, existing.problem);
  if (existing.entry.kind == FileEntry::Kind::kDirectory || existing.entry.kind == FileEntry::Kind::kOther)
    return posix_error(call, EPERM);
  if (named.exists()) return posix_error(call, EEXIST);
  if (named.is_bad()) return posix_error(call, named.problem);
  if (const int problem = named.files.refusal_to_change_names(named.path)) return posix_error(call, problem);
  if (existing.entry.kind == FileEntry::Kind::kLink) {
    named.files.make_link(named.path, existing.entry.target);
  } else {
    named.files.make_name(named.path, existing.entry.node);
  }
  return atoms::kOk;
}

Term make_dir_nif_1(Call& call, const Term* arguments) {
  Named named(call, arguments[0], FileTree::LastLink::kItself);
  if (!named.is_path) return bad_file_argument(call);
  if (named.exists()) return posix_error(call, EEXIST);
  if (named.is_bad()) return posix_error(call, named.problem);
  if (const int problem = named.files.refusal_to_change_names(named.path)) return posix_error(call, problem);
  named.files.make_directory(named.path);
  return atoms::kOk;
}

Term del_file_nif_1(Call& call, const Term* arguments) {
  Named named(call, arguments[0], FileTree::LastLink::kItself);
  if (!named.is_path) return bad_file_argument(call);
  if (!named.exists()) return posix_error(call, named.problem);
  if (named.entry.kind == FileEntry::Kind::kDirectory) return posix_error(call, EPERM);
  if (const int problem = named.files.refusal_to_change_names(named.path)) return posix_error(call, problem);
  named.files.remove_name(named.path);
  return atoms::kOk;
}

Term del_dir_nif_1(Call& call, const Term* arguments) {
  Named named(call, arguments[0], FileTree::LastLink::kItself);
  if (!named.is_path) return bad_file_argument(call);
  if (!named.exists()) return posix_error(call, named.problem);
  if (named.entry.kind != FileEntry::Kind::kDirectory) return posix_error(call, ENOTDIR);
  if (!named.files.names_in(named.path).empty()) return posix_error(call, EEXIST);
  if (const int problem = named.files.refusal_to_change_names(named.path)) return posix_error(call, problem);
  named.files.remove_name(named.path);
  return atoms::kOk;
}

Term rename_nif_2(Call& call, const Term* arguments) {
  Named from(call, arguments[0], FileTree::LastLink::kItself),
      to(call, arguments[1], FileTree::LastLink::kItself);
  if (!from.is_path || !to.is_path) return bad_file_argument(call);
  // The order of the host: the folders of both first.
  int forbidden = 0;
  for (const Named* named : {&from, &to}) {
    if (named->is_bad()) return posix_error(call, named->problem);
    const int problem = from.files.refusal_to_change_names(named->path);
    if (problem != 0 && problem != EACCES) return posix_error(call, problem);
    forbidden |= problem;
  }
  if (!from.exists()) return posix_error(call, from.problem);
  const auto refuse_kind = [&] {
    return refuse(call, "prim_file:rename_nif/2",
                  " renames a device or a pipe, or a folder with one, which is not supported: replace what "
                  "does it by a stub "
                  "(--stub MODULE=OTHER)");
  };
  if (from.entry.kind == FileEntry::Kind::kOther) return refuse_kind();
  if (from.entry.kind == FileEntry::Kind::kDirectory) {
    if (to.path.starts_with(from.path + "/")) return posix_error(call, EINVAL);
    if (to.exists() && to.entry.kind != FileEntry::Kind::kDirectory) return posix_error(call, ENOTDIR);
    if (from.path == to.path) return atoms::kOk;
    if (to.exists() && !to.files.names_in(to.path).empty()) return posix_error(call, EEXIST);
    if (forbidden != 0) return posix_error(call, forbidden);
    return from.files.rename_directory(from.path, to.path) ? atoms::kOk : refuse_kind();
  }
  if (to.entry.kind == FileEntry::Kind::kDirectory) return posix_error(call, EISDIR);
  if (forbidden != 0) return posix_error(call, forbidden);
  if (from.path != to.path) from.files.rename_file(from.path, to.path);
  return atoms::kOk;
}

// What read_info_nif/2 says of every file's owner and group, or that it stays.
bool is_own_number(Term number) { return number == Term::small(0) || number == Term::small(-1); }

Term set_owner_nif_3(Call& call, const Term* arguments) {
  Named named(call, arguments[0]);
  if (!named.is_path || !arguments[1].is_small() || !arguments[2].is_small()) return bad_file_argument(call);
  if (!named.exists()) return posix_error(call, named.problem);
  if (is_own_number(arguments[1]) && is_own_number(arguments[2])) return atoms::kOk;
  return refuse(call, "prim_file:set_owner_nif/3",
                " changes the owner of a file, which is not supported: leave it out of the test, or replace "
                "the module that "
                "does it by a stub (--stub MODULE=OTHER)");
}

Term set_permissions_nif_2(Call& call, const Term* arguments) {
  Named named(call, arguments[0]);
  if (!named.is_path || !arguments[1].is_small()) return bad_file_argument(call);
  if (!named.exists()) return posix_error(call, named.problem);
  const auto permissions = static_cast<std::uint32_t>(arguments[1].small_value());
  const std::uint32_t needed = named.entry.kind == FileEntry::Kind::kDirectory ? 0500 : 0400;
  if (named.entry.attributes.is_none() || (permissions & needed) != needed)
    return refuse(call, "prim_file:set_permissions_nif/2",
                  " takes away the right to read, or changes what is neither a file nor a folder, which is "
                  "not supported: leave "
                  "it out of the test, or replace the module that does it by a stub (--stub MODULE=OTHER)");
  named.files.set_permissions(named.entry, permissions);
  return atoms::kOk;
}

Term set_time_nif_4(Call& call, const Term* arguments) {
  Named named(call, arguments[0]);
  if (!named.is_path || !arguments[1].is_small() || !arguments[2].is_small()) return bad_file_argument(call);
  if (!named.exists()) return posix_error(call, named.problem);
  if (!named.entry.attributes.is_none())
    named.files.set_times(named.entry, arguments[1].small_value(), arguments[2].small_value());
  return atoms::kOk;
}

// ravel_code:folders(), root(), locate(Module): where modules are.

Term folders_0(Call& call, const Term*) {
  std::vector<Term> folders;
  for (const std::string& folder : call.machine.code.source().code_folders())
    folders.push_back(bytes_of(call, folder));
  return call.heap.list(folders);
}

Term root_0(Call& call, const Term*) { return bytes_of(call, call.machine.code.source().root_folder()); }

Term locate_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  const auto path = call.machine.code.source().locate_module(call.names.atoms.text(arguments[0]));
  return path ? bytes_of(call, *path) : atoms::kUndefined;
}

Term object_code_1(Call& call, const Term* arguments) {
  if (!arguments[0].is_atom()) return call.badarg();
  std::string path;
  const auto bytes = call.machine.code.source().find_module(call.names.atoms.text(arguments[0]), path);
  return bytes ? make_binary(call.heap, bytes->data(), bytes->size()) : atoms::kUndefined;
}

// ravel_code:refuse(Name).
Term refuse_1(Call& call, const Term* arguments) {
  std::string name;
  for (Term rest = arguments[0]; rest.is_cons(); rest = rest.tail())
    name += static_cast<char>(rest.head().small_value());
  call.machine.faults.refuse(
      "code:" + name +
      " asks OTP's code server for what it alone can do, and it does not run here: leave it out of the test");
  return Term::none();
}

// ravel_logger:refuse_file().
Term refuse_file_0(Call& call, const Term*) {
  call.machine.faults.refuse(
      "a log handler that rotates its files (max_no_bytes of logger_std_h, or logger_disk_log_h) needs "
      "helpers of "
      "Erlang/OTP's that do not run here: leave max_no_bytes out and use logger_std_h, or a handler of your "
      "own");
  return Term::none();
}

// ravel_init:on_load_modules().
Term on_load_modules_0(Call& call, const Term*) {
  return call.heap.list(call.machine.code.modules_to_run_on_load());
}

// ravel_init:applications().
Term applications_0(Call& call, const Term*) {
  std::vector<Term> names;
  for (const std::string& name : call.machine.code.source().applications()) names.push_back(call.atom(name));
  return call.heap.list(names);
}

// ravel_init:note_otp_started().
Term note_otp_started_0(Call& call, const Term*) {
  call.machine.note_otp_started();
  return atoms::kOk;
}

// ravel_init:note_started().
Term note_started_0(Call& call, const Term*) {
  call.machine.note_started();
  return atoms::kOk;
}

// ravel_inet:refuse().
Term refuse_0(Call& call, const Term*) {
  call.machine.faults.refuse(
      "the network leads outside the program, where no schedule can control it: replace the module that "
      "uses it by a stub (--stub MODULE=OTHER)");
  return Term::none();
}

constexpr auto kFileBuiltins = std::to_array<Builtin>({
    {"prim_file", "del_dir_nif", 1, Effect::kOperation, del_dir_nif_1},
    {"prim_file", "del_file_nif", 1, Effect::kOperation, del_file_nif_1},
    {"prim_file", "get_cwd_nif", 0, Effect::kLocal, get_cwd_nif_0},
    {"prim_file", "list_dir_nif", 1, Effect::kOperation, list_dir_nif_1},
    {"prim_file", "make_dir_nif", 1, Effect::kOperation, make_dir_nif_1},
    {"prim_file", "make_hard_link_nif", 2, Effect::kOperation, make_hard_link_nif_2},
    {"prim_file", "make_soft_link_nif", 2, Effect::kOperation, make_soft_link_nif_2},
    {"prim_file", "read_file_nif", 1, Effect::kOperation, read_file_nif_1},
    {"prim_file", "read_info_nif", 2, Effect::kOperation, read_info_nif_2},
    {"prim_file", "read_link_nif", 1, Effect::kOperation, read_link_nif_1},
    {"prim_file", "rename_nif", 2, Effect::kOperation, rename_nif_2},
    {"prim_file", "set_cwd_nif", 1, Effect::kOperation, set_cwd_nif_1},
    {"prim_file", "set_owner_nif", 3, Effect::kOperation, set_owner_nif_3},
    {"prim_file", "set_permissions_nif", 2, Effect::kOperation, set_permissions_nif_2},
    {"prim_file", "set_time_nif", 4, Effect::kOperation, set_time_nif_4},
    {"ravel_code", "folders", 0, Effect::kPure, folders_0},
    {"ravel_code", "locate", 1, Effect::kPure, locate_1},
    {"ravel_code", "object_code", 1, Effect::kPure, object_code_1},
    {"ravel_code", "refuse", 1, Effect::kRefused, refuse_1},
    {"ravel_code", "root", 0, Effect::kPure, root_0},
    {"ravel_inet", "refuse", 0, Effect::kRefused, refuse_0},
    {"ravel_init", "applications", 0, Effect::kPure, applications_0},
    {"ravel_init", "note_otp_started", 0, Effect::kLocal, note_otp_started_0},
    {"ravel_init", "note_started", 0, Effect::kLocal, note_started_0},
    {"ravel_init", "on_load_modules", 0, Effect::kPure, on_load_modules_0},
    {"ravel_logger", "refuse_file", 0, Effect::kRefused, refuse_file_0},
});
static_assert(std::ranges::is_sorted(kFileBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> file_builtins() { return kFileBuiltins; }

}  // namespace ravel::erlang
