#include "erlang/term/calendar.h"

#include <limits>

namespace ravel::erlang {

namespace {

constexpr std::int64_t kSecondsPerDay = 86400;
// Days from the first of March of the year 0, where counting begins, to the beginning of 1970.
constexpr std::int64_t kDaysTo1970 = 719468;

constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

std::int64_t days_of_month(std::int64_t year, std::int64_t month) {
  if (month == 2) return is_leap(year) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

}  // namespace

DateTime date_of_seconds(std::int64_t seconds) {
  const std::int64_t days = floor_divide(seconds, kSecondsPerDay);
  // Not from the days: for the least number of seconds these reach below what fits.
  const std::int64_t second = (seconds % kSecondsPerDay + kSecondsPerDay) % kSecondsPerDay;
  // Years that begin in March end with the leap day, so the length of a month does not depend on the year.
  // The divisions truncate, as the emulator's do: dates before the first of March of the year 0 are wrong in
  // the same way.
  const std::int64_t shifted = days + kDaysTo1970;
  const auto days_before = [](std::int64_t year) { return 365 * year + year / 4 - year / 100 + year / 400; };
  std::int64_t year = (10000 * shifted + 14780) / 3652425;
  if (shifted < days_before(year)) --year;
  const std::int64_t day_of_year = shifted - days_before(year);
  const std::int64_t month_from_march = (100 * day_of_year + 52) / 3060;
  return {.year = year + (month_from_march + 2) / 12,
          .month = (month_from_march + 2) % 12 + 1,
          .day = day_of_year - (month_from_march * 306 + 5) / 10 + 1,
          .hour = second / 3600,
          .minute = second / 60 % 60,
          .second = second % 60};
}

std::optional<std::int64_t> seconds_of_date(const DateTime& date) {
  const auto is_in = [](std::int64_t low, std::int64_t value, std::int64_t high) {
    return low <= value && value <= high;
  };
  if (!is_in(1600, date.year, std::numeric_limits<std::int32_t>::max() - 1) || !is_in(1, date.month, 12) ||
      !is_in(1, date.day, days_of_month(date.year, date.month)) || !is_in(0, date.hour, 23) ||
      !is_in(0, date.minute, 59) || !is_in(0, date.second, 59))
    return std::nullopt;
  const std::int64_t year = date.month <= 2 ? date.year - 1 : date.year;
  const std::int64_t month_from_march = date.month <= 2 ? date.month + 9 : date.month - 3;
  const std::int64_t days = 365 * year + year / 4 - year / 100 + year / 400 +
                            (153 * month_from_march + 2) / 5 + date.day - 1 - kDaysTo1970;
  return days * kSecondsPerDay + date.hour * 3600 + date.minute * 60 + date.second;
}

}  // namespace ravel::erlang
