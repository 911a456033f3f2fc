// The device: what stands for the terminal of all processes. See Device::answer.
//
// It is the group leader of the first process and what `user` and `standard_error` name. It is no process:
// what it is sent, it does and answers in the same step, its output is part of the state, and two processes
// that print are independent. Its input is empty.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "erlang/machine/machine_part.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

enum class CharacterEncoding : std::uint8_t { kLatin1, kUnicode };

// Characters, binaries in the encoding and lists of both, deep, as UTF-8; nothing if anything else is in it.
std::optional<std::string> characters_to_utf8(Term data, CharacterEncoding encoding);

class Device final : public MachinePart {
 public:
  explicit Device(Machine& its_machine) : MachinePart(its_machine) {}

  void print(std::string_view text);
  std::string output() const;
  // Prints at once instead (ravel run). Null: keep it in the state.
  std::function<void(std::string_view)> on_output;
  // The process that answers for the device what needs a process; called while the system starts.
  void set_server(Term pid) { server_ = pid; }
  void answer(Term message);

  Term freeze();
  void thaw(Term image) { output_ = image; }
  void for_each_term(Roots::Visit visit, void* collector) { visit(collector, &output_, 1); }

 private:
  Term reply_to(Term request);
  bool needs_process(Term request) const;  // to be answered

  Term output_ = Term::nil();          // pieces, the last first
  Term server_ = Names::device_pid();  // which is no process: nobody yet
};

}  // namespace ravel::erlang
