#include "base/shared_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/hash.h"

namespace ravel {

Result<SharedLibrary> SharedLibrary::open(const std::string& file) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(file, problem)) return Error{"there is no such file"};
  // A name without a folder means the file here, not one that the loader would find.
  const std::string path = std::filesystem::absolute(file, problem).string();
  void* const handle = dlopen(path.c_str(), RTLD_LOCAL | RTLD_NOW);
  if (handle == nullptr) {
    const char* const why = dlerror();
    return Error{std::string("this is no library that can be loaded (") + (why == nullptr ? "" : why) + ")"};
  }
  std::ifstream stream(path, std::ios::binary);
  return SharedLibrary(handle, hash_string(std::string(std::istreambuf_iterator<char>(stream), {})));
}

void* SharedLibrary::find(const char* name) const { return dlsym(handle_, name); }

void SharedLibrary::close() { dlclose(handle_); }

}  // namespace ravel
