// The state at which every test of a command starts, Erlang/OTP's system at rest, and the way back to it.
//
// A state that was saved is not enough: code, names and the store only grow while a test runs, and a program
// can ask for some of that (which atoms exist, which modules are loaded). All of these tables grow at their
// end, so going back cuts them to what they were, puts back the few entries that change in place, and frees
// the stored terms of the test.
//
// An application that starts before the tests may leave timers, and processes that wait for a time: they go
// on from there in every execution.
//
// Cost: proportional to what is kept, a few milliseconds; starting the system again would load some fifty
// modules.
#include <algorithm>

#include "base/check.h"
#include "erlang/machine/machine.h"
#include "erlang/term/print.h"

namespace ravel::erlang {

namespace {

// What is stored at that point, while nothing else is.
class RootsAtStart final : public Roots {
 public:
  explicit RootsAtStart(std::initializer_list<std::vector<Term>*> own) : own_(own) {}
  void for_each(Visit visit, void* collector) override {
    for (std::vector<Term>* terms : own_) visit(collector, terms->data(), terms->size());
  }

 private:
  std::vector<std::vector<Term>*> own_;
};

}  // namespace

bool Machine::can_start_with(const MachineOptions& other) const {
  const MachineOptions &a = options_, &b = other;
  if (starts_with_deadlines_ && (a.time != b.time || a.after_infinite_ms != b.after_infinite_ms))
    return false;
  return a.clocks == b.clocks && a.observes == b.observes && a.fires_early == b.fires_early &&
         (a.time == b.time || a.clocks == Clocks::kFrozen) && a.atomic_modules == b.atomic_modules &&
         a.stubs == b.stubs && a.environment == b.environment && a.marks_execution == b.marks_execution &&
         a.nursery_words == b.nursery_words && a.store_words == b.store_words &&
         a.store_hashes == b.store_hashes;
}

// An application may wait for time to pass while it starts: what is due first happens.
bool Machine::pass_time_at_start() {
  const auto due = [](const auto& one) { return one.due_ms; };
  Process* waiting = nullptr;
  for (Process* process : processes.all())
    if (process->rest == Rest::kTimeout && (waiting == nullptr || due(*process) < due(*waiting)))
      waiting = process;
  const std::span<const Timer> timers = time.timers();
  const auto timer = std::ranges::min_element(
      timers, {}, [&](const Timer& one) { return std::pair(one.never_fires, due(one)); });
  const bool has_timer = timer != timers.end() && !timer->never_fires;
  if (has_timer && (waiting == nullptr || due(*timer) <= due(*waiting))) {
    fire(static_cast<std::size_t>(timer - timers.begin()));
  } else if (waiting != nullptr) {
    step(*waiting);
  }
  return has_timer || waiting != nullptr;
}

Status Machine::start_system(Term module, Term function) {
  CHECK(processes.all().empty());
  const std::string kDoesNotStart = "the system does not start before the test: ";
  is_starting_system_ = is_starting_otp_ = true;
  code.use_stubs(false);
  has_started_ = false;
  start_root(names.system_pid(), module, function, {});
  const auto can_go_on = [](const Process* process) {
    return process->rest != Rest::kWaiting &&
           (process->rest != Rest::kTimeout || process->timeout == Term::small(0));
  };
  while (!faults.has_one()) {
    const auto next = std::ranges::find_if(processes.all(), can_go_on);
    if (next == processes.all().end()) {
      if (has_started_) break;
      if (!pass_time_at_start()) return Error{kDoesNotStart + "it waits for ever."};
      continue;
    }
    Process& process = **next;
    if (process.rest == Rest::kEnding && process.pid == names.system_pid())
      return Error{kDoesNotStart + print_term(names, process.exit_reason)};
    step(process);
  }
  is_starting_system_ = false;
  if (faults.current().kind == MachineFault::Kind::kHalted)
    return Error{kDoesNotStart + "the program halts."};
  if (faults.has_one()) return Error{kDoesNotStart + faults.current().message};
  const auto waits_for_time = [](const Process* process) { return process->rest == Rest::kTimeout; };
  starts_with_deadlines_ = !time.timers().empty() || std::ranges::any_of(processes.all(), waits_for_time);
  for (Process* process : processes.all()) {
    process->touch();
    process->has_noticed_block = true;
  }
  names.atoms.keep_run_time_atoms();
  freezer.note_shared_change();
  std::vector<Term> words;
  freezer.save(words);
  freezer.note_system(words);
  note_starting_point(std::move(words));
  return Success{};
}

void Machine::note_starting_point(std::vector<Term> words) {
  starting_point_ = {.words = std::move(words),
                     .names = names.mark(),
                     .code = code.mark(),
                     .atomic_code = atomic_calls.code_count()};
}

void Machine::return_to_start(const MachineOptions& its_options) {
  CHECK(!starting_point_.words.empty() && can_start_with(its_options));
  options_ = its_options;
  StartingPoint& point = starting_point_;
  freezer.restore(point.words);
  processes.set_system_changed(false);
  record.earlier_events.clear();
  interpreter.forget_last_run();
  probe_ = nullptr;
  pure_calls.forget_process();
  told_explorer.listen(false);
  property_monitors.close();
  propositions.close();
  static_cast<void>(abstraction.open(""));
  device.on_output = nullptr;
  run_time_code.return_to_start(point.code.modules);
  code.return_to(point.code);
  atomic_calls.forget_code_from(point.atomic_code);

  RootsAtStart roots({&point.words, &freezer.system_words(), &code.literals()});
  store.collect(roots);
  processes.forget_spare_images();
  names.return_to(point.names);
}

}  // namespace ravel::erlang
