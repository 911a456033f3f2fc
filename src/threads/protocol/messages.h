// What is said over the wire: the commands, the answers, and how the plain structures become bytes.
//
// Each command has exactly one answer, except kSearch, whose answer follows any number of messages of
// progress and of where the search is.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/exploration.h"
#include "engine/named_step.h"
#include "engine/search_request.h"
#include "engine/system.h"
#include "engine/transition.h"
#include "threads/protocol/operation.h"
#include "threads/protocol/wire.h"

namespace ravel::threads {

enum class Command : std::uint8_t {
  kConfigure,  // Configuration: answered by nothing but a State
  kReset,
  kStep,       // Transition
  kFollow,     // FollowOrder: the State is followed by how many were taken
  kRunOn,      // the last step's actor, if any; how, and for at most how many steps: System::run_on()
  kDescribe,   // bool: whether steps are recorded from now on
  kOutput,     // answered by a text
  kHeapPlace,  // an address; whether it is one of the last operation
  kFindings,   // answered by Findings
  kShow,       // an actor, which is taken to where a debugger stops: answered by an empty text
  kSearch,     // SearchOrder
  kProfile,    // ProfileOrder: answered by Profile
  kFork,       // a child obeys from now on, until it dies or leaves
  kLeave,      // ends such a child, which is not told
  kInspect,    // InspectionOrder: answered by Inspection (inspection.h)
  // NumberingOrder: answered by StatesTold. Up to kForgetStates the program is stepped as NumberedThreads.
  kNumberStates,
  kStates,        // bool: whether the present state is to get its number; answered by StatesTold
  kGoTo,          // the number of a state: answered by a State
  kForgetStates,  // answered by an empty text
  kGrant,         // while it searches, how many processes may search from now on: not answered
  kRunPart,       // SearchOrder, whose limits are those of the run; a Part: answered by PartRan
  kLearn,         // texts, ProgramNews of other processes each: answered by all that is known now, as one
  kKnowLoops      // LoopUses, which other executions have noted: not answered
};

enum class MessageKind : std::uint8_t {
  kGreeting,
  kState,
  kText,
  kHeapPlace,
  kFindings,
  kProgress,
  kKept,  // Searched: as if the search had been interrupted
  kSearched,
  kProfile,
  kDied,
  kInspection,
  kStates,
  kPartRan
};

// Which memory accesses are operations, in addition to those of atomics and of synchronisation.
enum class AccessOperations : std::uint8_t {
  kRacy,   // accesses to memory for which a data race was seen
  kAll,    // all accesses except those of a thread to its own stack
  kSync,   // none
  kNamed,  // accesses to the tracked memory, which nothing adds to: others are not looked at
};

// What a test of the program is.
enum class TestKind : std::uint8_t {
  kMain,        // the program from its main()
  kMarked,      // a test marked with RAVEL_TEST
  kGoogleTest,  // a test of a framework (frameworks/test_framework.h)
  kCatch2,
  kDoctest,
  kBoostTest,
};

// How a process ends that Configuration::is_beside_others keeps from going on: the status.
inline constexpr int kNeedsMachine = 76;

struct Configuration {
  AccessOperations accesses = AccessOperations::kRacy;
  bool races_are_bugs = false;
  bool is_fair = true;             // threads that yield, sleep or only look stand back for others
  bool spurious = false;           // waits may wake, and weak exchanges fail, without reason
  bool follows_deadlines = false;  // waits with a time-out and sleeps end in the order of their deadlines
  // Waits with a time-out and sleeps end when they are due, and time passes only when no thread can go on
  bool passes_when_idle = false;
  bool fires_early = false;            // also, time may pass while threads can go on
  bool host_files = false;             // what the program does to files reaches the host
  bool isolates = false;               // each execution has a process of its own
  std::vector<std::uint64_t> tracked;  // memory that was found to be racy, in words of 8 bytes
  std::string test = {};               // the test that is run; empty: main()
  std::uint64_t watched = 0;           // a word: who accesses it is noted with stacks in recorded executions
  TestKind kind = TestKind::kMain;     // how failures of it are told
  // What the only thread that there is does with atomics, and once, is no operation: nobody can come in
  // between.
  bool alone_is_quiet = false;
  bool counts_accesses = false;  // for a Profile
  bool names_blocks = false;     // of the heap, which makes each allocation slower
  // Threads go round in loops as they like: nobody stands back or waits in one, since a state that comes
  // again ends that. What threads do outside of memory is refused.
  bool by_states = false;
  bool tells_explorer = false;  // what ravel_explorer() tells is told here: State::told
  // Others run the program at the same time: it ends before it uses a name that all processes of the machine
  // share (runtime/machine_names.h).
  bool is_beside_others = false;

  friend bool operator==(const Configuration&, const Configuration&) = default;
};

// Executions in which accesses are counted: at random, except the first one.
struct ProfileOrder {
  std::uint64_t executions = 1;
  std::uint64_t seed = 1;
  std::uint64_t events_max = 10'000;
};

// Where a global variable lies, or to where an access goes.
struct Extent {
  std::uint64_t low = 0, size = 0;
};

// What counts as one variable (search/variable_names.h).
struct VariableNaming {
  bool arrays_are_whole = false;    // with blocks of the heap
  std::vector<Extent> arrays = {};  // then: by address
  // All blocks that one statement allocates are a variable. A statement is the innermost call of a stack that
  // is in this code, by address.
  bool by_statement = false;
  std::vector<Extent> own_code = {};
};

// What threads that wait in loops, and others, have had to do with (runtime/loop_waits.h): addresses, sorted.
struct LoopUses {
  std::vector<std::uint64_t> locks_of_loops = {}, locks_tried = {};
  std::vector<std::uint64_t> stack_of_loops = {}, stack_of_others = {};
  bool is_clock_read = false, is_slept_in_loop = false;

  friend bool operator==(const LoopUses&, const LoopUses&) = default;
};

// Actors are numbered by the process as it meets them, so those who are yet to come have names only.
struct FollowOrder {
  std::vector<NamedStep> steps = {};
};
struct SearchOrder {
  SearchRequest request = {};
  VariableNaming naming = {};
  // When the steps of the request's prefix were noted, as in Configuration
  std::vector<std::uint64_t> tracked = {};
  KeepingTimes keeping = {};
  LoopUses loops = {};  // of the search so far
};

// What a search by states has found out about what tells states apart (see NumberedThreads).
struct StateTraits {
  bool dates_matter = false;
  bool stacks_are_shared = false;
  std::vector<std::uint64_t> loop_heads = {};  // places in the code (runtime/waiting_loop.h)

  friend bool operator==(const StateTraits&, const StateTraits&) = default;
};

// For a search by states that asks the program from outside: what is kept of states, as in StateStorage.
struct NumberingOrder {
  std::uint32_t hash_bits = 0;
  std::uint64_t filter_bytes = 0;
  StateTraits known = {};
};

struct Module {
  std::string path;
  std::uint64_t base = 0;
};

struct TestPlace {
  std::string name;
  std::string file;
  std::uint32_t line = 0;
};

struct Greeting {
  std::uint32_t version = kProtocolVersion;
  std::uint64_t process = 0;
  std::vector<Module> modules;
  std::vector<TestPlace> tests;  // tests that the program has marked
};

struct NewActor {
  std::uint32_t parent = 0;
  std::uint32_t ordinal = 0;
};

// An object of a footprint that is in a block of the heap.
struct NamedObject {
  std::uint64_t object = 0;
  BlockPlace place = {};
};

// What a thread has told the explorer.
struct ToldExplorer {
  std::uint32_t actor = 0;
  std::string text = {};
};

// Where the program stands.
struct State {
  Outcome outcome = Outcome::kRunning;
  bool stops_others = false;
  bool needs_fairness = false;  // as found since the process was configured
  std::vector<Transition> enabled;
  std::vector<ActorId> blocked;  // if nothing is enabled
  std::vector<Touch> touches;
  std::vector<NewActor> actors;  // actors not told before, numbered on; the first one is the main thread
  OperationRecord record;        // of the last step, if it is recorded
  RawBug bug;                    // if the outcome is a bug; of a refusal only the stack
  std::string refusal;
  // By transition: to what memory it leads by an access that is not atomic; size 0: to none
  std::vector<Extent> accesses;
  std::vector<std::optional<Touch>> pending = {};  // by transition: what it will touch
  // Objects that were touched, or are about to be, and were not told before in this execution
  std::vector<NamedObject> named = {};
  std::vector<ToldExplorer> told = {};          // since the state before
  std::optional<Fingerprint> fingerprint = {};  // if states are numbered, and a step has led to this one
  // All that was noted since the process was configured, if that is more than was told before
  std::optional<LoopUses> loops = {};
  std::uint32_t findings = 0;  // how many there are in this process: as many as before means none is new
};

// What the program tells of the states that it has numbered.
struct StatesTold {
  std::optional<MetState> met = {};  // the present one, if it was to get its number and has one
  std::uint64_t bytes = 0;           // of all
  std::uint64_t replayed = 0;        // steps
  HashedStates hashed = {};
  StateTraits traits = {};
  bool has_to_begin_anew = false;
};

// What else is known of a bug of a search, with which its schedule can be run again.
struct RawFoundBug {
  RawBug bug;
  std::vector<std::uint64_t> tracked;  // what the schedule's accesses were to, as in Configuration
  bool is_fair = true;                 // as in Configuration
};

// What is no bug and still worth telling.
struct Findings {
  std::vector<RaceReport> races;
  std::vector<LeftThread> left_behind;
  std::vector<WeakOrder> weak_orders = {};
  std::vector<TimedWait> timed_waits = {};
  // Words for which a race was seen since this was last asked, and that are not tracked
  std::vector<std::uint64_t> racy_words = {};
  bool has_progress = false;  // a thread has passed the label of progress
  bool has_weak_orders = false;
};

struct Profile {
  std::vector<VariableAccesses> variables;  // in the order of first accesses
  std::vector<HeapVariable> blocks;
  std::uint64_t executions = 0;
  std::uint64_t erroneous = 0;
  std::uint64_t left_out = 0;  // accesses to further variables
  std::string refusal = {};
  std::vector<std::uint64_t> refused_at = {};
};

struct Searched {
  SearchResult result;                // of a refusal only the message
  std::vector<RawFoundBug> raw_bugs;  // one for each bug of the result
  bool is_lost = false;               // the position of the order makes no sense here
  // The number of its first step, from 1, that cannot be taken
  std::optional<std::uint64_t> prefix_missing = {};
  std::vector<std::uint64_t> refused_at;  // program counters, innermost first
  std::vector<std::uint64_t> tracked;
  bool is_fair = true;  // as in Configuration
  Findings findings;
  std::vector<NewActor> actors;  // all actors that were ever seen
  std::uint32_t passes = 1;
  LoopUses loops = {};
};

Writer& operator<<(Writer& out, const Configuration& value);
Reader& operator>>(Reader& in, Configuration& value);
Writer& operator<<(Writer& out, const LoopUses& value);
Reader& operator>>(Reader& in, LoopUses& value);
Writer& operator<<(Writer& out, const SearchOrder& value);
Reader& operator>>(Reader& in, SearchOrder& value);
Writer& operator<<(Writer& out, const FollowOrder& value);
Reader& operator>>(Reader& in, FollowOrder& value);
Writer& operator<<(Writer& out, const Greeting& value);
Reader& operator>>(Reader& in, Greeting& value);
Writer& operator<<(Writer& out, const State& value);
Reader& operator>>(Reader& in, State& value);
Writer& operator<<(Writer& out, const NumberingOrder& value);
Reader& operator>>(Reader& in, NumberingOrder& value);
Writer& operator<<(Writer& out, const StatesTold& value);
Reader& operator>>(Reader& in, StatesTold& value);
Writer& operator<<(Writer& out, const HeapPlace& value);
Reader& operator>>(Reader& in, HeapPlace& value);
Writer& operator<<(Writer& out, const Counts& value);
Reader& operator>>(Reader& in, Counts& value);
Writer& operator<<(Writer& out, const Findings& value);
Reader& operator>>(Reader& in, Findings& value);
Writer& operator<<(Writer& out, const ProfileOrder& value);
Reader& operator>>(Reader& in, ProfileOrder& value);
Writer& operator<<(Writer& out, const Profile& value);
Reader& operator>>(Reader& in, Profile& value);
Writer& operator<<(Writer& out, const Searched& value);
Reader& operator>>(Reader& in, Searched& value);

}  // namespace ravel::threads
