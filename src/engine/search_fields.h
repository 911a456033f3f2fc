// The fields of what goes from process to process and into files, each named once, for every encoding.
//
// An encoding is a class with these calls, all of which it may define for reading or for writing:
//   f("name", value)        a field; an optional one without a value may be left out
//   f.later("name", value)  the same, which older files do not have
//   f.bytes("name", text)   a text of any bytes
//   f.row(a, b, ...)        the value as a list without names
//   f.passing(value)        what means something only as long as the process lives: files leave it out

#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "engine/search_request.h"
#include "engine/search_result.h"

namespace ravel {

// What encodings write in a way of their own.
template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;

template <class T>
constexpr bool kIsVector = false;
template <class T>
constexpr bool kIsVector<std::vector<T>> = true;

template <class T, class Value>
concept FieldsOf = std::is_same_v<std::remove_const_t<T>, Value>;

// The last value of each enumeration, whose numbers begin at 0.
constexpr TransitionKind last_of(TransitionKind) { return TransitionKind::kFault; }
constexpr Stop last_of(Stop) { return Stop::kTooLong; }
constexpr Assumption last_of(Assumption) { return kLastAssumption; }
constexpr CoverageUnit last_of(CoverageUnit) { return CoverageUnit::kExecutions; }
constexpr BoundOn last_of(BoundOn) { return BoundOn::kStrata; }
constexpr LongExecutions last_of(LongExecutions) { return LongExecutions::kLeftOpen; }
constexpr AfterBug last_of(AfterBug) { return AfterBug::kKeepGoing; }

template <class F, FieldsOf<NamedStep> T>
void fields(F& f, T& v) {
  f.row(v.actor, v.alternative, v.kind);
}

template <class F, FieldsOf<Bug> T>
void fields(F& f, T& v) {
  f("kind", v.kind), f("message", v.message), f("file", v.file), f("line", v.line), f("actor", v.actor);
  f("details", v.details);
}

template <class F, FieldsOf<Refusal> T>
void fields(F& f, T& v) {
  f.row(v.message, v.file, v.line);
}

template <class F, FieldsOf<AssumedPlace> T>
void fields(F& f, T& v) {
  f.row(v.assumption, v.file, v.line);
}

// What an address was is known no more when a search is resumed.
template <class F, FieldsOf<BugBounds> T>
void fields(F& f, T& v) {
  f.row(v.changes, v.variables, v.threads, v.iterations);
  f.passing(v.objects);
}

template <class F, FieldsOf<NamedVariable> T>
void fields(F& f, T& v) {
  f.row(v.name, v.file, v.line, v.number);
}

template <class F, FieldsOf<Lasso> T>
void fields(F& f, T& v) {
  f.row(v.formula, v.fairness, v.loop);
}

template <class F, FieldsOf<Bound> T>
void fields(F& f, T& v) {
  f("on", v.on), f("completed", v.completed), f("current", v.current), f("exhausted", v.is_exhausted);
}

template <class F, FieldsOf<Coverage> T>
void fields(F& f, T& v) {
  f("unit", v.unit), f("complete", v.is_complete), f("bounds", v.bounds);
}

template <class F, FieldsOf<StateCounts> T>
void fields(F& f, T& v) {
  f.row(v.states, v.transitions, v.depth, v.bytes, v.reduced, v.replayed);
}

template <class F, FieldsOf<HashedStates> T>
void fields(F& f, T& v) {
  f.row(v.hash_bits, v.filter_bits, v.omitted, v.abstraction);
}

template <class F, FieldsOf<Counts> T>
void fields(F& f, T& v) {
  f("executions", v.executions), f("redundant", v.redundant), f("abandoned", v.abandoned),
      f("cut_off", v.cut_off);
  f.later("in_turns", v.in_turns), f.later("unfinished", v.unfinished), f.later("unfair", v.unfair);
  f("events", v.events), f("events_max", v.events_max), f("bugs", v.bugs), f("erroneous", v.erroneous);
  f("seconds", v.seconds), f("coverage", v.coverage), f("executions_estimate", v.executions_estimate);
  f.later("states", v.states), f.later("hashed", v.hashed);
}

template <class F, FieldsOf<NamedBug> T>
void fields(F& f, T& v) {
  f("bug", v.bug), f("preemptions", v.preemptions), f("executions", v.executions);
  f("first_execution", v.first_execution), f("schedule", v.schedule), f("bounds", v.bounds);
  f.later("variables", v.variables), f.later("lasso", v.lasso);
}

template <class F, FieldsOf<UnreceivedMessagesOf<NamedStep>> T>
void fields(F& f, T& v) {
  f("messages", v.messages), f("executions", v.executions), f("is_complete", v.is_complete);
  f("schedule", v.schedule);
}

template <class F, FieldsOf<SearchResult> T>
void fields(F& f, T& v) {
  f("strategy", v.strategy), f("stop", v.stop), f("promise", v.promise), f("counts", v.counts),
      f("bugs", v.bugs);
  f("refusal", v.refusal), f("unreceived", v.unreceived), f.later("assumed", v.assumed);
  f.bytes("position", v.position);
}

template <class F, FieldsOf<OwnParameter> T>
void fields(F& f, T& v) {
  f.row(v.name, v.value);
}

template <class F, FieldsOf<StrategyParameters> T>
void fields(F& f, T& v) {
  f("seed", v.seed), f("executions", v.executions), f("bound", v.bound), f("depth", v.depth);
  f("variables", v.variables), f("iterations", v.iterations), f("threads", v.threads), f("early", v.early);
  f.later("faults", v.faults);
  f("own", v.own);
  f.later("explorer", v.explorer);
  f.later("first_execution", v.first_execution);
}

template <class F, FieldsOf<Limits> T>
void fields(F& f, T& v) {
  f("seconds", v.seconds), f("executions", v.executions), f("memory", v.memory),
      f("events_max", v.events_max);
  f("long_executions", v.long_executions), f("unfinished_events_max", v.unfinished_events_max);
  f("after_bug", v.after_bug);
}

template <class F, FieldsOf<SearchRequest> T>
void fields(F& f, T& v) {
  f("strategy", v.strategy), f("in_turns_with", v.in_turns_with), f("parameters", v.parameters);
  f("limits", v.limits), f("prefix", v.prefix), f("so_far", v.so_far);
}

}  // namespace ravel
