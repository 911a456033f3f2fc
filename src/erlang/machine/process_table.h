// All processes: by name, in order, and those that rest with something new to look at.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "erlang/machine/machine_part.h"
#include "erlang/machine/process.h"

namespace ravel::erlang {

class ProcessTable final : public MachinePart {
 public:
  explicit ProcessTable(Machine& its_machine) : MachinePart(its_machine) {}

  // All, also those that have ended but have not told everybody, in the order of their logical names.
  std::span<Process* const> all() const { return order_; }
  // Those of them that may not be as they were when the system was started.
  std::span<Process* const> changed() const { return {order_.data(), order_.size() - resting_count()}; }

  // The process, unless it has ended.
  Process* find(Term pid) const {
    Process* const process = find_even_ended(pid);
    return process == nullptr || process->rest == Rest::kEnded ? nullptr : process;
  }
  // Also one that has ended, but has not told everybody (Rest::kEnded).
  Process* find_even_ended(Term pid) const {
    const std::size_t name = pid.pid_name();
    return name < by_name_.size() ? by_name_[name] : nullptr;
  }
  // The process, unless it is gone or a signal has killed it.
  Process* find_alive(Term pid) const {
    Process* const process = find(pid);
    return process == nullptr || process->is_killed() ? nullptr : process;
  }
  bool is_alive(Term pid) const { return pid == Names::device_pid() || find_alive(pid) != nullptr; }

  Process& make(Term pid);
  void remove(Process& process);

  // Processes that rest in a receive with new messages, or have not run yet; Machine::settle() looks at them.
  std::span<Process* const> unsettled() const { return unsettled_; }
  void add_unsettled(Process& process);  // unless it is there
  void forget_unsettled(const Process& process);
  void clear_unsettled() { unsettled_.clear(); }

  // Of the freezer. The images are pairs of a pid and what it was saved as; who has no such pair is gone.
  // `resting`: how many at the end of the order stay as they are.
  void restore(std::span<const std::span<const Term>> images, std::size_t resting);
  // How many at the end of the order are as they were when the system was started.
  std::size_t resting_count() const { return has_system_changed_ ? 0 : system_size_; }
  bool has_system_changed() const { return has_system_changed_; }
  // The program has looked at the list of all processes, in some execution.
  void note_listed() { were_listed_ = true; }
  bool were_listed() const { return were_listed_; }
  void set_system_changed(bool has_changed) { has_system_changed_ = has_changed; }
  // From now on, the system has so many processes.
  void note_system(std::size_t size) {
    system_size_ = size;
    has_system_changed_ = false;
  }
  void forget_spare_images();

  // A process that is in no table is a root, while it runs.
  void push(Process& probe) { order_.push_back(&probe); }
  void pop() { order_.pop_back(); }

  void for_each_term(Roots::Visit visit, void* collector, const Process* running);  // everything young
  static void visit_terms(Process& process, Roots::Visit visit, void* collector);

 private:
  Process& take(Term pid);  // a spare one, to be thawed
  Process* spare_or_new(Term pid);
  void put_in_order(Process& process);

  std::vector<Process*> by_name_;              // by index of the pid's name; null: no such process
  std::vector<Process*> order_, next_order_;   // by logical name
  std::vector<std::unique_ptr<Process>> all_;  // storage, in use or spare
  std::vector<Process*> spare_;
  std::vector<Process*> unsettled_;
  std::size_t system_size_ = 0;
  bool has_system_changed_ = false;  // since it was started
  bool were_listed_ = false;
};

}  // namespace ravel::erlang
