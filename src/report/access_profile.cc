#include "report/access_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace ravel {

namespace {

using Json = nlohmann::ordered_json;

// Further ones are only counted.
constexpr std::size_t kLinesMax = 50;

struct Frequency {
  std::uint64_t from = 1, to = 9;
  std::size_t variables = 0;
};

// By powers of ten; numbers below one count as one.
std::vector<Frequency> frequencies(const AccessProfile& profile) {
  std::vector<Frequency> buckets;
  for (const ProfiledVariable& variable : profile.variables) {
    const auto accesses = static_cast<std::uint64_t>(std::max(1.0, std::round(variable.accesses())));
    std::size_t bucket = 0;
    for (std::uint64_t rest = accesses; rest >= 10; rest /= 10) ++bucket;
    while (buckets.size() <= bucket)
      buckets.push_back(buckets.empty()
                            ? Frequency{}
                            : Frequency{.from = buckets.back().from * 10, .to = buckets.back().to * 10 + 9});
    ++buckets[bucket].variables;
  }
  return buckets;
}

std::string number(double value) {
  const double rounded = std::round(value * 10) / 10;
  if (rounded != std::floor(rounded)) return fmt::format("{:.1f}", rounded);
  return grouped(static_cast<std::uint64_t>(rounded));
}

}  // namespace

std::string describe_profile(const AccessProfile& profile, Colour colour) {
  double accesses = 0;
  for (const ProfiledVariable& variable : profile.variables) accesses += variable.accesses();
  std::string text = paint(profile.test, Ink::kBold, colour) +
                     fmt::format(": {}, {} accesses in an execution (mean of {})\n\n",
                                 counted(profile.variables.size(), "variable"), number(accesses),
                                 counted(profile.executions, "execution"));
  text += fmt::format("{:>12} {:>12} {:>8}  {}\n", "reads", "writes", "threads", "variable");
  std::size_t lines = 0;
  for (const ProfiledVariable& variable : profile.variables) {
    if (lines++ == kLinesMax) {
      text += fmt::format("{:>34}  and {} with fewer accesses; --json has all\n", "",
                          profile.variables.size() - kLinesMax);
      break;
    }
    const std::string where = place(variable.file, variable.line);
    const bool says_where = variable.kind == "heap" || where.empty();
    text += fmt::format("{:>12} {:>12} {:>8}  {}{}\n", number(variable.reads), number(variable.writes),
                        variable.threads, variable.name,
                        says_where ? "" : paint("  first accessed at " + where, Ink::kDim, colour));
  }
  text += "\n  accesses in an execution   variables\n";
  for (const Frequency& frequency : frequencies(profile))
    text += fmt::format("{:>26} {:>11}\n", grouped(frequency.from) + " to " + grouped(frequency.to),
                        grouped(frequency.variables));
  if (profile.left_out > 0)
    text += fmt::format("\nThere are more variables, with {} accesses in all executions.\n",
                        grouped(profile.left_out));
  return text;
}

std::string json_profiles(std::span<const AccessProfile> profiles) {
  Json tests = Json::array();
  for (const AccessProfile& profile : profiles) {
    Json variables = Json::array();
    for (const ProfiledVariable& variable : profile.variables) {
      Json json = {
          {"name", variable.name}, {"kind", variable.kind}, {"file", variable.file}, {"line", variable.line}};
      if (variable.kind == "heap") json["number"] = variable.number;
      json.update({{"size", variable.size},
                   {"reads", variable.reads},
                   {"writes", variable.writes},
                   {"threads", variable.threads}});
      variables.push_back(std::move(json));
    }
    Json buckets = Json::array();
    for (const Frequency& frequency : frequencies(profile))
      buckets.push_back({{"from", frequency.from}, {"to", frequency.to}, {"variables", frequency.variables}});
    tests.push_back({{"test", profile.test},
                     {"executions", profile.executions},
                     {"left_out", profile.left_out},
                     {"variables", std::move(variables)},
                     {"frequencies", std::move(buckets)}});
  }
  return Json{{"profiles", std::move(tests)}}.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ravel
