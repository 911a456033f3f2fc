#include "check/saved_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "base/hash.h"
#include "base/version.h"
#include "engine/race.h"
#include "engine/search_fields.h"

namespace ravel {

// In the encoding of engine/search_fields.h.

template <class F, FieldsOf<EventDescription> T>
void fields(F& f, T& v) {
  f("text", v.text), f("actor", v.actor), f("file", v.file), f("line", v.line), f("source", v.source);
  f.later("constraint", v.constraint);
}

constexpr RaceKind last_of(RaceKind) { return RaceKind::kChoice; }

template <class F, FieldsOf<RaceDescription> T>
void fields(F& f, T& v) {
  f("kind", v.kind), f("event", v.event), f("did", v.did), f("other", v.other), f("other_did", v.other_did);
  f("message", v.message), f("value", v.value), f("kept", v.kept);
}

template <class F, FieldsOf<Explanation> T>
void fields(F& f, T& v) {
  f("tried", v.tried), f("is_complete", v.is_complete), f("changes", v.changes);
  f.later("has_faults", v.has_faults);
}

template <class F, FieldsOf<OrphanDescription> T>
void fields(F& f, T& v) {
  f("message", v.message), f("value", v.value), f("receiver", v.receiver);
  fields(f, v.sent);
}

template <class F, FieldsOf<Remark> T>
void fields(F& f, T& v) {
  f.row(v.text, v.file, v.line);
}

template <class F, FieldsOf<Remarks> T>
void fields(F& f, T& v) {
  f("most", v.most), f("kinds", v.kinds);
}

template <class F, FieldsOf<RareEventCounts> T>
void fields(F& f, T& v) {
  f.row(v.early_timeouts, v.overtaking_messages, v.spurious_wake_ups);
  f.more(v.kills, v.lost_messages, v.duplicated_messages);
}

constexpr ProgramPart::Kind last_of(ProgramPart::Kind) { return ProgramPart::Kind::kScenario; }

template <class F, FieldsOf<ProgramPart> T>
void fields(F& f, T& v) {
  f.row(v.kind, v.machine, v.state, v.event, v.file, v.line, v.is_covered);
}

template <class F, FieldsOf<SavedTest> T>
void fields(F& f, T& v) {
  f("test", v.report.test), f("title", v.report.title), f("tickets", v.report.tickets),
      f("program", v.program);
  f.later("own", v.own), f.later("warnings", v.report.warnings), f.later("left_behind", v.report.left_behind);
  f.later("handled_ends", v.report.handled_ends), f("explanations", v.report.explanations);
  f.later("rare_events", v.report.rare_events), f("orphan", v.report.orphan);
  f("program_coverage", v.report.program_coverage);
  fields(f, v.report.result);
}

template <class F, FieldsOf<SavedSearch> T>
void fields(F& f, T& v) {
  f("folder", v.folder), f("arguments", v.arguments), f("tests", v.tests);
}

namespace {

using Json = nlohmann::json;

// A line that says what this is, a line with the hash of what follows, and that as CBOR.
constexpr std::string_view kTitle = "ravel search, version ";

// Written as their texts.
template <class T>
concept Name = std::is_same_v<T, ActorName> || std::is_same_v<T, MessageName> || std::is_same_v<T, EventRef>;

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;

class JsonWriter {
 public:
  template <class T>
  static Json write(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return static_cast<unsigned>(value);
    } else if constexpr (Plain<T>) {
      return value;
    } else if constexpr (Name<T>) {
      return value.to_string();
    } else if constexpr (kIsOptional<T>) {
      return value ? write(*value) : Json();
    } else if constexpr (kIsVector<T>) {
      Json list = Json::array();
      for (const auto& one : value) list.push_back(write(one));
      return list;
    } else {
      JsonWriter writer;
      fields(writer, value);
      return std::move(writer.json_);
    }
  }

  template <class T>
  void operator()(const char* name, const T& value) {
    if constexpr (kIsOptional<T>) {
      if (!value) return;
    }
    json_[name] = write(value);
  }
  template <class T>
  void later(const char* name, const T& value) {
    (*this)(name, value);
  }
  void bytes(const char* name, const std::optional<std::string>& text) {
    if (text) json_[name] = Json::binary({text->begin(), text->end()});
  }
  template <class... T>
  void row(const T&... values) {
    json_ = Json::array({write(values)...});
  }
  // Further values of the row, which older files do not have.
  template <class... T>
  void more(const T&... values) {
    (json_.push_back(write(values)), ...);
  }
  template <class T>
  void passing(const T&) {}

 private:
  Json json_ = Json::object();
};

// What is missing or no such value is an exception, as of the JSON library.
class JsonReader {
 public:
  template <class T>
  static void read(const Json& json, T& value) {
    if constexpr (std::is_enum_v<T>) {
      const auto number = json.get<std::uint64_t>();
      if (number > static_cast<std::uint64_t>(last_of(T{})))
        throw std::out_of_range("a number that stands for nothing");
      value = static_cast<T>(number);
    } else if constexpr (Plain<T>) {
      value = json.get<T>();
    } else if constexpr (Name<T>) {
      auto name = T::parse(json.get<std::string>());
      if (!name) throw std::invalid_argument(name.error().message);
      value = std::move(*name);
    } else if constexpr (kIsOptional<T>) {
      value.reset();
      if (json.is_null()) return;
      typename T::value_type one = {};
      read(json, one);
      value = std::move(one);
    } else if constexpr (kIsVector<T>) {
      value.clear();
      for (const Json& one : json) read(one, value.emplace_back());
    } else {
      JsonReader reader(json);
      fields(reader, value);
    }
  }

  template <class T>
  void operator()(const char* name, T& value) {
    if constexpr (kIsOptional<T>) {
      if (!json_.contains(name)) return;
    }
    read(json_.at(name), value);
  }
  void operator()(const char* name, Coverage& coverage) {
    const Json& json = json_.at(name);
    if (json.is_number()) {
      coverage = older_coverage(json.get<std::uint64_t>());
    } else {
      read(json, coverage);
    }
  }
  template <class T>
  void later(const char* name, T& value) {
    if (json_.contains(name)) read(json_.at(name), value);
  }
  void bytes(const char* name, std::optional<std::string>& text) {
    if (!json_.contains(name)) return;
    const auto& bytes = json_.at(name).get_binary();
    text = std::string(bytes.begin(), bytes.end());
  }
  template <class... T>
  void row(T&... values) {
    place_ = 0;
    (read(json_.at(place_++), values), ...);
  }
  template <class... T>
  void more(T&... values) {
    if (place_ < json_.size()) (read(json_.at(place_++), values), ...);
  }
  template <class T>
  void passing(T&) {}

 private:
  explicit JsonReader(const Json& json) : json_(json) {}

  // Older files have a number for what is covered, and the bounds next to it.
  Coverage older_coverage(std::uint64_t kind) const {
    const auto number = [&](const char* name) {
      return json_.contains(name) ? std::optional(json_.at(name).get<std::uint32_t>()) : std::nullopt;
    };
    auto coverage = coverage_of_kind(kind, number("bound_completed"));
    if (!coverage) throw std::out_of_range("a number that stands for nothing");
    if (const auto early = number("early_completed"))
      coverage->bounds.push_back({.on = BoundOn::kEarlyTimeouts, .completed = *early});
    if (json_.contains("stage_completed")) {
      const Json& stage = json_.at("stage_completed");
      std::size_t place = 0;
      for (const BoundOn on :
           {BoundOn::kPriorityChanges, BoundOn::kVariables, BoundOn::kThreads, BoundOn::kIterations})
        coverage->bounds.push_back({.on = on, .completed = stage.at(place++).get<std::uint32_t>()});
    }
    return *coverage;
  }

  const Json& json_;
  std::size_t place_ = 0;  // in a row
};

// Two values of the Erlang front end stand among those of the test in older files.
void move_own_values(Json& test) {
  if (test.contains("own")) return;
  Json own = Json::object();
  for (const char* const key : {"notes_message_order", "explored_starts"})
    if (test.contains(key)) own[key] = test.at(key);
  test["own"] = own.dump();
}

}  // namespace

PartFindings findings_of(const SavedTest& test) {
  return {.result = test.report.result,
          .warnings = test.report.warnings,
          .left_behind = test.report.left_behind,
          .handled_ends = test.report.handled_ends,
          .news = {test.own}};
}

void put_findings(SavedTest& test, PartFindings findings) {
  test.report.result = std::move(findings.result);
  test.report.warnings = std::move(findings.warnings);
  test.report.left_behind = std::move(findings.left_behind);
  test.report.handled_ends = std::move(findings.handled_ends);
}

std::string print_search(const SavedSearch& search) {
  const std::vector<std::uint8_t> cbor = Json::to_cbor(JsonWriter::write(search));
  const std::string_view bytes(reinterpret_cast<const char*>(cbor.data()), cbor.size());
  return fmt::format("{}{}\n{:016x}\n{}", kTitle, kVersion, hash_string(bytes), bytes);
}

Result<SavedSearch> parse_search(std::string_view text, std::string_view name) {
  const auto refuse = [&](std::string_view why) { return Error{fmt::format("{}: {}", name, why)}; };
  if (!text.starts_with(kTitle))
    return refuse(
        "this is not the file of an interrupted search, which 'ravel check' writes when a budget or Ctrl-C "
        "ends it.");
  const auto take_line = [&] {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
  };
  const std::string_view version = take_line().substr(kTitle.size());
  if (version != kVersion)
    return refuse(fmt::format(
        "ravel {} has written it, and this is ravel {}, which searches in another order. Begin anew.",
        version, kVersion));
  const std::string_view hash = take_line();
  if (hash != fmt::format("{:016x}", hash_string(text))) return refuse("the file is damaged. Begin anew.");
  try {
    Json json = Json::from_cbor(text);
    for (Json& test : json.at("tests")) move_own_values(test);
    SavedSearch search;
    JsonReader::read(json, search);
    for (const SavedTest& test : search.tests)
      if (test.report.tickets.size() != test.report.result.bugs.size())
        throw std::out_of_range("not as many tickets as bugs");
    return search;
  } catch (const std::exception& error) {
    // The reason may quote what is damaged, which may be any bytes.
    std::string reason = error.what();
    std::ranges::replace_if(
        reason, [](char c) { return c < ' ' || c > '~'; }, '?');
    return refuse(fmt::format("it does not hold what it should ({}). Begin anew.", reason));
  }
}

std::string print_test(SavedTest test) {
  test.report.tickets.resize(test.report.result.bugs.size());
  SavedSearch search;
  search.tests.push_back(std::move(test));
  return print_search(search);
}

std::optional<SavedTest> parse_test(std::string_view text) {
  auto search = parse_search(text, "a test");
  if (!search || search->tests.size() != 1) return std::nullopt;
  return std::move(search->tests.front());
}

}  // namespace ravel
