#include "p/system/p_system.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/hash.h"
#include "p/machine/images.h"

namespace ravel::p {
namespace {

// Objects of footprints: a machine's queue, its life, a monitor, time.
enum class ObjectOf : std::uint8_t { kQueue, kLife, kMonitor, kTime };
constexpr std::uint64_t kObjectKinds = 4;
constexpr std::uint64_t object(ObjectOf kind, std::uint32_t number) {
  return number * kObjectKinds + static_cast<std::uint64_t>(kind);
}

// Where states are kept as hashes, most of what was stored is of no use soon, and a store that stays small
// stays in the caches.
constexpr std::size_t kStoreWordsWithHashes = std::size_t{1} << 20;

std::size_t words_to_collect_after(const POptions& options) {
  return options.visited.is_exact() ? options.words_between_collections
                                    : std::min(options.words_between_collections, kStoreWordsWithHashes);
}

constexpr Touch kTimePasses{.object = object(ObjectOf::kTime, 0), .access = Access::kPass};
constexpr std::uint32_t kFires = 1;  // the alternative of a timer; taking an event is 0

Touch touch_of(const Effect& effect) {
  const auto touch = [&](ObjectOf kind, Access access) {
    return Touch{.object = object(kind, effect.who), .access = access, .message = effect.message};
  };
  switch (effect.kind) {
    case Effect::Kind::kCreated: return touch(ObjectOf::kLife, Access::kCreate);
    case Effect::Kind::kBegan:
    case Effect::Kind::kChose: return touch(ObjectOf::kLife, Access::kRead);
    case Effect::Kind::kSent: return touch(ObjectOf::kQueue, Access::kSend);
    case Effect::Kind::kSentInVain: return touch(ObjectOf::kQueue, Access::kSendInVain);
    case Effect::Kind::kTook: return touch(ObjectOf::kQueue, Access::kReceive);
    case Effect::Kind::kTookOrNot: return touch(ObjectOf::kQueue, Access::kReceiveOrExpire);
    case Effect::Kind::kFoundNone: return touch(ObjectOf::kQueue, Access::kExpire);
    case Effect::Kind::kMonitorRan: return touch(ObjectOf::kMonitor, Access::kWrite);
    // What is in the queue decides whether it could have done something else.
    case Effect::Kind::kFired: return touch(ObjectOf::kQueue, Access::kRead);
    case Effect::Kind::kTimePassed: return kTimePasses;
  }
  CHECK(false);
}

}  // namespace

PSystem::PSystem(const Program& program, const TestCase& test, const POptions& options)
    : program_(program),
      store_(words_to_collect_after(options),
             options.visited.is_exact() ? ValueStore::Hashes::kNarrow : ValueStore::Hashes::kWide),
      code_(compile(program, test, store_)),
      options_(options),
      world_(code_, store_, options.steps, options.timers, options.symmetric),
      visited_(options.visited.is_exact() ? nullptr : make_visited_hashes(options.visited)) {
  if (!options.symmetric.is_empty()) symmetry_.emplace(world_, store_);
  look();
}

void PSystem::reset() {
  world_.reset();
  noted_.clear();
  sent_.clear();
  look();
}

ravel::Event PSystem::step(const Transition& transition) {
  const Transition taken = transition;  // which may be one of enabled_
  if (symmetry_ && store_.wants_collection()) symmetry_->forget_values();
  world_.collect_if_due(*this);
  const auto who = static_cast<std::uint32_t>(taken.actor);
  if (is_time(taken.actor)) {
    world_.fire(armed_.at(taken.alternative));
  } else if (taken.alternative == kFires && world_.is_armed(who)) {
    world_.fire(who);
  } else {
    world_.step(who, taken.alternative);
  }
  note_touches();
  look();
  return {.actor = taken.actor, .alternative = taken.alternative, .footprint = touches_};
}

void PSystem::note_touches() {
  touches_.clear();
  Noted noted{.sent = sent_.size()};
  std::size_t next = 0;  // operation that may have sent something
  const std::span<const Operation> operations = world_.operations();
  for (const Effect& effect : world_.effects()) {
    const Touch touch = touch_of(effect);
    // A monitor that has seen several events is written once.
    if (effect.kind == Effect::Kind::kMonitorRan && std::ranges::find(touches_, touch) != touches_.end())
      continue;
    touches_.push_back(touch);
    if (is_send(touch.access)) {
      while (operations[next].kind != Operation::Kind::kSend) ++next;
      sent_.push_back(
          {.touch = static_cast<std::uint32_t>(touches_.size() - 1), .event = operations[next++].event});
    }
    if (touch.access == Access::kReceive || touch.access == Access::kReceiveOrExpire ||
        touch.access == Access::kExpire)
      noted.takes = operations.front().takes;
  }
  noted_.push_back(noted);
}

// Brings enabled_ and outcome_ up to date.
void PSystem::look() {
  enabled_.clear();
  if (explorer_failure_) {
    outcome_ = Outcome::kUnsupported;
    return;
  }
  if (world_.failure()) {
    outcome_ = world_.refusal() ? Outcome::kUnsupported : Outcome::kBug;
    return;
  }
  for (const std::uint32_t who : world_.names().in_order()) {
    if (who >= world_.size() || !world_.exists(who)) continue;
    for (std::uint32_t i = 0; i < world_.alternatives(who); ++i)
      enabled_.push_back({.actor = ActorId{who}, .alternative = i});
    if (options_.timers == TimersFire::kAnyTime && world_.is_armed(who))
      enabled_.push_back({.actor = ActorId{who}, .alternative = kFires});
  }
  if (enabled_.empty() && options_.timers == TimersFire::kWhenAllWait) list_timers();
  outcome_ = !enabled_.empty()                ? Outcome::kRunning
             : is_deadlock() || hot_monitor() ? Outcome::kBug
                                              : Outcome::kFinished;
}

void PSystem::list_timers() {
  armed_.clear();
  for (const std::uint32_t who : world_.names().in_order()) {
    if (who >= world_.size() || !world_.is_armed(who)) continue;
    enabled_.push_back({.actor = ActorId{MachineNames::kTime},
                        .alternative = static_cast<std::uint32_t>(armed_.size()),
                        .kind = TransitionKind::kPasses});
    armed_.push_back(who);
  }
}

std::optional<std::size_t> PSystem::hot_monitor() const {
  if (options_.ignores_liveness) return std::nullopt;
  for (std::size_t i = 0; i < world_.monitors().size(); ++i) {
    if (is(world_.monitors()[i], Temperature::kHot)) return i;
  }
  return std::nullopt;
}

// Of a scenario, which is no bug if it stays so, never.
bool PSystem::is(const LiveMachine& monitor, Temperature temperature) const {
  return program_.machine(monitor.machine).kind == MachineKind::kSpec &&
         program_.state(monitor.state).temperature == temperature;
}

std::vector<std::uint32_t> PSystem::waiting_in_receive() const {
  std::vector<std::uint32_t> all;
  for (const std::uint32_t who : world_.names().in_order())
    if (who < world_.size() && world_.exists(who) && world_.live(who).is_running() &&
        world_.alternatives(who) == 0)
      all.push_back(who);
  return all;
}

// --- snapshots

std::optional<Snapshot> PSystem::save() {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(saved_.size()));
    saved_.emplace_back();
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  Saved& saved = saved_[place];
  world_.save(saved.words);
  saved.events = noted_.size();
  saved.sent = sent_.size();
  saved.output = world_.output().size();
  return Snapshot{place};
}

void PSystem::restore(Snapshot snapshot) {
  const Saved& saved = saved_.at(static_cast<std::uint32_t>(snapshot));
  world_.restore(saved.words);
  noted_.resize(saved.events);
  sent_.resize(saved.sent);
  world_.output().resize(saved.output);
  look();
}

void PSystem::release(Snapshot snapshot) {
  const auto place = static_cast<std::uint32_t>(snapshot);
  saved_[place].words.clear();
  free_.push_back(place);
}

void PSystem::for_each(const std::function<void(std::span<const Value>)>& visit) {
  for (const Saved& saved : saved_) visit(saved.words);
  for (const Told& told : told_) visit({&told.message.payload, 1});
  if (explorer_ != nullptr) explorer_->for_each(visit);
  for (const Value value : kept_.words()) visit({&value, 1});
  table_.for_each_number([&](std::uint32_t place) {
    const Value image = store_.at_place(place);
    visit({&image, 1});
  });
}

// --- an explorer

void PSystem::begin_explorer(MachineId machine, ValueRoots& roots) {
  explorer_ = &roots;
  world_.note_told(program_.machine(machine).observes);
}

void PSystem::tell_explorer_in_text() {
  EventSet events;
  for (std::size_t number = 0; number < program_.events.size(); ++number)
    if (program_.events[number].name.starts_with(kForExplorers)) events.add(id_at<EventId>(number));
  world_.note_told(std::move(events));
}

void PSystem::end_explorer() {
  explorer_ = nullptr;
  world_.note_told({});
}

LiveMachine PSystem::new_explorer(MachineId machine) {
  return world_.monitor_beside(machine, explorer_failure_);
}

Value PSystem::image_of_explorer(const LiveMachine& live) { return image_of(live, store_); }

bool PSystem::show_to_explorer(LiveMachine& live, EventId event, Value payload) {
  if (explorer_failure_) return false;
  explorer_failure_ = world_.show(live, event, payload);
  return !explorer_failure_;
}

std::vector<ExplorerMessage> PSystem::take_explorer_messages() {
  told_ = std::move(world_.told());
  world_.told().clear();
  std::vector<ExplorerMessage> messages;
  for (std::size_t i = 0; i < told_.size(); ++i) {
    const auto& [who, message] = told_[i];
    ExplorerMessage& one = messages.emplace_back();
    one = {.from = ActorId{who}, .text = world_.texts().event(message.event.event_number()), .number = i};
    if (explorer_ == nullptr && !message.payload.is_null())
      one.text += " " + to_text(message.payload, world_.texts());
  }
  return messages;
}

Value PSystem::value_of(ActorId actor) const {
  if (is_time(actor)) return Value::null();
  return Value::machine(world_.names().number(static_cast<std::uint32_t>(actor)));
}

std::optional<ActorId> PSystem::actor_of(Value machine) const {
  if (machine.is_machine()) return ActorId{world_.names().index_of(machine.machine_number())};
  if (options_.timers == TimersFire::kWhenAllWait) return ActorId{MachineNames::kTime};
  return std::nullopt;
}

Value PSystem::payload_of(EventId event, std::span<const Value> parts) {
  return store_.named_tuple(program_.event(event).payload->shape, parts);
}

// --- states

std::optional<Fingerprint> PSystem::fingerprint() {
  world_.save(words_);
  std::uint64_t high = words_.size(), low = ~high;
  for (const Value word : words_) {
    const std::uint64_t hash = ValueStore::hash(word);
    high = combine(high, hash);
    low = combine(low, hash);
  }
  if (const std::optional<Failure>& failure = world_.failure()) {
    high = combine(high, failure->place.offset);
    low = combine(low, hash_string(failure->kind + failure->sentence));
  }
  return Fingerprint{.high = high, .low = low};
}

// A leaf of the table is an object by its place: an image, or for a machine that does not exist the tuple
// without parts.
StateTable::Node PSystem::node_of(Value image) {
  return StateTable::node_of_number(store_.place_of(image.is_none() ? store_.tuple({}) : image));
}
Value PSystem::image_at(StateTable::Node node) const {
  const Value object = store_.at_place(StateTable::number_of_leaf(node));
  return words_of(object) == 0 ? Value::none() : object;
}

// The first node is of how many others there are.
std::optional<MetState> PSystem::number_state() {
  if (world_.failure()) return std::nullopt;
  world_.save(words_);
  if (visited_) return number_hash();
  if (table_.is_full()) return std::nullopt;
  if (symmetry_) return number_by_key();
  const StateTable::Insertion inserted = insert(words_);
  return MetState{.number = StateNumber{inserted.number}, .is_new = inserted.is_new};
}

StateTable::Insertion PSystem::insert(std::span<const Value> words) {
  if (words.size() != numbered_.size()) {
    numbered_.assign(words.size(), Value());
    const std::array<Value, 1> count = {Value::small(static_cast<std::int64_t>(words.size()))};
    nodes_.assign(1, node_of(store_.tuple(count)));
    for (const Value word : words) nodes_.push_back(node_of(word));
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == numbered_[i]) continue;
    nodes_[i + 1] = node_of(words[i]);
    numbered_[i] = words[i];
  }
  return table_.insert(nodes_);
}

// Of the state that is saved.
std::optional<MetState> PSystem::number_by_key() {
  if (!numbers_.has_keys()) numbers_.begin(table_.size());
  const std::span<const Value> key = symmetry_->representative(words_);
  const StateTable::Insertion met = insert(key);
  return numbers_.number(met, std::ranges::equal(words_, key), [this] { return insert(words_); });
}

// Of the state that is saved.
std::optional<MetState> PSystem::number_hash() {
  if (visited_->is_full() || kept_.is_full()) return std::nullopt;
  const std::span<const Value> words =
      symmetry_ ? symmetry_->representative(words_) : std::span<const Value>(words_);
  WideHash hash(words.size());
  for (const Value word : words) hash.add(ValueStore::wide_hash(word));
  if (!visited_->insert(hash.finish())) return MetState{.number = kNumberForgotten, .is_new = false};
  return MetState{.number = kept_.add(words_), .is_new = true};
}

void PSystem::go_to(StateNumber state) {
  if (visited_)
    kept_.words_of(state, words_);
  else
    recall(numbers_.entry_of(state));
  world_.restore(visited_ ? words_ : numbered_);
  noted_.clear();
  sent_.clear();
  world_.output().clear();
  look();
  CHECK(outcome_ == Outcome::kRunning);
}

// A state of the table becomes the one that was numbered last.
void PSystem::recall(std::uint32_t state) {
  const StateTable::Node first = table_.first_node_of(state);
  const Value count = part(store_.at_place(StateTable::number_of_leaf(first)), 0);
  numbered_.resize(static_cast<std::size_t>(count.small_value()));
  for (const std::size_t place : table_.recall(state, numbered_.size() + 1, nodes_))
    if (place > 0) numbered_[place - 1] = image_at(nodes_[place]);
}

std::uint64_t PSystem::bytes_of_states() const {
  if (visited_) return visited_->bytes() + kept_.bytes();
  return table_.size() == 0 ? 0 : table_.bytes() + store_.words_used() * sizeof(Word) + numbers_.bytes();
}

std::vector<std::string> PSystem::propositions() const {
  CHECK_MESSAGE(world_.monitors().size() <= kSpecsMax, "too many specs in one test");
  std::vector<std::string> all;
  for (const LiveMachine& monitor : world_.monitors()) {
    all.push_back("hot(" + name_of(monitor) + ")");
    all.push_back("cold(" + name_of(monitor) + ")");
  }
  for (std::size_t number = 1; number <= fair_choices(); ++number)
    for (const char* const way : {"fair_true(", "fair_false("})
      all.push_back(way + std::to_string(number) + ")");
  return all;
}

Letter PSystem::letter() {
  Letter letter;
  for (std::size_t i = 0; i < std::min(world_.monitors().size(), kSpecsMax); ++i) {
    const LiveMachine& monitor = world_.monitors()[i];
    const std::uint64_t bits = is(monitor, Temperature::kHot) ? 1 : is(monitor, Temperature::kCold) ? 2 : 0;
    letter.state |= bits << 2 * i;
  }
  if (world_.operations().empty()) return letter;
  const Operation& last = world_.operations().front();
  if (last.fair_choice == 0 || last.fair_choice > fair_choices()) return letter;
  const std::size_t bit = 2 * (world_.monitors().size() + last.fair_choice - 1);
  letter.step = std::uint64_t{last.payload.truth() ? 1u : 2u} << bit;
  return letter;
}

bool PSystem::may_get_hot(const LiveMachine& monitor) const {
  const Machine& machine = program_.machine(monitor.machine);
  return machine.kind == MachineKind::kSpec && std::ranges::any_of(machine.states, [&](StateId state) {
           return program_.state(state).temperature == Temperature::kHot;
         });
}

std::string PSystem::liveness_formula(const LiveMachine& monitor) const {
  const std::string name = name_of(monitor);
  const std::string live =
      "(always eventually cold(" + name + ")) or (eventually always not hot(" + name + "))";
  std::string fair;
  for (std::size_t choice = 1; choice <= fair_choices(); ++choice) {
    const std::string number = "(" + std::to_string(choice) + ")";
    fair += (fair.empty() ? "" : " and ") + ("((always eventually fair_true" + number) +
            ") <-> (always eventually fair_false" + number + "))";
  }
  return fair.empty() ? live : "(" + fair + ") -> (" + live + ")";
}

std::vector<std::string> PSystem::liveness_formulas() const {
  std::vector<std::string> all;
  if (options_.ignores_liveness) return all;
  for (const LiveMachine& monitor : world_.monitors())
    if (may_get_hot(monitor)) all.push_back(liveness_formula(monitor));
  return all;
}

// --- what may be asked of an execution

bool PSystem::could_take(std::size_t receive, std::size_t send, std::size_t touch) {
  const std::optional<Takes>& takes = noted_.at(receive).takes;
  std::size_t sent = noted_.at(send).sent;
  while (sent_.at(sent).touch != touch) ++sent;
  return world_.would_take(takes.value(), sent_[sent].event);
}

std::optional<Touch> PSystem::pending(const Transition& transition) {
  const auto who = static_cast<std::uint32_t>(transition.actor);
  if (is_time(transition.actor)) return kTimePasses;
  if (transition.alternative == kFires && world_.is_armed(who))
    return Touch{.object = object(ObjectOf::kQueue, who), .access = Access::kRead};
  const Operation next = world_.next(who);
  switch (next.kind) {
    case Operation::Kind::kCreate:
      return Touch{.object = object(ObjectOf::kLife, next.other), .access = Access::kCreate};
    case Operation::Kind::kSend:
      return Touch{.object = object(ObjectOf::kQueue, next.other), .access = Access::kSend};
    case Operation::Kind::kTake:
      return Touch{.object = object(ObjectOf::kQueue, who), .access = Access::kReceive};
    default: return Touch{.object = object(ObjectOf::kLife, who), .access = Access::kRead};
  }
}

std::optional<ActorId> PSystem::owner_of(std::uint64_t object) {
  const auto kind = static_cast<ObjectOf>(object % kObjectKinds);
  if (kind == ObjectOf::kMonitor || kind == ObjectOf::kTime) return std::nullopt;
  return ActorId{static_cast<std::uint32_t>(object / kObjectKinds)};
}

ActorName PSystem::actor_name(ActorId actor) const {
  if (is_time(actor)) return ActorName('T');
  ActorName name;
  for (const std::uint32_t ordinal : world_.names().path(static_cast<std::uint32_t>(actor)))
    name = name.child(ordinal);
  return name;
}

std::optional<ActorId> PSystem::find_actor(const ActorName& name) const {
  for (std::uint32_t who = 0; who < world_.names().size(); ++who)
    if (actor_name(ActorId{who}) == name) return ActorId{who};
  return std::nullopt;
}

}  // namespace ravel::p
