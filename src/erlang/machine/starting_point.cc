// The state at which every test of a command starts, Erlang/OTP's system at rest, and the way back to it.
//
// A state that was saved is not enough: code, names and the store only grow while a test runs, and a program can ask for
// some of that (which atoms exist, which modules are loaded). All of these tables grow at their end, so going back cuts
// them to what they were, puts back the few entries that change in place, and frees the stored terms of the test.
//
// Cost: proportional to what is kept, a few milliseconds; starting the system again would load some fifty modules.
#include <algorithm>

#include "base/check.h"
#include "erlang/machine/machine.h"

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

bool start_alike(const MachineOptions& a, const MachineOptions& b) {
  return a.clocks == b.clocks && a.atomic_modules == b.atomic_modules && a.stubs == b.stubs && a.marks_execution == b.marks_execution &&
         a.nursery_words == b.nursery_words && a.store_words == b.store_words;
}

void Machine::note_starting_point(std::vector<Term> words) {
  StartingPoint& point = starting_point_;
  point.words = std::move(words);
  point.names = names.mark();
  for (const auto& one : exports_) point.exports.push_back({.address = one->address, .is_defined = one->is_defined});
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
  CHECK(!starting_point_.words.empty() && start_alike(options_, its_options));
  options_ = its_options;
  StartingPoint& point = starting_point_;
  restore(point.words);
  has_system_changed_ = false;
  earlier_events_.clear();
  kept_slots_.clear();
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
  }
  for (; by_code_.size() > point.modules; by_code_.pop_back())
    modules_.erase(static_cast<std::uint64_t>(by_code_.back()->name.atom_id()));
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
  for (Process* process : spare_) process->image = process->attributes_image = process->mailbox_image = Term::none();
  names.return_to(point.names);
}

}  // namespace ravel::erlang
