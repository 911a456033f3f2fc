#include "p/foreign/library.h"

#include "base/shared_library.h"

namespace ravel::p {

namespace {

constexpr const char kEntry[] = "ravel_p_foreign_library";

Result<const ravel_p_foreign*> table_of(const SharedLibrary& library) {
  using Entry = const ravel_p_foreign* (*)();
  const auto entry = reinterpret_cast<Entry>(library.find(kEntry));
  if (entry == nullptr)
    return Error{std::string("this library has no foreign functions for P: it has no function ") + kEntry +
                 "(). A library that includes <ravel/p_foreign.h> has it"};
  const ravel_p_foreign* const table = entry();
  if (table == nullptr) return Error{std::string(kEntry) + "() of this library gives a null pointer"};
  if (table->version != RAVEL_P_FOREIGN_VERSION)
    return Error{"this library is of version " + std::to_string(table->version) +
                 ", and this ravel takes version " + std::to_string(RAVEL_P_FOREIGN_VERSION) +
                 ". Build it again with the <ravel/p_foreign.h> of this ravel"};
  for (std::size_t i = 0; i < table->function_count; ++i)
    if (table->functions[i].name == nullptr || table->functions[i].run == nullptr)
      return Error{"function " + std::to_string(i) + " of this library has no name, or cannot be run"};
  for (std::size_t i = 0; i < table->type_count; ++i)
    if (table->types[i].name == nullptr || table->types[i].show == nullptr)
      return Error{"type " + std::to_string(i) + " of this library has no name, or cannot be shown"};
  return table;
}

}  // namespace

Result<ForeignLibrary> load_foreign_library(const std::string& file) {
  auto library = SharedLibrary::open(file);
  if (!library) return library.error();
  const auto table = table_of(*library);
  if (!table) {
    library->close();
    return table.error();
  }
  return ForeignLibrary{.file = file, .checksum = library->checksum(), .table = *table};
}

}  // namespace ravel::p
