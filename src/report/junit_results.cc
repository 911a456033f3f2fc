#include "report/junit_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/summary.h"
#include "report/text.h"
#include "report/verdict.h"

namespace ravel {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// How many tests, and what became of them: the attributes that both suites and all of them together have.
struct Tally {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(const TestReport& tested) {
    ++tests;
    seconds += tested.result.counts.seconds;
    switch (verdict_of(tested)) {
      case Verdict::kPass: break;
      case Verdict::kBug: ++failures; break;
      case Verdict::kError:
      case Verdict::kUnsupported: ++errors; break;
      case Verdict::kSkipped:
      case Verdict::kIncomplete: ++skipped; break;
    }
  }
  std::string attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", tests, failures,
                       errors, skipped, seconds);
  }
};

// The length of the character in UTF-8 that begins here and that XML allows; 0: there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  unsigned code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr unsigned kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool is_none = code == 0xFFFE || code == 0xFFFF;
  return code < kSmallest[length] || code > 0x10FFFF || is_surrogate || is_none ? 0 : length;
}

std::string bug_text(const Bug& bug, const std::string& ticket) {
  std::string text = bug.kind + ": " + bug.message + "\n";
  const std::string where = place(bug.file, bug.line);
  if (!where.empty() || !bug.actor.empty())
    text += "  " + (where.empty() ? "" : "at " + where + (bug.actor.empty() ? "" : ", ")) +
            (bug.actor.empty() ? "" : "in " + bug.actor) + "\n";
  for (const std::string& line : bug.details) text += "    " + line + "\n";
  if (!ticket.empty()) text += "  Replay it with: ravel replay " + ticket + "\n";
  return text;
}

// "failure", "error" or "skipped", with what there is to say.
std::string element(std::string_view name, std::string_view type, std::string_view message,
                    std::string_view text) {
  return fmt::format("   <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", name, xml_text(type),
                     xml_text(message), xml_text(text));
}

std::string result_element(const TestReport& tested) {
  const SearchResult& result = tested.result;
  switch (verdict_of(tested)) {
    case Verdict::kPass: return "";
    case Verdict::kBug: {
      const Bug& first = result.bugs.front().bug;
      std::string text;
      for (std::size_t i = 0; i < result.bugs.size(); ++i)
        text += bug_text(result.bugs[i].bug, tested.tickets[i]);
      return element("failure", first.kind, first.message, text);
    }
    case Verdict::kError:
    case Verdict::kUnsupported: {
      const Refusal& refusal = *result.refusal;
      const std::string where = place(refusal.file, refusal.line);
      return element("error", "unsupported", refusal.message, where.empty() ? "" : "at " + where);
    }
    case Verdict::kSkipped: return fmt::format("   <skipped message=\"{}\"/>\n", xml_text(tested.skipped));
    case Verdict::kIncomplete: return "   <skipped message=\"the search is not complete\"/>\n";
  }
  return "";
}

// The suite of a test is its module (MODULE:FUNCTION), or the suite that its framework knows (SUITE.TEST); a
// test without one is its own.
std::size_t separator_of(std::string_view test) {
  const std::size_t colon = test.find(':');
  return colon != test.npos ? colon : test.find('.');
}
std::string_view module_of(const TestReport& tested) {
  const std::string_view test = tested.test;
  return test.substr(0, separator_of(test));
}

std::string case_element(const TestReport& tested) {
  const std::string_view module = module_of(tested);
  std::string name =
      module.size() == tested.test.size() ? tested.test : tested.test.substr(module.size() + 1);
  if (!tested.title.empty()) name += " " + tested.title;
  return fmt::format("  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", xml_text(module),
                     xml_text(name), tested.result.counts.seconds) +
         result_element(tested) +
         (tested.skipped.empty()
              ? "   <system-out>" + xml_text(summarize(tested.result) + describe_remarks(tested)) +
                    "</system-out>\n"
              : "") +
         "  </testcase>\n";
}

std::string document(const Tally& tally, const std::string& suites) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ravel\" " + tally.attributes() +
         ">\n" + suites + "</testsuites>\n";
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    switch (length == 0 ? '\0' : text.front()) {
      case '\0': escaped += kReplacement; break;
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&apos;"; break;
      case '\n': escaped += "&#10;"; break;  // readers make spaces of line ends in attributes
      case '\r': escaped += "&#13;"; break;
      case '\t': escaped += "&#9;"; break;
      default: escaped += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return escaped;
}

std::string junit_results(const CheckReport& report) {
  std::vector<std::string_view> modules;
  Tally all;
  for (const TestReport& one : report.tests) {
    all.add(one);
    if (std::ranges::find(modules, module_of(one)) == modules.end()) modules.push_back(module_of(one));
  }
  std::string suites;
  for (const std::string_view module : modules) {
    Tally tally;
    std::string cases;
    for (const TestReport& one : report.tests) {
      if (module_of(one) != module) continue;
      tally.add(one);
      cases += case_element(one);
    }
    suites += fmt::format(" <testsuite name=\"{}\" {}>\n{} </testsuite>\n", xml_text(module),
                          tally.attributes(), cases);
  }
  return document(all, suites);
}

std::string junit_error(std::string_view message) {
  const Tally tally{.tests = 1, .errors = 1};
  return document(
      tally, fmt::format(" <testsuite name=\"ravel\" {}>\n  <testcase classname=\"ravel\" name=\"check\" "
                         "time=\"0.000\">\n{}  </testcase>\n </testsuite>\n",
                         tally.attributes(), element("error", "input", message, "")));
}

}  // namespace ravel
