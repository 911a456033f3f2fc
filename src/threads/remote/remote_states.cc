#include "threads/remote/remote_states.h"

namespace ravel::threads {

RemoteStates::RemoteStates(RemoteSystem& system, const NumberingOrder& order)
    : SystemWrapper(system), system_(system) {
  if (system_.is_gone()) system_.reset();
  Writer command;
  command << Command::kNumberStates << order;
  system_.ask(command, MessageKind::kStates);
}

RemoteStates::~RemoteStates() {
  if (system_.is_gone()) return;
  Writer command;
  command << Command::kForgetStates;
  system_.ask(command, MessageKind::kText);
}

Refusal RemoteStates::refusal() const {
  return system_.is_gone() ? Refusal{.message = system_.bug().message, .file = {}, .line = 0}
                           : system_.refusal();
}

// What was told to the explorer on the way there was told when the way was taken first.
void RemoteStates::go_to(StateNumber state) {
  Writer command;
  command << Command::kGoTo << state;
  system_.ask_state(command);
  system_.take_explorer_messages();
}

StatesTold RemoteStates::told(bool numbers) const {
  StatesTold told;
  Writer command;
  command << Command::kStates << numbers;
  if (system_.is_gone()) return told;
  if (auto in = system_.ask(command, MessageKind::kStates)) *in >> told;
  return told;
}

}  // namespace ravel::threads
