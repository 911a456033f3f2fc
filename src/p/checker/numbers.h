// Small things that several steps of the checker read the same way.

#pragma once

#include <optional>
#include <span>

#include "p/checker/context.h"

namespace ravel::p {

// P reads literals of 32 bits, though it calculates with 64. Larger ones are reported.
std::optional<std::int64_t> literal_int(Context& context, std::string_view digits, Place place);

// What is not declared is reported, and left out.
std::optional<EventId> event_of(Context& context, const Name& name);
EventSet events_of(Context& context, std::span<const Name> names);

}  // namespace ravel::p
