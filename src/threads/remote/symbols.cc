#include "threads/remote/symbols.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "threads/remote/local_variables.h"
#include "threads/remote/locking_instructions.h"

namespace ravel::threads {

namespace {

const Dwfl_Callbacks kCallbacks = {.find_elf = dwfl_build_id_find_elf,
                                   .find_debuginfo = dwfl_standard_find_debuginfo,
                                   .section_address = dwfl_offline_section_address,
                                   .debuginfo_path = nullptr};

std::string readable(const char* symbol) {
  // Anything else would be read as the name of a type.
  if (std::string_view(symbol).substr(0, 2) != "_Z") return symbol;
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  if (text == nullptr) return symbol;
  std::string result = text;
  std::free(text);
  // The parameters of a function say little and are long.
  int depth = 0;
  for (std::size_t i = result.size(); i-- > 0;) {
    if (result[i] == ')') ++depth;
    if (result[i] != '(' || --depth > 0) continue;
    const bool is_whole = result.find_first_of(')', i) + 1 == result.size() ||
                          result.compare(result.size() - 7, 7, ") const") == 0;
    if (is_whole && i > 0) result.resize(i);
    break;
  }
  return result;
}

// The path of a file with its .. and . taken out.
std::string tidy(std::string path) {
  for (std::size_t dots; (dots = path.find("/./")) != std::string::npos;) path.erase(dots, 2);
  return path;
}

}  // namespace

bool is_system_file(const std::string& file) { return file.starts_with("/usr/") || file.starts_with("../"); }

struct Symbols::State {
  Dwfl* dwfl = nullptr;
  std::map<std::uint64_t, SourcePlace> places;
  std::map<std::uint64_t, std::vector<SourcePlace>> all_places;  // of places_of(), which takes long to find
  std::map<std::string, std::vector<std::string>> files;
  std::map<std::string, std::string> folders;  // of files with relative names: where the compiler has run

  void note_folder(const std::string& file, const char* folder) {
    if (folder != nullptr && !file.empty() && file.front() != '/') folders.try_emplace(file, folder);
  }
};

Symbols::Symbols(const std::vector<Module>& modules) : state_(std::make_unique<State>()) {
  state_->dwfl = dwfl_begin(&kCallbacks);
  if (state_->dwfl == nullptr) return;
  dwfl_report_begin(state_->dwfl);
  for (const Module& module : modules) {
    if (module.path.empty() || module.path.find("vdso") != std::string::npos) continue;
    dwfl_report_elf(state_->dwfl, module.path.c_str(), module.path.c_str(), -1, module.base, false);
  }
  dwfl_report_end(state_->dwfl, nullptr, nullptr);
}

Symbols::~Symbols() {
  if (state_->dwfl != nullptr) dwfl_end(state_->dwfl);
}

SourcePlace Symbols::place_of(std::uint64_t pc) const {
  const auto [entry, is_new] = state_->places.try_emplace(pc);
  SourcePlace& place = entry->second;
  if (!is_new || state_->dwfl == nullptr) return place;
  Dwfl_Module* const module = dwfl_addrmodule(state_->dwfl, pc);
  if (module == nullptr) return place;
  if (const char* const name = dwfl_module_addrname(module, pc)) place.function = readable(name);
  Dwfl_Line* const line = dwfl_module_getsrc(module, pc);
  if (line == nullptr) return place;
  int number = 0;
  if (const char* const file = dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr)) {
    place.file = tidy(file);
    place.line = static_cast<std::uint32_t>(number);
    state_->note_folder(place.file, dwfl_line_comp_dir(line));
  }
  return place;
}

// The places of one program counter: where it is, and from where each function that was compiled in place is
// called.
const std::vector<SourcePlace>& Symbols::places_of(std::uint64_t pc) const {
  const auto [entry, is_new] = state_->all_places.try_emplace(pc);
  std::vector<SourcePlace>& places = entry->second;
  if (!is_new) return places;
  places.push_back(place_of(pc));
  Dwarf_Addr bias = 0;
  Dwfl_Module* const module = state_->dwfl == nullptr ? nullptr : dwfl_addrmodule(state_->dwfl, pc);
  Dwarf_Die* const unit = module == nullptr ? nullptr : dwfl_module_addrdie(module, pc, &bias);
  if (unit == nullptr) return places;
  Dwarf_Files* files = nullptr;
  std::size_t file_count = 0;
  dwarf_getsrcfiles(unit, &files, &file_count);
  // The first call finds the innermost scope only: what it lists around that follows the source, not the
  // calls.
  Dwarf_Die* lexical = nullptr;
  if (dwarf_getscopes(unit, pc - bias, &lexical) <= 0) return places;
  const std::string whole = places.front().function;
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&lexical[0], &scopes);
  std::free(lexical);
  for (int i = 0; i < count; ++i) {
    if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
    // The function that was compiled in place; around it is the next one, or the one that the symbol names.
    if (const char* const inlined = dwarf_diename(&scopes[i])) places.back().function = inlined;
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &attribute), &file);
    dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &attribute), &line);
    const char* const name =
        files == nullptr || file >= file_count ? nullptr : dwarf_filesrc(files, file, nullptr, nullptr);
    if (name == nullptr) continue;
    places.push_back({.function = whole, .file = tidy(name), .line = static_cast<std::uint32_t>(line)});
    state_->note_folder(places.back().file, dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute)));
  }
  std::free(scopes);
  return places;
}

std::vector<SourcePlace> Symbols::user_places(std::span<const std::uint64_t> stack) const {
  std::vector<SourcePlace> user;
  for (const std::uint64_t pc : stack) {
    for (const SourcePlace& place : places_of(pc))
      if (!place.file.empty() && !is_system_file(place.file)) user.push_back(place);
  }
  return user;
}

SourcePlace Symbols::user_place(std::span<const std::uint64_t> stack) const {
  for (const std::uint64_t pc : stack) {
    for (const SourcePlace& place : places_of(pc)) {
      if (!place.file.empty() && !is_system_file(place.file)) return place;
    }
  }
  return stack.empty() ? SourcePlace{} : place_of(stack.front());
}

std::optional<std::string> Symbols::global_at(std::uint64_t address) const {
  if (state_->dwfl == nullptr) return std::nullopt;
  Dwfl_Module* const module = dwfl_addrmodule(state_->dwfl, address);
  if (module == nullptr) return std::nullopt;
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* const name = dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || offset >= std::max<std::uint64_t>(symbol.st_size, 1)) return std::nullopt;
  return offset == 0 ? readable(name) : fmt::format("{}+{}", readable(name), offset);
}

std::optional<std::string> Symbols::local_at(const StackPlace& place, std::uint64_t address) const {
  Dwfl_Module* const module =
      place.pc == 0 || state_->dwfl == nullptr ? nullptr : dwfl_addrmodule(state_->dwfl, place.pc);
  Dwarf_Addr bias = 0;
  Dwarf_Die* const unit = module == nullptr ? nullptr : dwfl_module_addrdie(module, place.pc, &bias);
  if (unit == nullptr) return std::nullopt;
  const std::optional<LocalVariable> local =
      local_variable_at(*unit, place.pc - bias, place.low, place.high, address);
  if (!local) return std::nullopt;
  const std::string function = local->function.empty() ? place_of(place.pc).function : local->function;
  return fmt::format("{}::{}", function, local->name) +
         (local->offset == 0 ? "" : fmt::format("+{}", local->offset));
}

std::vector<Extent> Symbols::arrays() const {
  std::vector<Extent> arrays;
  const auto look = [](Dwfl_Module* module, void**, const char*, Dwarf_Addr, void* argument) {
    const int symbols = dwfl_module_getsymtab(module);
    for (int i = 0; i < symbols; ++i) {
      GElf_Sym symbol;
      GElf_Addr address = 0;
      const char* const text =
          dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, nullptr, nullptr);
      if (text != nullptr && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size > 8)
        static_cast<std::vector<Extent>*>(argument)->push_back({.low = address, .size = symbol.st_size});
    }
    return static_cast<int>(DWARF_CB_OK);
  };
  if (state_->dwfl != nullptr) dwfl_getmodules(state_->dwfl, look, &arrays, 0);
  std::ranges::sort(arrays, {}, [](const Extent& extent) { return std::pair(extent.low, extent.size); });
  return arrays;
}

std::vector<Extent> Symbols::own_code() const {
  struct Found {
    std::vector<Extent> functions = {};
    Dwarf_Addr bias = 0;
  } found;
  const auto look = [](Dwarf_Die* function, void* argument) {
    auto& [functions, bias] = *static_cast<Found*>(argument);
    const char* const file = dwarf_decl_file(function);
    if (file == nullptr || is_system_file(tidy(file))) return static_cast<int>(DWARF_CB_OK);
    Dwarf_Addr base = 0, low = 0, high = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(function, at, &base, &low, &high)) > 0;)
      functions.push_back({.low = low + bias, .size = high - low});
    return static_cast<int>(DWARF_CB_OK);
  };
  Dwarf_Die* unit = nullptr;
  while (state_->dwfl != nullptr && (unit = dwfl_nextcu(state_->dwfl, unit, &found.bias)) != nullptr)
    dwarf_getfuncs(unit, look, &found, 0);
  std::ranges::sort(found.functions, {}, &Extent::low);
  return found.functions;
}

std::vector<SourcePlace> Symbols::locking_places() const {
  std::vector<std::uint64_t> found;
  const auto look = [](Dwfl_Module* module, void**, const char* name, Dwarf_Addr, void* argument) {
    // Skips the system's libraries and the runtime.
    const std::string_view path = name == nullptr ? "" : name;
    if (path.starts_with("/usr/") || path.starts_with("/lib") || path.ends_with("/libravel_threads.so"))
      return static_cast<int>(DWARF_CB_OK);
    GElf_Addr bias = 0;
    Elf* const elf = dwfl_module_getelf(module, &bias);
    for (Elf_Scn* section = elf == nullptr ? nullptr : elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_PROGBITS ||
          (header.sh_flags & SHF_EXECINSTR) == 0)
        continue;
      const Elf_Data* const data = elf_getdata(section, nullptr);
      if (data == nullptr || data->d_buf == nullptr) continue;
      const std::span code(static_cast<const unsigned char*>(data->d_buf), data->d_size);
      const int symbols = dwfl_module_getsymtab(module);
      for (int i = 0; i < symbols; ++i) {
        GElf_Sym symbol;
        GElf_Addr address = 0;
        if (dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, nullptr, nullptr) == nullptr)
          continue;
        const std::uint64_t offset = address - bias - header.sh_addr;
        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || offset >= code.size() ||
            symbol.st_size > code.size() - offset)
          continue;
        for (const std::size_t at : locking_instructions(code.subspan(offset, symbol.st_size)))
          static_cast<std::vector<std::uint64_t>*>(argument)->push_back(address + at);
      }
    }
    return static_cast<int>(DWARF_CB_OK);
  };
  if (state_->dwfl != nullptr) dwfl_getmodules(state_->dwfl, look, &found, 0);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<SourcePlace> places;
  for (const std::uint64_t pc : found) {
    const SourcePlace place = user_place(std::array{pc});
    const bool is_known = std::ranges::any_of(places, [&](const SourcePlace& known) {
      return known.file == place.file && known.line == place.line;
    });
    if (!place.file.empty() && !is_known) places.push_back(place);
  }
  return places;
}

std::vector<std::uint64_t> Symbols::words_of(const std::string& name) const {
  struct Wanted {
    std::string name;
    std::optional<std::uint64_t> offset;
    std::vector<std::uint64_t> words;
  } wanted{.name = name, .offset = {}, .words = {}};
  if (const std::size_t plus = name.rfind('+'); plus != std::string::npos) {
    wanted.name = name.substr(0, plus);
    wanted.offset = std::strtoull(name.c_str() + plus + 1, nullptr, 0);
  }
  const auto look = [](Dwfl_Module* module, void**, const char*, Dwarf_Addr, void* argument) {
    auto& want = *static_cast<Wanted*>(argument);
    const int symbols = dwfl_module_getsymtab(module);
    for (int i = 0; i < symbols; ++i) {
      GElf_Sym symbol;
      GElf_Addr address = 0;
      const char* const text =
          dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, nullptr, nullptr);
      if (text == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0 ||
          readable(text) != want.name)
        continue;
      const std::uint64_t low = address + want.offset.value_or(0);
      const std::uint64_t high = want.offset ? low + 1 : address + symbol.st_size;
      for (std::uint64_t word = low & ~std::uint64_t{7}; word < high; word += 8) want.words.push_back(word);
    }
    return static_cast<int>(DWARF_CB_OK);
  };
  if (state_->dwfl != nullptr) dwfl_getmodules(state_->dwfl, look, &wanted, 0);
  std::ranges::sort(wanted.words);
  wanted.words.erase(std::unique(wanted.words.begin(), wanted.words.end()), wanted.words.end());
  return wanted.words;
}

std::string Symbols::path_of(const std::string& file) const {
  const auto folder = state_->folders.find(file);
  std::error_code none;
  if (folder == state_->folders.end() || std::filesystem::exists(file, none)) return file;
  const std::filesystem::path there = std::filesystem::path(folder->second) / file;
  return std::filesystem::exists(there, none) ? there.string() : file;
}

std::string Symbols::source_line(const std::string& file, std::uint32_t line) const {
  const auto [entry, is_new] = state_->files.try_emplace(file);
  if (is_new) {
    std::ifstream in(path_of(file));
    for (std::string text; std::getline(in, text);) entry->second.push_back(text);
  }
  if (line == 0 || line > entry->second.size()) return {};
  std::string text = entry->second[line - 1];
  text.erase(0, text.find_first_not_of(" \t"));
  return text;
}

NamedVariable block_variable(const Symbols& symbols, const HeapVariable& block,
                             std::optional<std::uint64_t> offset) {
  const SourcePlace allocated = symbols.user_place(block.stack);
  const std::string file = allocated.file.substr(allocated.file.rfind('/') + 1);
  const std::string where = file.empty() ? "unknown code" : fmt::format("{}:{}", file, allocated.line);
  return {.name = fmt::format("block {} of {}", block.ordinal, where) +
                  (offset && block.size > 8 ? fmt::format("+{}", *offset) : ""),
          .file = allocated.file,
          .line = allocated.line,
          .number = block.ordinal};
}

std::shared_ptr<const Symbols> SymbolsCache::of(const std::vector<Module>& modules) {
  const auto same = [](const Module& one, const Module& other) {
    return one.path == other.path && one.base == other.base;
  };
  if (symbols_ == nullptr || !std::ranges::equal(modules_, modules, same)) {
    modules_ = modules;
    symbols_ = std::make_shared<const Symbols>(modules);
  }
  return symbols_;
}

}  // namespace ravel::threads
