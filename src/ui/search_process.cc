#include "ui/search_process.h"

#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

#include "host/interrupt.h"

namespace ravel {

namespace {

// The first letter of a message.
constexpr char kProgress = 'p', kFound = 'f', kProblem = '!';

// What is opened anew is noted as a ticket notes it.
Ticket noted(const Subject& subject) {
  Ticket ticket;
  ticket.front_end = std::string(subject.front_end->name());
  ticket.program = subject.test->note();
  ticket.events_max = subject.events_max;
  return ticket;
}

Result<SearchedTest> search(const Ticket& noted, const FrontEnd& front_end, const CheckOptions& options,
                            std::span<const NamedStep> prefix, const Channel& parent) {
  auto test = front_end.reopen(noted, "the program", {}, options.report, Purpose::kReplay);
  if (!test) return test.error();
  auto program = front_end.open(std::move(*test), options);
  if (!program) return program.error();
  SearchTask task;
  task.prefix = prefix;
  task.keep = [&](const SavedTest& now) { parent.send(kProgress + print_test(now)); };
  return (*program)->search(0, task);
}

[[noreturn]] void serve(const Ticket& noted, const FrontEnd& front_end, const CheckOptions& options,
                        std::span<const NamedStep> prefix, const Channel& parent) {
  catch_interrupts_as_copy();
  // What the program prints, and what Ravel would tell a user of the command.
  if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr)
    _exit(1);
  // Whoever watches wants to know more often where it is than what a file to go on from is written for.
  setenv("RAVEL_CHECKPOINT_SECONDS", "0.5", 1);
  auto searched = search(noted, front_end, options, prefix, parent);
  if (searched) {
    SavedTest found;
    found.report = std::move(searched->report);
    found.report.recordings.clear();
    parent.send(kFound + print_test(std::move(found)));
  } else {
    parent.send(kProblem + searched.error().message);
  }
  _exit(0);
}

std::string make_temporary_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "ravel.XXXXXX").string();
  return mkdtemp(name.data()) == nullptr ? std::string() : name;
}

}  // namespace

Result<std::unique_ptr<SearchProcess>> SearchProcess::start(const FrontEnds& front_ends,
                                                            const Subject& subject,
                                                            std::vector<NamedStep> prefix,
                                                            std::span<const std::string> arguments) {
  auto options = parse_check(front_ends, arguments);
  if (!options) return options.error();
  if (!options->program.files.empty() || !options->program.tests.empty())
    return Error{
        "The search is of the test that is shown; only options that say how to search have a place here."};
  if (Status fitting = front_ends.check_given(*subject.front_end, *options); !fitting) return fitting.error();
  std::string folder = make_temporary_folder();
  if (folder.empty()) return Error{"There is no folder for temporary files."};
  options->out = folder;
  std::fflush(stdout);
  std::fflush(stderr);
  const Ticket program = noted(subject);
  auto forked = fork_process();
  if (!forked) return forked.error();
  if (forked->parent) serve(program, *subject.front_end, *options, prefix, *forked->parent);
  return std::unique_ptr<SearchProcess>(new SearchProcess(std::move(*forked->child), std::move(folder)));
}

SearchProcess::~SearchProcess() {
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

const SearchProcess::State& SearchProcess::look() {
  while (state_.is_running) {
    pollfd waiting = {.fd = child_.channel().descriptor(), .events = POLLIN, .revents = 0};
    if (poll(&waiting, 1, 0) <= 0) break;
    const auto message = child_.channel().receive();
    if (message) {
      read(*message);
    } else {
      end("The search has died: " + child_.end() + ".");
    }
  }
  return state_;
}

void SearchProcess::read(const std::string& message) {
  const std::string_view text = std::string_view(message).substr(1);
  if (message.front() == kProblem) {
    end(std::string(text));
    return;
  }
  auto test = parse_test(text);
  if (!test) {
    end("What the search has found cannot be read.");
    return;
  }
  TestReport& found = test->report;
  state_.seconds = found.result.counts.seconds;
  state_.executions = found.result.counts.executions;
  state_.events = found.result.counts.events;
  if (message.front() != kFound) return;
  state_.found = std::move(found);
  end("");
}

void SearchProcess::end(std::string problem) {
  state_.is_running = false;
  state_.problem = std::move(problem);
}

void SearchProcess::stop() {
  if (look().is_running) kill(child_.pid(), SIGTERM);
}

}  // namespace ravel
