// Whatever system calls write to besides bytes that are read (addresses, lengths, descriptions, old values) may lie in memory
// that was not written before in the execution.
// expect: pass --strategy random --budget 20x
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cassert>
#include <thread>

extern "C" {
ssize_t __pread_chk(int file, void* bytes, size_t size, off_t offset, size_t room);
ssize_t __recvfrom_chk(int file, void* bytes, size_t size, size_t room, int flags, sockaddr* from, socklen_t* length);
ssize_t __readlink_chk(const char* path, char* text, size_t size, size_t room);
char* __getcwd_chk(char* text, size_t size, size_t room);
size_t __fread_unlocked_chk(void* bytes, size_t room, size_t size, size_t count, FILE* stream);
}

constexpr size_t kPage = 4096;
alignas(kPage) static char pages[200][kPage];
static size_t used = 0;

// Memory that nothing has written to, and that lies on two pages.
template <class Value>
Value& fresh(const Value& value = {}) {
  assert(used + 2 <= 200);
  char* const place = pages[used + 1] - (sizeof(Value) > 8 ? 8 : 0);
  used += 2 + sizeof(Value) / kPage;
  auto* const made = reinterpret_cast<Value*>(place);
  // What is zero already stays as it is.
  const char* const bytes = reinterpret_cast<const char*>(&value);
  for (size_t i = 0; i < sizeof(Value); ++i)
    if (bytes[i] != place[i]) place[i] = bytes[i];
  return *made;
}
struct Bytes {
  char of[5000];
};
// Room for an address, which is there from the start.
struct Length {
  alignas(kPage) socklen_t value = sizeof(sockaddr_storage);
};
static Length lengths[20];
static size_t lengths_used = 0;
socklen_t* length() { return &lengths[lengths_used++].value; }
sockaddr* address() { return reinterpret_cast<sockaddr*>(&fresh<sockaddr_storage>()); }

// Opened and used before the execution began.
struct Early {
  FILE* stream = fopen("/proc/self/exe", "r");
  DIR* folder = opendir("/proc/self");
  int file = open("/proc/self/exe", O_RDONLY);
  Early() { assert(lseek(file, 10, SEEK_SET) == 10 && getc(stream) == 0x7f && readdir(folder) != nullptr); }
};
static Early early;

static sockaddr_in local(int file) {
  sockaddr_in here{};
  socklen_t size = sizeof here;
  assert(getsockname(file, reinterpret_cast<sockaddr*>(&here), &size) == 0);
  return here;
}

static void test_sockets() {
  sockaddr_in any{};
  any.sin_family = AF_INET;
  any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
  assert(bind(server, reinterpret_cast<sockaddr*>(&any), sizeof any) == 0 && listen(server, 5) == 0);
  assert(getsockname(server, address(), length()) == 0);
  const sockaddr_in where = local(server);
  assert(connect(client, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0);
  socklen_t* const size = length();
  sockaddr* const from = address();
  const int accepted = accept(server, from, size);
  assert(accepted >= 0 && *size == sizeof any && from->sa_family == AF_INET);
  assert(getpeername(accepted, address(), length()) == 0);
  assert(getsockopt(accepted, SOL_SOCKET, SO_RCVBUF, &fresh<int>(), length()) == 0);
  const int other = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(other, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0);
  assert(accept4(server, address(), length(), SOCK_CLOEXEC) >= 0);

  const int receiver = socket(AF_INET, SOCK_DGRAM, 0), sender = socket(AF_INET, SOCK_DGRAM, 0);
  assert(bind(receiver, reinterpret_cast<sockaddr*>(&any), sizeof any) == 0);
  const sockaddr_in to = local(receiver);
  assert(connect(sender, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
  char byte = 0;
  const auto send_one = [&] { assert(send(sender, "x", 1, 0) == 1); };
  send_one();
  assert(recvfrom(receiver, &byte, 1, 0, address(), length()) == 1);
  send_one();
  assert(__recvfrom_chk(receiver, fresh<Bytes>().of, 5000, 5000, 0, address(), length()) == 1);
  send_one();
  iovec part{.iov_base = fresh<Bytes>().of, .iov_len = 5000};
  msghdr& message = fresh<msghdr>();
  message.msg_name = address(), message.msg_namelen = sizeof(sockaddr_storage);
  message.msg_iov = &part, message.msg_iovlen = 1;
  assert(recvmsg(receiver, &message, 0) == 1 && message.msg_namelen == sizeof any);
  send_one();
  mmsghdr& several = fresh<mmsghdr>();
  several.msg_hdr.msg_iov = &fresh<iovec>(part), several.msg_hdr.msg_iovlen = 1;
  assert(recvmmsg(receiver, &several, 1, 0, nullptr) == 1 && several.msg_len == 1);
  mmsghdr& sent = fresh<mmsghdr>();
  iovec said{.iov_base = &byte, .iov_len = 1};
  sent.msg_hdr.msg_iov = &said, sent.msg_hdr.msg_iovlen = 1;
  assert(sendmmsg(sender, &sent, 1, 0) == 1 && sent.msg_len == 1);

  int ends[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  union {
    cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
  } handed{};
  handed.header = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  memcpy(CMSG_DATA(&handed.header), &server, sizeof server);
  msghdr handing{};
  handing.msg_iov = &said, handing.msg_iovlen = 1;
  handing.msg_control = &handed, handing.msg_controllen = sizeof handed;
  assert(sendmsg(ends[0], &handing, 0) == 1);
  msghdr& handed_on = fresh<msghdr>();
  handed_on.msg_iov = &said, handed_on.msg_iovlen = 1;
  handed_on.msg_control = fresh<Bytes>().of, handed_on.msg_controllen = sizeof handed;
  assert(recvmsg(ends[1], &handed_on, 0) == 1 && handed_on.msg_controllen > 0 && (handed_on.msg_flags & MSG_CTRUNC) == 0);
  assert(ioctl(ends[1], FIONREAD, &fresh<int>()) == 0);
}

static void test_files() {
  const int file = open("/proc/self/exe", O_RDONLY);
  iovec part{.iov_base = fresh<Bytes>().of, .iov_len = 5000};
  assert(preadv(file, &part, 1, 0) == 5000);
  part.iov_base = fresh<Bytes>().of;
  assert(preadv2(file, &part, 1, 0, 0) == 5000);
  assert(__pread_chk(file, fresh<Bytes>().of, 5000, 0, 5000) == 5000);
  assert(statx(AT_FDCWD, "/", 0, STATX_ALL, &fresh<struct statx>()) == 0);
  assert(statfs("/", &fresh<struct statfs>()) == 0 && fstatfs(file, &fresh<struct statfs>()) == 0);
  assert(readlinkat(AT_FDCWD, "/proc/self/exe", fresh<Bytes>().of, 5000) > 0);
  assert(__readlink_chk("/proc/self/exe", fresh<Bytes>().of, 5000, 5000) > 0);
  assert(getcwd(fresh<Bytes>().of, 5000) != nullptr && __getcwd_chk(fresh<Bytes>().of, 5000, 5000) != nullptr);
  struct flock& lock = fresh<struct flock>();
  assert(fcntl(file, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK);
  assert(listxattr("/", fresh<Bytes>().of, 5000) >= 0 && flistxattr(file, fresh<Bytes>().of, 5000) >= 0);
  const int folder = open("/proc/self", O_RDONLY | O_DIRECTORY);
  assert(getdents64(folder, fresh<Bytes>().of, 5000) > 0);
  const int to = memfd_create("to", 0);
  assert(sendfile(to, file, &fresh<off_t>(), 100) == 100);
  assert(copy_file_range(to, &fresh<off_t>(), to, &fresh<off_t>(off_t{200}), 50, 0) == 50);
  int ends[2];
  assert(pipe(ends) == 0 && splice(to, &fresh<off_t>(), ends[1], nullptr, 10, 0) == 10);

  // Each execution finds a file of the start where it stood.
  assert(read(early.file, fresh<Bytes>().of, 100) == 100 && lseek(early.file, 0, SEEK_CUR) == 110);
  // A stream reads into its buffer, wherever that is.
  for (int i = 0; i < 10000; ++i) assert(getc(early.stream) != EOF);
  assert(fseek(early.stream, 100, SEEK_SET) == 0 && getc(early.stream) != EOF);
  int names = 0;
  rewinddir(early.folder);
  while (readdir(early.folder) != nullptr) ++names;
  assert(names > 20);
  FILE* const stream = fopen("/proc/self/exe", "r");
  assert(setvbuf(stream, fresh<Bytes>().of, _IOFBF, 5000) == 0 && getc(stream) == 0x7f);
  assert(__fread_unlocked_chk(fresh<Bytes>().of, 5000, 1, 5000, stream) == 5000);
}

static void test_descriptions() {
  assert(uname(&fresh<utsname>()) == 0 && sysinfo(&fresh<struct sysinfo>()) == 0);
  assert(getrusage(RUSAGE_SELF, &fresh<rusage>()) == 0 && times(&fresh<tms>()) != -1);
  assert(getrlimit(RLIMIT_NOFILE, &fresh<rlimit>()) == 0 && prlimit(0, RLIMIT_NOFILE, nullptr, &fresh<rlimit>()) == 0);
  assert(sched_getaffinity(0, sizeof(cpu_set_t), &fresh<cpu_set_t>()) == 0);
  assert(pthread_getaffinity_np(pthread_self(), sizeof(cpu_set_t), &fresh<cpu_set_t>()) == 0);
  assert(sched_getparam(0, &fresh<sched_param>()) == 0 && sched_rr_get_interval(0, &fresh<timespec>()) == 0);
  assert(getgroups(1000, reinterpret_cast<gid_t*>(fresh<Bytes>().of)) >= 0);
  assert(getresuid(&fresh<uid_t>(), &fresh<uid_t>(), &fresh<uid_t>()) == 0);
  assert(getresgid(&fresh<gid_t>(), &fresh<gid_t>(), &fresh<gid_t>()) == 0);
  assert(clock_getres(CLOCK_PROCESS_CPUTIME_ID, &fresh<timespec>()) == 0);
  assert(getitimer(ITIMER_PROF, &fresh<itimerval>()) == 0);
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const itimerspec never{};
  assert(timerfd_settime(timer, 0, &never, &fresh<itimerspec>()) == 0 && timerfd_gettime(timer, &fresh<itimerspec>()) == 0);
  assert(prctl(PR_GET_NAME, fresh<Bytes>().of) == 0);
  assert(pthread_getname_np(pthread_self(), fresh<Bytes>().of, 16) == 0);
  unsigned char* const held = reinterpret_cast<unsigned char*>(fresh<Bytes>().of);
  assert(mincore(pages, kPage, held) == 0);
  // The call of calls.
  assert(syscall(SYS_uname, &fresh<utsname>()) == 0);
  const int file = open("/proc/self/exe", O_RDONLY);
  assert(syscall(SYS_read, file, fresh<Bytes>().of, 5000) == 5000);
  const int set = epoll_create1(0);
  epoll_event wanted{.events = EPOLLIN, .data = {}};
  int ends[2];
  assert(pipe(ends) == 0 && write(ends[1], "x", 1) == 1 && epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &wanted) == 0);
  assert(epoll_pwait2(set, &fresh<epoll_event>(), 1, nullptr, nullptr) == 1);
}

int main() {
  std::thread thread([] {});
  thread.join();
  test_sockets();
  test_files();
  test_descriptions();
}
