// The files of one execution: those of the host as they were, with what the execution has done to them on
// top.
//
// The idea: what the program changes is kept in a folder of the search's own, under numbers, and a table says
// which path is where: a path that is not in it is the host's, unless a folder above it was removed or made
// anew. A file is copied when it is opened for writing. The next execution begins with an empty table. So
// nothing that a program does to files reaches the host, and every execution finds the same.
//
// What is open stays what it was, since descriptors are the system's own; so are pipes, sockets, devices, and
// what is under /dev, /proc and /sys (except /dev/shm). A folder in which something was changed is listed by
// a copy of it. Symbolic links are followed here, component by component, because one may lead to what is in
// the table. What the C library opens inside of itself (nftw, glob) sees the host's files.
//
// All is done by system calls alone: the functions are called in the middle of the program's own.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ravel::threads {

enum class Follow : bool { kNo, kYes };

// A path for the system, or why there is none.
struct HostPath {
  std::string path = {};
  int error = 0;  // an errno
};

class Overlay {
 public:
  // `folder` is made when it is needed; empty: what the program does reaches the host.
  void set_folder(std::string folder) { folder_ = std::move(folder); }
  // In a copy of the process: from now on its files are in a folder of that name within the other one.
  // REQUIRES: between executions.
  void begin_copy(const std::string& name);
  bool is_on() const { return is_on_; }
  void turn(bool on) { is_on_ = on && !folder_.empty(); }
  // Something is not as the host has it. Until then paths can be used as they are.
  bool has_changes() const { return !entries_.empty(); }
  // `wipes`: other processes have left theirs there.
  void begin_execution(bool wipes);

  // Functions that resolve a path as the system would; `folder`: a descriptor, or AT_FDCWD.

  // What is there, to be looked at.
  HostPath look(int folder, const char* path, Follow follow);
  // What is there, as a folder or anything else, to be opened for reading.
  HostPath open_for_reading(int folder, const char* path, Follow follow);
  // What is there, to be changed: the execution's own copy.
  HostPath change(int folder, const char* path, Follow follow);
  // The execution's own file, for open(): made if O_CREAT says so.
  HostPath open_for_writing(int folder, const char* path, int flags, mode_t mode);
  // Where something new can be made of which add() tells afterwards that it was.
  HostPath make(int folder, const char* path);
  void add_made() { add(made_, made_number_, true); }

  // 0, or an errno.
  enum class Removes : std::uint8_t { kFile, kFolder, kBoth };
  int remove(int folder, const char* path, Removes what);
  int rename(int from_folder, const char* from, int to_folder, const char* to, bool replaces);
  int link(int from_folder, const char* from, int to_folder, const char* to, Follow follow);

  // The path without links, dots and the overlay's own names, whether something is there or not.
  HostPath canonical(int folder, const char* path, Follow follow);
  bool is_there(const std::string& canonical) const { return is_something(at(canonical)); }
  // What the program calls what the system calls so.
  std::string program_path(std::string_view system_path) const;

 private:
  struct Entry {
    std::uint32_t number = 0;  // 0: there is nothing any more
    bool is_opaque = true;     // nothing of the host is below it
  };

  std::string numbered(std::uint32_t number) const { return folder_ + "/" + std::to_string(number); }
  // Empty: nothing is there.
  std::string at(const std::string& canonical) const;
  bool is_something(const std::string& system_path) const;
  bool is_folder(const std::string& system_path) const;
  std::string base_of(int folder) const;
  void add(const std::string& path, std::uint32_t number, bool is_opaque);
  std::uint32_t next_number();
  // The execution's own version, copied if need be.
  HostPath own(const std::string& canonical);
  int own_tree(const std::string& canonical);
  void forget(const std::string& canonical);
  int check_parent(const std::string& canonical) const;
  bool has_changes_below(const std::string& canonical) const;
  std::vector<std::string> names_in(const std::string& canonical) const;
  std::string view_of(const std::string& canonical);

  bool is_on_ = false;
  bool is_made_ = false;  // the folder
  std::string folder_;
  std::map<std::string, Entry> entries_;        // by canonical path
  std::map<std::uint32_t, std::string> views_;  // copies of folders, for listing
  std::uint32_t numbers_ = 0;
  std::string made_;  // by make()
  std::uint32_t made_number_ = 0;
};

Overlay& overlay();

}  // namespace ravel::threads
