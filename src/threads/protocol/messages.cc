#include "threads/protocol/messages.h"

#include "threads/protocol/actor_path.h"

namespace ravel::threads {

namespace {

// Each structure names its fields once, for both directions.
template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, Configuration>
{
  wire(v.accesses), wire(v.races_are_bugs), wire(v.is_fair), wire(v.spurious), wire(v.follows_deadlines), wire(v.passes_when_idle), wire(v.fires_early), wire(v.host_files), wire(v.isolates),
      wire(v.tracked), wire(v.test), wire(v.watched), wire(v.kind), wire(v.alone_is_quiet), wire(v.counts_accesses), wire(v.names_blocks);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, Extent>
{
  wire(v.low), wire(v.size);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, VariableNaming>
{
  wire(v.arrays_are_whole), wire(v.arrays), wire(v.by_statement), wire(v.own_code);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, NamedStep>
{
  std::vector<std::uint32_t> actor = path_of(v.actor);
  wire(actor), wire(v.alternative), wire(v.kind);
  if constexpr (!std::is_const_v<T>) v.actor = name_of_path(actor);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, FollowOrder>
{
  wire(v.steps);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, SearchPrefix>
{
  wire(v.steps), wire(v.tracked);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, SearchOrder>
{
  wire(v.strategy), wire(v.in_turns_with), wire(v.seed), wire(v.strategy_executions), wire(v.bound), wire(v.depth), wire(v.variables), wire(v.threads);
  wire(v.iterations), wire(v.early), wire(v.naming), wire(v.seconds), wire(v.memory), wire(v.executions), wire(v.events_max);
  wire(v.long_executions), wire(v.keeps_going), wire(v.prefix), wire(v.position), wire(v.so_far);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, Module>
{
  wire(v.path), wire(v.base);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, TestPlace>
{
  wire(v.name), wire(v.file), wire(v.line);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, Greeting>
{
  wire(v.version), wire(v.process), wire(v.modules), wire(v.tests);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, Transition>
{
  wire(v.actor), wire(v.alternative), wire(v.kind);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, Touch>
{
  wire(v.object), wire(v.access), wire(v.decides), wire(v.is_coarse), wire(v.message);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, NewActor>
{
  wire(v.parent), wire(v.ordinal);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, OperationRecord>
{
  wire(v.kind), wire(v.address), wire(v.other), wire(v.size), wire(v.before), wire(v.after), wire(v.result);
  wire(v.subject), wire(v.is_early), wire(v.stack);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, RawBug>
{
  wire(v.kind), wire(v.message), wire(v.file), wire(v.line), wire(v.actor), wire(v.stack), wire(v.details), wire(v.watched);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, HeapVariable>
{
  wire(v.stack), wire(v.calls), wire(v.ordinal), wire(v.size);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, BlockPlace>
{
  wire(v.block), wire(v.offset);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, NamedObject>
{
  wire(v.object), wire(v.place);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, State>
{
  wire(v.outcome), wire(v.stops_others), wire(v.needs_fairness), wire(v.enabled), wire(v.blocked), wire(v.touches), wire(v.actors);
  wire(v.record), wire(v.accesses), wire(v.pending), wire(v.named), wire(v.findings);
  if (v.outcome == Outcome::kBug || v.outcome == Outcome::kUnsupported) wire(v.bug);
  if (v.outcome == Outcome::kUnsupported) wire(v.refusal);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, StackPlace>
{
  wire(v.pc), wire(v.low), wire(v.high), wire(v.actor);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, HeapPlace>
{
  wire(v.offset), wire(v.size), wire(v.allocated_at), wire(v.block), wire(v.on_stack);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, Occurrence>
{
  wire(v.schedule), wire(v.tracked);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, RaceReport>
{
  wire(v.address), wire(v.on_stack), wire(v.seen);
  for (int side = 0; side < 2; ++side) wire(v.pc[side]), wire(v.stack[side]), wire(v.actor[side]), wire(v.write[side]);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, LeftThread>
{
  wire(v.actor), wire(v.created), wire(v.seen);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, WeakOrder>
{
  wire(v.pc);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, TimedWait>
{
  wire(v.stack);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, Findings>
{
  wire(v.races), wire(v.left_behind), wire(v.weak_orders), wire(v.timed_waits), wire(v.racy_words);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, Counts>
{
  wire(v.executions), wire(v.redundant), wire(v.abandoned), wire(v.in_turns), wire(v.cut_off), wire(v.unfinished), wire(v.unfair), wire(v.events), wire(v.events_max);
  wire(v.bugs), wire(v.erroneous), wire(v.seconds), wire(v.coverage.kind);
  wire(v.coverage.bound_completed), wire(v.coverage.bound_current), wire(v.coverage.stage_completed), wire(v.coverage.early_completed), wire(v.executions_estimate);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, BugBounds>
{
  wire(v.changes), wire(v.variables), wire(v.threads), wire(v.iterations), wire(v.objects);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, RawFoundBug>
{
  wire(v.schedule), wire(v.bug), wire(v.preemptions), wire(v.executions), wire(v.first_execution);
  wire(v.bounds), wire(v.tracked), wire(v.is_fair);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, Searched>
{
  wire(v.strategy), wire(v.counts), wire(v.stop), wire(v.is_lost), wire(v.prefix_missing), wire(v.promise), wire(v.position), wire(v.bugs);
  wire(v.refusal), wire(v.refused_at), wire(v.tracked), wire(v.is_fair), wire(v.findings);
  wire(v.actors), wire(v.passes);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, ProfileOrder>
{
  wire(v.executions), wire(v.seed), wire(v.events_max);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, VariableAccesses>
{
  wire(v.block), wire(v.place), wire(v.pc), wire(v.reads), wire(v.writes), wire(v.actors);
}

template <class Wire, class T>
void pass(Wire& wire, T& v)
  requires std::is_same_v<std::remove_const_t<T>, Profile>
{
  wire(v.variables), wire(v.blocks), wire(v.executions), wire(v.erroneous), wire(v.left_out), wire(v.refusal), wire(v.refused_at);
}

template <class T>
concept Plain = std::is_integral_v<T> || std::is_enum_v<T> || std::is_floating_point_v<T> || std::is_same_v<T, std::string>;

struct Out {
  Writer& writer;

  template <class T>
  void operator()(const T& value) {
    if constexpr (Plain<T>) {
      writer << value;
    } else {
      pass(*this, value);
    }
  }
  template <class T>
  void operator()(const std::vector<T>& items) {
    writer << static_cast<std::uint32_t>(items.size());
    for (const T& item : items) (*this)(item);
  }
  template <class T>
  void operator()(const std::optional<T>& item) {
    writer << item.has_value();
    if (item) (*this)(*item);
  }
};

struct In {
  Reader& reader;

  template <class T>
  void operator()(T& value) {
    if constexpr (Plain<T>) {
      reader >> value;
    } else {
      pass(*this, value);
    }
  }
  template <class T>
  void operator()(std::vector<T>& items) {
    std::uint32_t size = 0;
    reader >> size;
    items.clear();
    for (std::uint32_t i = 0; i < size && reader.ok(); ++i) (*this)(items.emplace_back());
  }
  template <class T>
  void operator()(std::optional<T>& item) {
    item.reset();
    if (reader.get<bool>()) (*this)(item.emplace());
  }
};

}  // namespace

#define RAVEL_BOTH_WAYS(Type)                          \
  Writer& operator<<(Writer& out, const Type& value) { \
    Out{out}(value);                                   \
    return out;                                        \
  }                                                    \
  Reader& operator>>(Reader& in, Type& value) {        \
    In{in}(value);                                     \
    return in;                                         \
  }

RAVEL_BOTH_WAYS(Configuration)
RAVEL_BOTH_WAYS(SearchOrder)
RAVEL_BOTH_WAYS(FollowOrder)
RAVEL_BOTH_WAYS(Greeting)
RAVEL_BOTH_WAYS(State)
RAVEL_BOTH_WAYS(HeapPlace)
RAVEL_BOTH_WAYS(Counts)
RAVEL_BOTH_WAYS(RawFoundBug)
RAVEL_BOTH_WAYS(Findings)
RAVEL_BOTH_WAYS(ProfileOrder)
RAVEL_BOTH_WAYS(Profile)
RAVEL_BOTH_WAYS(Searched)

#undef RAVEL_BOTH_WAYS

}  // namespace ravel::threads
