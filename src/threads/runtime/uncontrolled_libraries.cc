#include "threads/runtime/uncontrolled_libraries.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <string_view>

namespace ravel::threads {

namespace {

constexpr const char kOpenMp[] =
    "OpenMP: its threads wait for each other inside of its library, which is not under control. Leave out "
    "-fopenmp for the test, "
    "or make the threads by std::thread";

const char* why_not(std::string_view function) {
  // GCC's library, and LLVM's.
  for (const std::string_view start :
       {"GOMP_parallel", "GOMP_task", "GOMP_critical_start", "__kmpc_fork_call", "__kmpc_omp_task"})
    if (function.starts_with(start)) return kOpenMp;
  return nullptr;
}

// Looks at the program itself, which comes first. The symbols that it takes from elsewhere are in front of
// those that the hash table has.
int look_at_program(dl_phdr_info* info, std::size_t, void* found) {
  const ElfW(Dyn)* entry = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  std::uint32_t count = 0;
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    // The loader has made these addresses of what were offsets.
    if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_GNU_HASH) count = reinterpret_cast<const std::uint32_t*>(entry->d_un.d_ptr)[1];
    if (entry->d_tag == DT_HASH && count == 0)
      count = reinterpret_cast<const std::uint32_t*>(entry->d_un.d_ptr)[1];
  }
  if (symbols == nullptr || names == nullptr) return 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const char* const why = symbols[i].st_shndx == SHN_UNDEF ? why_not(names + symbols[i].st_name) : nullptr;
    if (why != nullptr) *static_cast<const char**>(found) = why;
  }
  return 1;
}

}  // namespace

const char* find_uncontrolled_library() {
  const char* found = nullptr;
  dl_iterate_phdr(look_at_program, &found);
  return found;
}

}  // namespace ravel::threads
