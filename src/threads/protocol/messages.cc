#include "threads/protocol/messages.h"

#include "engine/search_fields.h"
#include "threads/protocol/actor_path.h"
#include "threads/protocol/inspection.h"

namespace ravel::threads {

namespace {

// Each structure names its fields once, for both directions. Structures of the engine are in
// engine/search_fields.h.
template <class Wire, FieldsOf<ActorName> T>
void pass(Wire& wire, T& v) {
  std::vector<std::uint32_t> path = path_of(v);
  wire(path);
  if constexpr (!std::is_const_v<T>) v = name_of_path(path);
}

template <class Wire, FieldsOf<Configuration> T>
void pass(Wire& wire, T& v) {
  wire(v.accesses), wire(v.races_are_bugs), wire(v.is_fair), wire(v.spurious), wire(v.follows_deadlines),
      wire(v.passes_when_idle), wire(v.fires_early), wire(v.host_files), wire(v.isolates), wire(v.tracked),
      wire(v.test), wire(v.watched), wire(v.kind), wire(v.alone_is_quiet), wire(v.counts_accesses),
      wire(v.names_blocks), wire(v.by_states), wire(v.tells_explorer), wire(v.is_beside_others);
}

template <class Wire, FieldsOf<Extent> T>
void pass(Wire& wire, T& v) {
  wire(v.low), wire(v.size);
}

template <class Wire, FieldsOf<VariableNaming> T>
void pass(Wire& wire, T& v) {
  wire(v.arrays_are_whole), wire(v.arrays), wire(v.by_statement), wire(v.own_code);
}

template <class Wire, FieldsOf<FollowOrder> T>
void pass(Wire& wire, T& v) {
  wire(v.steps);
}

template <class Wire, FieldsOf<KeepingTimes> T>
void pass(Wire& wire, T& v) {
  wire(v.first), wire(v.between);
}

template <class Wire, FieldsOf<LoopUses> T>
void pass(Wire& wire, T& v) {
  wire(v.locks_of_loops), wire(v.locks_tried), wire(v.stack_of_loops), wire(v.stack_of_others);
  wire(v.is_clock_read), wire(v.is_slept_in_loop);
}

template <class Wire, FieldsOf<SearchOrder> T>
void pass(Wire& wire, T& v) {
  wire(v.request), wire(v.naming), wire(v.tracked), wire(v.keeping), wire(v.loops);
}

template <class Wire, FieldsOf<StateTraits> T>
void pass(Wire& wire, T& v) {
  wire(v.dates_matter), wire(v.stacks_are_shared), wire(v.loop_heads);
}

template <class Wire, FieldsOf<NumberingOrder> T>
void pass(Wire& wire, T& v) {
  wire(v.hash_bits), wire(v.filter_bytes), wire(v.known);
}

template <class Wire, FieldsOf<MetState> T>
void pass(Wire& wire, T& v) {
  wire(v.number), wire(v.is_new);
}

template <class Wire, FieldsOf<StatesTold> T>
void pass(Wire& wire, T& v) {
  wire(v.met), wire(v.bytes), wire(v.replayed), wire(v.hashed), wire(v.traits), wire(v.has_to_begin_anew);
}

template <class Wire, FieldsOf<Module> T>
void pass(Wire& wire, T& v) {
  wire(v.path), wire(v.base);
}

template <class Wire, FieldsOf<TestPlace> T>
void pass(Wire& wire, T& v) {
  wire(v.name), wire(v.file), wire(v.line);
}

template <class Wire, FieldsOf<Greeting> T>
void pass(Wire& wire, T& v) {
  wire(v.version), wire(v.process), wire(v.modules), wire(v.tests);
}

template <class Wire, FieldsOf<Transition> T>
void pass(Wire& wire, T& v) {
  wire(v.actor), wire(v.alternative), wire(v.kind);
}

template <class Wire, FieldsOf<Touch> T>
void pass(Wire& wire, T& v) {
  wire(v.object), wire(v.access), wire(v.decides), wire(v.is_coarse), wire(v.message);
}

template <class Wire, FieldsOf<NewActor> T>
void pass(Wire& wire, T& v) {
  wire(v.parent), wire(v.ordinal);
}

template <class Wire, FieldsOf<OperationRecord> T>
void pass(Wire& wire, T& v) {
  wire(v.kind), wire(v.address), wire(v.other), wire(v.size), wire(v.before), wire(v.after), wire(v.result);
  wire(v.subject), wire(v.is_early), wire(v.stack), wire(v.text);
}

template <class Wire, FieldsOf<RawBug> T>
void pass(Wire& wire, T& v) {
  wire(v.kind), wire(v.message), wire(v.file), wire(v.line), wire(v.actor), wire(v.stack), wire(v.details),
      wire(v.watched);
}

template <class Wire, FieldsOf<HeapVariable> T>
void pass(Wire& wire, T& v) {
  wire(v.stack), wire(v.calls), wire(v.ordinal), wire(v.size);
}

template <class Wire, FieldsOf<BlockPlace> T>
void pass(Wire& wire, T& v) {
  wire(v.block), wire(v.offset);
}

template <class Wire, FieldsOf<NamedObject> T>
void pass(Wire& wire, T& v) {
  wire(v.object), wire(v.place);
}

template <class Wire, FieldsOf<ToldExplorer> T>
void pass(Wire& wire, T& v) {
  wire(v.actor), wire(v.text);
}

template <class Wire, FieldsOf<Fingerprint> T>
void pass(Wire& wire, T& v) {
  wire(v.high), wire(v.low);
}

template <class Wire, FieldsOf<State> T>
void pass(Wire& wire, T& v) {
  wire(v.outcome), wire(v.stops_others), wire(v.needs_fairness), wire(v.enabled), wire(v.blocked),
      wire(v.touches), wire(v.actors);
  wire(v.record), wire(v.accesses), wire(v.pending), wire(v.named), wire(v.told), wire(v.fingerprint),
      wire(v.loops), wire(v.findings);
  if (v.outcome == Outcome::kBug || v.outcome == Outcome::kUnsupported) wire(v.bug);
  if (v.outcome == Outcome::kUnsupported) wire(v.refusal);
}

template <class Wire, FieldsOf<StackPlace> T>
void pass(Wire& wire, T& v) {
  wire(v.pc), wire(v.low), wire(v.high), wire(v.actor);
}

template <class Wire, FieldsOf<HeapPlace> T>
void pass(Wire& wire, T& v) {
  wire(v.offset), wire(v.size), wire(v.allocated_at), wire(v.block), wire(v.on_stack);
}

template <class Wire, FieldsOf<Occurrence> T>
void pass(Wire& wire, T& v) {
  wire(v.schedule), wire(v.tracked);
}

template <class Wire, FieldsOf<RaceReport> T>
void pass(Wire& wire, T& v) {
  wire(v.address), wire(v.on_stack), wire(v.seen);
  for (int side = 0; side < 2; ++side)
    wire(v.pc[side]), wire(v.stack[side]), wire(v.actor[side]), wire(v.write[side]);
}

template <class Wire, FieldsOf<LeftThread> T>
void pass(Wire& wire, T& v) {
  wire(v.actor), wire(v.created), wire(v.seen);
}

template <class Wire, FieldsOf<WeakOrder> T>
void pass(Wire& wire, T& v) {
  wire(v.pc);
}

template <class Wire, FieldsOf<TimedWait> T>
void pass(Wire& wire, T& v) {
  wire(v.stack);
}

template <class Wire, FieldsOf<Findings> T>
void pass(Wire& wire, T& v) {
  wire(v.races), wire(v.left_behind), wire(v.weak_orders), wire(v.timed_waits), wire(v.racy_words),
      wire(v.has_progress), wire(v.has_weak_orders);
}

template <class Wire, FieldsOf<RawFoundBug> T>
void pass(Wire& wire, T& v) {
  wire(v.bug), wire(v.tracked), wire(v.is_fair);
}

template <class Wire, FieldsOf<Searched> T>
void pass(Wire& wire, T& v) {
  wire(v.result), wire(v.raw_bugs), wire(v.is_lost), wire(v.prefix_missing), wire(v.refused_at),
      wire(v.tracked);
  wire(v.is_fair), wire(v.findings), wire(v.actors), wire(v.passes), wire(v.loops);
}

template <class Wire, FieldsOf<ProfileOrder> T>
void pass(Wire& wire, T& v) {
  wire(v.executions), wire(v.seed), wire(v.events_max);
}

template <class Wire, FieldsOf<VariableAccesses> T>
void pass(Wire& wire, T& v) {
  wire(v.block), wire(v.place), wire(v.pc), wire(v.reads), wire(v.writes), wire(v.actors);
}

template <class Wire, FieldsOf<Profile> T>
void pass(Wire& wire, T& v) {
  wire(v.variables), wire(v.blocks), wire(v.executions), wire(v.erroneous), wire(v.left_out), wire(v.refusal),
      wire(v.refused_at);
}

template <class Wire, FieldsOf<AskedMemory> T>
void pass(Wire& wire, T& v) {
  wire(v.address), wire(v.size);
}

template <class Wire, FieldsOf<InspectionOrder> T>
void pass(Wire& wire, T& v) {
  wire(v.memory);
}

template <class Wire, FieldsOf<InspectedThread> T>
void pass(Wire& wire, T& v) {
  wire(v.actor), wire(v.waits), wire(v.waits_for), wire(v.stack);
}

template <class Wire, FieldsOf<HeldLock> T>
void pass(Wire& wire, T& v) {
  wire(v.holder), wire(v.what), wire(v.locked);
}

template <class Wire, FieldsOf<Inspection> T>
void pass(Wire& wire, T& v) {
  wire(v.threads), wire(v.locks), wire(v.values);
}

template <class T>
concept Plain = std::is_integral_v<T> || std::is_enum_v<T> || std::is_floating_point_v<T> ||
    std::is_same_v<T, std::string>;

// An encoding of fields in their order, without their names.
template <class Wire>
struct InOrder {
  template <class T>
  void operator()(const char*, T& value) {
    self()(value);
  }
  template <class T>
  void later(const char*, T& value) {
    self()(value);
  }
  template <class T>
  void bytes(const char*, T& text) {
    self()(text);
  }
  template <class... T>
  void row(T&... values) {
    (self()(values), ...);
  }
  template <class T>
  void passing(T& value) {
    self()(value);
  }

 private:
  Wire& self() { return static_cast<Wire&>(*this); }
};

struct Out : InOrder<Out> {
  explicit Out(Writer& to) : writer(to) {}
  using InOrder<Out>::operator();

  template <class T>
  void operator()(const T& value) {
    if constexpr (Plain<T>) {
      writer << value;
    } else if constexpr (requires { fields(*this, value); }) {
      fields(*this, value);
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

  Writer& writer;
};

struct In : InOrder<In> {
  explicit In(Reader& from) : reader(from) {}
  using InOrder<In>::operator();

  template <class T>
  void operator()(T& value) {
    if constexpr (Plain<T>) {
      reader >> value;
    } else if constexpr (requires { fields(*this, value); }) {
      fields(*this, value);
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

  Reader& reader;
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
RAVEL_BOTH_WAYS(LoopUses)
RAVEL_BOTH_WAYS(SearchOrder)
RAVEL_BOTH_WAYS(FollowOrder)
RAVEL_BOTH_WAYS(Greeting)
RAVEL_BOTH_WAYS(State)
RAVEL_BOTH_WAYS(NumberingOrder)
RAVEL_BOTH_WAYS(StatesTold)
RAVEL_BOTH_WAYS(HeapPlace)
RAVEL_BOTH_WAYS(Counts)
RAVEL_BOTH_WAYS(Findings)
RAVEL_BOTH_WAYS(ProfileOrder)
RAVEL_BOTH_WAYS(Profile)
RAVEL_BOTH_WAYS(Searched)
RAVEL_BOTH_WAYS(InspectionOrder)
RAVEL_BOTH_WAYS(Inspection)

#undef RAVEL_BOTH_WAYS

}  // namespace ravel::threads
