// Names that a program has in common with all processes of the machine, as ports: two copies of it, or two of
// its tests side by side, would get in each other's way by them.

#pragma once

#include <sys/socket.h>

#include <atomic>
#include <bitset>
#include <cstdint>
#include <string>

namespace ravel::threads {

class MachineNames {
 public:
  // Before a socket gets this name.
  void note_own(const sockaddr* address, socklen_t size);
  // After a socket has got a name, which the system may have chosen.
  void note_chosen(int socket);
  // Before a socket has to do with the one of this name; null: with nobody.
  void note_other(const sockaddr* address, socklen_t size);

  // From now on the process ends, by kNeedsMachine, before it uses such a name; at once, if it has used one.
  void forbid();
  // What copies of the process note is noted here, too. Before the first one is made.
  void share_with_copies();
  // What was used first, or would have been: a sentence without its end. Empty: nothing yet.
  std::string first_use() const;

 private:
  enum class Use : std::uint16_t { kNone, kOwnPort, kOwnPath, kOtherPort, kOtherPath };
  struct Noted {
    Use use = Use::kNone;
    std::uint16_t port = 0;
  };
  void note(Use use, std::uint16_t port = 0);

  std::atomic<Noted> own_ = {};
  std::atomic<Noted>* first_ = &own_;  // or where all copies have it
  bool is_forbidden_ = false;
  std::bitset<65536> own_ports_;  // that the system has chosen
};

MachineNames& machine_names();

}  // namespace ravel::threads
