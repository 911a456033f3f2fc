// Why a step could not be completed: only the first reason counts.
#include <utility>

#include "erlang/machine/machine.h"

namespace ravel::erlang {

void Machine::refuse(std::string message) {
  if (fault_.kind != MachineFault::Kind::kNone) return;
  fault_.kind = MachineFault::Kind::kUnsupported;
  fault_.message = std::move(message);
  fault_.process = running_ == nullptr ? Term::none() : running_->pid;
  fault_.place = running_ == nullptr ? nullptr : running_->pc;
}

void Machine::halt(Term status) {
  if (fault_.kind != MachineFault::Kind::kNone) return;
  fault_.kind = MachineFault::Kind::kHalted;
  fault_.halt_status = status;
  fault_.process = running_ == nullptr ? Term::none() : running_->pid;
  fault_.place = running_ == nullptr ? nullptr : running_->pc;
}

}  // namespace ravel::erlang
