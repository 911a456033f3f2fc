#include "threads/worker/copies.h"

#include <fmt/format.h>
#include <sys/types.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "threads/runtime/descriptors.h"
#include "threads/runtime/machine_names.h"
#include "threads/runtime/overlay.h"
#include "threads/runtime/scheduler.h"
#include "threads/runtime/watchdog.h"
#include "threads/runtime/weak_orders.h"
#include "threads/worker/output.h"

namespace ravel::threads {

namespace {

pid_t make_child() { return scheduler().make_child(); }

template <class T>
std::vector<T> after(const std::vector<T>& all, std::size_t known) {
  return {all.begin() + static_cast<std::ptrdiff_t>(known), all.end()};
}

// Actors of another copy by ours. Parents are met before their children, and children in their order.
std::vector<ActorId> ours_of(const std::vector<NewActor>& theirs) {
  ActorNames& names = scheduler().actors();
  std::vector<ActorId> ours;
  for (const NewActor& actor : theirs) {
    if (ours.empty())
      ours.push_back(ActorNames::kMain);
    else if (actor.ordinal == 0)
      ours.push_back(names.time());
    else if (actor.parent < ours.size())
      ours.push_back(names.child_of(ours[actor.parent], actor.ordinal));
    else
      return {};
  }
  return ours;
}

// False: it names an actor that nobody has met.
bool translate(std::uint32_t& actor, const std::vector<ActorId>& ours) {
  if (actor >= ours.size()) return false;
  actor = static_cast<std::uint32_t>(ours[actor]);
  return true;
}

bool translate(Occurrence& seen, const std::vector<ActorId>& ours) {
  for (Transition& step : seen.schedule) {
    auto actor = static_cast<std::uint32_t>(step.actor);
    if (!translate(actor, ours)) return false;
    step.actor = static_cast<ActorId>(actor);
  }
  return true;
}

}  // namespace

std::string CopiesOfProcess::why_none() const {
  if (scheduler().configuration().host_files)
    return "with --host-files processes would change the same files";
  return machine_names().first_use();
}

Result<ChildProcess::Forked> CopiesOfProcess::make() {
  const std::string name = fmt::format("copy{}", ++made_);
  machine_names().share_with_copies();
  auto forked = fork_process({.copy = make_child, .hide = hide_descriptor});
  if (!forked || forked->child) return forked;
  CHECK_MESSAGE(separate_files(), "a copy of the process cannot have its own output and files");
  overlay().begin_copy(name);
  start_watchdog();
  machine_names().forbid();
  known_ = Known{.discoveries = scheduler().discoveries(), .loops = scheduler().loops().uses()};
  return forked;
}

void CopiesOfProcess::begin_part() {
  CHECK(known_);
  scheduler().discoveries() = known_->discoveries;
  scheduler().loops().set_uses(known_->loops);
}

std::string CopiesOfProcess::news() {
  CHECK(known_);
  Discoveries& now = scheduler().discoveries();
  Discoveries& before = known_->discoveries;
  ProgramNews news;
  Findings& findings = news.findings;
  findings.races = after(now.races(), before.races().size());
  findings.left_behind = after(now.left_behind(), before.left_behind().size());
  findings.weak_orders = after(now.weak_orders(), before.weak_orders().size());
  findings.timed_waits = after(now.timed_waits(), before.timed_waits().size());
  findings.racy_words = now.take_new_racy_words();
  for (const std::uint64_t word : findings.racy_words) now.add_racy_word(word);
  findings.has_progress = now.has_progress();
  findings.has_weak_orders = has_weak_orders;
  news.loops = scheduler().loops().uses();
  const bool is_known = now.count() == before.count() && findings.timed_waits.empty() &&
                        findings.racy_words.empty() && now.has_progress() == before.has_progress() &&
                        news.loops == known_->loops;
  if (is_known) return {};
  news.actors = scheduler().actors().all();
  Writer writer;
  writer << news;
  return writer.bytes();
}

bool CopiesOfProcess::learn(const std::string& bytes) {
  Reader reader(bytes);
  ProgramNews news;
  reader >> news;
  const std::vector<ActorId> ours = ours_of(news.actors);
  if (!reader.ok() || ours.empty()) return false;
  Discoveries& discoveries = scheduler().discoveries();
  for (RaceReport& race : news.findings.races) {
    if (!translate(race.actor[0], ours) || !translate(race.actor[1], ours) || !translate(race.seen, ours))
      return false;
    discoveries.add_race(race);
  }
  for (LeftThread& thread : news.findings.left_behind) {
    if (!translate(thread.actor, ours) || !translate(thread.seen, ours)) return false;
    discoveries.add_left_behind(std::move(thread));
  }
  for (const WeakOrder& order : news.findings.weak_orders) discoveries.add_weak_order(order.pc);
  for (TimedWait& wait : news.findings.timed_waits)
    if (!wait.stack.empty() && discoveries.wants_timed_wait(wait.stack.front()))
      discoveries.add_timed_wait(std::move(wait.stack));
  // What was learnt from an execution of an earlier pass is not new in this one.
  const std::vector<std::uint64_t>& tracked = scheduler().configuration().tracked;
  for (const std::uint64_t word : news.findings.racy_words)
    if (!std::ranges::binary_search(tracked, word)) discoveries.add_racy_word(word);
  if (news.findings.has_progress) discoveries.note_progress();
  has_weak_orders = has_weak_orders || news.findings.has_weak_orders;
  scheduler().loops().add_uses(news.loops);
  return true;
}

void CopiesOfProcess::tidy() { drop_long_output(); }

}  // namespace ravel::threads
