// ravel dap: a Debug Adapter for editors, on standard input and output.
#include "cli/commands.h"
#include "dap/frames.h"
#include "dap/session.h"
#include "host/protocol_streams.h"
#include "report/verdict.h"

namespace ravel {

Result<int> dap_command(const FrontEnds& front_ends) {
  const auto streams = take_standard_streams();
  if (!streams) return streams.error();
  dap::Session session(front_ends);
  while (!session.is_over()) {
    const auto message = dap::read_frame(streams->in);
    if (!message) return message.error();
    if (!*message) break;
    for (const std::string& answer : session.answer(**message))
      if (!dap::write_frame(streams->out, answer)) return exit_status(Verdict::kPass);
  }
  return exit_status(Verdict::kPass);
}

}  // namespace ravel
