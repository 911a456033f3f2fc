// Why a step could not be completed: only the first reason counts.
#include <algorithm>
#include <string_view>
#include <utility>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

// They print the messages of a process that fails, and decide nothing by them.
constexpr std::string_view kReporters[] = {"proc_lib", "Elixir.ExUnit.Assertions"};
constexpr std::string_view kAsksForOthers = "Elixir.Process";

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
  // Who asks, not who has called that: proc_lib is below most processes.
  for (const CodeWord* const place : places_of(*running_)) {
    const Module* const module = describe_place(place).module;
    const std::string_view name = module == nullptr ? std::string_view() : names.atoms.text(module->name);
    if (name == kAsksForOthers) continue;
    if (std::ranges::find(kReporters, name) != std::end(kReporters)) return;
    break;
  }
  has_refused_message_order_ = true;
  refuse("the order of messages in a mailbox is looked at");
}

void Machine::note_assumed(Assumed what) {
  if (!is_starting_system_ && running_ != nullptr) assumptions_.add(what, places_of(*running_));
}

void Machine::halt(Term status) {
  if (fault_.kind != MachineFault::Kind::kNone) return;
  fault_.kind = MachineFault::Kind::kHalted;
  fault_.halt_status = status;
  fault_.process = running_ == nullptr ? Term::none() : running_->pid;
  fault_.place = running_ == nullptr ? nullptr : running_->pc;
}

}  // namespace ravel::erlang
