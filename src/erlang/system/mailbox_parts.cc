#include "erlang/system/mailbox_parts.h"

#include <vector>

#include "erlang/term/header.h"

namespace ravel::erlang {

namespace {

// In keys, above place and mailbox.
enum class Fact : std::uint64_t { kCount = 1, kMessage, kWithout };
constexpr std::uint32_t kUnknown = ~std::uint32_t{0} - 1;

std::uint64_t key(Fact fact, std::uint32_t place, StateTable::Node mailbox) {
  return static_cast<std::uint64_t>(fact) << 48 | std::uint64_t{place} << 32 |
         static_cast<std::uint64_t>(mailbox);
}

std::vector<Term> words_of(Term messages) {
  return {messages.object() + 1, messages.object() + 1 + tuple_size(messages)};
}

}  // namespace

std::optional<std::uint32_t> MailboxParts::count(Node mailbox) {
  std::optional<std::uint32_t> known = facts_.find(key(Fact::kCount, 0, mailbox));
  if (!known) {
    const Word words = tuple_size(term(mailbox));
    const bool is_plain = words % 2 == 0 && words < 2 * kMessagesMax;
    known = is_plain ? static_cast<std::uint32_t>(words / 2) : kUnknown;
    facts_.insert(key(Fact::kCount, 0, mailbox), *known);
  }
  return *known == kUnknown ? std::nullopt : known;
}

MailboxParts::Message MailboxParts::message_in(Node mailbox, std::uint32_t place) {
  const std::uint64_t at = key(Fact::kMessage, place, mailbox);
  if (const std::optional<std::uint32_t> known = facts_.find(at)) return Message{*known};
  const Term messages = term(mailbox);
  const Message message =
      steps_.message_of(element(messages, 2 * place + 1).bits(), element(messages, 2 * place + 2).bits());
  facts_.insert(at, static_cast<std::uint32_t>(message));
  return message;
}

MailboxParts::Node MailboxParts::without(Node mailbox, std::uint32_t place) {
  const std::uint64_t at = key(Fact::kWithout, place, mailbox);
  if (const std::optional<std::uint32_t> known = facts_.find(at)) return Node{*known};
  std::vector<Term> words = words_of(term(mailbox));
  words.erase(words.begin() + 2 * place, words.begin() + 2 * place + 2);
  const Node node = store(words);
  facts_.insert(at, static_cast<std::uint32_t>(node));
  return node;
}

MailboxParts::Node MailboxParts::with(Node mailbox, Message message) {
  const std::uint64_t at = static_cast<std::uint64_t>(message) << 32 | static_cast<std::uint64_t>(mailbox);
  if (const std::optional<std::uint32_t> known = appended_.find(at)) return Node{*known};
  std::vector<Term> words = words_of(term(mailbox));
  const auto [content, sender] = steps_.content_of(message);
  words.insert(words.end(), {Term(content), Term(sender)});
  const Node node = store(words);
  appended_.insert(at, static_cast<std::uint32_t>(node));
  return node;
}

MailboxParts::Node MailboxParts::store(std::span<const Term> words) {
  return table_.node_of_word(store_.intern_object(Kind::kTuple, words).bits());
}

}  // namespace ravel::erlang
