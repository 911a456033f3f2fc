// Open files, as prim_file sees them, and the buffers that it reads ahead into (prim_buffer).
//
// An open file is a reference, and one map of the machine has what belongs to it (SharedTerms::open_files):
//   reference  => {Node, Position, Modes} of an open file; Node is `directory` if it is one
//   reference  => a binary: a buffer that is not empty
// prim_file lets only the process that opened a file use it, and its buffer; so what a buffer holds is local.
// Reading and writing are operations on the contents (file_tree.h).
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/hash.h"
#include "erlang/bif/builtins.h"
#include "erlang/bif/file_family.h"
#include "erlang/machine/machine.h"
#include "erlang/term/big_integer.h"
#include "erlang/term/bits.h"
#include "erlang/term/hash_functions.h"
#include "erlang/term/iodata.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

enum Mode : std::uint32_t { kRead = 1, kWrite = 2, kAppend = 4, kExclusive = 8, kDirectoryMode = 16 };
constexpr std::uint64_t kOpenFileSeed = 4;
// Larger files would not fit what a search remembers.
constexpr std::int64_t kSizeMax = std::int64_t{1} << 32;

struct OpenFile {
  Term reference;
  Term node;
  std::int64_t position;
  std::uint32_t modes;
};

Term open_files(Call& call) { return call.machine.shared_terms().open_files; }

void put(Call& call, Term reference, Term value) {
  const Term changed = map_put(call.heap, call.names, open_files(call), reference, value);
  call.machine.change_shared_terms().open_files = changed;
}

void remove(Call& call, Term reference) {
  const Term changed = map_remove(call.heap, call.names, open_files(call), reference);
  call.machine.change_shared_terms().open_files = changed;
}

std::optional<OpenFile> find(Call& call, Term reference) {
  if (!reference.is_reference()) return std::nullopt;
  const std::uint64_t name = combine(key_hash(call.names, reference, 0), key_hash(call.names, reference, 8));
  call.machine.record.note_access(ObjectClass::kFile, combine(kOpenFileSeed, name), access::kWrite);
  const Term entry = map_get(call.names, open_files(call), reference);
  if (entry.is_none() || !is_tuple_of(entry, 3)) return std::nullopt;
  return OpenFile{reference, element(entry, 1), element(entry, 2).small_value(),
                  static_cast<std::uint32_t>(element(entry, 3).small_value())};
}

void keep(Call& call, const OpenFile& file) {
  put(call, file.reference,
      call.heap.tuple(
          {file.node, Term::small(file.position), Term::small(static_cast<std::int64_t>(file.modes))}));
}

std::uint32_t modes_of(Call& call, Term list) {
  std::uint32_t modes = 0;
  for (; list.is_cons(); list = list.tail()) {
    if (!list.head().is_atom()) continue;
    const std::string_view mode = call.names.atoms.text(list.head());
    if (mode == "read") modes |= kRead;
    if (mode == "write") modes |= kWrite;
    if (mode == "append") modes |= kAppend | kWrite;
    if (mode == "exclusive") modes |= kExclusive | kWrite;
    if (mode == "directory") modes |= kDirectoryMode;
  }
  return (modes & (kRead | kWrite)) == 0 ? modes | kRead : modes;
}

// What stands in the way of opening, as an errno.
int problem_of_opening(FileTree& files, const std::string& path, const FileEntry& entry,
                       std::uint32_t modes) {
  const bool writes = (modes & kWrite) != 0;
  if (entry.kind == FileEntry::Kind::kNone) {
    if (!writes || entry.problem != ENOENT) return entry.problem;
    return files.refusal_to_change_names(path);
  }
  if ((modes & kExclusive) != 0) return EEXIST;
  if (entry.kind == FileEntry::Kind::kDirectory) return (modes & kDirectoryMode) == 0 || writes ? EISDIR : 0;
  if ((modes & kDirectoryMode) != 0) return ENOTDIR;
  return writes && !entry.is_writable ? EACCES : 0;
}

Term open_nif_2(Call& call, const Term* arguments) {
  const auto given = path_of(arguments[0]);
  if (!given || !is_list(arguments[1])) return bad_file_argument(call);
  FileTree files(call);
  int problem_of_path = 0;
  const std::string path = files.absolute(*given, problem_of_path);
  if (problem_of_path != 0) return posix_error(call, problem_of_path);
  const std::uint32_t modes = modes_of(call, arguments[1]);
  const FileEntry entry = files.find(path);
  if (entry.kind == FileEntry::Kind::kOther) {
    call.machine.faults.refuse(
        "prim_file:open_nif/2 opens a device or a pipe, which leads outside the program, where no schedule "
        "can control it: give it a regular file");
    return Term::none();
  }
  if (const int problem = problem_of_opening(files, path, entry, modes)) return posix_error(call, problem);
  Term node = entry.node;
  if (entry.kind == FileEntry::Kind::kDirectory) node = atoms::kDirectory;
  if (entry.kind == FileEntry::Kind::kNone) node = files.make_file(path);
  if (is_binary(node)) {
    const int problem = call.machine.code.source().read_file(*path_of(node)).problem;
    if (problem != 0) return posix_error(call, problem);
  }
  const bool truncates = (modes & kWrite) != 0 && (modes & (kRead | kAppend)) == 0;
  if (truncates && files.size(node) > 0) files.set_contents(node, {});
  const OpenFile file{call.machine.signals.make_reference(call.self()), node, 0, modes};
  keep(call, file);
  return ok(call, file.reference);
}

Term close_nif_1(Call& call, const Term* arguments) {
  const auto file = find(call, arguments[0]);
  if (!file) return posix_error(call, EINVAL);
  remove(call, file->reference);
  return atoms::kOk;
}

// An integer of 64 bits that is not negative; nothing for another one.
std::optional<std::int64_t> size_argument(Term t) {
  if (!t.is_small() || t.small_value() < 0) return std::nullopt;
  return t.small_value();
}

int problem_of_reading(const OpenFile& file) {
  if (file.node == atoms::kDirectory) return EISDIR;
  return (file.modes & kRead) == 0 ? EBADF : 0;
}

// Bytes from `offset`, as many as there are up to `count`: {ok, Binary}, or eof.
Term read_at(Call& call, const OpenFile& file, std::int64_t offset, std::int64_t count, std::int64_t* read) {
  const auto bytes = FileTree(call).contents(file.node);
  const auto size = static_cast<std::int64_t>(bytes.size());
  *read = std::min(count, std::max<std::int64_t>(0, size - offset));
  if (*read == 0) return atoms::kEof;
  return ok(call, make_binary(call.heap, bytes.data() + offset, static_cast<std::size_t>(*read)));
}

Term read_nif_2(Call& call, const Term* arguments) {
  auto file = find(call, arguments[0]);
  const auto count = size_argument(arguments[1]);
  if (!arguments[1].is_small()) return bad_file_argument(call);
  if (!file || !count) return posix_error(call, EINVAL);
  if (const int problem = problem_of_reading(*file)) return posix_error(call, problem);
  std::int64_t read = 0;
  const Term result = read_at(call, *file, file->position, *count, &read);
  file->position += read;
  if (read > 0) keep(call, *file);
  return result;
}

Term pread_nif_3(Call& call, const Term* arguments) {
  if (!arguments[1].is_small() || !arguments[2].is_small()) return bad_file_argument(call);
  const auto file = find(call, arguments[0]);
  const auto offset = size_argument(arguments[1]), count = size_argument(arguments[2]);
  if (!file || !offset || !count) return posix_error(call, EINVAL);
  if (const int problem = problem_of_reading(*file)) return posix_error(call, problem);
  std::int64_t read = 0;
  return read_at(call, *file, *offset, *count, &read);
}

// Puts bytes at `offset`, or at the end of a file that is open for appending; the position after them, or an
// errno.
struct Written {
  int problem = 0;
  std::int64_t end = 0;
};
Written write_at(Call& call, const OpenFile& file, std::int64_t offset, const std::string& text) {
  if (text.empty()) return {.problem = 0, .end = offset};
  if ((file.modes & kWrite) == 0) return {.problem = EBADF};
  FileTree files(call);
  const auto present = files.contents(file.node);
  const auto at = (file.modes & kAppend) != 0 ? static_cast<std::int64_t>(present.size()) : offset;
  const std::int64_t end = at + static_cast<std::int64_t>(text.size());
  if (end > kSizeMax) return {.problem = EFBIG};
  std::vector<std::uint8_t> changed(present.begin(), present.end());
  if (changed.size() < static_cast<std::size_t>(end)) changed.resize(static_cast<std::size_t>(end));
  std::memcpy(changed.data() + at, text.data(), text.size());
  files.set_contents(file.node, changed);
  return {.problem = 0, .end = end};
}

Term write_nif_2(Call& call, const Term* arguments) {
  auto file = find(call, arguments[0]);
  const auto text = iodata_text(arguments[1]);
  if (!text) return bad_file_argument(call);
  if (!file) return posix_error(call, EINVAL);
  const Written written = write_at(call, *file, file->position, *text);
  if (written.problem != 0) return posix_error(call, written.problem);
  file->position = written.end;
  keep(call, *file);
  return atoms::kOk;
}

Term pwrite_nif_3(Call& call, const Term* arguments) {
  const auto text = iodata_text(arguments[2]);
  if (!text || !arguments[1].is_small()) return bad_file_argument(call);
  const auto file = find(call, arguments[0]);
  const auto offset = size_argument(arguments[1]);
  if (!file || !offset) return posix_error(call, EINVAL);
  const Written written = write_at(call, *file, *offset, *text);
  return written.problem != 0 ? posix_error(call, written.problem) : atoms::kOk;
}

Term seek_nif_3(Call& call, const Term* arguments) {
  if (!arguments[1].is_atom() || !arguments[2].is_small()) return bad_file_argument(call);
  auto file = find(call, arguments[0]);
  if (!file) return posix_error(call, EINVAL);
  const std::string_view from = call.names.atoms.text(arguments[1]);
  std::int64_t base = 0;
  if (from == "cur") {
    base = file->position;
  } else if (from == "eof") {
    base = file->node == atoms::kDirectory ? 0 : static_cast<std::int64_t>(FileTree(call).size(file->node));
  } else if (from != "bof") {
    return bad_file_argument(call);
  }
  const std::int64_t offset = arguments[2].small_value();
  if (base + offset < 0) return posix_error(call, EINVAL);
  file->position = base + offset;
  keep(call, *file);
  return ok(call, Term::small(file->position));
}

Term truncate_nif_1(Call& call, const Term* arguments) {
  const auto file = find(call, arguments[0]);
  if (!file || (file->modes & kWrite) == 0) return posix_error(call, EINVAL);
  if (file->position > kSizeMax) return posix_error(call, EFBIG);
  FileTree files(call);
  const auto present = files.contents(file->node);
  std::vector<std::uint8_t> changed(present.begin(), present.end());
  changed.resize(static_cast<std::size_t>(file->position));
  files.set_contents(file->node, changed);
  return atoms::kOk;
}

// There is nothing to do for a file that is in memory.
Term sync_nif_2(Call& call, const Term* arguments) {
  return find(call, arguments[0]) ? atoms::kOk : posix_error(call, EINVAL);
}

Term advise_nif_4(Call& call, const Term* arguments) {
  constexpr std::string_view kAdvice[] = {"normal",    "random",    "sequential",
                                          "will_need", "dont_need", "no_reuse"};
  if (!arguments[1].is_small() || !arguments[2].is_small()) return bad_file_argument(call);
  const bool is_known = arguments[3].is_atom() &&
                        std::ranges::find(kAdvice, call.names.atoms.text(arguments[3])) != std::end(kAdvice);
  if (!find(call, arguments[0]) || !size_argument(arguments[1]) || !size_argument(arguments[2]) || !is_known)
    return posix_error(call, EINVAL);
  return atoms::kOk;
}

// As fallocate does: a file that is too short is filled up with zeros.
Term allocate_nif_3(Call& call, const Term* arguments) {
  const auto file = find(call, arguments[0]);
  const auto offset = size_argument(arguments[1]), length = size_argument(arguments[2]);
  if (!file || !offset || !length || *length == 0) return posix_error(call, EINVAL);
  if ((file->modes & kWrite) == 0) return posix_error(call, EBADF);
  if (*offset > kSizeMax || *length > kSizeMax || *offset + *length > kSizeMax)
    return posix_error(call, EFBIG);
  FileTree files(call);
  const auto present = files.contents(file->node);
  std::vector<std::uint8_t> changed(present.begin(), present.end());
  changed.resize(std::max(changed.size(), static_cast<std::size_t>(*offset + *length)));
  files.set_contents(file->node, changed);
  return atoms::kOk;
}

// A size and an offset of 32 bits each, and what they point to: {ok, {Size, Offset, Data | eof}}, or eof.
Term ipread_s32bu_p32bu_nif_3(Call& call, const Term* arguments) {
  const auto file = find(call, arguments[0]);
  const auto at = size_argument(arguments[1]), most = size_argument(arguments[2]);
  if (!file || !at || !most || *most >= std::int64_t{1} << 31) return posix_error(call, EINVAL);
  if (const int problem = problem_of_reading(*file)) return posix_error(call, problem);
  const auto bytes = FileTree(call).contents(file->node);
  if (bytes.size() < 8 || static_cast<std::uint64_t>(*at) > bytes.size() - 8) return atoms::kEof;
  const auto word = [&](std::size_t from) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | bytes[static_cast<std::size_t>(*at) + from + i];
    return value;
  };
  const std::int64_t size = word(0), offset = word(4);
  if (size > *most) return atoms::kEof;
  std::int64_t read = 0;
  const Term data = read_at(call, *file, offset, size, &read);
  const Term payload = data == atoms::kEof ? data : element(data, 2);
  return ok(call, call.heap.tuple({Term::small(size), Term::small(offset), payload}));
}

Term read_handle_info_nif_1(Call& call, const Term* arguments) {
  const auto file = find(call, arguments[0]);
  if (!file) return posix_error(call, EINVAL);
  FileTree files(call);
  FileEntry entry;
  if (file->node != atoms::kDirectory)
    entry = files.entry_of(file->node);
  else
    entry = {.kind = FileEntry::Kind::kDirectory,
             .problem = 0,
             .node = Term::none(),
             .mode = 0040755,
             .is_writable = true};
  return file_info(call, files, entry);
}

// ---- Buffers

Term new_0(Call& call, const Term*) { return call.machine.signals.make_reference(call.self()); }

std::string buffered(Call& call, Term buffer) {
  const Term bytes = map_get(call.names, open_files(call), buffer);
  return bytes.is_none() ? std::string() : *iodata_text(bytes);
}

void set_buffered(Call& call, Term buffer, const std::string& bytes) {
  if (bytes.empty()) return remove(call, buffer);
  put(call, buffer, make_binary(call.heap, bytes.data(), bytes.size()));
}

Term size_1(Call& call, const Term* arguments) {
  return Term::small(static_cast<std::int64_t>(buffered(call, arguments[0]).size()));
}

Term peek_head_1(Call& call, const Term* arguments) {
  const std::string bytes = buffered(call, arguments[0]);
  return make_binary(call.heap, bytes.data(), bytes.size());
}

Term take(Call& call, const Term* arguments, bool returns_bytes) {
  const std::string bytes = buffered(call, arguments[0]);
  const auto count = size_argument(arguments[1]);
  if (!count || static_cast<std::uint64_t>(*count) > bytes.size()) return call.badarg();
  const auto length = static_cast<std::size_t>(*count);
  set_buffered(call, arguments[0], bytes.substr(length));
  return returns_bytes ? make_binary(call.heap, bytes.data(), length) : atoms::kOk;
}

Term copying_read_2(Call& call, const Term* arguments) { return take(call, arguments, true); }
Term skip_2(Call& call, const Term* arguments) { return take(call, arguments, false); }

Term write_2(Call& call, const Term* arguments) {
  const auto text = iodata_text(arguments[1]);
  if (!text) return call.badarg();
  set_buffered(call, arguments[0], buffered(call, arguments[0]) + *text);
  return atoms::kOk;
}

Term find_byte_index_2(Call& call, const Term* arguments) {
  if (!arguments[1].is_small() || arguments[1].small_value() < 0 || arguments[1].small_value() > 255)
    return call.badarg();
  const std::size_t at = buffered(call, arguments[0]).find(static_cast<char>(arguments[1].small_value()));
  return at == std::string::npos ? call.atom("not_found")
                                 : ok(call, Term::small(static_cast<std::int64_t>(at)));
}

// Only its owner uses a buffer, one call at a time.
Term try_lock_1(Call& call, const Term*) { return call.atom("acquired"); }
Term unlock_1(Call&, const Term*) { return atoms::kOk; }

constexpr auto kOpenFileBuiltins = std::to_array<Builtin>({
    {"prim_buffer", "copying_read", 2, Effect::kLocal, copying_read_2},
    {"prim_buffer", "find_byte_index", 2, Effect::kLocal, find_byte_index_2},
    {"prim_buffer", "new", 0, Effect::kLocal, new_0},
    {"prim_buffer", "peek_head", 1, Effect::kLocal, peek_head_1},
    {"prim_buffer", "size", 1, Effect::kLocal, size_1},
    {"prim_buffer", "skip", 2, Effect::kLocal, skip_2},
    {"prim_buffer", "try_lock", 1, Effect::kLocal, try_lock_1},
    {"prim_buffer", "unlock", 1, Effect::kLocal, unlock_1},
    {"prim_buffer", "write", 2, Effect::kLocal, write_2},
    {"prim_file", "advise_nif", 4, Effect::kOperation, advise_nif_4},
    {"prim_file", "allocate_nif", 3, Effect::kOperation, allocate_nif_3},
    {"prim_file", "close_nif", 1, Effect::kOperation, close_nif_1},
    {"prim_file", "ipread_s32bu_p32bu_nif", 3, Effect::kOperation, ipread_s32bu_p32bu_nif_3},
    {"prim_file", "open_nif", 2, Effect::kOperation, open_nif_2},
    {"prim_file", "pread_nif", 3, Effect::kOperation, pread_nif_3},
    {"prim_file", "pwrite_nif", 3, Effect::kOperation, pwrite_nif_3},
    {"prim_file", "read_handle_info_nif", 1, Effect::kOperation, read_handle_info_nif_1},
    {"prim_file", "read_nif", 2, Effect::kOperation, read_nif_2},
    {"prim_file", "seek_nif", 3, Effect::kOperation, seek_nif_3},
    {"prim_file", "sync_nif", 2, Effect::kOperation, sync_nif_2},
    {"prim_file", "truncate_nif", 1, Effect::kOperation, truncate_nif_1},
    {"prim_file", "write_nif", 2, Effect::kOperation, write_nif_2},
});
static_assert(std::ranges::is_sorted(kOpenFileBuiltins, {}, &Builtin::key));

}  // namespace

std::span<const Builtin> open_file_builtins() { return kOpenFileBuiltins; }

}  // namespace ravel::erlang
