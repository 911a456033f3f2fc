#include "p/machine/machines.h"

#include "base/check.h"
#include "p/machine/images.h"

namespace ravel::p {

namespace {

void visit_values(const LiveMachine& live, const std::function<void(std::span<const Value>)>& visit) {
  visit(live.fields);
  visit(live.stack);
  visit({&live.carried, 1});
  for (const Message& message : live.queue) visit({&message.payload, 1});
}

}  // namespace

Machines::Machines(const Code& code, ValueStore& store, const Moves& moves, MachineNames::Time time)
    : code_(code), store_(store), moves_(moves), names_(time) {
  actors_.resize(names_.size());
  reset();
}

void Machines::reset() {
  for (Actor& actor : actors_) actor = {};
  monitors_.assign(code_.monitors.size(), {});
  monitor_images_.assign(monitors_.size(), Value::none());
}

void Machines::begin(LiveMachine& live, MachineId machine) const {
  live.machine = machine;
  live.state = code_.program->machine(machine).start;
  for (const std::uint32_t field : code_.fields[index(machine)])
    live.fields.push_back(code_.constants[field]);
}

void Machines::add(Index who, std::uint32_t bound) {
  if (actors_.size() < names_.size()) actors_.resize(names_.size());
  Actor& actor = actors_[who];
  CHECK(!actor.exists);
  actor = {};
  actor.exists = actor.is_stale = true;
  begin(actor.live, code_.machines[bound].machine);
  actor.live.bound = bound;
  if (bound_to_.size() <= who) bound_to_.resize(names_.size());
  if (bound_to_[who] && *bound_to_[who] != bound) names_mean_several_ = true;
  bound_to_[who] = bound;
  actor.live.number = names_.number(who);
  actor.alternatives = 1;
}

MachineNames::Index Machines::name_of(Index parent, std::uint32_t ordinal) {
  const Index index = names_.child(parent, ordinal);
  actors_.resize(names_.size());
  return index;
}

const EventSet& Machines::received_by(Value machine) const {
  return *code_.program->interface(code_.machines[live(index_of(machine)).bound].interface).receives;
}

void Machines::save(std::vector<Value>& words) {
  words.clear();
  for (Actor& actor : actors_) {
    if (actor.exists && actor.is_stale) actor.image = image_of(actor.live, store_, actor.image);
    actor.is_stale = false;
    words.push_back(actor.exists ? actor.image : Value::none());
  }
  while (words.back().is_none()) words.pop_back();
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    if (monitor_images_[i].is_none()) monitor_images_[i] = image_of(monitors_[i], store_);
    words.push_back(monitor_images_[i]);
  }
}

void Machines::restore(std::span<const Value> words) {
  const std::size_t machines = words.size() - monitors_.size();
  for (std::size_t i = 0; i < actors_.size(); ++i) {
    Actor& actor = actors_[i];
    const Value image = i < machines ? words[i] : Value::none();
    if (image.is_none()) {
      if (actor.exists) actor = {};
      continue;
    }
    if (actor.exists && !actor.is_stale && actor.image == image) continue;
    actor.exists = true;
    actor.is_stale = false;
    actor.image = image;
    thaw(image, actor.live);
    actor.live.number = names_.number(static_cast<Index>(i));
    actor.alternatives = moves_.alternatives(actor.live);
  }
  for (std::size_t i = 0; i < monitors_.size(); ++i) {
    const Value image = words[machines + i];
    if (monitor_images_[i] == image) continue;
    monitor_images_[i] = image;
    thaw(image, monitors_[i]);
  }
}

void Machines::for_each(const std::function<void(std::span<const Value>)>& visit) const {
  for (const Actor& actor : actors_) {
    if (!actor.exists) continue;
    visit_values(actor.live, visit);
    if (!actor.image.is_none()) visit({&actor.image, 1});
  }
  for (const LiveMachine& monitor : monitors_) visit_values(monitor, visit);
  for (const Value image : monitor_images_)
    if (!image.is_none()) visit({&image, 1});
}

}  // namespace ravel::p
