#include "erlang/bif/file_tree.h"

#include <algorithm>
#include <cerrno>

#include "base/hash.h"
#include "erlang/machine/machine.h"
#include "erlang/term/bits.h"
#include "erlang/term/compare.h"
#include "erlang/term/hash_functions.h"
#include "erlang/term/map.h"

namespace ravel::erlang {

namespace {

constexpr std::uint32_t kNewFileMode = 0100644, kNewDirectoryMode = 0040755, kLinkMode = 0120777;
// Kinds of objects in footprints.
constexpr std::uint64_t kWorkingFolder = 1;
constexpr int kLinksMax = 40;
constexpr std::uint64_t kNameSeed = 1, kContentsSeed = 2, kListingSeed = 3, kAttributesSeed = 4;
constexpr std::uint32_t kPermissions = 07777, kOwnerMayWrite = 0200;

std::string text_of(Term binary) {
  const BitView view = view_bits(binary);
  std::string text(view.length / 8, '\0');
  copy_bits(reinterpret_cast<std::uint8_t*>(text.data()), 0, view.bytes, view.offset, view.length);
  return text;
}

std::uint64_t object_of(std::uint64_t seed, const std::string& path) { return hash_string(path, seed); }

std::uint64_t object_of(const Names& names, std::uint64_t seed, Term node) {
  return combine(seed, combine(key_hash(names, node, 0), key_hash(names, node, 8)));
}

Term regular_key(Call& call, Term node) { return call.heap.tuple({node, call.atom("regular")}); }

}  // namespace

std::string FileTree::working_folder() {
  note(kWorkingFolder, access::kRead);
  const Term changed = map_get(call_.names, changes(), Term::nil());
  return changed.is_none() ? call_.machine.code.source().working_folder() : text_of(changed);
}

void FileTree::set_working_folder(const std::string& path) {
  note(kWorkingFolder, access::kWrite);
  put(Term::nil(), path_term(path));
}

// Where the link leads that has this name, if it is one.
std::optional<std::string> FileTree::link_at(const std::string& path) {
  if (map_size(changes()) == 0) return std::nullopt;
  const Term changed = map_get(call_.names, changes(), path_term(path));
  if (!is_tuple(changed)) return std::nullopt;
  note(object_of(kNameSeed, path), access::kRead);
  return text_of(element(changed, 2));
}

std::string FileTree::absolute(const std::string& path, int& problem, LastLink last) {
  problem = path.empty() ? ENOENT : 0;
  std::string whole = path.starts_with('/') ? path : working_folder() + "/" + path;
  std::string result;
  int links = 0;
  for (std::size_t begin = 0; begin < whole.size();) {
    const std::size_t end = std::min(whole.find('/', begin), whole.size());
    const std::string part = whole.substr(begin, end - begin);
    if (part == "..") {
      const FileEntry before = find(result.empty() ? "/" : result);
      if (before.kind != FileEntry::Kind::kDirectory && problem == 0)
        problem = before.kind == FileEntry::Kind::kNone ? before.problem : ENOTDIR;
      result.resize(result.find_last_of('/') == std::string::npos ? 0 : result.find_last_of('/'));
    } else if (!part.empty() && part != ".") {
      result += "/" + part;
      const bool is_last = whole.find_first_not_of('/', end) == std::string::npos;
      const auto target = is_last && last == LastLink::kItself ? std::nullopt : link_at(result);
      if (target && ++links > kLinksMax) {
        problem = ELOOP;
        return result;
      }
      if (target) {
        whole = (target->starts_with('/') ? *target : parent_of(result) + "/" + *target) + whole.substr(end);
        result.clear();
        begin = 0;
        continue;
      }
    }
    begin = end + 1;
  }
  return result.empty() ? "/" : result;
}

std::string FileTree::parent_of(const std::string& absolute) {
  const std::size_t slash = absolute.find_last_of('/');
  return slash == 0 ? "/" : absolute.substr(0, slash);
}

Term FileTree::changes() const { return call_.machine.shared_terms().files; }
Term FileTree::path_term(const std::string& path) {
  return make_binary(call_.heap, path.data(), path.size());
}

void FileTree::note(std::uint64_t object, std::uint8_t how) {
  call_.machine.record.note_access(ObjectClass::kFile, object, how);
}

void FileTree::put(Term key, Term value) {
  const Term changed = map_put(call_.heap, call_.names, changes(), key, value);
  call_.machine.change_shared_terms().files = changed;
}

void FileTree::bind(const std::string& path, Term what) {
  note(object_of(kNameSeed, path), access::kWrite);
  note(object_of(kListingSeed, parent_of(path)), access::kChange);
  put(path_term(path), what);
}

FileEntry FileTree::find(const std::string& path) { return look(path, true); }

FileEntry FileTree::look(const std::string& path, bool notes) {
  if (notes) note(object_of(kNameSeed, path), access::kRead);
  const Term changed = map_get(call_.names, changes(), path_term(path));
  if (changed == atoms::kDirectory) {
    FileEntry entry{.kind = FileEntry::Kind::kDirectory, .mode = kNewDirectoryMode, .is_writable = true};
    add_attributes(entry, call_.heap.tuple({path_term(path), atoms::kDirectory}), notes);
    return entry;
  }
  if (is_tuple(changed))
    return {.kind = FileEntry::Kind::kLink,
            .target = text_of(element(changed, 2)),
            .mode = kLinkMode,
            .is_writable = true};
  if (!changed.is_none() && changed != atoms::kUndefined) {
    FileEntry entry{
        .kind = FileEntry::Kind::kRegular, .node = changed, .mode = kNewFileMode, .is_writable = true};
    add_attributes(entry, regular_key(call_, changed), notes);
    return entry;
  }
  const FileLook& host = call_.machine.code.source().look_at_file(path);
  if (changed == atoms::kUndefined || host.problem != 0) {
    // Whether the folder is missing or no folder may have changed.
    int problem = host.problem == 0 || host.problem == ENOTDIR ? ENOENT : host.problem;
    if (problem == ENOENT && path != "/" && look(parent_of(path), notes).kind == FileEntry::Kind::kRegular)
      problem = ENOTDIR;
    return {.kind = FileEntry::Kind::kNone, .problem = problem};
  }
  FileEntry entry{.kind = FileEntry::Kind::kOther, .mode = host.mode, .is_writable = host.is_writable};
  if (host.kind == FileLook::Kind::kDirectory) {
    entry.kind = FileEntry::Kind::kDirectory;
    add_attributes(entry, call_.heap.tuple({path_term(path), atoms::kDirectory}), notes);
  }
  if (host.kind == FileLook::Kind::kRegular) {
    entry.kind = FileEntry::Kind::kRegular;
    entry.node = path_term(path);
    add_attributes(entry, regular_key(call_, entry.node), notes);
  }
  return entry;
}

void FileTree::add_attributes(FileEntry& entry, Term key, bool notes) {
  entry.attributes = key;
  if (notes) note(object_of(call_.names, kAttributesSeed, key), access::kRead);
  const Term set = map_get(call_.names, changes(), key);
  if (set.is_none()) return;
  if (const Term permissions = element(set, 1); permissions.is_small()) {
    const auto mode = static_cast<std::uint32_t>(permissions.small_value());
    entry.mode = (entry.mode & ~kPermissions) | mode;
    entry.is_writable = (mode & kOwnerMayWrite) != 0;
  }
  if (element(set, 2).is_small()) entry.accessed = element(set, 2).small_value();
  if (element(set, 3).is_small()) entry.modified = element(set, 3).small_value();
}

// `none` leaves a part as it is.
void FileTree::put_attributes(Term key, Term permissions, Term accessed, Term modified) {
  note(object_of(call_.names, kAttributesSeed, key), access::kWrite);
  const Term before = map_get(call_.names, changes(), key);
  const auto part = [&](Term wanted, Word index) {
    return !wanted.is_none() ? wanted : before.is_none() ? atoms::kUndefined : element(before, index);
  };
  put(key, call_.heap.tuple({part(permissions, 1), part(accessed, 2), part(modified, 3)}));
}

void FileTree::set_permissions(const FileEntry& entry, std::uint32_t permissions) {
  put_attributes(entry.attributes, Term::small(permissions & kPermissions), Term::none(), Term::none());
}

void FileTree::set_times(const FileEntry& entry, std::int64_t accessed, std::int64_t modified) {
  put_attributes(entry.attributes, Term::none(), Term::small(accessed), Term::small(modified));
}

FileEntry FileTree::entry_of(Term node) {
  FileEntry entry{.kind = FileEntry::Kind::kRegular, .node = node, .mode = kNewFileMode, .is_writable = true};
  add_attributes(entry, regular_key(call_, node), true);
  return entry;
}

std::span<const std::uint8_t> FileTree::contents(Term node) {
  note(object_of(call_.names, kContentsSeed, node), access::kRead);
  const Term changed = map_get(call_.names, changes(), call_.heap.tuple({node}));
  if (!changed.is_none()) {
    const BitView view = view_bits(changed);
    return {view.data(), view.length / 8};
  }
  if (!is_binary(node)) return {};
  return call_.machine.code.source().read_file(text_of(node)).bytes;
}

void FileTree::set_contents(Term node, std::span<const std::uint8_t> bytes) {
  note(object_of(call_.names, kContentsSeed, node), access::kWrite);
  const Term binary = make_binary(call_.heap, bytes.data(), bytes.size());
  put(call_.heap.tuple({node}), binary);
  // What is written has changed now.
  const Term key = regular_key(call_, node);
  note(object_of(call_.names, kAttributesSeed, key), access::kRead);
  if (const Term set = map_get(call_.names, changes(), key); !set.is_none() && element(set, 3).is_small())
    put_attributes(key, Term::none(), Term::none(), atoms::kUndefined);
}

int FileTree::refusal_to_change_names(const std::string& path) {
  if (path == "/") return EBUSY;
  const FileEntry parent = find(parent_of(path));
  if (parent.kind == FileEntry::Kind::kNone) return parent.problem;
  if (parent.kind != FileEntry::Kind::kDirectory) return ENOTDIR;
  return parent.is_writable ? 0 : EACCES;
}

Term FileTree::make_file(const std::string& path) {
  const Term node = call_.machine.signals.make_reference(call_.self());
  bind(path, node);
  return node;
}

void FileTree::make_directory(const std::string& path) {
  bind(path, atoms::kDirectory);
  // The new directory has nothing of one that was there before.
  const Term key = call_.heap.tuple({path_term(path), atoms::kDirectory});
  note(object_of(call_.names, kAttributesSeed, key), access::kRead);
  if (!map_get(call_.names, changes(), key).is_none())
    put_attributes(key, Term::small(kNewDirectoryMode & kPermissions), atoms::kUndefined, atoms::kUndefined);
}
void FileTree::remove_name(const std::string& path) { bind(path, atoms::kUndefined); }

void FileTree::make_link(const std::string& path, const std::string& target) {
  bind(path, call_.heap.tuple({call_.atom("link"), path_term(target)}));
}

void FileTree::make_name(const std::string& path, Term node) { bind(path, node); }

void FileTree::rename_file(const std::string& from, const std::string& to) {
  const FileEntry entry = find(from);
  if (entry.kind == FileEntry::Kind::kLink) {
    make_link(to, entry.target);
  } else {
    bind(to, entry.node);
  }
  remove_name(from);
}

bool FileTree::rename_directory(const std::string& from, const std::string& to) {
  std::vector<std::string> directories = {""}, files;
  for (std::size_t i = 0; i < directories.size(); ++i) {
    for (const std::string& name : names_in(from + directories[i])) {
      const std::string below = directories[i] + "/" + name;
      const FileEntry entry = find(from + below);
      if (entry.kind == FileEntry::Kind::kOther) return false;
      (entry.kind == FileEntry::Kind::kDirectory ? directories : files).push_back(below);
    }
  }
  for (const std::string& below : directories) {
    const FileEntry entry = find(from + below);
    make_directory(to + below);
    const Term set = map_get(call_.names, changes(), entry.attributes);
    const Term key = call_.heap.tuple({path_term(to + below), atoms::kDirectory});
    if (!set.is_none()) put_attributes(key, element(set, 1), element(set, 2), element(set, 3));
    if (set.is_none() && (entry.mode & kPermissions) != (kNewDirectoryMode & kPermissions))
      put_attributes(key, Term::small(entry.mode & kPermissions), atoms::kUndefined, atoms::kUndefined);
  }
  for (const std::string& below : files) rename_file(from + below, to + below);
  for (std::size_t i = directories.size(); i-- > 0;) remove_name(from + directories[i]);
  return true;
}

std::uint32_t FileTree::count_names(Term node) {
  std::uint32_t count = 0;
  bool has_first_name = is_binary(node);  // of the host
  for (MapIterator pairs(changes()); pairs.next();) {
    if (!is_binary(pairs.key())) continue;
    if (is_binary(node) && equal_exactly(pairs.key(), node)) has_first_name = false;
    if (!is_tuple(pairs.value()) && equal_exactly(pairs.value(), node)) ++count;
  }
  return count + (has_first_name ? 1 : 0);
}

std::vector<std::string> FileTree::names_in(const std::string& path) {
  note(object_of(kListingSeed, path), access::kRead);
  const std::string below = path == "/" ? path : path + "/";
  std::vector<std::string> names;
  for (const std::string& name : call_.machine.code.source().list_folder(path).names)
    if (map_get(call_.names, changes(), path_term(below + name)).is_none()) names.push_back(name);
  for (MapIterator pairs(changes()); pairs.next();) {
    if (!is_binary(pairs.key()) || pairs.value() == atoms::kUndefined) continue;
    const std::string changed = text_of(pairs.key());
    if (changed.starts_with(below) && changed.size() > below.size() &&
        changed.find('/', below.size()) == std::string::npos)
      names.push_back(changed.substr(below.size()));
  }
  std::ranges::sort(names);
  return names;
}

std::uint32_t FileTree::number_of(Term node) const {
  return node.is_none() ? 0 : key_hash(call_.names, node, 0) >> 1;
}

}  // namespace ravel::erlang
