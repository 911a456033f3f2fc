// Each execution finds the files as they were, whatever the ones before have done; and nothing reaches the folder that the program is run in,
// of which the runner would tell: it has an empty file "kept", a folder "full" with a file in it, and nothing else.
//
// files: kept full/inner
// expect: pass -t makes_a_file
// expect: pass -t makes_a_file --strategy random --budget 50x
// expect: pass -t makes_a_file --isolate
// expect: pass -t removes_a_file
// expect: pass -t changes_a_file
// expect: pass -t folders
// expect: pass -t moves
// expect: pass -t links
// expect: pass -t temporary_files
// expect: pass -t working_folder
// expect: pass -t reads_the_host
// expect: pass -t shared_memory
// expect: bug assertion -t two_writers
// expect: changes-files bug assertion -t makes_a_file --host-files

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ravel/test.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string contents(const char* path) {
  std::ifstream in(path);
  std::string text;
  std::getline(in, text);
  return text;
}

void write(const char* path, const char* text) { std::ofstream(path) << text; }

// So that there is more than one execution.
template <class Function>
void with_another_thread(Function function) {
  std::thread other([] { std::this_thread::yield(); });
  function();
  other.join();
}

std::vector<std::string> names(const char* path) {
  std::vector<std::string> found;
  DIR* const folder = opendir(path);
  assert(folder != nullptr);
  while (const dirent* const entry = readdir(folder))
    if (entry->d_name[0] != '.') found.emplace_back(entry->d_name);
  closedir(folder);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

RAVEL_TEST(makes_a_file) {
  with_another_thread([] {
    assert(access("made", F_OK) != 0 && errno == ENOENT);
    assert(open("made", O_RDONLY) < 0);
    write("made", "text");
    assert(contents("made") == "text");
    assert(open("made", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0 && errno == EEXIST);
    assert(fopen("made", "wx") == nullptr);
    std::FILE* const more = fopen("made", "a");
    fputs("s", more);
    fclose(more);
    assert(contents("made") == "texts" && fs::file_size("made") == 5);
    assert(open("no folder/made", O_CREAT | O_WRONLY, 0600) < 0 && errno == ENOENT);
    assert(open("kept/made", O_CREAT | O_WRONLY, 0600) < 0 && errno == ENOTDIR);
  });
}

RAVEL_TEST(removes_a_file) {
  with_another_thread([] {
    assert(access("kept", F_OK) == 0);
    assert(unlink("kept") == 0);
    assert(access("kept", F_OK) != 0 && unlink("kept") != 0 && errno == ENOENT);
    write("kept", "again");
    assert(contents("kept") == "again");
    assert(std::remove("kept") == 0 && !fs::exists("kept"));
    assert(rmdir("full") != 0 && errno == ENOTEMPTY);
    assert(unlink("full") != 0 && errno == EISDIR);
    assert(fs::remove_all("full") == 2 && !fs::exists("full/inner"));
  });
}

RAVEL_TEST(changes_a_file) {
  with_another_thread([] {
    assert(fs::file_size("full/inner") == 0);
    const int file = open("full/inner", O_RDWR);
    assert(::write(file, "ab", 2) == 2 && ftruncate(file, 1) == 0);
    close(file);
    assert(contents("full/inner") == "a");
    assert(truncate("full/inner", 0) == 0 && fs::file_size("full/inner") == 0);
    assert(chmod("kept", 0600) == 0);
    struct stat status;
    assert(stat("kept", &status) == 0 && (status.st_mode & 0777) == 0600);
    assert(chmod("full", 0700) == 0 && stat("full", &status) == 0 && S_ISDIR(status.st_mode) && (status.st_mode & 0777) == 0700);
    assert(access("full/inner", F_OK) == 0);
  });
}

RAVEL_TEST(folders) {
  with_another_thread([] {
    assert(mkdir("new", 0700) == 0 && mkdir("new", 0700) != 0 && errno == EEXIST);
    assert(fs::create_directories("new/deep/deeper"));
    write("new/deep/deeper/file", "x");
    assert((names("new/deep/deeper") == std::vector<std::string>{"file"}));
    assert((names("full") == std::vector<std::string>{"inner"}));
    write("full/outer", "y");
    assert((names("full") == std::vector<std::string>{"inner", "outer"}));
    unlink("full/inner");
    assert((names("full") == std::vector<std::string>{"outer"}));
    const int folder = open("new/deep", O_RDONLY | O_DIRECTORY);
    const int file = openat(folder, "deeper/file", O_RDONLY);
    assert(file >= 0 && unlinkat(folder, "deeper/file", 0) == 0 && unlinkat(folder, "deeper", AT_REMOVEDIR) == 0);
    std::size_t found = 0;
    for ([[maybe_unused]] const auto& entry : fs::recursive_directory_iterator("new")) ++found;
    assert(found == 1);
    assert(fs::remove_all("new") == 2);
  });
}

RAVEL_TEST(moves) {
  with_another_thread([] {
    write("one", "1");
    assert(std::rename("one", "two") == 0 && !fs::exists("one") && contents("two") == "1");
    assert(std::rename("two", "kept") == 0 && contents("kept") == "1");
    assert(std::rename("full", "empty no more") == 0 && !fs::exists("full/inner") && fs::exists("empty no more/inner"));
    assert(mkdir("full", 0700) == 0 && names("full").empty());
    assert(std::rename("missing", "full") != 0 && errno == ENOENT);
    assert(std::rename("kept", "full") != 0 && errno == EISDIR);
  });
}

RAVEL_TEST(links) {
  with_another_thread([] {
    assert(symlink("full/inner", "link") == 0 && symlink("link", "chain") == 0);
    write("chain", "through");
    assert(contents("full/inner") == "through");
    assert(fs::read_symlink("chain") == "link" && fs::is_symlink("link"));
    assert(link("kept", "twin") == 0);
    write("twin", "both");
    assert(contents("kept") == "both");
    assert(symlink("loop", "loop") == 0 && open("loop", O_RDONLY) < 0 && errno == ELOOP);
    assert(fs::canonical("chain") == fs::current_path() / "full/inner");
  });
}

RAVEL_TEST(temporary_files) {
  with_another_thread([] {
    char one[] = "fileXXXXXX", two[] = "fileXXXXXX", folder[] = "folderXXXXXX", wrong[] = "fileXXXXX";
    const int file = mkstemp(one);
    assert(file >= 0 && mkstemp(two) >= 0 && std::strcmp(one, two) != 0);
    assert(::write(file, "z", 1) == 1 && contents(one) == "z");
    assert(mkdtemp(folder) == folder && fs::is_directory(folder));
    assert(mkstemp(wrong) < 0 && errno == EINVAL);
  });
}

RAVEL_TEST(working_folder) {
  with_another_thread([] {
    const fs::path before = fs::current_path();
    assert(mkdir("new", 0700) == 0 && chdir("new") == 0);
    assert(fs::current_path() == before / "new");
    write("file", "inside");
    assert(contents("../new/file") == "inside" && contents((before / "new/file").c_str()) == "inside");
  });
}

RAVEL_TEST(reads_the_host) {
  with_another_thread([] {
    write("made", "text");
    assert(!contents("/proc/self/stat").empty());
    std::ofstream("/dev/null") << "nothing";
    assert(fs::exists("/etc/passwd") && fs::is_directory("/usr"));
    assert(mkdir("/proc/folder", 0755) == -1 && errno == ENOENT && !fs::exists("/proc/folder"));
    assert(mkdir("/sys/folder", 0755) == -1 && errno == EPERM && !fs::exists("/sys/folder"));
    assert(unlink("/proc/uptime") == -1 && errno == EPERM && fs::exists("/proc/uptime"));
  });
}

RAVEL_TEST(shared_memory) {
  with_another_thread([] {
    const int file = shm_open("/ravel_test_of_shared_memory", O_CREAT | O_EXCL | O_RDWR, 0600);
    assert(file >= 0 && ftruncate(file, 4096) == 0);
    auto* const memory = static_cast<int*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    assert(memory != MAP_FAILED && *memory == 0);
    *memory = 1;
  });
}

RAVEL_TEST(two_writers) {
  std::thread other([] { write("made", "other"); });
  write("made", "own");
  other.join();
  assert(contents("made") == "other");
}
