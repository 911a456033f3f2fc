// What the events of an execution have sent, received and looked up in tables, to be asked later which of
// them could have gone otherwise: SystemView::could_take() and conflict_closely().
//
// The idea: of a receive the image of its process is kept, and the machine is asked what such a process would
// take. Equal terms that are stored are the same, so its answers are kept for a while.
//
// Cost: for each event an entry, and one for each message and each touch of a table; with terms among them,
// the nursery is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/transition.h"
#include "erlang/machine/machine.h"
#include "erlang/system/plain_logging.h"
#include "erlang/system/store_collection.h"

namespace ravel::erlang {

class MessageNotes final : public TermKeeper {
 public:
  // `non_racing`: registered names of processes that take messages in the order in which they happen to be
  // sent. Both must outlive this object.
  MessageNotes(Machine& machine, const std::vector<std::string>& non_racing)
      : machine_(machine), non_racing_(non_racing) {}

  // REQUIRES: the machine was saved since it changed.
  void note_start() { plain_logging_.look(machine_); }

  // Whether the order in which the process gets messages is not varied for its own sake.
  bool takes_as_sent(const Process& process) const;

  // After a step. Who has taken it, and how it was before if it was in a receive.
  struct Receiver {
    Term who, image;
    bool takes_as_sent;
  };
  void note(const Receiver& receiver, std::span<const Touch> footprint);
  // To an earlier point of this execution, after so many events.
  void go_back_to(std::size_t events) {
    if (noted_.size() <= events) return;
    sent_.resize(noted_[events].sent);
    tables_.resize(noted_[events].tables);
    noted_.resize(events);
  }

  // As SystemView has them.
  bool could_take(std::size_t receive, std::size_t send, std::size_t touch);
  bool conflict_closely(std::size_t earlier, std::size_t later) const;
  std::uint64_t close_key(std::size_t event) const;
  void note_overtaking(std::size_t receive, std::size_t taken);

  void for_each(Visit visit, void* collector) override;
  void note_collected() override;

 private:
  // Of an event; stored terms.
  struct Noted {
    Term receiver = Term::none(), image = Term::none();  // who was in a receive, and how
    std::uint32_t sent = 0;                              // its first entry in sent_
    std::uint32_t tables = 0;                            // and in tables_
    bool is_non_racing = false;
  };
  struct Sent {
    std::uint32_t touch;
    std::uint8_t how;
    Term content;
  };
  // What the machine has said lately of a receive and a message, by a hash of both.
  struct TakeAnswer {
    Term receiver = Term::none(), image = Term::none(), content = Term::none();
    std::uint8_t how = 0;
    bool takes = false;
  };
  bool would_take(const Noted& receive, const Sent& message);
  std::span<const TableTouch> table_touches_of(std::size_t event) const;

  Machine& machine_;
  const std::vector<std::string>& non_racing_;
  PlainLogging plain_logging_;
  std::vector<Noted> noted_;
  std::vector<TableTouch> tables_;
  std::vector<Sent> sent_;
  std::vector<TakeAnswer> answers_ = std::vector<TakeAnswer>(1024);
};

}  // namespace ravel::erlang
