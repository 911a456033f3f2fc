// A System in front of another one, which hands every call on: the base of those that listen, or add
// something to a program.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/system.h"

namespace ravel {

class SystemWrapper : public System {
 public:
  // `wrapped` must outlive this object.
  explicit SystemWrapper(System& wrapped) : wrapped_(wrapped) {}

  SystemParts parts() const override { return wrapped_.parts(); }

  void reset() override { wrapped_.reset(); }
  std::span<const Transition> enabled() override { return wrapped_.enabled(); }
  Event step(const Transition& transition) override { return wrapped_.step(transition); }
  std::size_t follow(std::span<const Transition> transitions) override {
    return wrapped_.follow(transitions);
  }
  void run_on(std::optional<ActorId> last, GoOn how, std::uint64_t steps_max) override {
    wrapped_.run_on(last, how, steps_max);
  }
  Outcome outcome() const override { return wrapped_.outcome(); }
  Bug bug() const override { return wrapped_.bug(); }
  bool is_bug(const Bug& known) const override { return wrapped_.is_bug(known); }
  std::optional<std::size_t> events_to_bug() const override { return wrapped_.events_to_bug(); }
  std::vector<LaterBug> later_bugs() const override { return wrapped_.later_bugs(); }
  Refusal refusal() const override { return wrapped_.refusal(); }

  std::optional<Snapshot> save() override { return wrapped_.save(); }
  void restore(Snapshot snapshot) override { wrapped_.restore(snapshot); }
  void release(Snapshot snapshot) override { wrapped_.release(snapshot); }

  std::optional<MetState> number_state() override { return wrapped_.number_state(); }
  void go_to(StateNumber state) override { wrapped_.go_to(state); }
  void leave(StateNumber state) override { wrapped_.leave(state); }
  std::vector<std::string> what_grows(std::span<const StateNumber> states) override {
    return wrapped_.what_grows(states);
  }
  std::vector<std::string> propositions() const override { return wrapped_.propositions(); }
  Letter letter() override { return wrapped_.letter(); }
  std::uint64_t bytes_of_states() const override { return wrapped_.bytes_of_states(); }
  std::optional<HashedStates> hashed_states() const override { return wrapped_.hashed_states(); }
  bool is_judged_by_execution() const override { return wrapped_.is_judged_by_execution(); }

  std::optional<Fingerprint> fingerprint() override { return wrapped_.fingerprint(); }
  bool stops_others() const override { return wrapped_.stops_others(); }
  bool leaves_others_out() const override { return wrapped_.leaves_others_out(); }
  bool could_take(std::size_t receive, std::size_t send, std::size_t touch) override {
    return wrapped_.could_take(receive, send, touch);
  }
  std::vector<ActorId> blocked() override { return wrapped_.blocked(); }
  std::optional<Touch> pending(const Transition& transition) override { return wrapped_.pending(transition); }
  std::uint32_t faults_left(std::uint32_t alternative) override { return wrapped_.faults_left(alternative); }
  bool operations_block() const override { return wrapped_.operations_block(); }
  std::optional<ActorId> owner_of(std::uint64_t object) override { return wrapped_.owner_of(object); }
  bool conflict_closely(std::size_t earlier, std::size_t later) override {
    return wrapped_.conflict_closely(earlier, later);
  }
  std::uint64_t close_key(std::size_t event) override { return wrapped_.close_key(event); }
  void note_overtaking(std::size_t receive, std::size_t taken, std::size_t overtaking) override {
    wrapped_.note_overtaking(receive, taken, overtaking);
  }
  bool notes_overtaking() const override { return wrapped_.notes_overtaking(); }
  ActorName actor_name(ActorId actor) const override { return wrapped_.actor_name(actor); }
  std::optional<ActorId> find_actor(const ActorName& name) const override {
    return wrapped_.find_actor(name);
  }

  void set_descriptions(Descriptions descriptions) override { wrapped_.set_descriptions(descriptions); }
  EventDescription describe_last() override { return wrapped_.describe_last(); }
  std::vector<WaitingActor> waiting() override { return wrapped_.waiting(); }
  std::string output_so_far() override { return wrapped_.output_so_far(); }
  std::vector<AssumedPlace> assumed() override { return wrapped_.assumed(); }

 protected:
  System& wrapped() { return wrapped_; }

 private:
  System& wrapped_;
};

}  // namespace ravel
