#include "engine/actor.h"

#include <charconv>

namespace ravel {

namespace {

bool is_between(char c, char low, char high) { return low <= c && c <= high; }

}  // namespace

Result<ActorName> ActorName::parse(std::string_view text) {
  const auto refuse = [&] {
    return Error{"'" + std::string(text) + "' is not an actor's name, which looks like P or P.1 or P.1.t2"};
  };
  if (text.empty() || !is_between(text[0], 'A', 'Z')) return refuse();
  ActorName name(text[0]);
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size();
  while (at != end) {
    if (*at++ != '.') return refuse();
    Child child;
    if (at != end && is_between(*at, 'a', 'z')) child.kind = *at++;
    // from_chars would also take "007", which would be a second spelling of 7.
    if (at == end || !is_between(*at, '1', '9')) return refuse();
    const auto [stop, error] = std::from_chars(at, end, child.ordinal);
    if (error != std::errc()) return refuse();
    at = stop;
    name.path_.push_back(child);
  }
  return name;
}

std::string ActorName::to_string() const {
  std::string text(1, root_);
  for (const Child& child : path_) {
    text += '.';
    if (child.kind != '\0') text += child.kind;
    text += std::to_string(child.ordinal);
  }
  return text;
}

ActorName ActorName::child(std::uint32_t ordinal, char kind) const {
  CHECK(ordinal >= 1);
  CHECK(kind == '\0' || is_between(kind, 'a', 'z'));
  ActorName result = *this;
  result.path_.push_back({.kind = kind, .ordinal = ordinal});
  return result;
}

}  // namespace ravel
