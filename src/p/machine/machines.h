// All machines and monitors of an execution, as they are between two operations: by their names, and each
// also as one value, which is what is kept of them.
//
// Invariant: an image is of the machine or monitor as it was when it rested last, unless it is stale; of a
// stale monitor it is none.
//
// Cost of saving and restoring: a comparison for each machine, and the rest for those that differ.

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "p/machine/live_machine.h"
#include "p/machine/machine_names.h"
#include "p/machine/moves.h"

namespace ravel::p {

class Machines {
 public:
  using Index = MachineNames::Index;

  // All references must outlive this object.
  Machines(const Code& code, ValueStore& store, const Moves& moves, MachineNames::Time time);
  Machines(const Machines&) = delete;
  Machines& operator=(const Machines&) = delete;

  // No machine, and monitors that have still to be begun().
  void reset();
  // A machine with this name, which has not started. References to others are invalid after that.
  // REQUIRES: it does not exist.
  void add(Index who, std::uint32_t bound);
  // The machine or monitor is in its first state, and its fields have their defaults.
  void begin(LiveMachine& live, MachineId machine) const;

  // How many machines there may be: those that the names know.
  std::size_t size() const { return actors_.size(); }
  const MachineNames& names() const { return names_; }
  // Of the machine that this one creates as its how-many-th, whether it has ever done so or not.
  Index name_of(Index parent, std::uint32_t ordinal);
  // REQUIRES for these two: the value is a machine.
  Index index_of(Value machine) const { return names_.index_of(machine.machine_number()); }
  const EventSet& received_by(Value machine) const;

  // Whether some name was that of machines of different kinds (`bound`) since the beginning.
  bool names_mean_several() const { return names_mean_several_; }

  bool exists(Index who) const { return actors_[who].exists; }
  const LiveMachine& live(Index who) const { return actors_[who].live; }
  // To change it. When it rests again, settle() follows.
  LiveMachine& change(Index who) {
    actors_[who].is_stale = true;
    return actors_[who].live;
  }
  void settle(Index who) { actors_[who].alternatives = moves_.alternatives(actors_[who].live); }
  // Moves::alternatives(), of a machine that rests.
  std::uint32_t alternatives(Index who) const { return actors_[who].alternatives; }

  // By place in Code::monitors.
  const std::vector<LiveMachine>& monitors() const { return monitors_; }
  LiveMachine& change_monitor(std::size_t place) {
    monitor_images_[place] = Value::none();
    return monitors_[place];
  }
  bool has_monitor(const LiveMachine& live) const {
    return &live >= monitors_.data() && &live < monitors_.data() + monitors_.size();
  }

  // An image for each machine (none: it does not exist), then one for each monitor.
  void save(std::vector<Value>& words);
  void restore(std::span<const Value> words);
  // All values that they hold.
  void for_each(const std::function<void(std::span<const Value>)>& visit) const;

 private:
  struct Actor {
    bool exists = false;
    bool is_stale = false;  // the image is
    std::uint32_t alternatives = 0;
    Value image = Value::none();
    LiveMachine live = {};
  };

  const Code& code_;
  ValueStore& store_;
  const Moves& moves_;
  MachineNames names_;
  std::vector<Actor> actors_;                           // by index of the name
  std::vector<std::optional<std::uint32_t>> bound_to_;  // by index of the name: of the last machine
  bool names_mean_several_ = false;
  std::vector<LiveMachine> monitors_;
  std::vector<Value> monitor_images_;
};

}  // namespace ravel::p
