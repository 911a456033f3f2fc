// Why a step could not be completed: only the first reason counts.
#include <algorithm>
#include <string_view>
#include <utility>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

// They print the messages of a process that fails, and decide nothing by them.
constexpr std::string_view kReporters[] = {"proc_lib", "Elixir.ExUnit.Assertions"};
constexpr std::size_t kCallersOfReporter = 4;  // among so many innermost callers one is theirs

}  // namespace

void Machine::refuse(std::string message) {
  if (fault_.kind != MachineFault::Kind::kNone) return;
  fault_.kind = MachineFault::Kind::kUnsupported;
  fault_.message = std::move(message);
  fault_.process = running_ == nullptr ? Term::none() : running_->pid;
  fault_.place = running_ == nullptr ? nullptr : running_->pc;
}

void Machine::show_message_order(const Process& owner) {
  if (options.message_order != MessageOrder::kRefused || owner.mailbox.size() < 2) return;
  const std::vector<const CodeWord*> places = places_of(*running_);
  for (std::size_t i = 0; i < std::min(places.size(), kCallersOfReporter); ++i) {
    const Module* const module = describe_place(places[i]).module;
    if (module != nullptr && std::ranges::find(kReporters, names.atoms.text(module->name)) != std::end(kReporters)) return;
  }
  has_refused_message_order_ = true;
  refuse("the order of messages in a mailbox is looked at");
}

void Machine::halt(Term status) {
  if (fault_.kind != MachineFault::Kind::kNone) return;
  fault_.kind = MachineFault::Kind::kHalted;
  fault_.halt_status = status;
  fault_.process = running_ == nullptr ? Term::none() : running_->pid;
  fault_.place = running_ == nullptr ? nullptr : running_->pc;
}

}  // namespace ravel::erlang
