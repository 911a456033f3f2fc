// Threads that wait for one of several files, as event loops do: poll(), select(), epoll.
// expect: pass -t poll_waits
// expect: pass -t poll_waits --strategy dpor
// expect: pass -t select_waits --strategy dpor
// expect: silent "data race" pass -t loop_is_woken
// expect: silent "data race" pass -t loop_is_woken --strategy dpor
// expect: says "waits until one of its open files is ready" bug deadlock -t nobody_wakes
// expect: says "waits until one of its open files is ready" bug deadlock -t nobody_wakes --strategy dpor
// expect: pass -t time_out --strategy dpor
// expect: says "gives up waiting until something is ready" bug assertion --time any -t time_out
// expect: bug assertion --time any -t time_out --strategy dpor
// expect: says "asks what is ready" bug assertion -t looks_once
// expect: bug assertion -t looks_once --strategy dpor
// expect: pass -t edge_triggered --strategy dpor
// expect: silent "data race" pass -t connection
// expect: silent "data race" pass -t connection --strategy dpor
#include <poll.h>
#include <ravel/test.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cassert>
#include <cstddef>
#include <thread>

static int ends[2];

static void write_to(int file) { assert(write(file, "a", 1) == 1); }

RAVEL_TEST(poll_waits) {
  int others[2];
  assert(pipe(ends) == 0 && pipe(others) == 0);
  std::thread thread([] { write_to(ends[1]); });
  pollfd list[] = {{.fd = others[0], .events = POLLIN, .revents = 0}, {.fd = ends[0], .events = POLLIN, .revents = 0}};
  assert(poll(list, 2, -1) == 1 && list[0].revents == 0 && list[1].revents == POLLIN);
  thread.join();
}

RAVEL_TEST(select_waits) {
  assert(pipe(ends) == 0);
  std::thread thread([] { write_to(ends[1]); });
  fd_set reads;
  FD_ZERO(&reads);
  FD_SET(ends[0], &reads);
  assert(select(ends[0] + 1, &reads, nullptr, nullptr, nullptr) == 1 && FD_ISSET(ends[0], &reads));
  thread.join();
}

static int add_to_set(int file, unsigned events) {
  const int set = epoll_create1(0);
  epoll_event event{.events = events, .data = {.fd = file}};
  assert(epoll_ctl(set, EPOLL_CTL_ADD, file, &event) == 0);
  return set;
}

// What the one who wakes has written before, the loop may read.
RAVEL_TEST(loop_is_woken) {
  static int message = 0;
  const int bell = eventfd(0, EFD_NONBLOCK);
  const int set = add_to_set(bell, EPOLLIN);
  std::thread thread([bell] {
    message = 1;
    assert(eventfd_write(bell, 1) == 0);
  });
  epoll_event events[4];
  assert(epoll_wait(set, events, 4, -1) == 1 && events[0].data.fd == bell);
  eventfd_t count = 0;
  assert(eventfd_read(bell, &count) == 0 && count == 1 && message == 1);
  thread.join();
}

RAVEL_TEST(nobody_wakes) {
  const int set = add_to_set(eventfd(0, 0), EPOLLIN);
  epoll_event event;
  epoll_wait(set, &event, 1, -1);
}

RAVEL_TEST(time_out) {
  assert(pipe(ends) == 0);
  std::thread thread([] { write_to(ends[1]); });
  pollfd one{.fd = ends[0], .events = POLLIN, .revents = 0};
  assert(poll(&one, 1, 1000) == 1);
  thread.join();
}

RAVEL_TEST(looks_once) {
  assert(pipe(ends) == 0);
  std::thread thread([] { write_to(ends[1]); });
  pollfd one{.fd = ends[0], .events = POLLIN, .revents = 0};
  assert(poll(&one, 1, 0) == 0);
  thread.join();
}

RAVEL_TEST(edge_triggered) {
  const int bell = eventfd(0, EFD_NONBLOCK);
  const int set = add_to_set(bell, EPOLLIN | EPOLLET);
  std::thread first([bell] { eventfd_write(bell, 1); });
  epoll_event event;
  assert(epoll_wait(set, &event, 1, -1) == 1);
  assert(epoll_wait(set, &event, 1, 0) == 0);
  std::thread second([bell] { eventfd_write(bell, 1); });
  assert(epoll_wait(set, &event, 1, -1) == 1);
  first.join();
  second.join();
}

// The two ends of a connection have nothing in common that their numbers tell.
RAVEL_TEST(connection) {
  static int message = 0;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  address.sun_path[1] = 'a' + static_cast<char>(getpid() % 26);  // in no folder
  const socklen_t length = offsetof(sockaddr_un, sun_path) + 2;
  const int server = socket(AF_UNIX, SOCK_STREAM, 0);
  assert(bind(server, reinterpret_cast<sockaddr*>(&address), length) == 0 && listen(server, 1) == 0);
  std::thread thread([&] {
    const int client = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(client, reinterpret_cast<sockaddr*>(&address), length) == 0);
    message = 1;
    write_to(client);
  });
  const int accepted = accept(server, nullptr, nullptr);
  char byte;
  assert(read(accepted, &byte, 1) == 1 && message == 1);
  thread.join();
}
