// Tickets print, parse back and replay; damaged ones are refused with one clear message.

#include "engine/ticket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/replay.h"
#include "tests/toy/programs.h"
#include "tests/toy/reference.h"
#include "tests/toy/toy_system.h"

namespace ravel {
namespace {

using testing::HasSubstr;
using toy::Op;
using toy::Program;
using toy::ToySystem;

constexpr std::uint64_t kEventsMax = 1000;

const Program kProgram = {{{Op::kChoose, 0}, {Op::kRequire, 1}}, {{Op::kGive, 1}, {Op::kWrite, 0}}};

// The schedule that the names and alternatives of a ticket mean on this system.
Ticket ticket_of(ToySystem& system, const std::vector<Transition>& schedule) {
  Ticket ticket = make_ticket(record(system, schedule, kEventsMax), kEventsMax);
  ticket.front_end = "toy";
  ticket.program = R"({"files":["toy.txt"]})";
  return ticket;
}

std::vector<Transition> first_failing(ToySystem& system) {
  for (const auto& execution : toy::all_executions(system)) {
    if (execution.outcome == Outcome::kBug) return execution.schedule;
  }
  ADD_FAILURE() << "no schedule of this program fails";
  return {};
}

TEST(Ticket, PrintsAndParsesBack) {
  ToySystem system(kProgram);
  Ticket ticket = ticket_of(system, first_failing(system));
  ticket.bug.details = {"one \"quoted\"", "two \n lines", "\xc3\xa9"};
  ticket.bug.actor = "P.1";
  ticket.schedule[0].step.kind = TransitionKind::kBlocks;
  const Result<Ticket> parsed = parse_ticket(print_ticket(ticket), "t.json");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(*parsed, ticket);
}

TEST(Ticket, AKindOfStepIsANumberAndWasAFlag) {
  ToySystem system(kProgram);
  Ticket ticket = ticket_of(system, first_failing(system));
  ticket.schedule[0].step.kind = TransitionKind::kEarly;
  std::string text = print_ticket(ticket);
  const std::string number = "\"kind\": 3";
  const std::size_t at = text.find(number);
  ASSERT_NE(at, std::string::npos) << text;
  const Result<Ticket> older =
      parse_ticket(std::string(text).replace(at, number.size(), "\"early\": true"), "t.json");
  ASSERT_TRUE(older) << older.error().message;
  EXPECT_EQ(*older, ticket);
  const Result<Ticket> newer = parse_ticket(text.replace(at, number.size(), "\"kind\": 9"), "t.json");
  ASSERT_FALSE(newer);
  EXPECT_THAT(newer.error().message, HasSubstr("'kind' should be the kind of a step"));
}

TEST(Ticket, HoldsProgramsWhoseTextIsNotUtf8) {
  ToySystem system(kProgram);
  Ticket ticket = ticket_of(system, first_failing(system));
  ticket.bug.message = "bytes \xff\xfe";
  EXPECT_TRUE(parse_ticket(print_ticket(ticket), "t.json"));
}

TEST(Ticket, EveryBugOfRandomProgramsReplaysToItselfOnAFreshSystem) {
  const std::vector<toy::Operation> alphabet = {{Op::kGive, 0},    {Op::kTake, 0},    {Op::kChoose, 1},
                                                {Op::kRequire, 0}, {Op::kRequire, 1}, {Op::kWrite, 0}};
  int replayed = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const Program program = toy::random_program(random, alphabet, 3, 2);
    ToySystem system(program);
    for (const auto& execution : toy::all_executions(system)) {
      if (execution.outcome != Outcome::kBug) continue;
      const Ticket ticket = ticket_of(system, execution.schedule);
      const Result<Ticket> parsed = parse_ticket(print_ticket(ticket), "t.json");
      ASSERT_TRUE(parsed);
      ToySystem fresh(program);
      const Replay result = replay(fresh, *parsed);
      EXPECT_EQ(result.outcome, ReplayOutcome::kSameBug);
      EXPECT_FALSE(result.divergence);
      EXPECT_FALSE(result.operation_changed);
      EXPECT_EQ(result.recording.preemptions, execution.preemptions);
      EXPECT_EQ(make_ticket(result.recording, kEventsMax).schedule, ticket.schedule);
      ++replayed;
    }
  }
  EXPECT_GT(replayed, 1000);
}

TEST(Ticket, RefusesWhatIsNotATicketInOneSentence) {
  for (const char* text :
       {"", "hello", "{", "{}", "[1,2]", "12", "{\"a\": 1}", "{\"ravel_ticket\": \"x\"}"}) {
    const Result<Ticket> result = parse_ticket(text, "t.json");
    ASSERT_FALSE(result) << text;
    EXPECT_THAT(result.error().message, testing::StartsWith("t.json: this is not a ticket.")) << text;
  }
}

TEST(Ticket, RefusesANewerFormatAndSaysSo) {
  const Result<Ticket> result = parse_ticket(R"({"ravel_ticket": 3, "anything": []})", "t.json");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("format version 3, newer than version 2"));
}

TEST(Ticket, EveryTruncationIsAnErrorAndNeverACrash) {
  ToySystem system(kProgram);
  const std::string text = print_ticket(ticket_of(system, first_failing(system)));
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    const Result<Ticket> result = parse_ticket(std::string_view(text).substr(0, length), "t.json");
    ASSERT_FALSE(result) << length;
    const std::string expected = length < 20 ? "" : "this ticket is truncated";
    EXPECT_THAT(result.error().message, HasSubstr(expected)) << length;
  }
}

TEST(Ticket, EveryChangedByteIsAnErrorOrAnotherTicketButNeverACrash) {
  ToySystem system(kProgram);
  const std::string text = print_ticket(ticket_of(system, first_failing(system)));
  int errors = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char byte : {'\0', '"', '}', '9', '-', '\xff'}) {
      std::string damaged = text;
      damaged[at] = byte;
      errors += parse_ticket(damaged, "t.json").ok() ? 0 : 1;
    }
  }
  EXPECT_GT(errors, 1000);
}

TEST(Ticket, NamesTheFieldThatIsMissing) {
  ToySystem system(kProgram);
  std::string text = print_ticket(ticket_of(system, first_failing(system)));
  text.replace(text.find("\"alternative\""), 13, "\"alternatives\"");
  const Result<Ticket> result = parse_ticket(text, "t.json");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message,
              HasSubstr("in step 1 of the schedule, 'alternative' should be a number"));
}

Transition take(const ToySystem& system, const char* name, std::uint32_t alternative = 0) {
  return {.actor = *system.find_actor(*ActorName::parse(name)),
          .alternative = alternative,
          .kind = TransitionKind::kOperation};
}

TEST(Replay, SaysWhenAnActorIsGoneAndGoesOn) {
  ToySystem old(Program{{{Op::kWrite, 0}}, {{Op::kWrite, 0}}, {{Op::kRequire, 0}}});
  const Ticket ticket = ticket_of(old, {take(old, "P"), take(old, "P.2")});
  ToySystem edited(Program{{{Op::kWrite, 0}}, {{Op::kRequire, 0}}});
  const Replay result = replay(edited, ticket);
  EXPECT_EQ(result.divergence, (Difference{2, "there is no actor P.2"}));
  EXPECT_EQ(result.outcome, ReplayOutcome::kSameBug) << "the bug has only moved to another line";
  EXPECT_EQ(result.recording.events.size(), 2u);
}

TEST(Replay, SaysWhenAnActorCannotTakeAStep) {
  ToySystem old(Program{{{Op::kWrite, 0}}, {{Op::kRequire, 0}}});
  const Ticket ticket = ticket_of(old, {take(old, "P.1")});
  ToySystem edited(Program{{{Op::kGive, 0}}, {{Op::kTake, 0}}});
  const Replay result = replay(edited, ticket);
  EXPECT_EQ(result.divergence, (Difference{1, "P.1 can't take a step: it waits, or it has ended"}));
  EXPECT_EQ(result.outcome, ReplayOutcome::kNoBug);
}

TEST(Replay, SaysWhenAnAlternativeIsGoneAndWhenAnOperationHasChanged) {
  ToySystem old(Program{{{Op::kChoose, 1}, {Op::kChoose, 1}, {Op::kRequire, 0}}});
  const Ticket ticket = ticket_of(old, {take(old, "P"), take(old, "P", 1), take(old, "P")});
  ToySystem edited(Program{{{Op::kWrite, 1}, {Op::kWrite, 1}, {Op::kRequire, 0}}});
  const Replay result = replay(edited, ticket);
  EXPECT_EQ(result.operation_changed,
            (Difference{1, "P now does 'write 1', where the ticket says 'choose 1'"}));
  EXPECT_EQ(result.divergence, (Difference{2, "P has no alternative 1 here"}));
  EXPECT_EQ(result.outcome, ReplayOutcome::kSameBug);
}

TEST(Replay, SaysWhenTheExecutionIsShorterOrLongerThanTheSchedule) {
  ToySystem old(Program{{{Op::kWrite, 0}, {Op::kRequire, 0}}});
  const Ticket ticket = ticket_of(old, {take(old, "P"), take(old, "P")});
  ToySystem shorter(Program{{{Op::kWrite, 0}}});
  const Replay ended = replay(shorter, ticket);
  EXPECT_EQ(ended.divergence, (Difference{2, "the execution has already ended"}));
  EXPECT_EQ(ended.outcome, ReplayOutcome::kNoBug);
  ToySystem longer(Program{{{Op::kWrite, 0}, {Op::kWrite, 1}, {Op::kWrite, 0}, {Op::kTake, 0}}});
  const Replay goes_on = replay(longer, ticket);
  EXPECT_EQ(goes_on.divergence, (Difference{3, "the schedule is over, but the execution goes on"}));
  EXPECT_EQ(goes_on.outcome, ReplayOutcome::kAnotherBug);
}

TEST(Replay, ReachesTheEventBoundAgain) {
  const Program endless = {{{Op::kWrite, 0}, {Op::kAgain, 0}}};
  ToySystem system(endless);
  const std::vector<Transition> schedule(20, take(system, "P"));
  Ticket ticket = make_ticket(record(system, schedule, 20), 20);
  EXPECT_EQ(ticket.bug.kind, "event_bound");
  ToySystem fresh(endless);
  const Replay result = replay(fresh, ticket);
  EXPECT_EQ(result.outcome, ReplayOutcome::kSameBug);
  EXPECT_FALSE(result.divergence);
}

TEST(Replay, LeavesAnExecutionThatNeedNotEnd) {
  ToySystem old(Program{{{Op::kWrite, 0}, {Op::kRequire, 0}}});
  const Ticket ticket = ticket_of(old, {take(old, "P"), take(old, "P")});
  const Program endless = {{{Op::kWrite, 0}, {Op::kAgain, 0}}};
  ToySystem left(endless);
  const Replay result = replay(left, ticket, nullptr, GoingOn::kIsLeft);
  EXPECT_EQ(result.outcome, ReplayOutcome::kNoBug);
  EXPECT_EQ(result.left_open, LeftOpen::kGoingOn);
  EXPECT_LT(result.recording.events.size(), ticket.events_max);
  ToySystem followed(endless);
  EXPECT_EQ(replay(followed, ticket).outcome, ReplayOutcome::kAnotherBug);
}

TEST(Replay, StopsAtWhatIsNotSupportedNow) {
  ToySystem old(Program{{{Op::kRequire, 0}}});
  const Ticket ticket = ticket_of(old, {take(old, "P")});
  ToySystem edited(Program{{{Op::kRefuse, 0}}});
  EXPECT_EQ(replay(edited, ticket).outcome, ReplayOutcome::kUnsupported);
}

TEST(Recording, MarksPreemptionsAndFreeSwitches) {
  ToySystem system(Program{{{Op::kWrite, 0}, {Op::kWrite, 0}}, {{Op::kWrite, 0}}});
  const Recording recording =
      record(system, std::vector{take(system, "P"), take(system, "P.1"), take(system, "P")}, 10);
  ASSERT_EQ(recording.events.size(), 3u);
  EXPECT_EQ(recording.events[0].switched, Switch::kNone);
  EXPECT_EQ(recording.events[1].switched, Switch::kPreemption);
  EXPECT_EQ(recording.events[2].switched, Switch::kFree);
  EXPECT_EQ(recording.preemptions, 1u);
  EXPECT_EQ(recording.outcome, Outcome::kFinished);
  EXPECT_EQ(recording.events[1].description.text, "write 0");
}

}  // namespace
}  // namespace ravel
