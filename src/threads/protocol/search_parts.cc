#include "threads/protocol/search_parts.h"

namespace ravel::threads {

namespace {

// Each structure names its fields once, for both directions.
template <class Value, class Pass>
void each_field(Value& value, Pass pass) requires requires {
  value.seconds_alone;
}
{ pass(value.jobs), pass(value.most), pass(value.seconds_alone); }

template <class Value, class Pass>
void each_field(Value& value, Pass pass) requires requires {
  value.lost_copies;
}
{ pass(value.lost_copies), pass(value.needs_machine), pass(value.why_undivided), pass(value.problems); }

template <class Value, class Pass>
void each_field(Value& value, Pass pass) requires requires {
  value.makes_sense;
}
{ pass(value.makes_sense), pass(value.slice); }

template <class Value, class Pass>
void each_field(Value& value, Pass pass) requires requires {
  value.findings;
}
{ pass(value.findings), pass(value.loops); }

}  // namespace

#define RAVEL_BOTH_WAYS(Type)                                    \
  Writer& operator<<(Writer& out, const Type& value) {           \
    each_field(value, [&](const auto& field) { out << field; }); \
    return out;                                                  \
  }                                                              \
  Reader& operator>>(Reader& in, Type& value) {                  \
    each_field(value, [&](auto& field) { in >> field; });        \
    return in;                                                   \
  }

RAVEL_BOTH_WAYS(SearchJobs)
RAVEL_BOTH_WAYS(PartsEnd)
RAVEL_BOTH_WAYS(PartRan)

#undef RAVEL_BOTH_WAYS

Writer& operator<<(Writer& out, const ProgramNews& value) {
  out << static_cast<std::uint32_t>(value.actors.size());
  for (const NewActor& actor : value.actors) out << actor.parent << actor.ordinal;
  each_field(value, [&](const auto& field) { out << field; });
  return out;
}

Reader& operator>>(Reader& in, ProgramNews& value) {
  value.actors.resize(in.get<std::uint32_t>());
  for (NewActor& actor : value.actors) in >> actor.parent >> actor.ordinal;
  each_field(value, [&](auto& field) { in >> field; });
  return in;
}

}  // namespace ravel::threads
