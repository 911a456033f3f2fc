// Searches by states that take interchangeable processes for one another, against those that do not.
//
// The programs are random ones, of programs/alike.erl. All states are visited without symmetry, and counted
// up to the names of the members: by an own text of each state under every permutation. The search with
// symmetry has to visit as many, and to find the same bugs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "engine/system_wrapper.h"
#include "erlang/system/erlang_system.h"
#include "erlang/system/temporary_folder.h"
#include "erlang/term/map.h"
#include "erlang/term/ordered_tree.h"
#include "states/state_search.h"
#include "tests/erlang_system/ways.h"

namespace ravel::erlang {
namespace {

bool is_member(const Machine& m, const Process& process) {
  const Term call = process.attributes.initial_call;
  return is_tuple_of(call, 3) && element(call, 2).is_atom() &&
         m.names.atoms.text(element(call, 2)) == "member";
}

// A state as text, with other names.
class StateText {
 public:
  StateText(Machine& machine, std::map<Word, std::string> names) : m_(machine), names_(std::move(names)) {}

  std::string text() {
    std::vector<Term> words;
    m_.freezer.save(words);
    std::string text = of_shared(words[0]) + "\n" + of_tables(words[1]) + "\n";
    std::multiset<std::string> processes;
    for (std::size_t i = kWordsBeforeImages; i + 1 < words.size(); i += 2)
      processes.insert(name(words[i]) + " " + of_image(words[i + 1]) + "\n");
    for (const std::string& one : processes) text += one;
    return text;
  }

 private:
  std::string name(Term pid) const {
    if (const auto known = names_.find(pid.bits()); known != names_.end()) return known->second;
    if (!m_.names.has_parent(pid)) return m_.names.pid_text(pid);
    return name(m_.names.parent_of(pid)) + "." + std::to_string(m_.names.ordinal_of(pid));
  }

  static std::string joined(const std::multiset<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += part + ";";
    return text;
  }

  std::string of(Term t) const {
    if (t.is_pid()) return "<" + name(t) + ">";
    if (t.is_reference())
      return "<" + name(Names::creator_of(t)) + ":" + std::to_string(Names::index_of(t)) + ">";
    if (!t.is_pointer()) return std::to_string(t.bits());
    if (t.is_cons()) return "[" + of(t.head()) + "|" + of(t.tail()) + "]";
    if (is_map(t)) {
      std::multiset<std::string> pairs;
      for (MapIterator one(t); one.next();) pairs.insert(of(one.key()) + "=>" + of(one.value()));
      return "#{" + joined(pairs) + "}";
    }
    if (is_raw(kind_of(t.header()))) return "raw" + std::to_string(Store::hash(t));
    std::string text = std::to_string(static_cast<int>(kind_of(t.header()))) + "{";
    for (Word i = 1; i <= size_of(t.header()); ++i) text += of(t.object()[i]) + ",";
    return text + "}";
  }

  std::string of_things(Term tuple, Word each) const {
    std::multiset<std::string> things;
    for (Word i = 1; i + each <= tuple_size(tuple) + 1; i += each) {
      std::string text;
      for (Word k = 0; k < each; ++k) text += of(element(tuple, i + k)) + ",";
      things.insert(text);
    }
    return joined(things);
  }

  std::string of_image(Term image) const {
    const ImageParts parts = m_.freezer.parts_of(image);
    std::string text;
    for (Word i = 1; i <= tuple_size(parts.others); ++i)
      if (i != 7) text += of(element(parts.others, i)) + ",";
    const Term attributes = element(parts.others, 7);
    for (Word i = 1; i <= tuple_size(attributes); ++i) {
      const Term part = element(attributes, i);
      // The group of a fun, which only the search with symmetry notes
      if (i == 18) continue;
      text += i == 12 || i == 17 ? of_things(part, 1)
              : i == 14          ? of_things(part, 5)
              : i == 16          ? of_things(part, 2)
                                 : of(part);
      text += "/";
    }
    return text + of(parts.stack) + of(parts.mailbox);
  }

  std::string of_shared(Term image) const {
    std::string text;
    for (Word i = 1; i <= tuple_size(image); ++i)
      text += (i == 2 ? of_things(element(image, i), 7) : of(element(image, i))) + "/";
    return text;
  }

  std::string of_tables(Term image) const {
    std::multiset<std::string> tables;
    for (Word i = 1; i <= tuple_size(image); ++i) {
      const Term table = element(image, i);
      std::string text;
      for (Word k = 1; k <= tuple_size(table); ++k) {
        if (k == 10 && (element(table, 6).small_value() & 3) == 1) {
          std::vector<Term> rows;
          OrderedTree::append_rows(element(table, k), rows);
          std::multiset<std::string> texts;
          for (const Term row : rows) texts.insert(of(row));
          text += joined(texts);
        } else {
          text += (k == 12 ? of_things(element(table, k), 2) : of(element(table, k))) + "/";
        }
      }
      tables.insert(text);
    }
    return joined(tables);
  }

  Machine& m_;
  const std::map<Word, std::string> names_;
};

// Counts the states that are met up to the names of members.
class Orbits final : public SystemWrapper {
 public:
  explicit Orbits(ErlangSystem& system) : SystemWrapper(system), machine_(system.machine()) {}

  std::optional<MetState> number_state() override {
    const auto met = SystemWrapper::number_state();
    if (met && met->is_new) add();
    return met;
  }

  std::set<std::string> orbits;

 private:
  void add() {
    std::vector<Term> members;
    for (const Process* process : machine_.processes.all())
      if (is_member(machine_, *process)) members.push_back(process->pid);
    std::vector<std::size_t> order(members.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::string least;
    do {
      std::map<Word, std::string> names;
      for (std::size_t i = 0; i < order.size(); ++i)
        names[members[i].bits()] = machine_.names.pid_text(members[order[i]]);
      std::string text = StateText(machine_, names).text();
      if (least.empty() || text < least) least = std::move(text);
    } while (std::ranges::next_permutation(order).found);
    orbits.insert(std::move(least));
  }

  Machine& machine_;
};

struct Found {
  std::set<std::string> bugs;
  std::uint64_t states = 0, transitions = 0;
  Stop stop = Stop::kComplete;
};

Found search(System& system, StateOrder order) {
  SteadyClock clock;
  Limits limits;
  limits.after_bug = AfterBug::kKeepGoing;
  const Exploration found = StateSearch(system, order, limits, clock).run();
  if (found.refusal) ADD_FAILURE() << found.refusal->message;
  std::set<std::string> bugs;
  for (const FoundBug& one : found.bugs) {
    bugs.insert(one.bug.kind + " " + std::to_string(one.bug.line));
    system.reset();
    EXPECT_EQ(system.follow(one.schedule), one.schedule.size());
    EXPECT_EQ(system.outcome(), Outcome::kBug);
  }
  return {.bugs = bugs,
          .states = found.counts.states->states,
          .transitions = found.counts.states->transitions,
          .stop = found.stop};
}

class Symmetry : public testing::Test {
 protected:
  // Programs where members end. Their names go to others, and which ones are left depends on who has ended: a
  // search that visits one state for several meets fewer sets of names.
  static bool leaves(std::size_t seed) { return seed % 3 == 0; }

  void open(std::size_t programs) {
    auto folder = TemporaryFolder::make();
    ASSERT_TRUE(folder.ok());
    const std::string starter = folder->path() + "/small_programs.erl";
    std::ofstream text(starter);
    text << "-module(small_programs).\n-compile(export_all).\n-compile(nowarn_export_all).\n";
    for (std::size_t seed = 0; seed < programs; ++seed)
      text << "p" << seed << "() -> alike:small(" << seed << ", " << (leaves(seed) ? "leave" : "stay")
           << ").\n";
    text.close();
    program_ = open_program({project_file("tests/erlang_system/programs/alike.erl"), starter});
  }

  std::unique_ptr<ErlangSystem> start(std::size_t seed, ErlangOptions options) {
    options.machine.recurring = true;
    auto system =
        ErlangSystem::start(*program_, *TestName::parse("small_programs:p" + std::to_string(seed)), options);
    EXPECT_TRUE(system.ok()) << system.error().message;
    return std::move(*system);
  }

  Found search_all(std::size_t seed, ErlangOptions options) {
    for (;;) {
      const auto system = start(seed, options);
      Found found = search(*system, StateOrder::kDepthFirst);
      const std::vector<ActorName> more = system->requests().that_matter();
      if (more.empty()) return found;
      options.requests_in_state.insert(options.requests_in_state.end(), more.begin(), more.end());
    }
  }

  std::unique_ptr<Program> program_;
};

constexpr std::uint64_t kStatesMax = 1'500;

// Stops a search that has too many.
class Bounded final : public SystemWrapper {
 public:
  using SystemWrapper::SystemWrapper;
  std::optional<MetState> number_state() override {
    if (++numbered_ > 3 * kStatesMax) return std::nullopt;  // transitions
    return SystemWrapper::number_state();
  }

 private:
  std::uint64_t numbered_ = 0;
};

TEST_F(Symmetry, VisitsOneStateOfThoseThatDifferInNamesOnly) {
  const char* const more = std::getenv("SYMMETRY_PROGRAMS");
  const std::size_t programs = more == nullptr ? 60 : std::strtoul(more, nullptr, 10);
  open(programs);
  const std::vector<ProcessGroup> group = {{*ProcessPattern::parse("alike:member")}};
  std::uint64_t states = 0, orbits = 0, compared = 0, bugs = 0;
  for (std::size_t seed = 0; seed < programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    if (more != nullptr) std::fprintf(stderr, "seed %zu\n", seed);
    ErlangOptions options{.properties = {.leftovers = Leftovers::kBugs, .crashes = Crashes::kAll},
                          .machine = {.reductions_per_step_max = 20'000,
                                      .ends = Ends::kAtomic,
                                      .steps = seed % 2 == 0 ? Steps::kReceives : Steps::kOperations}};
    if (seed % 6 == 0) options.machine.mishaps.kills = 1;
    const auto expect_orbits = [&](std::uint64_t found, std::uint64_t wanted) {
      EXPECT_LE(found, wanted);
      if (!leaves(seed)) {
        EXPECT_EQ(found, wanted);
      }
    };
    const auto plain = start(seed, options);
    {
      Bounded bounded(*plain);
      if (search(bounded, StateOrder::kBreadthFirst).stop != Stop::kComplete) continue;
    }
    const auto again = start(seed, options);
    Orbits counting(*again);
    if (more != nullptr) std::fprintf(stderr, "  counted\n");
    const Found all = search(counting, StateOrder::kBreadthFirst);
    ErlangOptions symmetric = options;
    symmetric.machine.symmetric = group;
    for (const StateOrder order : {StateOrder::kDepthFirst, StateOrder::kBreadthFirst}) {
      const auto system = start(seed, symmetric);
      const Found reduced = search(*system, order);
      expect_orbits(reduced.states, counting.orbits.size());
      EXPECT_EQ(reduced.bugs, all.bugs);
    }
    symmetric.visited.hash_bits = 64;
    symmetric.machine.store_words = seed % 4 == 0 ? 0 : Store::kDefaultWords;
    const auto hashed = start(seed, symmetric);
    const Found by_hashes = search(*hashed, StateOrder::kDepthFirst);
    expect_orbits(by_hashes.states, counting.orbits.size());
    EXPECT_EQ(by_hashes.bugs, all.bugs);
    if (more != nullptr) std::fprintf(stderr, "  asked\n");
    // What processes have asked.
    options.properties.leftovers = Leftovers::kLeft;
    symmetric.properties.leftovers = Leftovers::kLeft;
    symmetric.visited = {};
    symmetric.machine.store_words = Store::kDefaultWords;
    EXPECT_EQ(search_all(seed, symmetric).bugs, search_all(seed, options).bugs);
    if (HasFailure()) return;
    ++compared;
    states += all.states;
    orbits += counting.orbits.size();
    bugs += all.bugs.size();
  }
  EXPECT_GT(compared, programs / 2);
  EXPECT_LT(orbits, states / 2);
  if (more != nullptr)
    std::printf("%zu programs, %zu states, %zu orbits, %zu bugs\n", static_cast<std::size_t>(compared),
                static_cast<std::size_t>(states), static_cast<std::size_t>(orbits),
                static_cast<std::size_t>(bugs));
}

}  // namespace
}  // namespace ravel::erlang
