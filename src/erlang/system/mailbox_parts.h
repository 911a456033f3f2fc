// Mailboxes as parts of numbered states (state_numbers.h): what lies in them, and what becomes of them when a
// message comes or is taken. What was asked once is known.
#pragma once

#include <cstdint>
#include <optional>

#include "base/flat_map.h"
#include "erlang/term/store.h"
#include "states/remembered_steps.h"
#include "states/state_table.h"

namespace ravel::erlang {

class MailboxParts {
 public:
  using Node = StateTable::Node;
  using Message = RememberedSteps::Message;
  static constexpr std::uint32_t kMessagesMax = 1 << 12;

  // The table's leaves are stored terms; `steps` numbers messages, by content and sender. All must outlive
  // this object.
  MailboxParts(Store& store, StateTable& table, RememberedSteps& steps)
      : store_(store), table_(table), steps_(steps) {}

  // Nothing: there are kMessagesMax, or priority messages.
  std::optional<std::uint32_t> count(Node mailbox);
  // REQUIRES for these: count(mailbox), and place < *count(mailbox).
  Message message_in(Node mailbox, std::uint32_t place);
  Node without(Node mailbox, std::uint32_t place);
  Node with(Node mailbox, Message message);

  void forget() { facts_ = appended_ = {}; }
  std::size_t bytes() const { return facts_.bytes() + appended_.bytes(); }

 private:
  Term term(Node mailbox) const { return Term(table_.word_of(mailbox)); }
  Node store(std::span<const Term> words);

  Store& store_;
  StateTable& table_;
  RememberedSteps& steps_;
  FlatMap facts_;     // by kind of fact, place and mailbox
  FlatMap appended_;  // mailboxes, by message and mailbox
};

}  // namespace ravel::erlang
