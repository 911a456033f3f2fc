#include "check/part_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/version.h"
#include "engine/position.h"

namespace ravel {

namespace {

struct Kind {
  std::string_view title;
  std::string_view what;    // "this is not ..."
  std::string_view remedy;  // of what is damaged
};

constexpr Kind kSearch = {.title = "ravel divided search, version ",
                          .what = "the search that 'ravel split' writes",
                          .remedy = "Begin anew with 'ravel split'."};
constexpr Kind kPart = {.title = "ravel part, version ",
                        .what = "a part that 'ravel split' or 'ravel merge' writes",
                        .remedy = "'ravel merge FOLDER' writes the parts again that are not there."};
constexpr Kind kResult = {.title = "ravel result of a part, version ",
                          .what = "a result that 'ravel part' writes",
                          .remedy = "Run its part again with 'ravel part'."};

std::string print(const Kind& kind, const PositionWriter& writer) {
  return fmt::format("{}{}\n{:016x}\n{}", kind.title, kVersion, hash_string(writer.bytes()), writer.bytes());
}

// What follows the two lines.
Result<std::string_view> content(const Kind& kind, std::string_view text, std::string_view name) {
  const auto refuse = [&](std::string_view why) { return Error{fmt::format("{}: {}", name, why)}; };
  if (!text.starts_with(kind.title)) return refuse(fmt::format("this is not {}.", kind.what));
  const auto take_line = [&] {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
  };
  const std::string_view version = take_line().substr(kind.title.size());
  if (version != kVersion)
    return refuse(
        fmt::format("ravel {} has written it, and this is ravel {}: all machines need the same version.",
                    version, kVersion));
  const std::string_view hash = take_line();
  if (hash != fmt::format("{:016x}", hash_string(text)))
    return refuse(fmt::format("the file is damaged. {}", kind.remedy));
  return text;
}

Error no_sense(const Kind& kind, std::string_view name) {
  return Error{fmt::format("{}: it does not hold what it should. {}", name, kind.remedy)};
}

std::string text_of(PositionReader& reader) { return std::string(reader.get_position()); }

bool get(PositionReader& reader, SavedTest& test) {
  auto read = parse_test(reader.get_position());
  if (read) test = std::move(*read);
  return read.has_value();
}

void put(PositionWriter& writer, const PartedProgram& program) {
  writer.put_all(program.arguments, [&](const std::string& one) { writer.put_position(one); });
  writer.put_all(program.files, [&](const CheckedFile& file) {
    writer.put_position(file.path);
    writer.put(file.checksum);
  });
  writer.put_position(program.installed);
  writer.put_position(program.way_to_folder);
}

void get(PositionReader& reader, PartedProgram& program) {
  reader.get_all([&] { program.arguments.push_back(text_of(reader)); });
  reader.get_all([&] {
    CheckedFile& file = program.files.emplace_back();
    file.path = text_of(reader);
    file.checksum = reader.get();
  });
  program.installed = text_of(reader);
  program.way_to_folder = text_of(reader);
}

}  // namespace

std::string print_parted_search(const PartedSearchFile& search) {
  PositionWriter writer;
  put(writer, search.program);
  writer.put(search.wanted);
  writer.put(search.next_number);
  writer.put(search.is_over ? 1 : 0);
  writer.put_position(print_test(search.test));
  writer.put_all(search.given, [&](const auto& file) {
    writer.put(file.first);
    writer.put(file.second.hash);
    writer.put_all(file.second.parts, [&](PartNumber part) { writer.put(part); });
  });
  return print(kSearch, writer);
}

Result<PartedSearchFile> parse_parted_search(std::string_view text, std::string_view name) {
  const auto bytes = content(kSearch, text, name);
  if (!bytes) return bytes.error();
  PositionReader reader(*bytes);
  PartedSearchFile search;
  get(reader, search.program);
  search.wanted = reader.get32();
  search.next_number = reader.get();
  search.is_over = reader.get() != 0;
  if (!get(reader, search.test)) return no_sense(kSearch, name);
  reader.get_all([&] {
    PartedSearchFile::Given& given = search.given[reader.get()];
    given.hash = reader.get();
    reader.get_all([&] { given.parts.push_back(reader.get()); });
  });
  const bool has_position = search.test.report.result.position.has_value();
  if (!reader.is_complete() || search.wanted == 0 || has_position == search.is_over)
    return no_sense(kSearch, name);
  return search;
}

std::string print_part_file(const PartFile& part) {
  PositionWriter writer;
  put(writer, part.program);
  writer.put(part.number);
  writer.put_position(print_test(part.test));
  writer.put_all(part.parts, [&](const Part& one) { writer.put_position(print_part(one)); });
  return print(kPart, writer);
}

Result<PartFile> parse_part_file(std::string_view text, std::string_view name) {
  const auto bytes = content(kPart, text, name);
  if (!bytes) return bytes.error();
  PositionReader reader(*bytes);
  PartFile part;
  get(reader, part.program);
  part.number = reader.get();
  if (!get(reader, part.test)) return no_sense(kPart, name);
  bool is_right = true;
  reader.get_all([&] {
    auto one = parse_part(reader.get_position());
    is_right = is_right && one.has_value();
    if (one) part.parts.push_back(std::move(*one));
  });
  if (!is_right || !reader.is_complete() || part.parts.empty()) return no_sense(kPart, name);
  return part;
}

std::string print_part_result(const PartResultFile& result) {
  PositionWriter writer;
  writer.put(result.number);
  writer.put(result.hash);
  writer.put_all(result.slices, [&](const PartSlice& slice) { writer.put_position(print_slice(slice)); });
  return print(kResult, writer);
}

Result<PartResultFile> parse_part_result(std::string_view text, std::string_view name) {
  const auto bytes = content(kResult, text, name);
  if (!bytes) return bytes.error();
  PositionReader reader(*bytes);
  PartResultFile result;
  result.number = reader.get();
  result.hash = reader.get();
  bool is_right = true;
  reader.get_all([&] {
    auto slice = parse_slice(reader.get_position());
    is_right = is_right && slice.has_value();
    if (slice) result.slices.push_back(std::move(*slice));
  });
  if (!is_right || !reader.is_complete()) return no_sense(kResult, name);
  return result;
}

std::uint64_t hash_of_file(std::string_view text) { return hash_string(text); }

}  // namespace ravel
