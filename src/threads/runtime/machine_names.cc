#include "threads/runtime/machine_names.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <optional>

#include "threads/protocol/messages.h"
#include "threads/protocol/system_call.h"

namespace ravel::threads {

namespace {

[[noreturn]] void end_process() {
  while (true) system_call(SYS_exit_group, kNeedsMachine);
}

// Nothing: it is no name of the internet. The address need not be aligned.
std::optional<std::uint16_t> port_of(const sockaddr* address, socklen_t size) {
  const auto read = [&](std::size_t offset) {
    std::uint16_t port = 0;
    std::memcpy(&port, reinterpret_cast<const char*>(address) + offset, sizeof port);
    return ntohs(port);
  };
  if (address->sa_family == AF_INET && size >= sizeof(sockaddr_in))
    return read(offsetof(sockaddr_in, sin_port));
  if (address->sa_family == AF_INET6 && size >= sizeof(sockaddr_in6))
    return read(offsetof(sockaddr_in6, sin6_port));
  return std::nullopt;
}

bool is_path(const sockaddr* address, socklen_t size) {
  return address->sa_family == AF_UNIX && size > offsetof(sockaddr_un, sun_path);
}

// The system has a look at the rest, and says what is wrong with it.
bool has_family(const sockaddr* address, socklen_t size) {
  return address != nullptr && size >= sizeof address->sa_family;
}

}  // namespace

void MachineNames::note(Use use, std::uint16_t port) {
  Noted none;
  first_->compare_exchange_strong(none, {.use = use, .port = port});
  if (is_forbidden_) end_process();
}

void MachineNames::note_own(const sockaddr* address, socklen_t size) {
  if (!has_family(address, size)) return;
  const auto port = port_of(address, size);
  if (port && *port != 0) note(Use::kOwnPort, *port);
  if (is_path(address, size)) note(Use::kOwnPath);
}

void MachineNames::note_chosen(int socket) {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  if (system_call(SYS_getsockname, socket, reinterpret_cast<long>(&address), reinterpret_cast<long>(&size)) <
      0)
    return;
  if (const auto port = port_of(reinterpret_cast<const sockaddr*>(&address), size)) own_ports_.set(*port);
}

void MachineNames::note_other(const sockaddr* address, socklen_t size) {
  if (!has_family(address, size)) return;
  const auto port = port_of(address, size);
  if (port && !own_ports_.test(*port)) note(Use::kOtherPort, *port);
  if (is_path(address, size)) note(Use::kOtherPath);
}

void MachineNames::forbid() {
  is_forbidden_ = true;
  if (first_->load().use != Use::kNone) end_process();
}

void MachineNames::share_with_copies() {
  if (first_ != &own_) return;
  const long page = system_call(SYS_mmap, 0, sizeof(std::atomic<Noted>), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page > 0) first_ = new (reinterpret_cast<void*>(page)) std::atomic<Noted>(own_.load());
}

std::string MachineNames::first_use() const {
  const Noted first = first_->load();
  switch (first.use) {
    case Use::kNone: return "";
    case Use::kOwnPort:
      return fmt::format("it binds port {}, which one process at a time can have", first.port);
    case Use::kOwnPath: return "it binds a socket to a name, which one process at a time can have";
    case Use::kOtherPort:
      return fmt::format("it connects to port {}, where somebody else would notice several", first.port);
    case Use::kOtherPath: return "it connects to a named socket, where somebody else would notice several";
  }
  return "";
}

MachineNames& machine_names() {
  static MachineNames names;
  return names;
}

}  // namespace ravel::threads
