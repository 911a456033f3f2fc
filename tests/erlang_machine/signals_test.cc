// What processes do to each other, on processes that rest before an operation of the test's own and never
// run.
#include "erlang/machine/signals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "erlang/machine/machine.h"
#include "erlang/term/print.h"

namespace ravel::erlang {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class NoModules final : public ModuleSource {
 public:
  std::optional<std::vector<std::uint8_t>> find_module(std::string_view, std::string&) override {
    return std::nullopt;
  }
};

// The operation before which every process of these tests rests; when it is granted, the process ends.
Term wait_0(Call&, const Term*) { return atoms::kOk; }
constexpr Builtin kBuiltins[] = {{"test", "wait", 0, Effect::kOperation, wait_0}};

class SignalsTest : public testing::Test {
 protected:
  SignalsTest() { machine.start(atom("test"), atom("wait"), {}); }

  Term atom(std::string_view text) { return machine.names.atoms.intern(text); }
  Process& process(Term pid) { return *machine.processes.find(pid); }
  Process& root() { return process(machine.names.root_pid()); }

  SpawnRequest waiting() { return {.module = atom("test"), .function = atom("wait")}; }
  Process& spawn(Process& parent) { return process(machine.signals.spawn(parent, waiting()).pid); }
  Process& spawn() { return spawn(root()); }

  // Ends a process as its own operation would.
  void end(Process& p, Term reason = atoms::kNormal) {
    p.rest = Rest::kEnding;
    p.exit_reason = reason;
    machine.endings.end(p);
  }
  void end_killed(Process& p) { machine.endings.end(p); }

  std::string text(Term t) { return print_term(machine.names, t); }
  std::vector<std::string> mailbox(const Process& p) {
    std::vector<std::string> contents;
    for (const Message& message : p.mailbox) contents.push_back(text(message.content));
    return contents;
  }
  std::vector<std::string> texts(std::span<const Term> terms) {
    std::vector<std::string> result;
    for (const Term t : terms) result.push_back(text(t));
    return result;
  }
  std::vector<std::string> all_processes() {
    std::vector<std::string> result;
    for (const Process* p : machine.processes.all()) result.push_back(machine.names.pid_text(p->pid));
    return result;
  }

  static bool conflict(std::span<const Touched> a, std::span<const Touched> b) {
    for (const Touched& x : a)
      for (const Touched& y : b)
        if (x.object == y.object && (x.access != y.access || x.access == access::kWrite)) return true;
    return false;
  }
  // What an action touches.
  template <typename Action>
  std::vector<Touched> touched(Action action) {
    const std::size_t before = machine.record.footprint.size();
    action();
    const auto all = machine.record.footprint;
    return {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
  }

  NoModules modules;
  Machine machine{MachineOptions{.ends = Ends::kAtomic}, modules, kBuiltins};
};

// ---- Processes

TEST_F(SignalsTest, a_process_is_named_by_its_parent_and_its_number) {
  Process& first = spawn();
  Process& grandchild = spawn(first);
  Process& second = spawn();
  EXPECT_EQ(machine.names.pid_text(grandchild.pid), "P.1.1");
  EXPECT_EQ(machine.names.pid_text(second.pid), "P.2");
  EXPECT_THAT(all_processes(), ElementsAre("P", "P.1", "P.1.1", "P.2"));
}

TEST_F(SignalsTest, the_number_of_a_child_that_ended_is_not_used_again) {
  end(spawn());
  EXPECT_EQ(machine.names.pid_text(spawn().pid), "P.2");
}

TEST_F(SignalsTest, a_child_inherits_its_group_leader_and_knows_its_parent) {
  Process& child = spawn();
  child.attributes.group_leader = root().pid;
  Process& grandchild = spawn(child);
  EXPECT_EQ(grandchild.attributes.group_leader, root().pid);
  EXPECT_EQ(grandchild.attributes.parent, child.pid);
  EXPECT_EQ(text(grandchild.attributes.initial_call), "{test,wait,0}");
}

TEST_F(SignalsTest, the_storage_of_an_ended_process_is_used_again_without_its_past) {
  Process& old = spawn();
  machine.signals.send(root(), old.pid, atom("message"));
  machine.registry.register_name(atom("name"), old.pid);
  old.attributes.trap_exit = true;
  const Process* storage = &old;
  end(old);
  Process& fresh = spawn();
  EXPECT_EQ(&fresh, storage);
  EXPECT_THAT(mailbox(fresh), IsEmpty());
  EXPECT_FALSE(fresh.attributes.trap_exit);
  EXPECT_TRUE(fresh.attributes.registered_name.is_none());
  EXPECT_EQ(fresh.attributes.children, 0U);
}

// ---- Messages

TEST_F(SignalsTest, messages_arrive_in_the_order_in_which_they_are_sent_with_their_sender) {
  Process& a = spawn();
  Process& b = spawn();
  EXPECT_TRUE(machine.signals.send(root(), b.pid, atom("one")));
  EXPECT_TRUE(machine.signals.send(a, b.pid, atom("two")));
  EXPECT_THAT(mailbox(b), ElementsAre("one", "two"));
  EXPECT_EQ(b.mailbox[0].sender, root().pid);
  EXPECT_EQ(b.mailbox[1].sender, a.pid);
  EXPECT_EQ(machine.record.event.kind, OperationKind::kSend);
  EXPECT_EQ(machine.record.event.object, b.pid);
}

TEST_F(SignalsTest, a_message_forgets_the_image_of_its_receiver) {
  Process& b = spawn();
  b.image = b.mailbox_image = Term::nil();
  machine.signals.send(root(), b.pid, atom("one"));
  EXPECT_TRUE(b.image.is_none());
  EXPECT_TRUE(b.mailbox_image.is_none());
}

TEST_F(SignalsTest, a_message_to_a_process_that_is_gone_is_dropped) {
  Process& b = spawn();
  const Term pid = b.pid;
  end(b);
  EXPECT_TRUE(machine.signals.send(root(), pid, atom("late")));
  EXPECT_TRUE(machine.record.event.object.is_none());
}

TEST_F(SignalsTest, a_name_that_nobody_has_fails_but_not_together_with_the_node) {
  EXPECT_FALSE(machine.signals.send(root(), atom("nobody"), atom("m")));
  EXPECT_TRUE(machine.signals.send(root(), machine.heap.tuple({atom("nobody"), atoms::kNoname}), atom("m")));
  EXPECT_EQ(machine.faults.current().kind, MachineFault::Kind::kNone);
}

TEST_F(SignalsTest, a_message_to_a_name_reaches_who_has_it) {
  Process& b = spawn();
  machine.registry.register_name(atom("b"), b.pid);
  EXPECT_TRUE(machine.signals.send(root(), atom("b"), atom("one")));
  EXPECT_TRUE(machine.signals.send(root(), machine.heap.tuple({atom("b"), atoms::kNoname}), atom("two")));
  EXPECT_THAT(mailbox(b), ElementsAre("one", "two"));
}

TEST_F(SignalsTest, a_message_to_another_node_is_refused) {
  machine.signals.send(root(), machine.heap.tuple({atom("b"), atom("far@away")}), atom("m"));
  EXPECT_EQ(machine.faults.current().kind, MachineFault::Kind::kUnsupported);
  EXPECT_THAT(machine.faults.current().message, testing::HasSubstr("another node"));
}

TEST_F(SignalsTest, what_is_no_address_fails) {
  EXPECT_FALSE(machine.signals.send(root(), Term::small(7), atom("m")));
  EXPECT_FALSE(machine.signals.send(root(), machine.heap.tuple({atom("a"), Term::small(1)}), atom("m")));
  EXPECT_FALSE(machine.signals.send(root(), Term::nil(), atom("m")));
}

// ---- Exit signals

TEST_F(SignalsTest, kill_cannot_be_trapped_and_becomes_killed) {
  Process& b = spawn();
  b.attributes.trap_exit = true;
  machine.signals.signal_exit(root().pid, b.pid, atoms::kKill);
  EXPECT_EQ(b.rest, Rest::kEnding);
  EXPECT_EQ(b.exit_reason, atoms::kKilled);
  EXPECT_EQ(b.exit_origin, root().pid);
}

TEST_F(SignalsTest, a_process_that_traps_exits_gets_a_message_instead) {
  Process& b = spawn();
  b.attributes.trap_exit = true;
  machine.signals.signal_exit(root().pid, b.pid, atom("why"));
  machine.signals.signal_exit(root().pid, b.pid, atoms::kNormal);
  EXPECT_EQ(b.rest, Rest::kReady);
  EXPECT_THAT(mailbox(b), ElementsAre("{'EXIT',<P>,why}", "{'EXIT',<P>,normal}"));
}

TEST_F(SignalsTest, normal_is_ignored_except_by_the_sender_itself) {
  Process& b = spawn();
  machine.signals.signal_exit(root().pid, b.pid, atoms::kNormal);
  EXPECT_EQ(b.rest, Rest::kReady);
  EXPECT_THAT(mailbox(b), IsEmpty());
  machine.signals.signal_exit(b.pid, b.pid, atoms::kNormal);
  EXPECT_EQ(b.rest, Rest::kEnding);
  EXPECT_EQ(b.exit_reason, atoms::kNormal);
}

TEST_F(SignalsTest, the_first_deadly_signal_counts) {
  Process& b = spawn();
  machine.signals.signal_exit(root().pid, b.pid, atom("first"));
  machine.signals.signal_exit(root().pid, b.pid, atoms::kKill);
  EXPECT_EQ(b.exit_reason, atom("first"));
}

TEST_F(SignalsTest, a_killed_process_is_dead_for_all_but_keeps_its_name_until_its_end) {
  Process& b = spawn();
  const Term pid = b.pid;
  machine.registry.register_name(atom("b"), pid);
  machine.signals.signal_exit(root().pid, pid, atoms::kKill);
  EXPECT_FALSE(machine.processes.is_alive(pid));
  EXPECT_FALSE(machine.signals.link(root(), pid));
  machine.signals.send(root(), pid, atom("late"));
  EXPECT_THAT(mailbox(b), IsEmpty());
  machine.signals.monitor(root(), pid, pid);
  EXPECT_THAT(mailbox(root()), ElementsAre("{'DOWN',#Ref<P:1>,process,<P.1>,noproc}"));
  EXPECT_EQ(machine.registry.whereis(atom("b")), pid);
  end_killed(b);
  EXPECT_TRUE(machine.registry.whereis(atom("b")).is_none());
  EXPECT_EQ(machine.processes.find(pid), nullptr);
}

// ---- Links

TEST_F(SignalsTest, a_link_passes_the_reason_on) {
  Process& a = spawn();
  Process& b = spawn();
  ASSERT_TRUE(machine.signals.link(a, b.pid));
  end(a, atom("crash"));
  EXPECT_EQ(b.rest, Rest::kEnding);
  EXPECT_EQ(b.exit_reason, atom("crash"));
  EXPECT_THAT(b.attributes.links, IsEmpty());
}

TEST_F(SignalsTest, a_normal_end_reaches_a_linked_process_only_if_it_traps_exits) {
  Process& a = spawn();
  Process& deaf = spawn();
  Process& trapping = spawn();
  trapping.attributes.trap_exit = true;
  machine.signals.link(a, deaf.pid);
  machine.signals.link(a, trapping.pid);
  end(a);
  EXPECT_EQ(deaf.rest, Rest::kReady);
  EXPECT_THAT(deaf.attributes.links, IsEmpty());
  EXPECT_THAT(mailbox(deaf), IsEmpty());
  EXPECT_THAT(mailbox(trapping), ElementsAre("{'EXIT',<P.1>,normal}"));
}

TEST_F(SignalsTest, kill_through_a_link_stays_kill_and_can_be_trapped) {
  Process& a = spawn();
  Process& b = spawn();
  Process& trapping = spawn();
  trapping.attributes.trap_exit = true;
  machine.signals.link(a, b.pid);
  machine.signals.link(a, trapping.pid);
  end(a, atoms::kKill);
  EXPECT_EQ(b.exit_reason, atoms::kKill);
  EXPECT_EQ(trapping.rest, Rest::kReady);
  EXPECT_THAT(mailbox(trapping), ElementsAre("{'EXIT',<P.1>,kill}"));
}

TEST_F(SignalsTest, an_unlinked_process_hears_nothing_whoever_unlinked) {
  Process& a = spawn();
  Process& b = spawn();
  machine.signals.link(a, b.pid);
  machine.signals.unlink(b, a.pid);
  EXPECT_THAT(a.attributes.links, IsEmpty());
  end(a, atom("crash"));
  EXPECT_EQ(b.rest, Rest::kReady);
}

TEST_F(SignalsTest, linking_twice_is_linking_once) {
  Process& a = spawn();
  machine.signals.link(root(), a.pid);
  machine.signals.link(a, root().pid);
  EXPECT_THAT(texts(root().attributes.links), ElementsAre("<P.1>"));
  EXPECT_THAT(texts(a.attributes.links), ElementsAre("<P>"));
}

TEST_F(SignalsTest, linking_to_a_dead_process_says_so) {
  Process& a = spawn();
  const Term pid = a.pid;
  end(a);
  EXPECT_FALSE(machine.signals.link(root(), pid));
  EXPECT_THAT(root().attributes.links, IsEmpty());
}

TEST_F(SignalsTest, a_chain_of_links_ends_one_by_one) {
  Process& a = spawn();
  Process& b = spawn();
  Process& c = spawn();
  machine.signals.link(a, b.pid);
  machine.signals.link(b, c.pid);
  end(a, atom("crash"));
  EXPECT_EQ(b.rest, Rest::kEnding);
  EXPECT_EQ(c.rest, Rest::kReady);
  end_killed(b);
  EXPECT_EQ(c.exit_reason, atom("crash"));
}

// ---- Monitors

TEST_F(SignalsTest, a_monitor_tells_of_the_end_once) {
  Process& b = spawn();
  const Term reference = machine.signals.monitor(root(), b.pid, b.pid);
  end(b, atom("crash"));
  EXPECT_THAT(mailbox(root()), ElementsAre("{'DOWN',#Ref<P:1>,process,<P.1>,crash}"));
  EXPECT_THAT(root().attributes.monitors, IsEmpty());
  EXPECT_FALSE(machine.signals.demonitor(root(), reference));
}

TEST_F(SignalsTest, a_monitor_of_what_is_not_there_tells_at_once) {
  const Term object = machine.heap.tuple({atom("nobody"), atoms::kNoname});
  machine.signals.monitor(root(), Term::none(), object, {.tag = atom("gone")});
  EXPECT_THAT(mailbox(root()), ElementsAre("{gone,#Ref<P:1>,process,{nobody,nonode@nohost},noproc}"));
}

TEST_F(SignalsTest, a_monitor_of_oneself_does_nothing) {
  machine.signals.monitor(root(), root().pid, root().pid);
  EXPECT_THAT(root().attributes.monitors, IsEmpty());
  EXPECT_THAT(root().attributes.watchers, IsEmpty());
}

TEST_F(SignalsTest, demonitor_takes_both_sides_back) {
  Process& b = spawn();
  const Term reference = machine.signals.monitor(root(), b.pid, b.pid);
  EXPECT_TRUE(machine.signals.demonitor(root(), reference));
  EXPECT_THAT(b.attributes.watchers, IsEmpty());
  end(b);
  EXPECT_THAT(mailbox(root()), IsEmpty());
}

TEST_F(SignalsTest, the_monitors_of_an_ended_process_leave_no_trace) {
  Process& a = spawn();
  Process& b = spawn();
  machine.signals.monitor(a, b.pid, b.pid);
  end(a);
  EXPECT_THAT(b.attributes.watchers, IsEmpty());
  end(b);
}

TEST_F(SignalsTest, two_processes_that_watch_each_other_may_both_end) {
  Process& a = spawn();
  Process& b = spawn();
  machine.signals.monitor(a, b.pid, b.pid);
  machine.signals.monitor(b, a.pid, a.pid);
  end(a, atom("x"));
  EXPECT_THAT(mailbox(b), ElementsAre("{'DOWN',#Ref<P.2:1>,process,<P.1>,x}"));
  end(b);
}

TEST_F(SignalsTest, watchers_stand_in_the_same_order_however_they_came) {
  Process& a = spawn();
  Process& b = spawn();
  Process& watched = spawn();
  machine.signals.monitor(b, watched.pid, watched.pid);
  machine.signals.monitor(a, watched.pid, watched.pid);
  machine.signals.monitor(b, watched.pid, watched.pid);
  std::vector<std::string> order;
  for (const Watcher& watcher : watched.attributes.watchers) order.push_back(text(watcher.reference));
  EXPECT_THAT(order, ElementsAre("#Ref<P.1:1>", "#Ref<P.2:1>", "#Ref<P.2:2>"));
}

TEST_F(SignalsTest, a_spawn_may_link_and_monitor_in_the_same_step) {
  SpawnRequest request = waiting();
  request.link = true;
  request.monitor = MonitorOptions{.tag = atom("tag")};
  const Spawned spawned = machine.signals.spawn(root(), request);
  root().attributes.trap_exit = true;
  end(process(spawned.pid), atom("x"));
  EXPECT_THAT(mailbox(root()), ElementsAre("{'EXIT',<P.1>,x}", "{tag,#Ref<P:1>,process,<P.1>,x}"));
}

// ---- The order of an end

TEST_F(SignalsTest, the_name_is_free_and_the_pid_gone_when_links_and_watchers_hear) {
  Process& b = spawn();
  const Term pid = b.pid;
  machine.registry.register_name(atom("b"), pid);
  machine.signals.monitor(root(), pid, pid);
  machine.time.add_timer({.reference = machine.signals.make_reference(root()),
                          .target = pid,
                          .content = atom("tick"),
                          .creator = root().pid});
  machine.time.add_timer({.reference = machine.signals.make_reference(root()),
                          .target = atom("b"),
                          .content = atom("tock"),
                          .creator = root().pid});
  end(b);
  EXPECT_TRUE(machine.registry.entries().empty());
  ASSERT_EQ(machine.time.timers().size(), 1U);  // a timer that aims at a name stays
  EXPECT_EQ(machine.time.timers()[0].content, atom("tock"));
  EXPECT_THAT(all_processes(), ElementsAre("P"));
  EXPECT_EQ(root().mailbox.size(), 1U);
}

// ---- Aliases

TEST_F(SignalsTest, an_alias_is_an_address_until_it_is_withdrawn) {
  Process& a = spawn();
  const Term alias = machine.signals.make_alias(root(), AliasMode::kExplicitUnalias);
  machine.signals.send(a, alias, atom("one"));
  EXPECT_TRUE(machine.signals.unalias(root(), alias));
  machine.signals.send(a, alias, atom("two"));
  EXPECT_FALSE(machine.signals.unalias(root(), alias));
  EXPECT_THAT(mailbox(root()), ElementsAre("one"));
}

TEST_F(SignalsTest, a_reference_that_is_no_alias_is_no_address) {
  EXPECT_TRUE(machine.signals.send(root(), machine.signals.make_reference(root()), atom("m")));
  EXPECT_THAT(mailbox(root()), IsEmpty());
}

TEST_F(SignalsTest, a_reply_alias_takes_one_message) {
  Process& a = spawn();
  const Term alias = machine.signals.make_alias(root(), AliasMode::kReply);
  machine.signals.send(a, alias, atom("one"));
  machine.signals.send(a, alias, atom("two"));
  EXPECT_THAT(mailbox(root()), ElementsAre("one"));
}

TEST_F(SignalsTest, a_reply_to_a_monitor_alias_ends_the_monitor) {
  Process& a = spawn();
  const Term reference = machine.signals.monitor(root(), a.pid, a.pid, {.alias = AliasMode::kReplyDemonitor});
  machine.signals.send(a, reference, atom("reply"));
  EXPECT_THAT(root().attributes.monitors, IsEmpty());
  EXPECT_THAT(root().attributes.aliases, IsEmpty());
  EXPECT_THAT(a.attributes.watchers, IsEmpty());
  machine.signals.send(a, reference, atom("late"));
  end(a);
  EXPECT_THAT(mailbox(root()), ElementsAre("reply"));
}

TEST_F(SignalsTest, a_down_message_withdraws_the_alias_of_its_monitor_unless_it_was_made_to_stay) {
  Process& a = spawn();
  Process& b = spawn();
  const Term passing = machine.signals.monitor(root(), a.pid, a.pid, {.alias = AliasMode::kDemonitor});
  const Term staying = machine.signals.monitor(root(), a.pid, a.pid, {.alias = AliasMode::kExplicitUnalias});
  end(a);
  root().mailbox.clear();
  machine.signals.send(b, passing, atom("dropped"));
  machine.signals.send(b, staying, atom("kept"));
  EXPECT_THAT(mailbox(root()), ElementsAre("kept"));
}

TEST_F(SignalsTest, demonitor_withdraws_an_alias_as_it_was_asked_to) {
  Process& a = spawn();
  const Term passing = machine.signals.monitor(root(), a.pid, a.pid, {.alias = AliasMode::kReplyDemonitor});
  const Term staying = machine.signals.monitor(root(), a.pid, a.pid, {.alias = AliasMode::kExplicitUnalias});
  machine.signals.demonitor(root(), passing);
  machine.signals.demonitor(root(), staying);
  machine.signals.send(a, passing, atom("dropped"));
  machine.signals.send(a, staying, atom("kept"));
  EXPECT_THAT(mailbox(root()), ElementsAre("kept"));
}

TEST_F(SignalsTest, an_alias_that_is_withdrawn_leaves_its_monitor) {
  Process& a = spawn();
  const Term reference = machine.signals.monitor(root(), a.pid, a.pid, {.alias = AliasMode::kReplyDemonitor});
  EXPECT_TRUE(machine.signals.unalias(root(), reference));
  machine.signals.send(a, reference, atom("dropped"));
  end(a);
  EXPECT_THAT(mailbox(root()), ElementsAre("{'DOWN',#Ref<P:1>,process,<P.1>,normal}"));
}

// ---- Names

TEST_F(SignalsTest, a_process_has_one_name_and_a_name_one_process) {
  Process& a = spawn();
  Process& b = spawn();
  EXPECT_TRUE(machine.registry.register_name(atom("a"), a.pid));
  EXPECT_FALSE(machine.registry.register_name(atom("a"), b.pid));
  EXPECT_FALSE(machine.registry.register_name(atom("other"), a.pid));
  EXPECT_FALSE(machine.registry.register_name(atoms::kUndefined, b.pid));
  EXPECT_TRUE(machine.registry.unregister_name(atom("a")));
  EXPECT_FALSE(machine.registry.unregister_name(atom("a")));
  EXPECT_TRUE(machine.registry.register_name(atom("a"), b.pid));
}

TEST_F(SignalsTest, names_stand_in_their_own_order) {
  for (const char* name : {"zebra", "ant", "mule"}) machine.registry.register_name(atom(name), spawn().pid);
  std::vector<std::string> order;
  for (const auto& [name, pid] : machine.registry.entries()) order.push_back(text(name));
  EXPECT_THAT(order, ElementsAre("ant", "mule", "zebra"));
  EXPECT_EQ(machine.names.pid_text(machine.registry.whereis(atom("mule"))), "P.3");
}

// ---- Timers

TEST_F(SignalsTest, a_timer_that_fires_sends_its_message_and_is_gone) {
  Process& b = spawn();
  machine.registry.register_name(atom("b"), b.pid);
  const auto add = [&](Term target, TimerMessage form) {
    machine.time.add_timer({.reference = machine.signals.make_reference(root()),
                            .target = target,
                            .content = atom("tick"),
                            .creator = root().pid,
                            .form = form,
                            .due_ms = 10});
  };
  add(b.pid, TimerMessage::kPlain);
  add(atom("b"), TimerMessage::kTimeout);
  add(atom("nobody"), TimerMessage::kPlain);
  machine.fire(1);
  EXPECT_EQ(machine.record.event.kind, OperationKind::kTimerFires);
  EXPECT_EQ(machine.record.event.object, b.pid);
  machine.fire(0);
  machine.fire(0);
  EXPECT_THAT(mailbox(b), ElementsAre("{timeout,#Ref<P:2>,tick}", "tick"));
  EXPECT_TRUE(machine.time.timers().empty());
}

// ---- The device

TEST_F(SignalsTest, the_device_prints_and_answers_in_the_same_step) {
  EXPECT_EQ(machine.registry.whereis(atoms::kUser), machine.names.device_pid());
  Heap& heap = machine.heap;
  const Term characters = heap.cons(Term::small(0x263A), heap.cons(Term::small('\n'), Term::nil()));
  const auto request = [&](Term what) {
    machine.signals.send(root(), machine.names.device_pid(),
                         heap.tuple({atoms::kIoRequest, root().pid, atom("me"), what}));
  };
  request(heap.tuple({atoms::kPutChars, atoms::kUnicode, characters}));
  request(heap.tuple({atoms::kPutChars, atoms::kLatin1, characters}));
  request(atom("nonsense"));
  EXPECT_EQ(machine.device.output(), "\u263A\n");
  EXPECT_THAT(mailbox(root()), ElementsAre("{io_reply,me,ok}", "{io_reply,me,{error,put_chars}}",
                                           "{io_reply,me,{error,{request,nonsense}}}"));
}

TEST_F(SignalsTest, the_device_is_alive_whatever_is_done_to_it) {
  const Term device = machine.names.device_pid();
  machine.signals.signal_exit(root().pid, device, atoms::kKill);
  EXPECT_TRUE(machine.processes.is_alive(device));
  EXPECT_TRUE(machine.signals.link(root(), device));
  const Term reference = machine.signals.monitor(root(), device, device);
  EXPECT_TRUE(machine.signals.demonitor(root(), reference));
  EXPECT_THAT(mailbox(root()), IsEmpty());
  end(root(), atom("crash"));
}

// ---- Anything at all

// What holds whatever processes do to each other.
void check_bookkeeping(const Machine& machine) {
  std::size_t names = 0;
  for (Process* p : machine.processes.all()) {
    ASSERT_EQ(machine.processes.find(p->pid), p);
    const Attributes& attributes = p->attributes;
    for (std::size_t i = 0; i < attributes.links.size(); ++i) {
      const Term other = attributes.links[i];
      if (i > 0) {
        ASSERT_LT(machine.names.compare_pids(attributes.links[i - 1], other), 0);
      }
      if (other == Names::device_pid()) continue;
      const Process* partner = machine.processes.find(other);
      ASSERT_NE(partner, nullptr);
      ASSERT_EQ(std::ranges::count(partner->attributes.links, p->pid), 1);
    }
    for (const Term linked : attributes.priority_links)
      ASSERT_EQ(std::ranges::count(attributes.links, linked), 1);
    for (const Monitor& monitor : attributes.monitors) {
      if (monitor.target == Names::device_pid()) continue;
      const Process* watched = machine.processes.find(monitor.target);
      ASSERT_NE(watched, nullptr);
      ASSERT_EQ(std::ranges::count(watched->attributes.watchers, monitor.reference, &Watcher::reference), 1);
    }
    for (const Watcher& watcher : attributes.watchers) {
      const Process* holder = machine.processes.find(watcher.pid);
      ASSERT_NE(holder, nullptr);
      ASSERT_EQ(std::ranges::count(holder->attributes.monitors, watcher.reference, &Monitor::reference), 1);
    }
    for (const Alias& alias : attributes.aliases) ASSERT_EQ(Names::creator_of(alias.reference), p->pid);
    if (!attributes.registered_name.is_none()) {
      ++names;
      ASSERT_EQ(machine.registry.whereis(attributes.registered_name), p->pid);
    }
  }
  ASSERT_EQ(machine.registry.entries().size(), names);
  for (const Timer& timer : machine.time.timers()) {
    if (timer.target.is_pid()) {
      ASSERT_NE(machine.processes.find(timer.target), nullptr);
    }
  }
}

TEST_F(SignalsTest, the_books_agree_after_any_sequence_of_signals) {
  constexpr std::uint64_t kSeed = 20;
  SCOPED_TRACE(kSeed);
  Random random(kSeed);
  std::vector<Term> pids{root().pid, machine.names.device_pid()};
  std::vector<Term> references;
  const auto any_pid = [&] { return pids[random.below(pids.size())]; };
  const auto any_reference = [&] {
    return references.empty() ? machine.signals.make_reference(root())
                              : references[random.below(references.size())];
  };
  const auto any_urgency = [&] { return random.chance(1, 3) ? Urgency::kPriority : Urgency::kOrdinary; };
  for (int i = 0; i < 20'000 && !HasFatalFailure(); ++i) {
    const auto processes = machine.processes.all();
    Process& p = *processes[random.below(processes.size())];
    const Term other = any_pid();
    switch (random.below(15)) {
      case 0:
      case 1: {
        SpawnRequest request = waiting();
        request.link = random.chance(1, 4);
        request.link_urgency = any_urgency();
        if (random.chance(1, 4)) request.monitor = MonitorOptions{.urgency = any_urgency()};
        const Spawned spawned = machine.signals.spawn(p, request);
        pids.push_back(spawned.pid);
        if (!spawned.monitor.is_none()) references.push_back(spawned.monitor);
        break;
      }
      case 2: machine.signals.send(p, other, atom("m")); break;
      case 3: machine.signals.send(p, any_reference(), atom("m")); break;
      case 4:
        if (other != p.pid) machine.signals.link(p, other, any_urgency());
        break;
      case 5:
        if (other != p.pid) machine.signals.unlink(p, other);
        break;
      case 6:
      case 7:
        references.push_back(machine.signals.monitor(
            p, other, other, {.alias = static_cast<AliasMode>(random.below(4)), .urgency = any_urgency()}));
        break;
      case 8: machine.signals.demonitor(p, any_reference()); break;
      case 9: machine.signals.unalias(p, any_reference()); break;
      case 10:
        machine.signals.signal_exit(p.pid, other, random.chance(1, 2) ? atoms::kKill : atom("x"));
        break;
      case 11: p.attributes.trap_exit = random.chance(1, 2); break;
      case 12: machine.registry.register_name(atom(std::to_string(random.below(10))), other); break;
      case 13: machine.registry.unregister_name(atom(std::to_string(random.below(10)))); break;
      case 14:
        if (machine.processes.find(other) != nullptr)
          machine.time.add_timer({.reference = machine.signals.make_reference(p),
                                  .target = other,
                                  .content = atom("t"),
                                  .creator = p.pid});
        break;
    }
    // Some of those that must end do, but one always stays.
    for (Process* ending :
         std::vector<Process*>(machine.processes.all().begin(), machine.processes.all().end()))
      if (ending->rest == Rest::kEnding && machine.processes.all().size() > 1 && random.chance(1, 3))
        machine.endings.end(*ending);
    if (machine.processes.all().size() > 1 && random.chance(1, 10)) {
      Process& chosen = *machine.processes.all()[random.below(machine.processes.all().size())];
      if (chosen.rest != Rest::kEnding) end(chosen, random.chance(1, 2) ? atoms::kNormal : atom("crash"));
    }
    if (!machine.time.timers().empty() && random.chance(1, 10))
      machine.fire(random.below(machine.time.timers().size()));
    check_bookkeeping(machine);
  }
  EXPECT_GT(pids.size(), 1'000U);
}

// ---- Priority messages

TEST_F(SignalsTest, priority_messages_lie_ahead_of_others_in_the_order_in_which_they_came) {
  Process& a = spawn();
  const Term alias = machine.signals.make_alias(root(), AliasMode::kExplicitUnalias, Urgency::kPriority);
  machine.signals.send(a, root().pid, atom("one"));
  machine.signals.send(a, alias, atom("first"), Urgency::kPriority);
  machine.signals.send(a, root().pid, atom("two"));
  machine.signals.send(a, alias, atom("second"), Urgency::kPriority);
  EXPECT_THAT(mailbox(root()), ElementsAre("first", "second", "one", "two"));
  root().mailbox.remove(0);
  machine.signals.send(a, alias, atom("third"), Urgency::kPriority);
  EXPECT_THAT(mailbox(root()), ElementsAre("second", "third", "one", "two"));
}

TEST_F(SignalsTest, only_a_priority_alias_takes_priority_messages_and_only_if_they_are_sent_so) {
  Process& a = spawn();
  const Term priority = machine.signals.make_alias(root(), AliasMode::kExplicitUnalias, Urgency::kPriority);
  const Term ordinary = machine.signals.make_alias(root(), AliasMode::kExplicitUnalias);
  machine.signals.send(a, ordinary, atom("one"), Urgency::kPriority);
  machine.signals.send(a, root().pid, atom("two"), Urgency::kPriority);
  machine.signals.send(a, priority, atom("three"));
  machine.signals.send(a, priority, atom("first"), Urgency::kPriority);
  EXPECT_THAT(mailbox(root()), ElementsAre("first", "one", "two", "three"));
  machine.signals.unalias(root(), priority);
  machine.signals.send(a, priority, atom("dropped"), Urgency::kPriority);
  EXPECT_EQ(root().mailbox.size(), 4U);
}

TEST_F(SignalsTest, a_reply_that_is_a_priority_message_ends_its_alias) {
  Process& a = spawn();
  const Term alias = machine.signals.make_alias(root(), AliasMode::kReply, Urgency::kPriority);
  machine.signals.send(a, root().pid, atom("one"));
  machine.signals.send(a, alias, atom("first"), Urgency::kPriority);
  machine.signals.send(a, alias, atom("dropped"), Urgency::kPriority);
  EXPECT_THAT(mailbox(root()), ElementsAre("first", "one"));
}

TEST_F(SignalsTest, down_messages_are_priority_messages_if_the_monitor_says_so) {
  Process& a = spawn();
  machine.signals.send(a, root().pid, atom("one"));
  machine.signals.monitor(root(), a.pid, a.pid, {.tag = atom("ordinary")});
  machine.signals.monitor(root(), a.pid, a.pid, {.tag = atom("urgent"), .urgency = Urgency::kPriority});
  end(a);
  machine.signals.monitor(root(), Term::none(), atom("x"),
                          {.tag = atom("late"), .urgency = Urgency::kPriority});
  EXPECT_THAT(mailbox(root()),
              ElementsAre("{urgent,#Ref<P:2>,process,<P.1>,normal}", "{late,#Ref<P:3>,process,x,noproc}",
                          "one", "{ordinary,#Ref<P:1>,process,<P.1>,normal}"));
}

TEST_F(SignalsTest, exit_messages_are_priority_messages_for_who_asked_so_of_the_link) {
  Process& a = spawn();
  Process& b = spawn();
  for (Process* p : {&a, &root()}) {
    p->attributes.trap_exit = true;
    machine.signals.send(*p, p->pid, atom("one"));
    machine.signals.link(*p, b.pid, p == &a ? Urgency::kOrdinary : Urgency::kPriority);
  }
  end(b, atom("x"));
  EXPECT_THAT(mailbox(root()), ElementsAre("{'EXIT',<P.2>,x}", "one"));
  EXPECT_THAT(mailbox(a), ElementsAre("one", "{'EXIT',<P.2>,x}"));
}

TEST_F(SignalsTest, the_last_call_of_link_says_whether_the_exit_message_is_a_priority_message) {
  Process& a = spawn();
  root().attributes.trap_exit = true;
  machine.signals.send(a, root().pid, atom("one"));
  machine.signals.link(root(), a.pid, Urgency::kPriority);
  machine.signals.link(a, root().pid, Urgency::kPriority);  // says nothing of the other side
  machine.signals.link(root(), a.pid);
  end(a, atom("x"));
  EXPECT_THAT(mailbox(root()), ElementsAre("one", "{'EXIT',<P.1>,x}"));
  EXPECT_THAT(root().attributes.priority_links, IsEmpty());
}

TEST_F(SignalsTest, an_exit_signal_to_a_priority_alias_becomes_a_priority_message_if_it_is_sent_so) {
  Process& a = spawn();
  root().attributes.trap_exit = true;
  const Term alias = machine.signals.make_alias(root(), AliasMode::kExplicitUnalias, Urgency::kPriority);
  machine.signals.send(a, root().pid, atom("one"));
  machine.signals.signal_exit(a.pid, alias, atom("x"));
  machine.signals.signal_exit(a.pid, root().pid, atom("y"), Urgency::kPriority);
  machine.signals.signal_exit(a.pid, alias, atom("z"), Urgency::kPriority);
  EXPECT_THAT(mailbox(root()),
              ElementsAre("{'EXIT',<P.1>,z}", "one", "{'EXIT',<P.1>,x}", "{'EXIT',<P.1>,y}"));
}

TEST_F(SignalsTest, what_is_urgent_is_saved_and_restored) {
  Process& a = spawn();
  machine.time.add_timer({.reference = machine.signals.make_reference(root()),
                          .target = atom("nobody"),
                          .content = atom("tick"),
                          .creator = root().pid});
  machine.fire(0);  // a step, after which all have come to rest
  const Term alias = machine.signals.make_alias(root(), AliasMode::kExplicitUnalias, Urgency::kPriority);
  root().change_attributes().trap_exit = true;
  machine.signals.link(root(), a.pid, Urgency::kPriority);
  machine.signals.monitor(root(), a.pid, a.pid, {.urgency = Urgency::kPriority});
  machine.signals.send(a, root().pid, atom("one"));
  machine.signals.send(a, alias, atom("first"), Urgency::kPriority);
  std::vector<Term> saved;
  machine.freezer.save(saved);
  const auto go_on = [&] {
    machine.signals.send(process(a.pid), alias, atom("second"), Urgency::kPriority);
    end(process(a.pid), atom("x"));
    return mailbox(root());
  };
  const std::vector<std::string> expected = {"first", "second", "{'EXIT',<P.1>,x}",
                                             "{'DOWN',#Ref<P:3>,process,<P.1>,x}", "one"};
  EXPECT_EQ(go_on(), expected);
  machine.freezer.restore(saved);
  EXPECT_EQ(go_on(), expected);
}

// ---- Faults and footprints

TEST_F(SignalsTest, the_first_fault_is_the_one_that_is_told) {
  machine.faults.refuse("first");
  machine.faults.refuse("second");
  machine.faults.halt(Term::small(1));
  EXPECT_EQ(machine.faults.current().kind, MachineFault::Kind::kUnsupported);
  EXPECT_EQ(machine.faults.current().message, "first");
}

TEST_F(SignalsTest, operations_on_different_processes_are_independent) {
  Process& a = spawn();
  Process& b = spawn();
  Process& c = spawn();
  Process& d = spawn();
  EXPECT_FALSE(conflict(touched([&] { spawn(a); }), touched([&] { spawn(b); })));
  EXPECT_FALSE(conflict(touched([&] { machine.signals.send(a, c.pid, atom("m")); }),
                        touched([&] { machine.signals.send(b, d.pid, atom("m")); })));
  EXPECT_FALSE(conflict(touched([&] { machine.signals.monitor(a, c.pid, c.pid); }),
                        touched([&] { machine.signals.monitor(b, c.pid, c.pid); })));
  EXPECT_FALSE(conflict(touched([&] { machine.signals.link(a, c.pid); }),
                        touched([&] { machine.signals.link(b, c.pid); })));
  EXPECT_FALSE(conflict(touched([&] { machine.registry.register_name(atom("a"), a.pid); }),
                        touched([&] { machine.registry.register_name(atom("b"), b.pid); })));
}

TEST_F(SignalsTest, an_end_conflicts_with_who_links_watches_or_asks) {
  Process& a = spawn();
  const std::vector<Touched> watch = touched([&] { machine.signals.monitor(root(), a.pid, a.pid); });
  const std::vector<Touched> link = touched([&] { machine.signals.link(root(), a.pid); });
  const std::vector<Touched> unlink = touched([&] { machine.signals.unlink(root(), a.pid); });
  const std::vector<Touched> kill =
      touched([&] { machine.signals.signal_exit(root().pid, a.pid, atoms::kKill); });
  const std::vector<Touched> ends = touched([&] { end_killed(a); });
  for (const auto& other : {watch, link, unlink, kill}) EXPECT_TRUE(conflict(ends, other));
  EXPECT_TRUE(conflict(link, unlink));
}

}  // namespace
}  // namespace ravel::erlang
