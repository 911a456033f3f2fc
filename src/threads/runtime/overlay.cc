#include "threads/runtime/overlay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "threads/protocol/system_call.h"

namespace ravel::threads {

namespace {

constexpr int kLinksMax = 40;

long text_argument(const std::string& text) { return reinterpret_cast<long>(text.c_str()); }

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (path.empty() || system_call(SYS_lstat, text_argument(path), reinterpret_cast<long>(&status)) != 0)
    return std::nullopt;
  return status;
}

// Nothing: it is no link.
std::optional<std::string> link_at(const std::string& path) {
  std::array<char, PATH_MAX> text;
  const long length =
      system_call(SYS_readlink, text_argument(path), reinterpret_cast<long>(text.data()), text.size());
  if (length < 0) return std::nullopt;
  return std::string(text.data(), static_cast<std::size_t>(length));
}

// What is no file, or none of the program's.
bool is_systems(std::string_view path) {
  for (const std::string_view folder : {"/dev", "/proc", "/sys"}) {
    if (!path.starts_with(folder) || (path.size() > folder.size() && path[folder.size()] != '/')) continue;
    return !path.starts_with("/dev/shm");
  }
  return false;
}

// What the kernel shows of itself: nothing can be made or removed there, whoever asks.
bool is_kernels(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string parent_of(const std::string& canonical) {
  const std::size_t slash = canonical.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : canonical.substr(0, slash);
}

std::string below(const std::string& folder, std::string_view name) {
  return (folder == "/" ? folder : folder + "/") + std::string(name);
}

struct File {
  int number;
  explicit File(long opened) : number(static_cast<int>(opened)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (number >= 0) system_call(SYS_close, number);
  }
};

// 0, or an errno.
int copy_file(const std::string& from, const std::string& to, const struct stat& status) {
  const File in(system_call(SYS_openat, AT_FDCWD, text_argument(from), O_RDONLY | O_CLOEXEC));
  if (in.number < 0) return -in.number;
  const File out(
      system_call(SYS_openat, AT_FDCWD, text_argument(to), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (out.number < 0) return -out.number;
  std::array<char, 1 << 14> bytes;
  long done;
  while ((done = system_call(SYS_read, in.number, reinterpret_cast<long>(bytes.data()), bytes.size())) > 0) {
    for (long written = 0; written < done;) {
      const long more =
          system_call(SYS_write, out.number, reinterpret_cast<long>(bytes.data()) + written, done - written);
      if (more < 0) return static_cast<int>(-more);
      written += more;
    }
  }
  const std::array<timespec, 2> times = {status.st_atim, status.st_mtim};
  system_call(SYS_fchmod, out.number, static_cast<long>(status.st_mode & 07777));
  system_call(SYS_utimensat, out.number, 0, reinterpret_cast<long>(times.data()), 0);
  return done < 0 ? static_cast<int>(-done) : 0;
}

// The names in a folder, without . and ..
std::vector<std::string> names_on_disk(const std::string& path) {
  std::vector<std::string> names;
  const File folder(
      system_call(SYS_openat, AT_FDCWD, text_argument(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number < 0) return names;
  alignas(dirent64) std::array<char, 4096> entries;
  long size;
  while ((size = system_call(SYS_getdents64, folder.number, reinterpret_cast<long>(entries.data()),
                             entries.size())) > 0) {
    for (long at = 0; at < size;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
      at += entry->d_reclen;
    }
  }
  return names;
}

void delete_tree(const std::string& path) {
  const long done = system_call(SYS_unlink, text_argument(path));
  if (done != -EISDIR && done != -EPERM) return;
  system_call(SYS_chmod, text_argument(path), 0700);
  for (const std::string& name : names_on_disk(path)) delete_tree(below(path, name));
  system_call(SYS_rmdir, text_argument(path));
}

}  // namespace

Overlay& overlay() {
  static auto* const instance = new Overlay;  // the program's last code runs after all destructors
  return *instance;
}

void Overlay::begin_copy(const std::string& name) {
  if (folder_.empty()) return;
  system_call(SYS_mkdir, text_argument(folder_), 0700);
  folder_ += "/" + name;
  is_made_ = false;
  numbers_ = 0;
  entries_.clear();
  views_.clear();
}

void Overlay::begin_execution(bool wipes) {
  if (wipes && !folder_.empty()) {
    for (const std::string& name : names_on_disk(folder_)) delete_tree(folder_ + "/" + name);
  } else {
    for (std::uint32_t number = 1; number <= numbers_; ++number) delete_tree(numbered(number));
  }
  numbers_ = 0;
  entries_.clear();
  views_.clear();
}

std::uint32_t Overlay::next_number() {
  if (!is_made_) system_call(SYS_mkdir, text_argument(folder_), 0700);
  is_made_ = true;
  return ++numbers_;
}

std::string Overlay::program_path(std::string_view system_path) const {
  std::string path(system_path);
  if (numbers_ == 0 || !system_path.starts_with(folder_ + "/")) return path;
  std::uint32_t number = 0;
  std::size_t end = folder_.size() + 1;
  for (; end < path.size() && path[end] >= '0' && path[end] <= '9'; ++end)
    number = number * 10 + static_cast<std::uint32_t>(path[end] - '0');
  if (const auto view = views_.find(number); view != views_.end()) return view->second + path.substr(end);
  for (const auto& [name, entry] : entries_)
    if (entry.number == number) return name + path.substr(end);
  return path;
}

std::string Overlay::base_of(int folder) const {
  std::array<char, 32> link{};
  snprintf(link.data(), link.size(), folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
  return program_path(link_at(link.data()).value_or("/"));
}

std::string Overlay::at(const std::string& canonical) const {
  if (const auto own = entries_.find(canonical); own != entries_.end())
    return own->second.number == 0 ? "" : numbered(own->second.number);
  for (std::string above = canonical; above != "/";) {
    above = parent_of(above);
    const auto entry = entries_.find(above);
    if (entry != entries_.end() && (entry->second.number == 0 || entry->second.is_opaque)) return "";
  }
  return canonical;
}

bool Overlay::is_something(const std::string& system_path) const {
  return status_of(system_path).has_value();
}
bool Overlay::is_folder(const std::string& system_path) const {
  const auto status = status_of(system_path);
  return status && S_ISDIR(status->st_mode);
}

HostPath Overlay::canonical(int folder, const char* path, Follow follow) {
  if (path == nullptr) return {.error = EFAULT};
  if (path[0] == 0) return {.error = ENOENT};
  std::string here = path[0] == '/' ? "/" : base_of(folder);
  std::string left = path;
  int links = 0;
  while (true) {
    left.erase(0, left.find_first_not_of('/'));
    if (left.empty()) return {.path = here};
    const std::size_t length = std::min(left.find('/'), left.size());
    const std::string name = left.substr(0, length);
    left.erase(0, length);
    if (name == ".") continue;
    if (name == "..") {
      here = parent_of(here);
      continue;
    }
    if (name.size() > NAME_MAX) return {.error = ENAMETOOLONG};
    const std::string next = below(here, name);
    const bool is_last = left.find_first_not_of('/') == std::string::npos;
    if (is_systems(next)) return {.path = next + left};
    const std::string system_path = at(next);
    const bool follows = !is_last || follow == Follow::kYes || !left.empty();
    if (const auto target = follows && !system_path.empty() ? link_at(system_path) : std::nullopt) {
      if (++links > kLinksMax) return {.error = ELOOP};
      left = *target + left;
      if (left.starts_with('/')) here = "/";
      continue;
    }
    if (!is_last) {
      const auto status = status_of(system_path);
      if (!status) return {.error = ENOENT};
      if (!S_ISDIR(status->st_mode)) return {.error = ENOTDIR};
    }
    here = next;
  }
}

HostPath Overlay::look(int folder, const char* path, Follow follow) {
  HostPath found = canonical(folder, path, follow);
  if (found.error != 0) return found;
  found.path = at(found.path);
  if (found.path.empty()) found.error = ENOENT;
  return found;
}

HostPath Overlay::open_for_reading(int folder, const char* path, Follow follow) {
  HostPath found = canonical(folder, path, follow);
  if (found.error != 0) return found;
  const std::string system_path = at(found.path);
  if (system_path.empty()) return {.error = ENOENT};
  if (has_changes_below(found.path) && is_folder(system_path)) return {.path = view_of(found.path)};
  return {.path = system_path};
}

void Overlay::add(const std::string& path, std::uint32_t number, bool is_opaque) {
  entries_[path] = {.number = number, .is_opaque = is_opaque};
}

HostPath Overlay::own(const std::string& canonical) {
  const std::string from = at(canonical);
  const auto status = status_of(from);
  if (!status) return {.error = ENOENT};
  if (from != canonical || is_systems(canonical)) return {.path = from};
  const bool is_copied = S_ISREG(status->st_mode) || S_ISDIR(status->st_mode) || S_ISLNK(status->st_mode);
  if (!is_copied) return {.path = from};
  const std::uint32_t number = next_number();
  const std::string to = numbered(number);
  long done = 0;
  if (S_ISDIR(status->st_mode)) {
    done = system_call(SYS_mkdir, text_argument(to), static_cast<long>(status->st_mode & 07777));
  } else if (S_ISLNK(status->st_mode)) {
    done = system_call(SYS_symlink, text_argument(link_at(from).value_or("")), text_argument(to));
  } else {
    done = -copy_file(from, to, *status);
  }
  if (done != 0) return {.error = static_cast<int>(-done)};
  add(canonical, number, !S_ISDIR(status->st_mode));
  return {.path = to};
}

// Copies a folder with all that is in it, so that it can get another name.
int Overlay::own_tree(const std::string& canonical) {
  const HostPath copied = own(canonical);
  if (copied.error != 0 || !is_folder(copied.path)) return copied.error;
  for (const std::string& name : names_in(canonical))
    if (const int error = own_tree(below(canonical, name)); error != 0) return error;
  entries_[canonical].is_opaque = true;
  return 0;
}

HostPath Overlay::change(int folder, const char* path, Follow follow) {
  const HostPath found = canonical(folder, path, follow);
  return found.error != 0 ? found : own(found.path);
}

int Overlay::check_parent(const std::string& canonical) const {
  if (is_kernels(canonical, "/proc") || is_kernels(canonical, "/sys")) return EPERM;
  const std::string parent = at(parent_of(canonical));
  const auto status = status_of(parent);
  if (!status) return ENOENT;
  if (!S_ISDIR(status->st_mode)) return ENOTDIR;
  return system_call(SYS_access, text_argument(parent), W_OK | X_OK) == 0 ? 0 : EACCES;
}

HostPath Overlay::open_for_writing(int folder, const char* path, int flags, mode_t mode) {
  const bool is_exclusive = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
  const HostPath found =
      canonical(folder, path, is_exclusive || (flags & O_NOFOLLOW) != 0 ? Follow::kNo : Follow::kYes);
  if (found.error != 0) return found;
  const std::string before = at(found.path);
  if (const auto status = status_of(before)) {
    if (is_exclusive) return {.error = EEXIST};
    if (!S_ISREG(status->st_mode) || is_systems(found.path)) return {.path = before};
    if (before == found.path && system_call(SYS_access, text_argument(before), W_OK) != 0)
      return {.error = EACCES};
    if (before != found.path || (flags & O_TRUNC) == 0) return own(found.path);
    // What is cut off need not be copied.
    mode = status->st_mode & 07777;
  } else {
    if ((flags & O_CREAT) == 0) return {.error = ENOENT};
    if (is_systems(found.path)) return {.path = found.path};
    if (const int error = check_parent(found.path); error != 0) return {.error = error};
  }
  const std::uint32_t number = next_number();
  const std::string made = numbered(number);
  const File file(system_call(SYS_openat, AT_FDCWD, text_argument(made),
                              O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, static_cast<long>(mode)));
  if (file.number < 0) return {.error = -file.number};
  add(found.path, number, true);
  return {.path = made};
}

HostPath Overlay::make(int folder, const char* path) {
  const HostPath found = canonical(folder, path, Follow::kNo);
  if (found.error != 0) return found;
  if (is_there(found.path)) return {.error = EEXIST};
  if (is_kernels(found.path, "/proc")) return {.error = ENOENT};
  if (const int error = check_parent(found.path); error != 0) return {.error = error};
  made_ = found.path;
  made_number_ = next_number();
  return {.path = numbered(made_number_)};
}

// The host's version, if there is one, is not seen any more.
void Overlay::forget(const std::string& canonical) {
  entries_.erase(canonical);
  const std::string prefix = canonical + "/";
  for (auto entry = entries_.lower_bound(prefix);
       entry != entries_.end() && entry->first.starts_with(prefix);)
    entry = entries_.erase(entry);
  if (is_something(at(canonical))) entries_[canonical] = {};
}

int Overlay::remove(int folder, const char* path, Removes what) {
  const HostPath found = canonical(folder, path, Follow::kNo);
  if (found.error != 0) return found.error;
  const std::string system_path = at(found.path);
  const auto status = status_of(system_path);
  if (!status) return ENOENT;
  const bool is_a_folder = S_ISDIR(status->st_mode);
  if (is_a_folder && what == Removes::kFile) return EISDIR;
  if (!is_a_folder && what == Removes::kFolder) return ENOTDIR;
  if (is_a_folder && !names_in(found.path).empty()) return ENOTEMPTY;
  if (const int error = check_parent(found.path); error != 0) return error;
  if (system_path != found.path)
    system_call(is_a_folder ? SYS_rmdir : SYS_unlink, text_argument(system_path));
  forget(found.path);
  return 0;
}

int Overlay::rename(int from_folder, const char* from, int to_folder, const char* to, bool replaces) {
  const HostPath source = canonical(from_folder, from, Follow::kNo),
                 target = canonical(to_folder, to, Follow::kNo);
  if (source.error != 0 || target.error != 0) return source.error != 0 ? source.error : target.error;
  const auto moved = status_of(at(source.path));
  if (!moved) return ENOENT;
  if (source.path == target.path) return 0;
  if (target.path.starts_with(source.path + "/")) return EINVAL;
  for (const std::string& path : {source.path, target.path})
    if (const int error = check_parent(path); error != 0) return error;
  if (const auto replaced = status_of(at(target.path))) {
    if (!replaces) return EEXIST;
    if (S_ISDIR(replaced->st_mode) != S_ISDIR(moved->st_mode))
      return S_ISDIR(replaced->st_mode) ? EISDIR : ENOTDIR;
    if (S_ISDIR(replaced->st_mode) && !names_in(target.path).empty()) return ENOTEMPTY;
  }
  if (const int error = own_tree(source.path); error != 0) return error;
  forget(target.path);
  const std::string prefix = source.path + "/";
  std::map<std::string, Entry> renamed;
  for (const auto& [path, entry] : entries_) {
    if (path == source.path || path.starts_with(prefix))
      renamed[target.path + path.substr(source.path.size())] = entry;
  }
  forget(source.path);
  for (const auto& [path, entry] : renamed) entries_[path] = entry;
  return 0;
}

int Overlay::link(int from_folder, const char* from, int to_folder, const char* to, Follow follow) {
  const HostPath source = change(from_folder, from, follow);
  if (source.error != 0) return source.error;
  if (is_folder(source.path)) return EPERM;
  const HostPath target = make(to_folder, to);
  if (target.error != 0) return target.error;
  const long done = system_call(SYS_link, text_argument(source.path), text_argument(target.path));
  if (done == 0) add_made();
  return static_cast<int>(-done);
}

bool Overlay::has_changes_below(const std::string& canonical) const {
  if (entries_.contains(canonical)) return true;
  const std::string prefix = canonical == "/" ? canonical : canonical + "/";
  const auto entry = entries_.lower_bound(prefix);
  return entry != entries_.end() && entry->first.starts_with(prefix);
}

std::vector<std::string> Overlay::names_in(const std::string& canonical) const {
  std::vector<std::string> names;
  const auto own = entries_.find(canonical);
  const bool hides_host = own != entries_.end() && own->second.is_opaque;
  if (!hides_host) {
    for (std::string& name : names_on_disk(canonical))
      if (!at(below(canonical, name)).empty()) names.push_back(std::move(name));
  }
  const std::string prefix = canonical == "/" ? canonical : canonical + "/";
  for (auto entry = entries_.lower_bound(prefix); entry != entries_.end() && entry->first.starts_with(prefix);
       ++entry) {
    const std::string name = entry->first.substr(prefix.size());
    if (entry->second.number == 0 || name.find('/') != std::string::npos ||
        std::ranges::find(names, name) != names.end())
      continue;
    names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

// A folder with things of the same names and kinds in it.
std::string Overlay::view_of(const std::string& canonical) {
  const std::uint32_t number = next_number();
  const std::string view = numbered(number);
  system_call(SYS_mkdir, text_argument(view), 0700);
  for (const std::string& name : names_in(canonical)) {
    const auto status = status_of(at(below(canonical, name)));
    const std::string path = view + "/" + name;
    if (status && S_ISDIR(status->st_mode)) {
      system_call(SYS_mkdir, text_argument(path), 0700);
    } else if (status && S_ISLNK(status->st_mode)) {
      system_call(SYS_symlink, text_argument("."), text_argument(path));
    } else {
      system_call(SYS_mknod, text_argument(path), static_cast<long>(S_IFREG | 0600));
    }
  }
  views_[number] = canonical;
  return view;
}

}  // namespace ravel::threads
