#include "check/part_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "check/check.h"
#include "check/part_files.h"
#include "check/part_pool.h"
#include "check/parted_search.h"
#include "check/program_files.h"
#include "host/files.h"
#include "host/interrupt.h"
#include "host/messages.h"
#include "host/parent.h"
#include "report/verdict.h"

namespace ravel {

namespace {

namespace fs = std::filesystem;

constexpr const char kPartEnd[] = ".part", kResultEnd[] = ".result";

// ---- Options ---------------------------------------------------------------------------------------------

// What is of the whole search, or of one process.
Status check_split(const SplitOptions& options) {
  if (options.into.empty()) return Error{"--into FOLDER says where the parts are written; there is none."};
  for (const char* const name : {"--jobs", "--shard", "--trace", "--resume", "--graph"})
    if (options.check.is_given(name))
      return Error{
          fmt::format("{} is not for 'ravel split', which divides the whole search of one test. "
                      "Leave it out.",
                      name)};
  for (const std::string& budget : options.check.budgets)
    if (!budget.ends_with('M') && !budget.ends_with('G'))
      return Error{fmt::format(
          "--budget {}: how long a part is run is said when it is run: ravel part PART --budget {}.", budget,
          budget)};
  const std::string file = parted_search_path(options.into);
  std::error_code problem;
  if (fs::exists(file, problem))
    return Error{fmt::format(
        "{}: there is a divided search already. Go on with 'ravel merge {}', or name another folder.", file,
        options.into)};
  return Success{};
}

// Of the arguments of `ravel split` those that every part is run with.
std::vector<std::string> arguments_of_parts(const std::vector<std::string>& arguments) {
  static constexpr std::array<std::string_view, 7> kWithValue = {"--into",  "--parts", "--out",   "--json",
                                                                 "--junit", "--color", "--budget"};
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& one = arguments[i];
    if (one == "--") {
      kept.insert(kept.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
      break;
    }
    const std::string name = one.substr(0, one.find('='));
    const bool is_dropped = std::ranges::find(kWithValue, name) != kWithValue.end();
    if (is_dropped && name.size() == one.size()) ++i;
    if (!is_dropped && one != "-q" && one != "--quiet") kept.push_back(one);
  }
  return kept;
}

// The search as it was asked for, whatever is the default on the machine at hand.
Result<CheckOptions> options_of(const FrontEnds& front_ends, const PartedProgram& program,
                                const std::string& file) {
  auto options = parse_check(front_ends, program.arguments);
  if (!options) return Error{file + ": " + options.error().message};
  options->arguments = program.arguments;
  options->resume = file;
  options->budgets.clear();
  return options;
}

// An absolute path stays right when the program's folder is entered.
void make_absolute(std::string& path) {
  std::error_code problem;
  if (!path.empty()) path = fs::absolute(path, problem).lexically_normal();
}

// Makes the program's folder the current one. Whether it was another one.
Result<bool> is_elsewhere(const PartedProgram& program, const std::string& file, std::string& folder) {
  auto found = find_program_folder(program, file);
  if (!found) return found.error();
  folder = std::move(*found);
  std::error_code problem;
  return !fs::equivalent(folder, fs::current_path(problem), problem);
}

Status enter(const std::string& folder) {
  std::error_code problem;
  fs::current_path(folder, problem);
  if (problem) return Error{folder + ": this folder cannot be entered: " + problem.message() + "."};
  return Success{};
}

SavedSearch search_of(SavedTest test) {
  SavedSearch search;
  search.tests.push_back(std::move(test));
  return search;
}

// ---- One part --------------------------------------------------------------------------------------------

class PartFileWork final : public PartWork {
 public:
  PartFileWork(PartFile file, std::uint64_t hash, PartBudget budget)
      : file_(std::move(file)), budget_(budget) {
    result_.number = file_.number;
    result_.hash = hash;
  }

  Status open(const CheckedProgram& program, const std::string&) override {
    const auto portable = program.portable();
    if (!portable) return portable.error();
    return check_installed(file_.program, *portable);
  }
  Status keep_told(const SavedTest&) override { return Success{}; }
  bool begins_anew() const override { return false; }
  bool tells_bugs() const override { return false; }
  bool is_over() const override { return false; }
  const Status& status() const override { return status_; }

  SavedTest run(const PartedSearch& search) override {
    // What it has found out is for whoever brings the results together.
    if (!std::exchange(has_run_, true)) status_ = run_each(search);
    return SavedTest();
  }

  const PartResultFile& result() const { return result_; }
  std::uint64_t executions() const {
    std::uint64_t sum = 0;
    for (const PartSlice& slice : result_.slices) sum += slice.found.result.counts.executions;
    return sum;
  }
  std::size_t parts() const { return file_.parts.size(); }
  std::size_t ended() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        result_.slices, [](const PartSlice& slice) { return slice.kind != PartSlice::Kind::kGoesOn; }));
  }

 private:
  Status run_each(const PartedSearch& search) {
    SteadyClock clock;
    const double start = clock.seconds();
    PartBudget left = budget_;
    for (const Part& part : file_.parts) {
      if (left.seconds) *left.seconds = *budget_.seconds - (clock.seconds() - start);
      if (search.interrupt || (left.seconds && *left.seconds <= 0) || left.executions == 0) break;
      auto slice = run_part(search, part, left);
      // Work of the strategy that takes longer than that has no position; without more time it would never
      // end.
      while (slice && !*slice && left.seconds && !search.interrupt && result_.slices.empty()) {
        *left.seconds *= 2;
        slice = run_part(search, part, left);
      }
      if (!slice) return slice.error();
      if (!*slice) break;
      const SearchResult& found = (*slice)->found.result;
      if (left.executions) *left.executions -= std::min(*left.executions, found.counts.executions);
      const bool ends_all = (*slice)->kind == PartSlice::Kind::kDiscovered ||
                            ((*slice)->kind == PartSlice::Kind::kEnded && found.stop != Stop::kComplete);
      result_.slices.push_back(std::move(**slice));
      if (ends_all) break;
    }
    return Success{};
  }

  const PartFile file_;
  const PartBudget budget_;
  PartResultFile result_;
  Status status_ = Success{};
  bool has_run_ = false;
};

std::string result_path(const std::string& part) {
  return part.ends_with(kPartEnd)
             ? part.substr(0, part.size() - std::string_view(kPartEnd).size()) + kResultEnd
             : part + kResultEnd;
}

// ---- Bringing results together ---------------------------------------------------------------------------

std::vector<std::string> results_in(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem))
    if (entry.path().extension() == kResultEnd) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

// What to do next, if the search goes on.
int tell_parts(const PartedSearchWork& work, const std::string& folder, const ReportOptions& report) {
  if (report.quiet == Quiet::kNo)
    fmt::print(
        "{} part{} to be run, after {} execution{}. Run each: ravel part {}/N{}; then: ravel merge {}\n",
        work.parts(), work.parts() == 1 ? " is" : "s are", work.executions(),
        work.executions() == 1 ? "" : "s", folder, kPartEnd, folder);
  return exit_status(Verdict::kIncomplete);
}

}  // namespace

Result<int> split(const FrontEnds& front_ends, SplitOptions options) {
  if (Status fitting = check_split(options); !fitting) return fitting.error();
  if (Status writable = check_writable_folder(options.into, Creation::kNow); !writable)
    return Error{writable.error().message + " Name another folder with --into."};
  CheckOptions& check_options = options.check;
  check_options.arguments = arguments_of_parts(check_options.arguments);
  PartedSearchWork work(options.into, options.parts, check_options.arguments);
  const auto status = check(front_ends, check_options, nullptr, work);
  if (!status || work.is_over()) return status;
  return tell_parts(work, options.into, check_options.report);
}

Result<int> run_part_file(const FrontEnds& front_ends, const PartOptions& given) {
  PartOptions options = given;
  catch_interrupts();
  if (options.ends_with_parent) end_with_parent();
  const auto text = read_text_file(options.file);
  if (!text) return text.error();
  auto part = parse_part_file(*text, options.file);
  if (!part) return part.error();
  const auto budget = parse_budgets(options.budgets);
  if (!budget) return budget.error();
  if (options.out.empty()) options.out = result_path(options.file);
  if (Status writable = check_writable_file(options.out); !writable) return writable.error();
  std::string folder;
  const auto elsewhere = is_elsewhere(part->program, options.file, folder);
  if (!elsewhere) return elsewhere.error();
  if (*elsewhere) make_absolute(options.out);
  if (Status entered = enter(folder); !entered) return entered.error();
  auto check_options = options_of(front_ends, part->program, options.file);
  if (!check_options) return check_options.error();
  for (const std::string& one : options.budgets)
    if (one.ends_with('M') || one.ends_with('G')) check_options->budgets.push_back(one);
  check_options->report = options.report;
  const SavedSearch before = search_of(part->test);
  PartFileWork work(std::move(*part), hash_of_file(*text),
                    {.seconds = budget->seconds, .executions = budget->executions});
  if (const auto run = check(front_ends, *check_options, &before, work); !run)
    return Error{run.error().message};
  if (Status written = replace_text_file(options.out, print_part_result(work.result())); !written)
    return written.error();
  if (options.report.quiet == Quiet::kNo)
    fmt::print("{} execution{}; {} of {} branches ended. The result: {}\n", work.executions(),
               work.executions() == 1 ? "" : "s", work.ended(), work.parts(), options.out);
  return 0;
}

Result<int> merge_results(const FrontEnds& front_ends, MergeOptions options) {
  const std::string path = parted_search_path(options.folder);
  const auto text = read_text_file(path);
  if (!text) return text.error();
  auto search = parse_parted_search(*text, path);
  if (!search) return search.error();
  if (options.results.empty()) options.results = results_in(options.folder);
  std::string folder;
  const auto elsewhere = is_elsewhere(search->program, path, folder);
  if (!elsewhere) return elsewhere.error();
  if (*elsewhere) {
    if (options.out.empty()) options.out = kDefaultTicketFolder;
    for (std::string* const one : {&options.folder, &options.out, &options.json_file, &options.junit_file})
      make_absolute(*one);
    for (std::string& result : options.results) make_absolute(result);
  }
  if (Status entered = enter(folder); !entered) return entered.error();
  auto check_options = options_of(front_ends, search->program, path);
  if (!check_options) return check_options.error();
  check_options->report = options.report;
  check_options->out = options.out;
  check_options->json_file = options.json_file;
  check_options->junit_file = options.junit_file;
  const SavedSearch before = search_of(search->test);
  PartedSearchWork work(options.folder, std::move(*search), options.results,
                        options.serves ? PartedSearchWork::Serve::kYes : PartedSearchWork::Serve::kNo);
  const auto status = check(front_ends, *check_options, &before, work);
  if (!status) return status;
  for (const std::string& text_of_remark : work.remarks()) remark(text_of_remark, options.report.colour);
  work.remove_old_files();
  return work.is_over()   ? *status
         : options.serves ? exit_status(Verdict::kIncomplete)
                          : tell_parts(work, options.folder, options.report);
}

}  // namespace ravel
