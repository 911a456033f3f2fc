#include "erlang/machine/faults.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

namespace {

// Modules that print the messages of a process that fails, and decide nothing by them.
constexpr std::string_view kReporters[] = {"proc_lib", "Elixir.ExUnit.Assertions"};
constexpr std::string_view kAsksForOthers = "Elixir.Process";

}  // namespace

void Faults::clear_notes() {
  has_refused_message_order_ = false;
  assumptions_.clear();
}

// Only the first reason counts.
void Faults::set(MachineFault::Kind kind) {
  const Process* const running = machine.interpreter.running();
  fault_.kind = kind;
  fault_.process = running == nullptr ? Term::none() : running->pid;
  fault_.place = running == nullptr ? nullptr : running->pc;
}

void Faults::refuse(std::string message) {
  if (has_one()) return;
  set(MachineFault::Kind::kUnsupported);
  fault_.message = std::move(message);
}

void Faults::halt(Term status) {
  if (has_one()) return;
  set(MachineFault::Kind::kHalted);
  fault_.halt_status = status;
}

void Faults::exhaust(MachineFault::Kind kind, Term process, const CodeWord* place) {
  fault_ = {.kind = kind, .process = process, .place = place};
}

void Faults::set_place(Term process, const CodeWord* place) {
  fault_.process = process;
  fault_.place = place;
}

void Faults::show_message_order(const Process& owner) {
  if (options.message_order != MessageOrder::kRefused || owner.mailbox.size() < 2) return;
  // The module that asks counts, not its callers: proc_lib is below most processes.
  for (const CodeWord* const place : machine.traces.places_of(*machine.interpreter.running())) {
    const Module* const module = machine.code.describe_place(place).module;
    const std::string_view name = module == nullptr ? std::string_view() : names.atoms.text(module->name);
    if (name == kAsksForOthers) continue;
    if (std::ranges::find(kReporters, name) != std::end(kReporters)) return;
    break;
  }
  has_refused_message_order_ = true;
  refuse("the order of messages in a mailbox is looked at");
}

void Faults::note_assumed(Assumed what) {
  const Process* const running = machine.interpreter.running();
  if (!machine.is_starting_system() && running != nullptr)
    assumptions_.add(what, machine.traces.places_of(*running));
}

}  // namespace ravel::erlang
