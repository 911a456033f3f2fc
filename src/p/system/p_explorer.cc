#include "p/system/p_explorer.h"

#include <algorithm>
#include <array>
#include <span>

#include "p/machine/images.h"
#include "p/value/sequence.h"

namespace ravel::p {

namespace {

constexpr const char kEnabled[] = "eExplorerEnabled", kBlocked[] = "eExplorerBlocked",
                     kDelay[] = "eExplorerDelay", kOrder[] = "order";

std::optional<EventId> observed(const Program& program, const Machine& spec, std::string_view name) {
  for (std::size_t number = 0; number < program.events.size(); ++number)
    if (program.events[number].name == name && spec.observes.contains(id_at<EventId>(number)))
      return id_at<EventId>(number);
  return std::nullopt;
}

bool carries_machine(const Program& program, std::optional<EventId> event) {
  const Type* const payload = event ? program.event(*event).payload : nullptr;
  return !event || (payload != nullptr && payload->is(TypeKind::kMachine));
}

bool carries_both(const Program& program, std::optional<EventId> event) {
  if (!event) return true;
  const Type* const payload = program.event(*event).payload;
  return payload != nullptr && payload->is(TypeKind::kNamedTuple) && payload->fields.size() == 2 &&
         payload->fields[0] == "who" && payload->fields[1] == "by" &&
         payload->parts[0]->is(TypeKind::kMachine) && payload->parts[1]->is(TypeKind::kMachine);
}

std::optional<std::uint32_t> place_of_order(const Machine& spec) {
  for (std::uint32_t i = 0; i < spec.fields.size(); ++i) {
    const Type* const type = spec.fields[i].type;
    if (spec.fields[i].name == kOrder && type->is(TypeKind::kSeq) && type->element()->is(TypeKind::kMachine))
      return i;
  }
  return std::nullopt;
}

}  // namespace

bool is_explorer(const Program& program, MachineId machine) {
  const Machine& spec = program.machine(machine);
  return spec.kind == MachineKind::kSpec &&
         (observed(program, spec, kEnabled) || observed(program, spec, kBlocked) ||
          observed(program, spec, kDelay));
}

std::vector<std::string> explorers_of(const Program& program) {
  std::vector<std::string> names;
  for (std::size_t number = 0; number < program.machines.size(); ++number)
    if (is_explorer(program, id_at<MachineId>(number))) names.emplace_back(program.machines[number].name);
  return names;
}

Result<ExplorerSpec> explorer_named(const Program& program, std::string_view name) {
  const auto found = std::ranges::find(program.machines, name, &Machine::name);
  if (found == program.machines.end()) return Error{"the program has no spec of this name"};
  const auto machine = id_at<MachineId>(static_cast<std::size_t>(found - program.machines.begin()));
  if (found->kind != MachineKind::kSpec) return Error{"this is no spec"};
  if (!is_explorer(program, machine))
    return Error{std::string("this spec observes neither ") + kEnabled + " nor " + kBlocked + " nor " +
                 kDelay};
  const std::optional<std::uint32_t> order = place_of_order(*found);
  if (!order) return Error{std::string("this spec has no `var ") + kOrder + ": seq[machine];`"};
  ExplorerSpec spec{.machine = machine,
                    .order = *order,
                    .enabled = observed(program, *found, kEnabled),
                    .blocked = observed(program, *found, kBlocked),
                    .delay = observed(program, *found, kDelay)};
  if (!carries_both(program, spec.enabled))
    return Error{std::string("the event ") + kEnabled + " has to carry (who: machine, by: machine)"};
  if (!carries_machine(program, spec.blocked))
    return Error{std::string("the event ") + kBlocked + " has to carry a machine"};
  if (!carries_machine(program, spec.delay))
    return Error{std::string("the event ") + kDelay + " has to carry a machine"};
  return spec;
}

PExplorer::PExplorer(PSystem& system, const ExplorerSpec& spec) : link_(system.explorer_link()), spec_(spec) {
  link_.begin(spec_.machine, *this);
  number_of(link_.image_of_spec(link_.new_spec(spec_.machine)));
}

PExplorer::~PExplorer() { link_.end(); }

std::string PExplorer::name() const { return link_.name_of(spec_.machine); }

std::uint32_t PExplorer::number_of(Value image) const {
  const auto [known, is_new] = numbers_.emplace(image.bits(), static_cast<std::uint32_t>(images_.size()));
  if (is_new) images_.push_back(image);
  return known->second;
}

LiveMachine PExplorer::live_in(const ExplorerState& state) const {
  LiveMachine live;
  thaw(images_[state.empty() ? 0 : state.front()], live);
  return live;
}

void PExplorer::show(ExplorerState& state, std::optional<EventId> event, Value payload) const {
  if (!event) return;
  LiveMachine live = live_in(state);
  if (link_.show(live, *event, payload)) state = {number_of(link_.image_of_spec(live))};
}

void PExplorer::note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId> by,
                             const ActorNames&) const {
  if (!spec_.enabled) return;
  const std::array<Value, 2> parts = {link_.value_of(actor), by ? link_.value_of(*by) : Value::null()};
  show(state, spec_.enabled, link_.payload_of(*spec_.enabled, parts));
}

void PExplorer::note_blocked(ExplorerState& state, ActorId actor) const {
  show(state, spec_.blocked, link_.value_of(actor));
}

void PExplorer::note_message(ExplorerState& state, const ExplorerMessage& message) const {
  const Message& told = link_.told(message.number);
  show(state, EventId{told.event.event_number()}, told.payload);
}

// If there is none, one that nobody is, which whoever asked complains of.
ActorId PExplorer::next(const ExplorerState& state, std::span<const ActorId> enabled) const {
  const LiveMachine live = live_in(state);
  for (const Value one : seq::elements(live.fields[spec_.order])) {
    const std::optional<ActorId> actor = link_.actor_of(one);
    if (actor && std::ranges::find(enabled, *actor) != enabled.end()) return *actor;
  }
  return ActorId{~std::uint32_t{0}};
}

void PExplorer::delay(ExplorerState& state, std::span<const ActorId> enabled) const {
  const ActorId delayed = next(state, enabled);
  const bool is_nobody = std::ranges::find(enabled, delayed) == enabled.end();
  show(state, spec_.delay, is_nobody ? Value::null() : link_.value_of(delayed));
}

}  // namespace ravel::p
