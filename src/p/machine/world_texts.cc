#include "p/machine/world_texts.h"

#include "p/code/foreign_functions.h"

namespace ravel::p {

std::string WorldTexts::text_of(MachineNames::Index who) const {
  return std::string(program_.machine(machines_.live(who).machine).name) + "(" + machines_.names().text(who) +
         ")";
}

std::string WorldTexts::event(std::uint32_t number) const {
  return std::string(program_.events[number].name);
}

std::string WorldTexts::machine(std::uint32_t number) const {
  return text_of(machines_.names().index_of(number));
}

std::span<const std::string_view> WorldTexts::fields(std::uint32_t shape) const {
  return program_.types.fields_of_shape(shape);
}

std::string_view WorldTexts::type_name(std::uint32_t number) const { return program_.types.at(number)->name; }

std::optional<std::string> WorldTexts::shown(Value foreign) const {
  if (program_.foreign == nullptr) return std::nullopt;
  return program_.foreign->shown(foreign, store_, *this);
}

}  // namespace ravel::p
