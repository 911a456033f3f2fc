#include "erlang/system/source_order.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "erlang/system/folders.h"

namespace ravel::erlang {

namespace {

namespace fs = std::filesystem;

std::string read_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

// Whether a source mentions the module after one of these attributes: -behaviour(name), {parse_transform,
// name}.
bool mentions(const std::string& text, std::string_view attribute, std::string_view separators,
              const std::string& module) {
  for (std::size_t at = text.find(attribute); at != text.npos; at = text.find(attribute, at + 1)) {
    const std::size_t from = text.find_first_not_of(separators, at + attribute.size());
    if (from == text.npos || text.compare(from, module.size(), module) != 0) continue;
    const std::size_t end = from + module.size();
    if (end >= text.size() || (std::isalnum(static_cast<unsigned char>(text[end])) == 0 && text[end] != '_'))
      return true;
  }
  return false;
}

}  // namespace

void order_sources(ProgramOptions& program, const std::vector<std::string>& first) {
  std::vector<std::string>& files = program.files;
  std::vector<std::string> texts;
  for (const std::string& file : files) texts.push_back(read_text(file));
  std::string options;
  for (const std::string& option : program.erlc_options) options += option + "\n";
  texts.push_back(std::move(options));
  const auto rank = [&](const std::string& file) {
    const std::string module = fs::path(file).stem();
    if (std::ranges::find(first, module) != first.end()) return 0;
    const auto is_mentioned = [&](std::string_view attribute, std::string_view separators) {
      return std::ranges::any_of(
          texts, [&](const std::string& text) { return mentions(text, attribute, separators, module); });
    };
    if (is_mentioned("parse_transform", " \t\r\n,")) return 1;
    if (is_mentioned("-behaviour", " \t\r\n('") || is_mentioned("-behavior", " \t\r\n('")) return 2;
    return 3;
  };
  std::vector<std::pair<int, std::string>> ranked;
  for (const std::string& file : files) ranked.emplace_back(rank(file), file);
  std::ranges::stable_sort(ranked, {}, &std::pair<int, std::string>::first);
  for (std::size_t i = 0; i < files.size(); ++i) files[i] = ranked[i].second;
}

void add_test_sources(const std::vector<std::string>& files, const OtpInstallation& otp, Project& project) {
  const auto is_common_test = [](const std::string& beams) {
    return fs::path(beams).parent_path().filename().string().starts_with("common_test-");
  };
  const bool has_common_test = std::ranges::any_of(otp.ebin_folders(), is_common_test);
  const std::vector<std::string>& known = project.options.files;
  std::size_t left_out = 0;
  for (const std::string& file : files) {
    if (std::ranges::find(known, file) != known.end()) continue;
    if (file.ends_with("_SUITE.erl") && !has_common_test) {
      ++left_out;
      continue;
    }
    project.options.files.push_back(file);
    project.options.optional_files.push_back(file);
  }
  if (left_out > 0)
    project.remarks.push_back(std::to_string(left_out) + (left_out == 1 ? " suite" : " suites") +
                              " of Common Test in " + fs::path(files.front()).parent_path().string() +
                              " left out: Common Test is not installed with this Erlang/OTP (on Debian and "
                              "Ubuntu: the package erlang-common-test).");
}

}  // namespace ravel::erlang
