#include "check/test_outcome.h"

#include <utility>

#include "engine/position.h"

namespace ravel {

namespace {

bool get(PositionReader& reader, SavedTest& test) {
  auto read = parse_test(reader.get_position());
  if (read) test = std::move(*read);
  return read.has_value();
}

std::string get_text(PositionReader& reader) { return std::string(reader.get_position()); }

void put(PositionWriter& writer, const TestOutcome& outcome) {
  writer.put_position(print_test(SavedTest{.report = outcome.report, .program = {}}));
  writer.put(outcome.saved ? 1 : 0);
  if (outcome.saved) writer.put_position(print_test(*outcome.saved));
  writer.put_position(outcome.unresumable);
  writer.put(outcome.bug_file ? 1 : 0);
  if (outcome.bug_file)
    writer.put_position(outcome.bug_file->path), writer.put_position(outcome.bug_file->text);
  writer.put_position(outcome.text);
  writer.put_position(outcome.complaint);
}

bool get(PositionReader& reader, TestOutcome& outcome) {
  SavedTest test;
  if (!get(reader, test)) return false;
  outcome.report = std::move(test.report);
  if (reader.get() != 0 && !get(reader, outcome.saved.emplace())) return false;
  outcome.unresumable = get_text(reader);
  if (reader.get() != 0) {
    BugFile& file = outcome.bug_file.emplace();
    file.path = get_text(reader);
    file.text = get_text(reader);
  }
  outcome.text = get_text(reader);
  outcome.complaint = get_text(reader);
  return true;
}

}  // namespace

std::string print_message(const TestMessage& message) {
  PositionWriter writer;
  writer.put(static_cast<std::uint64_t>(message.kind));
  switch (message.kind) {
    case TestMessage::Kind::kKept: writer.put_position(print_test(message.kept)); break;
    case TestMessage::Kind::kEnded: put(writer, message.outcome); break;
    case TestMessage::Kind::kFailed: writer.put_position(message.error); break;
    case TestMessage::Kind::kNeedsMachine: break;
  }
  return writer.bytes();
}

std::optional<TestMessage> parse_message(std::string_view text) {
  PositionReader reader(text);
  TestMessage message;
  const std::uint64_t kind = reader.get();
  if (kind > static_cast<std::uint64_t>(TestMessage::Kind::kNeedsMachine)) return std::nullopt;
  message.kind = static_cast<TestMessage::Kind>(kind);
  bool is_right = true;
  switch (message.kind) {
    case TestMessage::Kind::kKept: is_right = get(reader, message.kept); break;
    case TestMessage::Kind::kEnded: is_right = get(reader, message.outcome); break;
    case TestMessage::Kind::kFailed: message.error = get_text(reader); break;
    case TestMessage::Kind::kNeedsMachine: break;
  }
  if (!is_right || !reader.is_complete()) return std::nullopt;
  return message;
}

}  // namespace ravel
