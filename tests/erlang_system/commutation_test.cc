// Operations that do not depend on each other, as their footprints tell it, commute.
//
// A program (programs/commute.erl) makes random operations of every kind in four processes. In each state
// that a random schedule meets, every two of the actors that could move are run in both orders. If the events
// do not depend on each other, then neither keeps the other from happening, both touch the same in both
// orders, and the states are the same afterwards: what operations give is part of the state. The other way
// round nothing is wrong with two that commute although they depend on each other, but a search does twice
// the work then; COMMUTATION_TABLE=1 prints how often that is so, for each pair of operations, and
// COMMUTATION_EXAMPLES=1 one example of each. COMMUTATION_TRIALS=N tries more programs,
// COMMUTATION_FAILURES=N shows N failures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "erlang/machine/process_image.h"
#include "erlang/term/header.h"
#include "erlang/term/print.h"
#include "tests/erlang_system/ways.h"

namespace ravel::erlang {
namespace {

// One of two events, as it happened.
struct Step {
  std::string text;
  std::vector<Touch> footprint;
};

struct Counts {
  std::size_t independent = 0, dependent = 0, needless = 0;
  std::string example;  // of a needless dependence
};

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class Commutation : public testing::Test {
 protected:
  static constexpr std::uint64_t kTrials = 40, kScheduleSeed = 2026;
  static constexpr std::size_t kStepsMax = 60;
  static constexpr const char* kFamilies[] = {"signals", "names",    "messages", "questions",
                                              "tables",  "owners",   "numbers",  "timers",
                                              "files",   "priority", "all"};

  explicit Commutation(const MishapOptions& mishaps = {}) {
    program_ = open_program({project_file("tests/erlang_system/programs/commute.erl")});
    allow_priority_messages();
    ErlangOptions options{.properties = {.leftovers = Leftovers::kBugs,
                                         .crashes = Crashes::kAll,
                                         .normal_reasons = {"shutdown", "boom", "killed", "noproc"}},
                          .machine = {.notes_messages = true, .mishaps = mishaps}};
    auto name = TestName::parse("commute:main");
    auto system = ErlangSystem::start(*program_, *name, options);
    CHECK_MESSAGE(system.ok(), system.ok() ? "" : system.error().message.c_str());
    system_ = std::move(*system);
    system_->set_descriptions(Descriptions::kOn);
  }

  Term atom(std::string_view text) { return system_->machine().names.atoms.intern(text); }

  // Runs the program up to the operations to be compared.
  void prepare(std::uint64_t seed, std::string_view family) {
    system_->reset();
    position_ = 0;
    step_of("P");
    Machine& m = system_->machine();
    const Term message =
        m.heap.tuple({atom("seed"), Term::small(static_cast<std::int64_t>(seed)), atom(family)});
    m.signals.deliver(m.names.root_pid(), message, m.names.root_pid());
    step_of("P.1");
    while (step_of("P").text.find("yield") == std::string::npos) {
    }
  }

  Step step_of(const std::string& actor) {
    for (const Transition& transition : system_->enabled())
      if (system_->actor_name(transition.actor).to_string() == actor) return step(transition);
    CHECK_MESSAGE(false, "the program did not get ready");
  }

  Step step(const Transition& transition) {
    const Event event = system_->step(transition);
    ++position_;
    Step done{.text = {}, .footprint = {event.footprint.begin(), event.footprint.end()}};
    const EventDescription description = system_->describe_last();
    done.text = description.text;
    for (const std::string& line : description.extra) done.text += "; " + line;
    return done;
  }

  bool is_enabled(const Transition& transition) {
    return std::ranges::any_of(system_->enabled(), [&](const Transition& one) {
      return one.actor == transition.actor && one.kind == transition.kind;
    });
  }

  // The pairs that depend on each other although they commute, with an example of each if asked for.
  void print_table() const {
    std::printf("%-40s %-40s %11s %9s %8s\n", "operation", "and", "independent", "dependent", "needless");
    for (const auto& [pair, counts] : counts_) {
      if (counts.needless == 0) continue;
      std::printf("%-40s %-40s %11zu %9zu %8zu\n", pair.first.c_str(), pair.second.c_str(),
                  counts.independent, counts.dependent, counts.needless);
      if (std::getenv("COMMUTATION_EXAMPLES") != nullptr) std::printf("%s\n", counts.example.c_str());
    }
  }

  void fail(const std::string& what) {
    ++failures_;
    ADD_FAILURE() << what;
  }

  // The state, without those who got a message of one kind from both: only who receives them can tell their
  // order.
  std::vector<Term> state_without(const std::set<std::uint64_t>& mailboxes) {
    std::vector<Term> words, kept;
    system_->machine().freezer.save(words);
    kept.assign(words.begin(), words.begin() + kWordsBeforeImages);
    for (std::size_t i = kWordsBeforeImages; i + 1 < words.size(); i += 2) {
      if (mailboxes.contains(object_id(ObjectClass::kMailbox, words[i].pid_name()))) continue;
      kept.push_back(words[i]);
      kept.push_back(words[i + 1]);
    }
    return kept;
  }

  // The parts of two states that differ.
  std::string difference(const std::vector<Term>& one, const std::vector<Term>& other) {
    std::string text;
    for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
      const Term a = i < one.size() ? one[i] : Term::nil(), b = i < other.size() ? other[i] : Term::nil();
      if (a == b) continue;
      if (!is_tuple(a) || !is_tuple(b) || tuple_size(a) != tuple_size(b)) return text + "\n  other processes";
      for (Word j = 1; j <= tuple_size(a); ++j) {
        const Term left = element(a, j), right = element(b, j);
        if (left == right) continue;
        const auto show_term = [&](Term term) {
          return term.is_none() ? "none" : print_term(system_->machine().names, term);
        };
        text += "\n  part " + std::to_string(i) + "." + std::to_string(j) + ": " + show_term(left) +
                "\n        or " + show_term(right);
      }
    }
    return text;
  }

  // What happened when `first` moved before `second`, from the state that the snapshot holds.
  struct Order {
    bool happens = false;  // was the second able to move after the first?
    Step first, second;
    bool depends = false;
  };
  Order run(Snapshot snapshot, std::size_t position, const Transition& first, const Transition& second) {
    system_->restore(snapshot);
    position_ = position;
    Order order;
    std::map<std::uint64_t, Lengths> lengths;  // of mailboxes
    for (const Process* process : system_->machine().processes.all())
      lengths[object_id(ObjectClass::kMailbox, process->pid.pid_name())] = {
          .all = process->mailbox.size(), .priority = process->mailbox.priority_count()};
    order.first = step(first);
    if (system_->outcome() != Outcome::kRunning || !is_enabled(second)) return order;
    order.second = step(second);
    order.happens = true;
    order.depends = depends(order, lengths);
    return order;
  }

  struct Lengths {
    std::size_t all = 0, priority = 0;
  };

  static bool takes(Access access) {
    return access == Access::kReceive || access == Access::kReceiveOrExpire;
  }

  bool depends(const Order& order, const std::map<std::uint64_t, Lengths>& lengths) {
    for (const Touch& a : order.first.footprint)
      for (const Touch& b : order.second.footprint)
        if (a.object == b.object && conflicts(a.access, b.access) &&
            (!a.is_coarse || system_->conflict_closely(position_ - 2, position_ - 1)))
          return true;
    // A message was not there before it was sent.
    for (const Touch& b : order.second.footprint) {
      if (!takes(b.access)) continue;
      const auto sent = [&](bool is_priority) { return sent_to(order.first).count({b.object, is_priority}); };
      const Lengths& before = lengths.at(b.object);
      const bool is_new_priority = b.message >= before.priority && b.message < before.priority + sent(true);
      if (is_new_priority || b.message >= before.all + sent(true)) return true;
    }
    // A receive that went on without a message could have taken what came then; one that took an ordinary
    // message, a priority message.
    for (const Touch& a : order.first.footprint) {
      if (a.access != Access::kExpire && !takes(a.access)) continue;
      const bool took_priority = takes(a.access) && a.message < lengths.at(a.object).priority;
      for (std::size_t i = 0; i < order.second.footprint.size(); ++i) {
        const Touch& b = order.second.footprint[i];
        if (b.object != a.object || b.access != Access::kSend || took_priority ||
            (takes(a.access) && !b.is_priority))
          continue;
        if (system_->could_take(position_ - 2, position_ - 1, i)) return true;
      }
    }
    return false;
  }

  // Mailboxes, and whether the message has priority.
  static std::multiset<std::pair<std::uint64_t, bool>> sent_to(const Step& step) {
    std::multiset<std::pair<std::uint64_t, bool>> sent;
    for (const Touch& touch : step.footprint)
      if (touch.access == Access::kSend) sent.emplace(touch.object, touch.is_priority);
    return sent;
  }

  // Whether an event touches the same in both orders. What a flush removes, and where in a mailbox it or a
  // message that is taken lies, depends on whether it has come yet; then it is sent, or it would have been.
  static bool same_footprint(const Step& a, const Step& b) {
    const auto plain = [](const Step& step) {
      std::vector<Touch> touches = step.footprint;
      std::erase_if(touches, [](const Touch& touch) { return touch.access == Access::kRemove; });
      for (Touch& touch : touches) {
        if (touch.access == Access::kSendInVain) touch.access = Access::kSend;
        touch.message = 0;
      }
      return touches;
    };
    return plain(a) == plain(b);
  }

  static std::string show(const Step& step) {
    std::string text = step.text + "  [";
    for (const Touch& touch : step.footprint) {
      char part[64];
      std::snprintf(part, sizeof part, " %u:%llx.%u%s", static_cast<unsigned>(touch.object >> 56),
                    static_cast<unsigned long long>(touch.object & kObjectPayloadMask),
                    static_cast<unsigned>(touch.access), touch.decides ? "" : "-");
      text += part;
    }
    return text + " ]";
  }

  // The kind of an operation: the function, with the item or flag that it is asked about.
  static std::string kind_of(const std::string& text) {
    std::string kind = text.substr(0, text.find_first_of("({<"));
    if (kind.starts_with("calls ")) kind = kind.substr(6);
    if (kind == "process_info" || kind == "ets:info" || kind == "process_flag") {
      const std::size_t end = text.find(") ->");
      const std::size_t begin = kind == "process_flag" ? text.find('(') + 1 : text.rfind(',', end) + 1;
      if (end != std::string::npos && begin < end) kind += " " + text.substr(begin, end - begin);
    }
    if (text.find("-> raises") != std::string::npos || text.find("fails") != std::string::npos)
      kind += " (fails)";
    return kind;
  }

  void compare(Snapshot snapshot, std::size_t position, const Transition& a, const Transition& b,
               const std::string& where) {
    const Order forth = run(snapshot, position, a, b);
    std::vector<Term> after_forth, after_back;
    std::set<std::uint64_t> both;
    if (forth.happens) {
      const auto y = sent_to(forth.second);
      for (const auto& sent : sent_to(forth.first))
        if (y.contains(sent)) both.insert(sent.first);
      after_forth = state_without(both);
    }
    const Order back = run(snapshot, position, b, a);
    if (back.happens) after_back = state_without(both);
    const std::string orders = where + "\n  forth: " + show(forth.first) + "\n         " +
                               show(forth.second) + "\n  back:  " + show(back.first) + "\n         " +
                               show(back.second);
    std::string one = kind_of(forth.first.text), other = kind_of(back.first.text);
    if (other < one) std::swap(one, other);
    Counts& counts = counts_[{one, other}];
    const bool is_same = forth.happens && back.happens && after_forth == after_back;
    if (!forth.happens || !back.happens) {
      ++counts.dependent;
      const bool is_noticed = forth.happens ? forth.depends : back.happens ? back.depends : true;
      if (!is_noticed && system_->outcome() == Outcome::kRunning)
        fail("independent, but one keeps the other from happening: " + orders);
      return;
    }
    if (forth.depends != back.depends) {
      fail("dependent in one order only: " + orders);
      return;
    }
    if (forth.depends) {
      ++counts.dependent;
      const bool looks_same =
          is_same && same_footprint(forth.first, back.second) && same_footprint(forth.second, back.first);
      if (is_same) {
        ++counts.needless;
        if (counts.example.empty() || looks_same) counts.example = orders;
      }
      return;
    }
    ++counts.independent;
    if (!same_footprint(forth.first, back.second) || !same_footprint(forth.second, back.first)) {
      fail("independent, but they touch something else in the other order: " + orders);
    } else if (!is_same) {
      fail("independent, but they do not commute: " + orders + difference(after_forth, after_back));
    }
  }

  void compare_in_random_states(std::uint64_t trials_usually) {
    const std::uint64_t trials = number_from_environment("COMMUTATION_TRIALS", trials_usually);
    const std::uint64_t failures_max = number_from_environment("COMMUTATION_FAILURES", 1);
    Random random(kScheduleSeed);
    for (const char* family : kFamilies) {
      for (std::uint64_t seed = 1; seed <= trials; ++seed) {
        prepare(seed, family);
        const std::string where = std::string(family) + ", seed " + std::to_string(seed);
        for (std::size_t steps = 0; steps < kStepsMax && system_->outcome() == Outcome::kRunning; ++steps) {
          const std::vector<Transition> enabled(system_->enabled().begin(), system_->enabled().end());
          const std::size_t position = position_;
          const Snapshot snapshot = *system_->save();
          for (std::size_t i = 0; i < enabled.size(); ++i)
            for (std::size_t j = i + 1; j < enabled.size(); ++j)
              if (enabled[i].actor != enabled[j].actor)
                compare(snapshot, position, enabled[i], enabled[j],
                        where + ", step " + std::to_string(steps));
          if (failures_ >= failures_max) return;
          system_->restore(snapshot);
          system_->release(snapshot);
          position_ = position;
          step(enabled[random.below(enabled.size())]);
        }
      }
    }
    Counts all;
    for (const auto& [pair, counts] : counts_) {
      all.independent += counts.independent;
      all.dependent += counts.dependent;
      all.needless += counts.needless;
    }
    if (std::getenv("COMMUTATION_TABLE") != nullptr) print_table();
    std::printf("%zu independent pairs, %zu dependent ones, of which %zu commute\n", all.independent,
                all.dependent, all.needless);
    EXPECT_GT(all.independent, 50 * trials_usually * std::size(kFamilies));
    EXPECT_LT(all.needless * 3, all.dependent);
  }

  std::unique_ptr<Program> program_;
  std::unique_ptr<ErlangSystem> system_;
  std::size_t position_ = 0;  // how many events this execution has
  std::uint64_t failures_ = 0;
  std::map<std::pair<std::string, std::string>, Counts> counts_;
};

TEST_F(Commutation, independent_operations_commute) { compare_in_random_states(kTrials); }

// With so many kills that none keeps another from happening.
class CommutationOfKills : public Commutation {
 protected:
  CommutationOfKills() : Commutation({.kills = kMishapsMax}) {}
};

TEST_F(CommutationOfKills, independent_operations_commute) { compare_in_random_states(kTrials / 4); }

}  // namespace
}  // namespace ravel::erlang
