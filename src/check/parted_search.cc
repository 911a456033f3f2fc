#include "check/parted_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "check/program_files.h"
#include "host/files.h"

namespace ravel {

namespace {

namespace fs = std::filesystem;

constexpr const char kPartEnd[] = ".part", kResultEnd[] = ".result";

// The test as parts have to know it.
SavedTest without_findings(const PartedSearch& search) {
  SavedTest test = search.save(Exploration());
  test.report.result.strategy = search.settings.request.strategy;
  test.report.result.position = "";
  return test;
}

// How long an execution may be depends on the memory of the machine, if nobody says it.
void add_events(std::vector<std::string>& arguments, std::uint64_t events_max) {
  arguments.insert(std::ranges::find(arguments, "--"), fmt::format("--events={}", events_max));
}

std::string after_word(const std::string& line, std::string_view command) {
  return line.size() > command.size() ? line.substr(command.size() + 1) : std::string();
}

}  // namespace

std::string parted_search_path(const std::string& folder) { return fs::path(folder) / "search"; }

PartedSearchWork::PartedSearchWork(std::string folder, std::uint32_t wanted,
                                   std::vector<std::string> arguments)
    : folder_(std::move(folder)) {
  file_.wanted = wanted;
  file_.program.arguments = std::move(arguments);
  begins_anew_ = true;
}

PartedSearchWork::PartedSearchWork(std::string folder, PartedSearchFile file,
                                   std::vector<std::string> results, Serve serve)
    : folder_(std::move(folder)), file_(std::move(file)), results_(std::move(results)), serve_(serve) {}

Status PartedSearchWork::open(const CheckedProgram& program, const std::string&) {
  auto portable = program.portable();
  if (!portable) return portable.error();
  std::error_code problem;
  const std::string way = fs::proximate(fs::current_path(problem), folder_, problem).string();
  file_.program.way_to_folder = problem ? fs::current_path(problem).string() : way;
  // Of what was noted, the files were compared before.
  if (!begins_anew_) return check_installed(file_.program, *portable);
  auto files = note_files(portable->files);
  if (!files) return files.error();
  file_.program.files = std::move(*files);
  file_.program.installed = std::move(portable->installed);
  return Success{};
}

SavedTest PartedSearchWork::run(const PartedSearch& search) {
  const bool is_first = !std::exchange(has_run_, true);
  if (is_first && begins_anew_)
    add_events(file_.program.arguments, search.settings.request.limits.events_max);
  if (!is_first) {
    // What was found out makes it begin anew: parts that were given away are of no use.
    begins_anew_ = true;
    file_.given.clear();
  }
  file_.is_over = false;
  status_ = work(search);
  pool_.reset();  // it may not outlive the search
  if (!status_ || !file_.is_over) return SavedTest();
  return file_.test;
}

Status PartedSearchWork::work(const PartedSearch& search) {
  auto pool = begins_anew_ ? PartPool::begin(search) : PartPool::go_on(search, findings_of(file_.test));
  if (!pool) return pool.error();
  pool_ = std::move(*pool);
  if (!begins_anew_)
    if (Status taken = take_results(); !taken) return taken;
  if (pool_->begins_anew()) return Success{};
  if (serve_ == Serve::kYes) return serve(search);
  if (Status written = write_parts(search, *pool_); !written || pool_->begins_anew()) return written;
  return write_search(search);
}

// ---- Results ---------------------------------------------------------------------------------------------

// All are read before the first one counts, and taken in the order of their numbers.
Status PartedSearchWork::take_results() {
  std::vector<std::pair<PartResultFile, std::string>> read;
  for (const std::string& path : results_) {
    const auto text = read_text_file(path);
    if (!text) return text.error();
    auto result = parse_part_result(*text, path);
    // One that is served may have been killed in the middle of it.
    if (!result && serve_ == Serve::kYes) {
      remarks_.push_back(result.error().message);
      continue;
    }
    if (!result) return result.error();
    read.emplace_back(std::move(*result), path);
  }
  std::ranges::stable_sort(read, {}, [](const auto& one) { return one.first.number; });
  for (const auto& [result, path] : read) {
    if (pool_->is_over()) break;
    const auto refused = take(*pool_, result, path);
    if (!refused) return refused.error();
    if (!refused->empty()) remarks_.push_back(*refused);
  }
  release_missing_files();
  for (const auto& [number, given] : file_.given) new_files_.push_back(number);
  return Success{};
}

// Why it was not taken, or nothing.
Result<std::string> PartedSearchWork::take(PartPool& pool, const PartResultFile& result,
                                           const std::string& name) {
  const auto given = file_.given.find(result.number);
  if (given == file_.given.end())
    return fmt::format("{}: left out: the result of part {} was taken before, or the part is no more", name,
                       result.number);
  if (given->second.hash != result.hash)
    return fmt::format("{}: left out: this is the result of another part {}, not of the one in {}", name,
                       result.number, folder_);
  for (const PartSlice& slice : result.slices)
    if (std::ranges::find(given->second.parts, slice.part) == given->second.parts.end() ||
        !pool.has(slice.part))
      return Error{fmt::format("{}: it does not hold what it should. Run the part again.", name)};
  if (result.slices.empty())
    remarks_.push_back(
        fmt::format("{}: nothing was done in the time that it had; give more with --budget", name));
  file_.given.erase(given);
  for (const PartSlice& slice : result.slices) {
    if (pool.is_over()) break;
    if (Status taken = pool.take(slice); !taken) return Error{name + ": " + taken.error().message};
  }
  return std::string();
}

// Part files that somebody has removed, or that are older than the search: what they had is given away again.
void PartedSearchWork::release_missing_files() {
  std::erase_if(file_.given, [&](const auto& given) {
    const auto text = read_text_file(path_of(given.first));
    return !text || hash_of_file(*text) != given.second.hash;
  });
}

// ---- Files -----------------------------------------------------------------------------------------------

std::string PartedSearchWork::path_of(std::uint64_t number) const {
  return fs::path(folder_) / fmt::format("{}{}", number, kPartEnd);
}

// Those that are in no part file.
std::vector<PartNumber> PartedSearchWork::free_parts(const PartPool& pool) const {
  std::set<PartNumber> given;
  for (const auto& [number, file] : file_.given) given.insert(file.parts.begin(), file.parts.end());
  std::vector<PartNumber> free;
  for (const auto& [number, part] : pool.parts())
    if (!given.contains(number)) free.push_back(number);
  return free;
}

// Part files of what is free, as many as are missing.
Status PartedSearchWork::write_parts(const PartedSearch& search, PartPool& pool) {
  if (pool.is_over() || file_.given.size() >= file_.wanted) return Success{};
  const std::size_t missing = file_.wanted - file_.given.size();
  std::vector<PartNumber> free = free_parts(pool);
  if (Status spread = pool.spread(free, missing); !spread) return spread;
  if (pool.is_over()) return Success{};
  free = free_parts(pool);
  std::vector<std::vector<PartNumber>> files(std::min(missing, free.size()));
  for (std::size_t i = 0; i < free.size(); ++i) files[i % files.size()].push_back(free[i]);
  if (Status made = make_folder(folder_); !made) return made;
  const SavedTest test = without_findings(search);
  for (std::vector<PartNumber>& parts : files)
    if (Status written = write_part(test, pool, std::move(parts)); !written) return written;
  return Success{};
}

Status PartedSearchWork::write_part(const SavedTest& test, const PartPool& pool,
                                    std::vector<PartNumber> parts) {
  PartFile file{.program = file_.program, .number = file_.next_number, .test = test, .parts = {}};
  for (const PartNumber part : parts) file.parts.push_back(pool.parts().at(part));
  const std::string text = print_part_file(file);
  if (Status written = replace_text_file(path_of(file.number), text); !written) return written;
  file_.given[file.number] = {.hash = hash_of_file(text), .parts = std::move(parts)};
  new_files_.push_back(file.number);
  ++file_.next_number;
  return Success{};
}

// Once the part files are there: of those that it does not know, results are not taken.
Status PartedSearchWork::write_search(const PartedSearch& search) {
  const SavedTest test = without_findings(search);
  file_.test = test;
  put_findings(file_.test, pool_->total());
  file_.is_over = pool_->is_over();
  if (file_.is_over) file_.given.clear();
  return write_file();
}

Status PartedSearchWork::write_file() const {
  if (Status made = make_folder(folder_); !made) return made;
  return replace_text_file(parted_search_path(folder_), print_parted_search(file_));
}

// With what the front end has added to it: it may be asked for again.
Status PartedSearchWork::keep_told(const SavedTest& told) {
  file_.test = told;
  file_.test.report.result.position.reset();
  return write_file();
}

void PartedSearchWork::remove_old_files() const {
  std::error_code problem;
  std::vector<fs::path> old;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, problem)) {
    const fs::path& path = entry.path();
    const bool is_given = std::ranges::any_of(file_.given, [&](const auto& given) {
      return path.filename() == fmt::format("{}{}", given.first, kPartEnd);
    });
    if (path.extension() == kPartEnd && !is_given) old.push_back(path);
  }
  for (const std::string& result : results_) {
    const fs::path path = result;
    if (path.extension() == kResultEnd &&
        fs::equivalent(path.parent_path().empty() ? "." : path.parent_path(), folder_, problem))
      old.push_back(path);
  }
  for (const fs::path& path : old) fs::remove(path, problem);
}

// ---- A program that is served ----------------------------------------------------------------------------

// Lines come in, and each is answered:
//   result FILE   "taken EXECUTIONS BUGS", or "dropped WHY" (nobody waits for it any more), or "refused WHY"
//                 (it is damaged)
//   files         "file PATH" for each file of the program, then "done"
//   wanted N      how many part files there are to be, from now on; "done"
//   go            "part NUMBER FILE" for each new part file, then "done"; or "over", and the search is told
//   save          writes the search, so that it goes on from here; "done"
// The end of the input is an interrupt.
Status PartedSearchWork::serve(const PartedSearch& search) {
  std::string line;
  bool ends = false;
  while (!ends && std::getline(std::cin, line)) {
    if (Status answered = answer(line, search, ends); !answered) return answered;
    std::fflush(stdout);
  }
  if (pool_->begins_anew()) return Success{};
  return write_search(search);
}

Status PartedSearchWork::answer(const std::string& line, const PartedSearch& search, bool& ends) {
  const std::string command = line.substr(0, line.find(' ')), rest = after_word(line, command);
  if (command == "result") {
    const auto text = read_text_file(rest);
    const auto result = text ? parse_part_result(*text, rest) : Result<PartResultFile>(text.error());
    if (!result) {
      fmt::print("refused {}\n", result.error().message);
      return Success{};
    }
    const auto dropped =
        pool_->is_over() ? Result<std::string>("the search is over") : take(*pool_, *result, rest);
    if (!dropped) return dropped.error();
    ends = pool_->begins_anew();
    fmt::print("{}\n", dropped->empty() ? fmt::format("taken {} {}", pool_->executions(), pool_->bugs())
                                        : "dropped " + *dropped);
    return Success{};
  }
  if (command == "go") {
    if (Status written = write_parts(search, *pool_); !written) return written;
    ends = pool_->is_over();
    for (const std::uint64_t number : std::exchange(new_files_, {}))
      if (file_.given.contains(number)) fmt::print("part {} {}\n", number, path_of(number));
    fmt::print("{}\n", ends && !pool_->begins_anew() ? "over" : "done");
    return Success{};
  }
  if (command == "save") {
    if (Status written = write_search(search); !written) return written;
    fmt::print("done\n");
    return Success{};
  }
  if (command == "files") {
    for (const CheckedFile& file : file_.program.files) fmt::print("file {}\n", file.path);
    fmt::print("done\n");
    return Success{};
  }
  if (command == "wanted") {
    file_.wanted = static_cast<std::uint32_t>(std::max(1, std::atoi(rest.c_str())));
    fmt::print("done\n");
    return Success{};
  }
  fmt::print("refused there is no command '{}'\n", command);
  return Success{};
}

}  // namespace ravel
