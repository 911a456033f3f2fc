#include "p/checker/numbers.h"

#include <charconv>

namespace ravel::p {

std::string counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string mismatch(const Type* actual, const Type* expected) {
  const auto name = [](const Type* type) {
    return type->is(TypeKind::kNull) ? std::string("nothing") : quoted(type);
  };
  return name(actual) + ", but " + name(expected) + " is needed";
}

std::optional<std::int64_t> literal_int(Context& context, std::string_view digits, Place place) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && end == digits.data() + digits.size()) return value;
  context.error(place, "this number is too large: literals go up to 2147483647");
  return std::nullopt;
}

std::optional<EventId> event_of(Context& context, const Name& name) {
  if (const EventId* id = find(context.names.events, name.text)) return *id;
  context.error(name.place, quoted(name.text) + " is not declared: no event has that name");
  return std::nullopt;
}

EventSet events_of(Context& context, std::span<const Name> names) {
  EventSet result;
  for (const Name& name : names)
    if (const auto event = event_of(context, name)) result.add(*event);
  return result;
}

}  // namespace ravel::p
