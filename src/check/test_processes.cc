#include "check/test_processes.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <utility>

#include "base/check.h"
#include "host/interrupt.h"
#include "host/messages.h"

namespace ravel {

namespace {

constexpr int kMillisecondsBetweenLooks = 100;

constexpr int kParentIsGone = 3;

sigset_t interrupting_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

// As long as it lives, interrupts wait: a copy is to have its own handlers before one comes.
class InterruptsWait {
 public:
  InterruptsWait() {
    const sigset_t interrupts = interrupting_signals();
    sigprocmask(SIG_BLOCK, &interrupts, &before_);
  }
  ~InterruptsWait() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  InterruptsWait(const InterruptsWait&) = delete;
  InterruptsWait& operator=(const InterruptsWait&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

TestProcesses::TestProcesses(const std::vector<std::size_t>& tests, std::uint32_t jobs,
                             const std::atomic<bool>& interrupt, ColourWish colour, Work work)
    : jobs_(jobs),
      interrupt_(interrupt),
      colour_(colour),
      work_(std::move(work)),
      count_(tests.size()),
      waiting_(tests.begin(), tests.end()),
      granted_(jobs),
      start_(clock_.seconds()),
      progress_(stderr) {}

Status TestProcesses::run() {
  while (!is_over_) {
    if (Status begun = begin_tests(); !begun) return begun;
    if (running_.empty()) break;
    grant_processes();
    wait();
    if (interrupt_ && !is_told_to_end_) end_searches();
    draw();
  }
  if (!is_over_) give_up_rest();
  progress_.erase();
  return Success{};
}

// ---- Beginning -------------------------------------------------------------------------------------------

// Of a test that runs no other one has.
std::size_t TestProcesses::free_place() const {
  std::size_t place = 0;
  while (std::ranges::find(running_, place, &Running::place) != running_.end()) ++place;
  return place;
}

// When no test waits any more, those that run share all processes. What was granted once stays.
void TestProcesses::grant_processes() {
  if (!waiting_.empty() || again_) return;
  const auto searches = static_cast<std::uint32_t>(running_.size());
  std::uint32_t left_over = jobs_ % searches;
  for (const Running& one : running_) {
    const std::uint32_t share = jobs_ / searches + (left_over > 0 ? 1 : 0);
    if (left_over > 0) --left_over;
    if (granted_[one.place] < share) granted_[one.place] = share;
  }
}

// Fewer tests than processes share these.
TestShare TestProcesses::share_of_next() const {
  const std::size_t left = running_.size() + waiting_.size();
  const auto searches = static_cast<std::uint32_t>(std::min<std::size_t>(jobs_, left));
  return {.jobs = std::max(1U, jobs_ / searches), .searches = searches};
}

Status TestProcesses::begin_tests() {
  while (!interrupt_ && !waiting_.empty() && running_.size() < jobs_) {
    const auto begun = begin(waiting_.front(), share_of_next());
    if (!begun && running_.empty()) return begun.error();
    if (!begun || !*begun) return Success{};
    waiting_.pop_front();
  }
  if (interrupt_ || !running_.empty()) return Success{};
  if (!lonely_.empty()) {
    const auto begun = begin(lonely_.front(), {.jobs = jobs_});
    if (!begun) return begun.error();
    if (*begun) lonely_.pop_front();
  } else if (!lost_.empty()) {
    const auto begun = begin(lost_.front().test, {});
    if (!begun) return begun.error();
    if (!*begun) return Success{};
    again_ = lost_.front().test;
    lost_.pop_front();
  }
  return Success{};
}

// False: an interrupt came before.
Result<bool> TestProcesses::begin(std::size_t test, const TestShare& share) {
  auto output = CapturedOutput::open();
  if (!output) return output.error();
  progress_.erase();
  std::fflush(nullptr);
  const InterruptsWait interrupts_wait;
  if (interrupt_) return false;
  auto forked = fork_process();
  if (!forked) return forked.error();
  const std::size_t place = free_place();
  granted_[place] = share.jobs;
  if (forked->parent) {
    for (const Running& other : running_) close(other.child.channel().descriptor());
    output->take_over();
    TestShare own = share;
    own.processes = {.most = jobs_, .granted = &granted_[place]};
    work(test, own, *forked->parent);
  }
  running_.push_back(
      {.test = test, .place = place, .child = std::move(*forked->child), .output = std::move(*output)});
  return true;
}

// In the copy. What is thrown must not leave it, and may be thrown in a copy of the copy.
void TestProcesses::work(std::size_t test, const TestShare& share, const Channel& parent) const {
  const pid_t self = getpid();
  catch_interrupts_as_copy();
  const sigset_t interrupts = interrupting_signals();
  sigprocmask(SIG_UNBLOCK, &interrupts, nullptr);
  TestMessage end;
  end.kind = TestMessage::Kind::kFailed;
  try {
    auto outcome = work_.search(test, share, [&](const SavedTest& now) {
      TestMessage kept;
      kept.kept = now;
      if (!parent.send(print_message(kept))) _exit(kParentIsGone);
    });
    if (outcome && outcome->needs_machine) {
      end.kind = TestMessage::Kind::kNeedsMachine;
    } else if (outcome) {
      end.kind = TestMessage::Kind::kEnded;
      end.outcome = std::move(*outcome);
    } else {
      end.error = outcome.error().message;
    }
  } catch (const std::exception& problem) {
    end.error = std::string("cannot go on: ") + problem.what();
  }
  std::fflush(nullptr);
  if (getpid() != self) _exit(1);
  _exit(parent.send(print_message(end)) ? 0 : kParentIsGone);
}

// ---- Hearing ---------------------------------------------------------------------------------------------

void TestProcesses::wait() {
  std::vector<pollfd> descriptors;
  std::vector<Place> places;
  for (Place one = running_.begin(); one != running_.end(); ++one) {
    descriptors.push_back({.fd = one->child.channel().descriptor(), .events = POLLIN, .revents = 0});
    places.push_back(one);
  }
  if (poll(descriptors.data(), descriptors.size(), kMillisecondsBetweenLooks) <= 0) return;
  for (std::size_t i = 0; i < descriptors.size() && !is_over_; ++i)
    if (descriptors[i].revents != 0) receive(places[i]);
}

void TestProcesses::receive(Place running) {
  const auto text = running->child.channel().receive();
  if (!text) return lose(running);
  auto message = parse_message(*text);
  CHECK_MESSAGE(message, "the process of a test does not tell what it should");
  if (message->kind == TestMessage::Kind::kKept) {
    running->is_kept = true;
    return work_.kept(running->test, std::move(message->kept));
  }
  if (message->kind == TestMessage::Kind::kNeedsMachine) return put_off(running);
  EndedTest ended;
  ended.outcome = std::move(message->outcome);
  if (message->kind == TestMessage::Kind::kFailed) ended.error = Error{std::move(message->error)};
  running->child.end();
  end(running, std::move(ended));
}

void TestProcesses::end(Place running, EndedTest ended) {
  ended.output = running->output.output();
  ended.errors = running->output.errors();
  const std::size_t test = running->test;
  running_.erase(running);
  ++ended_;
  progress_.erase();
  is_over_ = !work_.ended(test, std::move(ended));
}

// What its process has written is of a search that will begin anew.
void TestProcesses::put_off(Place running) {
  running->child.end();
  lonely_.push_back(running->test);
  running_.erase(running);
}

void TestProcesses::lose(Place running) {
  const std::size_t test = running->test;
  const std::string how = running->child.end();
  if (again_ == test) {
    EndedTest ended;
    ended.outcome = work_.give_up(test, how + ", after a second try");
    return end(running, std::move(ended));
  }
  progress_.erase();
  std::fputs(running->output.errors().c_str(), stderr);
  remark(fmt::format("{}: the process of its search came to an end ({}); it is searched once more, alone, "
                     "after the others{}",
                     work_.name(test), how, running->is_kept ? ", from where it was kept last" : ""),
         colour_);
  running_.erase(running);
  lost_.push_back({.test = test, .how = how});
}

// ---- An interrupt ----------------------------------------------------------------------------------------

// Lets each test tell what it has.
void TestProcesses::end_searches() {
  is_told_to_end_ = true;
  for (const Running& one : running_) kill(one.child.pid(), SIGTERM);
}

// Tests that were to be searched after the others, before an interrupt.
void TestProcesses::give_up_rest() {
  for (const std::size_t test : lonely_)
    lost_.push_back({.test = test, .how = "an interrupt while it waited for the others"});
  for (const Lost& lost : lost_) {
    EndedTest ended;
    ended.outcome = work_.give_up(lost.test, lost.how);
    if (!work_.ended(lost.test, std::move(ended))) return;
  }
}

void TestProcesses::draw() {
  std::string text = fmt::format("{} of {} tests", ended_, count_);
  if (!running_.empty()) text += ", now " + work_.name(running_.front().test);
  if (running_.size() > 1) text += fmt::format(" and {} more", running_.size() - 1);
  progress_.on_text(text, clock_.seconds() - start_);
}

}  // namespace ravel
