#include "erlang/system/source_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "erlang/beam/compile_info.h"

namespace ravel::erlang {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code problem;
  return fs::is_regular_file(path, problem);
}

std::string first_file(std::initializer_list<fs::path> candidates) {
  for (const fs::path& candidate : candidates) {
    if (is_file(candidate)) return candidate.lexically_normal();
  }
  return {};
}

}  // namespace

std::string find_source(const BeamFile& beam, const std::string& beam_path) {
  const std::string noted = source_path(beam.compile_info);
  const fs::path folder = fs::path(beam_path).parent_path();
  const std::string name = beam.module_name() + ".erl";
  // A relative path was relative to where the compiler ran; here it would mean some other file.
  return first_file(
      {fs::path(noted).is_absolute() ? noted : "", folder / name, folder / ".." / "src" / name});
}

std::string find_line_file(const BeamFile& beam, const std::string& beam_path, std::uint32_t file) {
  const std::string source = find_source(beam, beam_path);
  const fs::path named = beam.lines.files[file];
  if (file == 0 || (!source.empty() && named.filename() == fs::path(source).filename())) return source;
  const fs::path folder = source.empty() ? fs::path(beam_path).parent_path() : fs::path(source).parent_path();
  // The compiler names files relative to where it ran, mostly the folder above src.
  return first_file({named.is_absolute() ? named : fs::path(), folder / named, folder / ".." / named,
                     folder / named.filename(), folder / ".." / "include" / named.filename()});
}

const SourceLines::File& SourceLines::load(const std::string& path) {
  const auto [place, is_new] = files_.try_emplace(path);
  File& file = place->second;
  if (!is_new) return file;
  std::ifstream stream(path, std::ios::binary);
  if (is_file(path)) file.text.assign(std::istreambuf_iterator<char>(stream), {});
  for (std::size_t start = 0; start < file.text.size();) {
    file.starts.push_back(start);
    const std::size_t end = file.text.find('\n', start);
    start = end == std::string::npos ? file.text.size() : end + 1;
  }
  file.starts.push_back(file.text.size());
  return file;
}

std::string_view SourceLines::line(const std::string& path, std::uint32_t number) {
  const File& file = load(path);
  if (number == 0 || number >= file.starts.size()) return {};
  const std::size_t start = file.starts[number - 1];
  std::string_view line = std::string_view(file.text).substr(start, file.starts[number] - start);
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

}  // namespace ravel::erlang
