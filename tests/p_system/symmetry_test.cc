// Searches by states that take interchangeable machines for one another, against those that do not.
//
// The programs are random ones. All states are visited without symmetry, and counted up to the names of the
// members: by an own text of each state under every permutation. The search with symmetry has to visit as
// many, and to find the same bugs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>

#include "engine/system_wrapper.h"
#include "p/value/object.h"
#include "p/value/ordered_tree.h"
#include "p/value/sequence.h"
#include "states/state_search.h"
#include "tests/p_system/random_programs.h"
#include "tests/p_system/run.h"

namespace ravel::p {
namespace {

IdSet<MachineId> types(const Program& program, std::string_view name) {
  IdSet<MachineId> all;
  for (std::size_t i = 0; i < program.machines.size(); ++i)
    if (program.machines[i].name == name) all.add(id_at<MachineId>(i));
  return all;
}

// A state as text, with other names of machines.
class StateText {
 public:
  StateText(const World& world, std::map<std::uint32_t, std::string> names)
      : world_(world), names_(std::move(names)) {}

  std::string text() const {
    std::multiset<std::string> machines;
    for (const std::uint32_t who : world_.names().in_order())
      if (who < world_.size() && world_.exists(who)) machines.insert(name(who) + of(world_.live(who)));
    std::string text;
    for (const std::string& one : machines) text += one + "\n";
    for (const LiveMachine& monitor : world_.monitors()) text += of(monitor) + "\n";
    return text;
  }

 private:
  std::string name(std::uint32_t who) const {
    if (const auto known = names_.find(who); known != names_.end()) return known->second;
    if (who == MachineNames::kRoot) return "P";
    return name(world_.names().parent(who)) + "." + std::to_string(world_.names().path(who).back());
  }

  std::string of(Value value) const {
    if (value.is_machine()) return "<" + name(world_.names().index_of(value.machine_number())) + ">";
    if (!value.is_object()) return std::to_string(value.bits());
    if (is_set(value) || is_map(value)) {
      std::multiset<std::string> all;
      const std::vector<Value> keys = ordered::keys(value);
      for (std::size_t i = 0; i < keys.size(); ++i)
        all.insert(of(keys[i]) + (is_map(value) ? "->" + of(ordered::value_at(value, i)) : ""));
      std::string text = is_set(value) ? "set" : "map";
      for (const std::string& one : all) text += "{" + one + "}";
      return text;
    }
    if (is_seq(value)) {
      std::string text = "seq";
      for (const Value one : seq::elements(value)) text += "(" + of(one) + ")";
      return text;
    }
    if (is_raw(kind_of(value))) return "raw" + std::to_string(ValueStore::hash(value));
    std::string text = "tuple" + std::to_string(static_cast<int>(kind_of(value)));
    for (const Word word : raw_words(value)) text += "[" + of(Value(word)) + "]";
    return text;
  }

  std::string of(const LiveMachine& live) const {
    std::string text;
    for (const std::uint64_t number :
         {std::uint64_t(live.phase), std::uint64_t(live.stage), std::uint64_t(live.unwraps_payload),
          std::uint64_t(live.target_unwraps_payload), std::uint64_t(index(live.machine)),
          std::uint64_t(index(live.state)), std::uint64_t(live.bound), std::uint64_t(live.children),
          std::uint64_t(live.pc), std::uint64_t(live.base), std::uint64_t(index(live.target)),
          std::uint64_t(live.between)})
      text += " " + std::to_string(number);
    text += of(live.carried) + " fields";
    for (const Value one : live.fields) text += " " + of(one);
    text += " stack";
    for (const Value one : live.stack) text += " " + of(one);
    text += " frames";
    for (const Frame& one : live.frames)
      text += " " + std::to_string(one.pc) + "/" + std::to_string(one.base);
    text += " queue";
    for (const Message& one : live.queue) text += " " + of(one.event) + " " + of(one.payload);
    return text;
  }

  const World& world_;
  const std::map<std::uint32_t, std::string> names_;
};

// Counts the states that are met up to the names of members, which Main has created.
class Orbits final : public SystemWrapper {
 public:
  Orbits(PSystem& system, const IdSet<MachineId>& members)
      : SystemWrapper(system), world_(system.world()), types_(members) {}

  std::optional<MetState> number_state() override {
    const auto met = SystemWrapper::number_state();
    if (met && met->is_new) orbits.insert(least_text());
    return met;
  }

  std::set<std::string> orbits;

 private:
  std::string least_text() const {
    std::vector<std::uint32_t> members;
    for (const std::uint32_t who : world_.names().in_order())
      if (who < world_.size() && world_.exists(who) && types_.contains(world_.live(who).machine))
        members.push_back(who);
    std::vector<std::size_t> order(members.size());
    std::iota(order.begin(), order.end(), 0);
    std::string least;
    do {
      std::map<std::uint32_t, std::string> names;
      for (std::size_t i = 0; i < order.size(); ++i)
        names[members[i]] = world_.names().text(members[order[i]]);
      std::string text = StateText(world_, names).text();
      if (least.empty() || text < least) least = std::move(text);
    } while (std::ranges::next_permutation(order).found);
    return least;
  }

  const World& world_;
  const IdSet<MachineId> types_;
};

struct Found {
  std::set<std::string> bugs;  // kind and line: messages may tell names
  std::uint64_t states = 0;
  std::optional<Refusal> refusal = {};
};

Found search(System& system, StateOrder order) {
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  const Exploration found = StateSearch(system, order, limits, clock).run();
  Found told{.bugs = {}, .states = found.counts.states->states, .refusal = found.refusal};
  for (const FoundBug& one : found.bugs) {
    told.bugs.insert(one.bug.kind + " " + std::to_string(one.bug.line));
    // In the names that the program has without symmetry, too.
    system.reset();
    EXPECT_EQ(system.follow(one.schedule), one.schedule.size());
    EXPECT_EQ(system.outcome(), Outcome::kBug);
  }
  return told;
}

Found search_symmetric(const std::string& text, std::string_view type, POptions options = {},
                       StateOrder order = StateOrder::kDepthFirst) {
  const Opened plain = opened(text, "t", options);
  options.symmetric = types(*plain.sources.program, type);
  const Opened program = opened(text, "t", options);
  return search(*program.system, order);
}

// Stops a search that has too many.
class Bounded final : public SystemWrapper {
 public:
  using SystemWrapper::SystemWrapper;
  std::optional<MetState> number_state() override {
    if (++numbered_ > 6'000) return std::nullopt;  // transitions
    return SystemWrapper::number_state();
  }

 private:
  std::uint64_t numbered_ = 0;
};

bool has_too_many_states(const std::string& text, const POptions& options) {
  const Opened program = opened(text, "t", options);
  Bounded bounded(*program.system);
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  return StateSearch(bounded, StateOrder::kDepthFirst, limits, clock).run().stop != Stop::kComplete;
}

// More of them with SYMMETRY_PROGRAMS=n.
TEST(Symmetry, VisitsOneStateOfThoseThatDifferInNamesOnly) {
  const char* const more = std::getenv("SYMMETRY_PROGRAMS");
  const std::size_t programs = more == nullptr ? 120 : std::strtoul(more, nullptr, 10);
  std::uint64_t states = 0, orbits = 0, bugs = 0, compared = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    Random random(seed);
    const std::string text = random_symmetric_program(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    POptions options{.steps = seed % 3 == 0 ? Steps::kHandlers : Steps::kOperations};
    if (has_too_many_states(text, options)) continue;
    const Opened plain = opened(text, "t", options);
    Orbits counting(*plain.system, types(*plain.sources.program, "Member"));
    const Found all = search(counting, StateOrder::kBreadthFirst);
    if (seed % 4 == 0) options.words_between_collections = 0;
    for (const StateOrder order : {StateOrder::kDepthFirst, StateOrder::kBreadthFirst}) {
      const Found reduced = search_symmetric(text, "Member", options, order);
      EXPECT_FALSE(reduced.refusal.has_value()) << reduced.refusal->message;
      EXPECT_EQ(reduced.states, counting.orbits.size());
      EXPECT_EQ(reduced.bugs, all.bugs);
    }
    options.visited = {.hash_bits = 64};
    const Found by_hashes = search_symmetric(text, "Member", options);
    EXPECT_EQ(by_hashes.states, counting.orbits.size());
    EXPECT_EQ(by_hashes.bugs, all.bugs);
    if (HasFailure()) return;
    ++compared;
    states += all.states;
    orbits += counting.orbits.size();
    bugs += all.bugs.size();
  }
  EXPECT_GT(compared * 2, programs);
  EXPECT_LT(orbits * 2, states);
  EXPECT_GT(bugs * 6, compared);
}

// Three members say who they are, and Main keeps them in a set; then it does that.
std::string with_set(const std::string& statements) {
  return "event hello: machine; event bye;\n"
         "machine Member { start state S { entry (main: machine) { send main, hello, this; } ignore bye; } "
         "}\n"
         "fun Same(a: machine, b: machine): bool { return a == b; }\n"
         "machine Main { var all: set[machine]; var counts: map[machine, int]; var one: machine; var i: int; "
         "var text: string; var line: seq[machine];\n"
         "start state S { entry { while (i < 3) { new Member(this); i = i + 1; } }\n"
         "on hello do (who: machine) { all += (who); counts[who] = 1; line += (0, who);\n"
         "if (sizeof(all) == 3) {\n" +
         statements + "\n} } } }\ntest t [main = Main]: { Main, Member };\n";
}

TEST(Symmetry, WhatTellsMembersApartIsRefused) {
  const auto why = [](const std::string& statements) {
    const Found found = search_symmetric(with_set(statements), "Member");
    return found.refusal ? std::to_string(found.refusal->line) + ": " + found.refusal->message
                         : std::string();
  };
  using testing::HasSubstr;
  const auto seen =
      testing::AllOf(testing::StartsWith("8: the machines of --symmetric Member are told apart"),
                     HasSubstr("is seen in the order of a set or map"));
  EXPECT_THAT(why("foreach (one in all) send one, bye;"), seen);
  EXPECT_THAT(why("one = all[0];"), seen);
  EXPECT_THAT(why("one = keys(counts)[0];"), seen);
  EXPECT_THAT(why("i = values(counts)[0];"), seen);
  EXPECT_THAT(why("text = format(\"{0}\", all);"), HasSubstr("is made into text"));
  EXPECT_EQ(why("one = choose(all); send one, bye;"), "");
  EXPECT_EQ(why("one = choose(counts); send one, bye; assert one in all, format(\"{0}\", one);"), "");
  EXPECT_EQ(why("print format(\"{0} of {1}\", line, all);"), "");
  EXPECT_EQ(why("foreach (one in line) send one, bye;"), "");
  EXPECT_EQ(why("if (line[0] == line[1] || !(line[2] in all)) counts[line[0]] = 7;"), "");
}

// An order of arrival is a difference, and so is what Main keeps of the order of creation.
TEST(Symmetry, WhatTheProgramKeepsApartStaysApart) {
  const auto states = [](const std::string& text) {
    const Opened plain = opened(text, "t");
    return std::pair(search(*plain.system, StateOrder::kDepthFirst).states,
                     search_symmetric(text, "Member").states);
  };
  const std::string once = with_set("one = null;");
  const auto [all, orbits] = states(once);
  EXPECT_LT(orbits * 2, all);
  std::string kept = once;
  const std::string creates = "new Member(this);";
  kept.replace(kept.find(creates), creates.size(), "line += (i, new Member(this));");
  const auto [kept_all, kept_orbits] = states(kept);
  EXPECT_EQ(kept_all, kept_orbits);
}

// Each has a child, which goes with it.
TEST(Symmetry, WhoIsBelowAMemberGoesWithIt) {
  const std::string text =
      "event hello: machine; event bye;\n"
      "machine Child { start state S { entry (main: machine) { send main, hello, this; } on bye do { raise "
      "halt; "
      "} } }\n"
      "machine Member { start state S { entry (main: machine) { new Child(main); } } }\n"
      "machine Main { var all: set[machine]; var i: int; start state S {\n"
      "entry { while (i < 3) { new Member(this); i = i + 1; } }\n"
      "on hello do (who: machine) { all += (who); if (sizeof(all) == 2) send choose(all), bye; } } }\n"
      "test t [main = Main]: { Main, Member, Child };\n";
  const Opened plain = opened(text, "t");
  Orbits counting(*plain.system, types(*plain.sources.program, "Member"));
  const Found all = search(counting, StateOrder::kDepthFirst);
  EXPECT_EQ(search_symmetric(text, "Member").states, counting.orbits.size());
  EXPECT_LT(counting.orbits.size() * 2, all.states);
}

}  // namespace
}  // namespace ravel::p
