#include "check/resume.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "host/files.h"

namespace ravel {

namespace {

// By how many processes a search is run does not make it another one.
std::vector<std::string> without_jobs(const std::vector<std::string>& arguments) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& one = arguments[i];
    if (one == "--") {
      others.insert(others.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
      break;
    }
    if (one == "-j" || one == "--jobs") {
      ++i;
    } else if (!one.starts_with("--jobs=") && !one.starts_with("-j")) {
      others.push_back(one);
    }
  }
  return others;
}

}  // namespace

Result<ResumedSearch> resume_search(const FrontEnds& front_ends, const CheckOptions& given) {
  const auto text = read_text_file(given.resume);
  if (!text) return text.error();
  auto search = parse_search(*text, given.resume);
  if (!search) return search.error();
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string();
  if (search->folder != here)
    return Error{given.resume + ": this search was begun in the folder " + search->folder +
                 ". Resume it there."};
  auto parsed = parse_check(front_ends, search->arguments);
  if (!parsed) return Error{given.resume + ": " + parsed.error().message};
  CheckOptions options = std::move(*parsed);
  if (options.shard) {
    // Which executions are whose goes by how many they were at the beginning.
    const auto begun_with = parse_budgets(options.budgets);
    if (!begun_with) return Error{given.resume + ": " + begun_with.error().message};
    options.shard->executions = begun_with->executions;
  }
  // What the user says now is about this run.
  options.budgets = given.budgets;
  if (given.are_jobs_given) {
    options.jobs = given.jobs;
    options.are_jobs_given = true;
  }
  options.report = given.report;
  options.resume = given.resume;
  if (given.keep_going) options.keep_going = true;
  options.story = given.story;
  if (!given.out.empty()) options.out = given.out;
  options.json_file = given.json_file;
  options.junit_file = given.junit_file;
  options.sarif_file = given.sarif_file;
  options.graph_file = given.graph_file;
  options.html_folder = given.html_folder;
  options.arguments = search->arguments;
  return ResumedSearch{.options = std::move(options), .before = std::move(*search)};
}

Result<std::string> save_search(SavedSearch saved, const CheckOptions& options, const std::string& folder) {
  std::error_code error;
  saved.folder = std::filesystem::current_path(error).string();
  saved.arguments = options.arguments;
  const std::string what =
      fmt::format("{}\n{}", saved.folder, fmt::join(without_jobs(saved.arguments), "\n"));
  const std::string file =
      std::filesystem::path(folder) / fmt::format("interrupted.{:06x}.search", hash_string(what) & 0xffffff);
  if (Status made = make_folder(folder); !made)
    return Error{made.error().message + " Name another folder with --out."};
  if (Status written = replace_text_file(file, print_search(saved)); !written) return written.error();
  return file;
}

}  // namespace ravel
