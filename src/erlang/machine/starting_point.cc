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
  return a.clocks == b.clocks && a.fires_early == b.fires_early &&
         (a.time == b.time || a.clocks == Clocks::kFrozen) && a.atomic_modules == b.atomic_modules &&
         a.stubs == b.stubs && a.environment == b.environment && a.marks_execution == b.marks_execution &&
         a.nursery_words == b.nursery_words && a.store_words == b.store_words;
}

// An application may wait for time to pass while it starts: what is due first happens.
bool Machine::pass_time_at_start() {
  const auto due = [](const auto& one) { return one.due_ms; };
  Process* waiting = nullptr;
  for (Process* process : order_)
    if (process->rest == Rest::kTimeout && (waiting == nullptr || due(*process) < due(*waiting)))
      waiting = process;
  const auto timer = std::ranges::min_element(
      timers_, {}, [&](const Timer& one) { return std::pair(one.never_fires, due(one)); });
  const bool has_timer = timer != timers_.end() && !timer->never_fires;
  if (has_timer && (waiting == nullptr || due(*timer) <= due(*waiting))) {
    fire(static_cast<std::size_t>(timer - timers_.begin()));
  } else if (waiting != nullptr) {
    step(*waiting);
  }
  return has_timer || waiting != nullptr;
}

Status Machine::start_system(Term module, Term function) {
  CHECK(order_.empty());
  const std::string kDoesNotStart = "the system does not start before the test: ";
  is_starting_system_ = is_starting_otp_ = true;
  has_started_ = false;
  start_root(names.system_pid(), module, function, {});
  const auto can_go_on = [](const Process* process) {
    return process->rest != Rest::kWaiting &&
           (process->rest != Rest::kTimeout || process->timeout == Term::small(0));
  };
  while (fault_.kind == MachineFault::Kind::kNone) {
    const auto next = std::ranges::find_if(order_, can_go_on);
    if (next == order_.end()) {
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
  if (fault_.kind == MachineFault::Kind::kHalted) return Error{kDoesNotStart + "the program halts."};
  if (fault_.kind != MachineFault::Kind::kNone) return Error{kDoesNotStart + fault_.message};
  const auto waits_for_time = [](const Process* process) { return process->rest == Rest::kTimeout; };
  starts_with_deadlines_ = !timers_.empty() || std::ranges::any_of(order_, waits_for_time);
  for (Process* process : order_) {
    process->touch();
    process->has_noticed_block = true;
  }
  names.atoms.keep_run_time_atoms();
  global_image_ = Term::none();
  std::vector<Term> words;
  save(words);
  system_words_.assign(words.begin() + kFixedStateWords, words.end() - 1);
  has_system_changed_ = false;
  note_starting_point(std::move(words));
  return Success{};
}

void Machine::note_starting_point(std::vector<Term> words) {
  StartingPoint& point = starting_point_;
  point.words = std::move(words);
  point.names = names.mark();
  for (const auto& one : exports_)
    point.exports.push_back({.address = one->address, .is_defined = one->is_defined});
  point.missing_modules = missing_modules_;
  point.code = code_.size();
  point.modules = by_code_.size();
  point.literals = literals_.size();
  point.atomic_code = atomic_code_.size();
  point.own_rows = own_rows_.size();
  point.own_names = own_names_.size();
  point.strings = strings_.size();
}

void Machine::return_to_start(const MachineOptions& its_options) {
  CHECK(!starting_point_.words.empty() && can_start_with(its_options));
  options_ = its_options;
  StartingPoint& point = starting_point_;
  restore(point.words);
  has_system_changed_ = false;
  earlier_events_.clear();
  kept_slots_.clear();
  has_refused_message_order_ = false;
  probe_ = nullptr;
  on_output = nullptr;
  call_.exception = {};
  call_.replacement = {};
  load_error_.clear();

  for (std::size_t i = exports_.size(); i-- > point.exports.size(); exports_.pop_back()) {
    const Export& last = *exports_[i];
    const auto bucket = export_index_.find(name_hash(last.module, last.function, last.arity));
    bucket->second.pop_back();  // a bucket is in the order of the indices
    if (bucket->second.empty()) export_index_.erase(bucket);
  }
  std::ranges::fill(recent_exports_, nullptr);
  for (std::size_t i = 0; i < exports_.size(); ++i) {
    exports_[i]->address = point.exports[i].address;
    exports_[i]->is_defined = point.exports[i].is_defined;
    exports_[i]->is_watched = false;
  }
  watched_.clear();
  discovered_code_.clear();
  is_path_watched_ = are_devices_watched_ = false;
  std::erase_if(versions_, [&](const auto& entry) { return entry.second >= point.modules; });
  // What the state at the start says of modules has been applied (apply_code); the others are those found
  // since.
  for (; by_code_.size() > point.modules; by_code_.pop_back()) {
    const auto id = static_cast<std::uint64_t>(by_code_.back()->name.atom_id());
    for (auto* table : {&modules_, &first_modules_})
      if (const auto found = table->find(id); found != table->end() && found->second == by_code_.back().get())
        table->erase(found);
  }
  missing_modules_ = point.missing_modules;
  code_.shrink_to(point.code);
  if (marks_ != nullptr) marks_->forget_from(point.code);
  literals_.resize(point.literals);
  atomic_code_.resize(point.atomic_code);
  own_rows_.resize(point.own_rows);
  own_names_.resize(point.own_names);
  strings_.resize(point.strings);

  RootsAtStart roots({&point.words, &system_words_, &literals_});
  store.collect(roots);
  for (Process* process : spare_)
    process->image = process->attributes_image = process->mailbox_image = Term::none();
  names.return_to(point.names);
}

}  // namespace ravel::erlang
