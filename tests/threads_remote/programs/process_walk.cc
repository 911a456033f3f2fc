// A program that changes all that a process has besides its memory, and what its libraries keep for themselves, and prints what it finds of
// each before it does: what is left over from an earlier execution would show. It fails in some schedules, before it has put anything back.
#include <fcntl.h>
#include <fenv.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <locale>
#include <new>
#include <random>
#include <sstream>
#include <string>
#include <thread>

static std::atomic<int> turns{0};
static thread_local int own_errno_seen = 0;
static std::mt19937 generator(1);
static pthread_key_t key_of_start = [] {
  pthread_key_t key;
  pthread_key_create(&key, nullptr);
  return key;
}();

struct Dotted : std::numpunct<char> {
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

struct OnceOnly {
  explicit OnceOnly(int number) : number(number) { std::printf("a static variable is made by %d\n", number); }
  ~OnceOnly() { std::printf("and destroyed\n"); }
  int number;
};

static void at_exit() { std::printf("at exit, %d\n", turns.load()); }
static void handler(int number) { std::printf("signal %d\n", number); }

// What the C library keeps for itself.
static void show_library(int number) {
  static const char separators[] = ",";
  char words[] = "one,two,three";
  const char* const word = number == 0 ? std::strtok(words, separators) : "-";
  const char* const environment = std::getenv("PROCESS_WALK");
  std::printf("%d: %s %ld %ld %f %s %s optind %d umask %o\n", number, word, random(), lrand48() % 1000, drand48(),
              std::setlocale(LC_ALL, nullptr), environment == nullptr ? "-" : environment, optind, umask(0));
  setenv("PROCESS_WALK", std::to_string(number + 1).c_str(), 1);
  std::setlocale(LC_ALL, number == 1 ? "C.UTF-8" : "POSIX");
  optind = 5 + number;
  umask(static_cast<mode_t>(020 + number));
}

// What C++ libraries keep for themselves.
static void show_streams(int number) {
  static const OnceOnly once(number);
  std::random_device device;
  std::cout << 255 << ' ' << 1234567 << ' ' << 0.1 + number << ' ' << std::cout.iword(0) << ' ' << generator() % 1000 << ' '
            << device() % 1000 << ' ' << std::uncaught_exceptions() << ' ' << (std::get_terminate() == nullptr) << ' '
            << (std::get_new_handler() == nullptr) << ' ' << once.number << std::endl;
  std::cout << std::hex << std::setprecision(3) << std::fixed;
  std::cout.iword(0) = 7 + number;
  std::set_new_handler([] {});
  std::locale::global(std::locale(std::locale(), new Dotted));
  std::cout.imbue(std::locale());
  std::ostringstream text;
  text << 7654321;
  std::cout << text.str() << std::endl;
}

// What the kernel keeps.
static void show_process(int number) {
  struct sigaction before {}, action{};
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, &before);
  sigset_t mask;
  sigaddset((sigemptyset(&mask), &mask), SIGTERM);
  sigset_t old;
  pthread_sigmask(SIG_BLOCK, &mask, &old);
  const int file = open("/dev/zero", O_RDONLY);
  void* const mapped = mmap(nullptr, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char folder[200];
  std::printf("%d: handler %d, blocked %d, file %d, at %p, rounds %d, in %zu, position %ld\n", number, before.sa_handler == handler,
              sigismember(&old, SIGTERM), file, mapped, fegetround(), getcwd(folder, sizeof folder) == nullptr ? 0 : std::strlen(folder),
              static_cast<long>(lseek(0, 0, SEEK_CUR)));
  std::memset(mapped, 1, 10000);
  fesetround(FE_UPWARD);
  if (number == 2 && chdir("/") != 0) std::abort();
  raise(SIGUSR1);
  if (number == 1) close(0);
}

static void work(int number) {
  volatile char unused[300];
  std::printf("%d: errno %d, own %d, key %p, stack %d\n", number, errno, own_errno_seen, pthread_getspecific(key_of_start), unused[299 - number]);
  pthread_setspecific(key_of_start, &turns);
  own_errno_seen = errno = 10 + number;
  const int turn = turns++;
  if (turn == number) {
    show_library(number);
    show_streams(number);
  } else {
    show_process(number);
  }
  pthread_key_t key;
  pthread_key_create(&key, nullptr);
  std::printf("%d: key %u, %s %g\n", number, key, std::strerror(1000 + number), std::nearbyint(0.5));
}

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 512);
  if (turns == 0) std::atexit(at_exit);
  std::time_t now = 0;
  std::printf("%s", std::asctime(std::gmtime(&now)));
  std::thread threads[3];
  for (int i = 0; i < 3; ++i) threads[i] = std::thread(work, i);
  const int early = turns;
  for (std::thread& thread : threads) thread.join();
  try {
    if (early == 1) throw early;
  } catch (int) {
    std::printf("caught while %d are uncaught\n", std::uncaught_exceptions());
    assert(early != 1);
  }
  if (early == 3) std::terminate();
}
