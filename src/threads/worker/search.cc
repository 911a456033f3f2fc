#include "threads/worker/search.h"

#include <fcntl.h>
#include <sys/poll.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <string_view>

#include "base/check.h"
#include "engine/explorer_loop.h"
#include "parts/part_messages.h"
#include "threads/protocol/system_call.h"
#include "threads/runtime/heap.h"
#include "threads/runtime/layout.h"
#include "threads/runtime/weak_orders.h"
#include "threads/search/adaptive_search.h"
#include "threads/search/run_one_part.h"
#include "threads/worker/copies.h"
#include "threads/worker/numbered_threads.h"
#include "threads/worker/output.h"

namespace ravel::threads {

namespace {

// The command hears of progress so often.
constexpr double kSecondsPerReport = 0.1;

// What this process holds, by system calls alone: 0 if the system does not tell.
std::uint64_t resident_bytes(std::uint64_t /*limit*/) {
  const long file =
      system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/statm"), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 64> text;
  const long length = system_call(SYS_read, file, reinterpret_cast<long>(text.data()), text.size());
  system_call(SYS_close, file);
  // Two numbers of pages: of the address space, and resident.
  const std::string_view numbers(text.data(), static_cast<std::size_t>(std::max(length, 0L)));
  const std::size_t space = numbers.find(' ');
  std::uint64_t pages = 0;
  if (space != std::string_view::npos)
    std::from_chars(numbers.data() + space + 1, numbers.data() + numbers.size(), pages);
  return pages * kPageSize;
}

// An explorer whose loop has the steps of threads inlined.
class ThreadsExplorer final : public Explorer {
 public:
  ThreadsExplorer(ThreadsSystem& system, Strategy& strategy, const Limits& limits, Clock& clock,
                  const Surroundings& surroundings)
      : Explorer(system, strategy, limits, clock, surroundings), system_(system) {}

 private:
  Ending execute() override { return execute_on(system_); }

  ThreadsSystem& system_;
};

class StatesOfOwnProgram final : public StatesOfProgram {
 public:
  StatesOfOwnProgram(ThreadsSystem& system, const StateStorage& storage, StateTraits known)
      : states_(system, storage, known) {}

  System& system() override { return states_; }
  std::uint64_t replayed() const override { return states_.replayed(); }
  StateTraits traits() const override { return states_.traits(); }
  bool has_to_begin_anew() const override { return states_.has_to_begin_anew(); }
  std::size_t knowledge() const override { return states_.knowledge(); }
  void come_back() override { states_.come_back(); }

 private:
  NumberedThreads states_;
};

// The program of this process.
class OwnProgram final : public SearchedProgram {
 public:
  explicit OwnProgram(ThreadsSystem& system) : system_(system) {}

  System& system() override { return system_; }
  const Configuration& configuration() const override { return scheduler().configuration(); }
  void configure(const Configuration& configuration) override { scheduler().configure(configuration); }
  bool has_new_racy_words() const override { return scheduler().discoveries().has_new_racy_words(); }
  std::vector<std::uint64_t> take_new_racy_words() override {
    return scheduler().discoveries().take_new_racy_words();
  }
  bool needs_fairness() const override { return scheduler().needs_fairness(); }
  LoopUses loop_uses() const override { return scheduler().loops().uses(); }
  void know(const LoopUses& loops) override { scheduler().loops().add_uses(loops); }
  Findings findings() override {
    return {.races = scheduler().discoveries().races(),
            .left_behind = scheduler().discoveries().left_behind(),
            .weak_orders = scheduler().discoveries().weak_orders(),
            .timed_waits = scheduler().discoveries().timed_waits(),
            .has_progress = scheduler().discoveries().has_progress(),
            .has_weak_orders = has_weak_orders};
  }
  std::optional<Extent> pending_access(ActorId actor) const override {
    return threads::pending_access(actor);
  }
  std::uint64_t (*held_memory() const)(std::uint64_t) override { return resident_bytes; }
  RawBug raw_bug() const override { return scheduler().ending().bug(); }
  RawRefusal raw_refusal() const override {
    return {.message = scheduler().ending().refusal(), .stack = scheduler().ending().bug().stack};
  }
  BlockWord block_word(std::uint64_t object) const override {
    const BlockNames& names = scheduler().memory().blocks();
    const auto place = names.find(object);
    return place ? BlockWord{.block = &names.blocks()[place->block - 1], .offset = place->offset}
                 : BlockWord{};
  }
  std::optional<std::uint64_t> block_at(std::uint64_t object) const override {
    if (!heap().owns(reinterpret_cast<const void*>(object))) return std::nullopt;
    const std::optional<HeapPlace> place = heap().place_of(object);
    return place ? std::optional(object - place->offset) : std::nullopt;
  }
  std::unique_ptr<Explorer> make_explorer(Strategy& strategy, const Limits& limits, Clock& clock,
                                          const Surroundings& surroundings) override {
    return std::make_unique<ThreadsExplorer>(system_, strategy, limits, clock, surroundings);
  }
  std::unique_ptr<StatesOfProgram> number_states(const StateStorage& storage, StateTraits known) override {
    return std::make_unique<StatesOfOwnProgram>(system_, storage, known);
  }
  ProgramCopies* copies() override { return &copies_; }

 private:
  ThreadsSystem& system_;
  CopiesOfProcess copies_;
};

// Whatever the command says ends the search, except that more processes may search.
bool is_told_to_end(int socket, std::atomic<std::uint32_t>& granted) {
  while (first_byte_of_next_frame(socket) == static_cast<std::uint8_t>(Command::kGrant)) {
    const std::optional<std::string> frame = receive_frame(socket);
    if (!frame) return true;
    Reader in(*frame);
    in.get<Command>();
    granted = in.get<std::uint32_t>();
  }
  pollfd input{.fd = socket, .events = POLLIN, .revents = 0};
  return system_call(SYS_poll, reinterpret_cast<long>(&input), 1, 0) > 0;
}

// Tells the command of progress, and hears from it. `granted` must outlive the watcher.
Watch watch_by(int socket, std::atomic<std::uint32_t>& granted) {
  Watch watch;
  watch.granted = &granted;
  watch.on_progress = [socket, &granted, clock = SteadyClock(),
                       last_report = 0.0](const Counts& counts) mutable {
    const double now = clock.seconds();
    if (now - last_report < kSecondsPerReport) return true;
    last_report = now;
    drop_long_output();
    Writer message;
    message << MessageKind::kProgress << counts;
    if (!send_frame(socket, message.bytes())) return false;
    return !is_told_to_end(socket, granted);
  };
  return watch;
}

// As long as nobody looks at what is printed, so that an execution may begin anew in its middle.
class UnwatchedOutput {
 public:
  UnwatchedOutput() { scheduler().loops().heads().set_learning(true); }
  UnwatchedOutput(const UnwatchedOutput&) = delete;
  UnwatchedOutput& operator=(const UnwatchedOutput&) = delete;
  ~UnwatchedOutput() { scheduler().loops().heads().set_learning(false); }
};

}  // namespace

std::optional<Extent> pending_access(ActorId actor) {
  const Thread* const thread = scheduler().threads().of(actor);
  if (thread == nullptr || thread->state != ThreadState::kWaiting) return std::nullopt;
  const Operation& operation = thread->pending;
  switch (operation.kind) {
    case OperationKind::kRead:
    case OperationKind::kWrite:
    case OperationKind::kLibraryRead:
    case OperationKind::kLibraryWrite: return Extent{.low = operation.address, .size = operation.size};
    default: return std::nullopt;
  }
}

SearchEnd search(ThreadsSystem& system, const SearchOrder& order, const SearchJobs& jobs, int socket) {
  OwnProgram program(system);
  std::atomic<std::uint32_t> granted = jobs.jobs;
  Watch watch = watch_by(socket, granted);
  // That nobody listens any more is noticed at the next report.
  watch.keep = [&](Searched kept) {
    kept.actors = scheduler().actors().all();
    Writer message;
    message << MessageKind::kKept << kept;
    send_frame(socket, message.bytes());
  };
  const UnwatchedOutput unwatched;
  return search(program, order, jobs, watch);
}

PartRan run_part(ThreadsSystem& system, const SearchOrder& order, const std::string& part, int socket) {
  OwnProgram program(system);
  std::atomic<std::uint32_t> granted = 1;
  const UnwatchedOutput unwatched;
  const PartRun run = run_one_part(program, order, *parse_part(part), watch_by(socket, granted));
  return {.makes_sense = run.makes_sense, .slice = run.slice ? print_slice(*run.slice) : ""};
}

std::string learn(const std::vector<std::string>& news) {
  CopiesOfProcess process;
  process.begin_alone();
  for (const std::string& one : news)
    CHECK_MESSAGE(process.learn(one), "what a part has shown makes no sense");
  return process.news();
}

}  // namespace ravel::threads
