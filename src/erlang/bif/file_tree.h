// The files that a program sees: the host's, each as it was when the program first looked at it, and over
// them what the program has changed. What it changes is part of the state and never reaches the host, so a
// schedule takes it back.
//
// A name leads to a node, as in a file system: a file that is open goes on when its name is removed or given
// to another file. All changes are one map of the machine (SharedTerms::files):
//   absolute path (binary)  => node, `directory`, {link, where it leads}, or `undefined`: there is nothing
//                           (more)
//   {node}                  => contents, as a binary
//   {node, `regular`}, {path, `directory`} => {permissions, last access, last change}, each `undefined` if it
//     was not set
//   []                      => the working folder, if the program has changed it
// A node is the path that a file of the host has there, or the reference that was made for a new file.
//
// In footprints a name, the contents of a node, its attributes, and the names in a directory are one object
// each; making and removing names commute with each other but not with listing them.
//
// Symbolic links that the program makes are followed. Symbolic links of the host are not known as links: `..`
// after one leads back to where the link is, and a file of the host with two names is two files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "erlang/machine/builtin.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/module_source.h"

namespace ravel::erlang {

// What a name leads to.
struct FileEntry {
  enum class Kind : std::uint8_t { kNone, kRegular, kDirectory, kOther, kLink };
  Kind kind = Kind::kNone;
  int problem = 0;           // kNone: errno
  Term node = Term::none();  // kRegular
  std::string target = {};   // kLink
  std::uint32_t mode = 0;    // permissions, and the type's bits
  bool is_writable = false;
  Term attributes = Term::none();  // what they are kept under, unless kNone or kOther
  std::int64_t accessed = kFileTime, modified = kFileTime;

  // In seconds, of whatever was not given another time.
  static constexpr std::int64_t kFileTime = VirtualTime::kEpochNs / 1'000'000'000;
};

class FileTree {
 public:
  explicit FileTree(Call& call) : call_(call) {}

  // Whether a symbolic link that is the last part of a path stands for where it leads.
  enum class LastLink : std::uint8_t { kFollowed, kItself };
  // A path in the one form that names are kept in: absolute, without `.`, `..`, empty parts and links.
  // `problem` is an errno if `..` comes after what is no directory, if links lead round, or if the path is
  // empty.
  std::string absolute(const std::string& path, int& problem, LastLink last = LastLink::kFollowed);
  std::string working_folder();
  void set_working_folder(const std::string& path);
  static std::string parent_of(const std::string& absolute);

  // Functions that take absolute paths, and note what they touch.
  FileEntry find(const std::string& path);
  std::span<const std::uint8_t> contents(Term node);
  std::uint64_t size(Term node) { return contents(node).size(); }
  void set_contents(Term node, std::span<const std::uint8_t> bytes);
  // REQUIRES: it has attributes.
  void set_permissions(const FileEntry& entry, std::uint32_t permissions);
  void set_times(const FileEntry& entry, std::int64_t accessed, std::int64_t modified);
  // The entry of an open file, whatever its name is now.
  FileEntry entry_of(Term node);
  // What stands in the way of making or removing a name there, as an errno; 0 if nothing does.
  int refusal_to_change_names(const std::string& path);
  // A new, empty file. REQUIRES: there is nothing, and refusal_to_change_names() is 0.
  Term make_file(const std::string& path);
  void make_directory(const std::string& path);
  void remove_name(const std::string& path);
  // Gives a file or link another name, in the place of what has it.
  void rename_file(const std::string& from, const std::string& to);
  // Gives a directory, with all that is in it, another name. REQUIRES: `to` is nothing or an empty directory,
  // and not in `from`. False if there is something in it that is neither a file, a directory nor a link.
  bool rename_directory(const std::string& from, const std::string& to);
  // REQUIRES: there is nothing at `path`, and refusal_to_change_names() is 0.
  void make_link(const std::string& path, const std::string& target);
  void make_name(const std::string& path, Term node);
  // How many names the program knows it by.
  std::uint32_t count_names(Term node);
  std::vector<std::string> names_in(const std::string& path);  // sorted. REQUIRES: it is a directory

  // The number of a file's identity (#file_info.inode), which is equal in every execution.
  std::uint32_t number_of(Term node) const;

 private:
  Term path_term(const std::string& path);
  void bind(const std::string& path, Term what);
  void put(Term key, Term value);
  Term changes() const;
  void note(std::uint64_t object, std::uint8_t how);
  FileEntry look(const std::string& path, bool notes);
  std::optional<std::string> link_at(const std::string& path);
  void add_attributes(FileEntry& entry, Term key, bool notes);
  void put_attributes(Term key, Term permissions, Term accessed, Term modified);

  Call& call_;
};

}  // namespace ravel::erlang
