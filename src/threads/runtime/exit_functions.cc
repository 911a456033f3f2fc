#include "threads/runtime/exit_functions.h"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace ravel::threads {

namespace {

bool destroys_library_object(const AtThreadEnd& registered) {
  Dl_info object;
  if (dladdr(registered.argument, &object) == 0 || object.dli_fname == nullptr) return false;
  if (std::string_view(object.dli_fname).find("libstdc++") == std::string_view::npos) return false;
  // Since version 13 the object whose destructor flushes the streams is in the library, before it was in each
  // program.
  Dl_info function;
  if (dladdr(reinterpret_cast<void*>(registered.function), &function) == 0) return false;
  return function.dli_sname == nullptr ||
         std::string_view(function.dli_sname).find("ios_base4Init") == std::string_view::npos;
}

}  // namespace

std::vector<AtThreadEnd> without_library_objects(const std::vector<AtThreadEnd>& registered) {
  std::vector<AtThreadEnd> others;
  std::ranges::remove_copy_if(registered, std::back_inserter(others), destroys_library_object);
  return others;
}

}  // namespace ravel::threads
