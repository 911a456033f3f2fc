// What steps of processes have done before (states/remembered_steps.h), in a search by states that keeps
// these exactly, or as hashes while it has their parts (state_numbers.h, states_in_parts.h).
//
// An image of a process is three parts: its mailbox, its stack, and the others. A step reads the latter two,
// the message that it takes, and what no process owns. Of other processes it reads whether they live, or the
// others of their parts, where their monitors and aliases are. What it sends is put into mailboxes. Then
// whoever waits looks at messages until one matches, which depends on the stack, the others, and one message
// at a time: so a server with many mailboxes has few steps.
//
// A step that makes references reads which of its own the others hold, since it gets the lowest free ones.
//
// Nothing is known where anything else has a part in it: time, ends, faults, new processes, or processes of
// Erlang/OTP's own system that are not at rest.
//
// Cost: some 100 bytes for each combination of parts that a step has read. Where most steps are new, all is
// forgotten.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/flat_map.h"
#include "erlang/machine/machine.h"
#include "erlang/machine/process_image.h"
#include "erlang/system/mailbox_parts.h"
#include "erlang/system/references_in_parts.h"
#include "states/remembered_steps.h"
#include "states/state_table.h"

namespace ravel::erlang {

class KnownSteps {
 public:
  struct Step {
    Term who;
    std::uint32_t alternative = 0;
  };
  // The words of a state, as Freezer::save() has them, of which images may be missing; and what these are
  // made of, three parts of each.
  struct State {
    std::span<const Term> words;
    std::span<const StateTable::Node> parts;
  };
  // What a step makes of the state at hand.
  struct Found : State {
    std::uint32_t enabled = 0;
  };

  // The table's leaves are stored terms. Both must outlive this object.
  KnownSteps(Machine& machine, StateTable& table, const PayOff& so_far = PayOff())
      : machine_(machine),
        table_(table),
        mailboxes_(machine.store, table, steps_),
        references_(machine.heap, machine.store, table),
        pay_off_(so_far) {}

  // The state at hand is another one: all of it, or the image of the process in this place.
  void begin() { is_begun_ = false; }
  void note_change(std::size_t process) {
    if (is_begun_) processes_[process].is_stale = true;
  }

  // What a step does in the state at hand, by its place among the enabled ones. Nothing: it is not known, or
  // nothing is enabled after it. Valid until the next call.
  std::optional<Found> find(const State& at_hand, std::uint32_t index);
  // The machine has just taken this step, between these states, of which the first one is at hand.
  void note(const Step& step, const State& at_hand, std::span<const Term> after);

  // Too few steps were known: nothing is any more.
  bool has_given_up() const { return pay_off_.is_over(); }
  const PayOff& pay_off() const { return pay_off_; }
  std::size_t bytes() const;

 private:
  using Node = StateTable::Node;
  using Part = RememberedSteps::Part;
  using Place = RememberedSteps::Place;
  using Message = RememberedSteps::Message;
  // What a step may read or write of a process: a place is its name and one of these.
  enum class PartOf : std::uint32_t { kOthers, kStack, kMailbox, kMessage, kOwnNames, kLife };
  static constexpr std::uint32_t kPartsOfProcess = 8;
  // With more processes nothing is noted: names of references are cut in footprints.
  static constexpr std::uint32_t kNamesMax = std::uint32_t{1} << (56 - Names::kReferenceIndexBits);
  static constexpr Place kShared = 6, kTables = 7;  // what no process owns; of process 0 nothing else
  // Of PartOf::kLife.
  static constexpr Part kGone = 0, kLives = 1, kUncertain = 2;
  static constexpr Part kNoPart = ~Part{0};
  static constexpr std::uint32_t kChoiceBits = 10;  // of an alternative

  // How a process rests, as far as that follows from the first part of its image.
  struct Resting {
    bool is_simple = false;  // nothing else has a part in it
    Rest rest = Rest::kReady;
    std::uint32_t receive_at = 0;
    std::uint32_t enabled = 0;  // transitions
  };
  struct Parts {
    Node others{}, stack{}, mailbox{};
    Resting resting = {};
  };
  struct AtHand : Parts {
    std::uint32_t name = 0;  // of the pid
    bool is_stale = true;
    std::array<Node, kPartsOfImage> named = {};  // the parts whose references are these:
    std::vector<ReferencesInParts::Name> names = {};
    std::uint32_t changed = 0;  // by the step that is looked up: place in changed_, + 1
  };

  static Place place(std::uint32_t name, PartOf part) {
    return name * kPartsOfProcess + static_cast<Place>(part);
  }
  static Part number(Node node) { return static_cast<Part>(node); }
  Term term(Node node) const { return Term(table_.word_of(node)); }
  Node node_of(Term stored) { return table_.node_of_word(stored.bits()); }

  void prepare(const State& at_hand);
  Parts parts_of(Term image);
  Resting resting(Node others);
  std::optional<std::uint32_t> environment(std::span<const Term> words);
  std::optional<std::size_t> find_process(std::uint32_t name) const;
  Part read(Place place);
  Part own_names_elsewhere(std::uint32_t name);
  void know_names(AtHand& process);
  void forget();

  // A process that waits looks at a message.
  std::uint32_t waiting(Node others, Node stack);
  std::optional<Node> after_look(Node others, Node stack, Message message);
  bool note_look(Node others, Node stack, Message message, Node after);
  bool look_through(Parts& process);

  Parts& change(std::size_t process);
  bool apply(std::size_t mover, const RememberedSteps::Effect& effect);
  std::optional<Found> found();

  // What a step has to do with another process.
  struct Contact {
    std::uint32_t name;
    bool is_asked = false;       // whether it lives
    bool reads_others = false;   // of its parts
    std::uint32_t messages = 0;  // that it gets
  };
  struct Contacts {
    std::vector<Contact> all;  // each process once
    bool reads_own_mailbox = false, may_change_watched = false, makes_names = false;

    Contact& of(std::uint32_t name);
  };
  // Nothing: it does more than is known here.
  std::optional<Contacts> contacts(std::uint32_t mover) const;
  bool add_changed(Contacts& contacts, std::size_t mover, std::span<const Term> before,
                   std::span<const Term> after) const;
  bool note_mover(const AtHand& before, const Parts& after);
  bool note_contact(const Contact& contact, std::span<const Term> after,
                    std::span<const RememberedSteps::Delivery> known);
  bool note_message(const AtHand& before, const Parts& after, Message message);

  // What a step does to another process, unless it only sends it a message, has a number among those of
  // messages: it is applied to those who are waiting(), and these messages are added then.
  static constexpr std::uint32_t kTouch = std::uint32_t{1} << 31;
  static bool is_touch(Message what) { return (static_cast<std::uint32_t>(what) & kTouch) != 0; }
  // What is added to the mailbox of whom a step sends to, or touches. Valid as long as `what`.
  std::span<const Message> messages_of(const Message& what) const;

  Machine& machine_;
  StateTable& table_;
  RememberedSteps steps_;
  MailboxParts mailboxes_;
  ReferencesInParts references_;
  std::vector<std::vector<Message>> touches_;
  FlatMap rests_;          // resting(), packed
  FlatMap found_nothing_;  // others of who has looked at all messages, by others before that, and stack
  FlatMap waiting_;        // those who wait, by others and stack
  FlatMap environments_;   // by what no process owns, and tables
  struct Environment {
    Term shared = Term::none(), tables = Term::none();
    std::optional<std::uint32_t> number = {};
  };
  Environment last_environment_;
  std::uint32_t environments_known_ = 0, waiting_known_ = 0;
  PayOff pay_off_;

  bool is_begun_ = false;
  std::vector<AtHand> processes_;          // at hand
  std::vector<std::uint32_t> process_of_;  // by name, + 1
  struct Changed {
    std::size_t process;
    Parts after;
  };
  std::vector<Changed> changed_;  // by the step that is looked up
  std::vector<Term> words_;
  std::vector<Node> parts_;
  std::vector<RememberedSteps::PartAt> reads_, writes_;
  std::vector<RememberedSteps::Delivery> deliveries_;
};

}  // namespace ravel::erlang
