// Dates and seconds: the Gregorian calendar for all years, without leap seconds.
#pragma once

#include <cstdint>
#include <optional>

namespace ravel::erlang {

struct DateTime {
  std::int64_t year, month, day, hour, minute, second;
};

// `seconds` since the beginning of 1970.
DateTime date_of_seconds(std::int64_t seconds);
// Nothing for a date that does not exist or lies before 1600.
std::optional<std::int64_t> seconds_of_date(const DateTime& date);

}  // namespace ravel::erlang
