#include "erlang/beam/beam_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <tuple>

#include "erlang/beam/beam_container.h"
#include "erlang/beam/code_reader.h"
#include "erlang/beam/code_shape.h"
#include "erlang/beam/record_reader.h"
#include "erlang/beam/table_reader.h"

namespace ravel::erlang {
namespace {

using Bytes = std::span<const std::uint8_t>;

Error error_about(std::string_view name, const Fault& fault) {
  return Error{std::string(name) + ": " + fault.message()};
}

// The chunks in this order, the last field of each lambda as zeros: it is derived from the digest.
Md5Digest module_md5(const BeamContainer& container) {
  Md5State state;
  for (const char* name : {"AtU8", "Code", "StrT", "ImpT", "ExpT"}) md5_update(state, container.chunk(name));

  Bytes lambdas = container.chunk("FunT");
  constexpr std::size_t kLambdaSize = 24;
  const std::size_t count_size = std::min(lambdas.size(), std::size_t{4});
  md5_update(state, lambdas.first(count_size));
  lambdas = lambdas.subspan(count_size);
  while (lambdas.size() >= kLambdaSize) {
    static constexpr std::uint8_t kZeros[4] = {};
    md5_update(state, lambdas.first(kLambdaSize - sizeof kZeros));
    md5_update(state, kZeros);
    lambdas = lambdas.subspan(kLambdaSize);
  }

  for (const char* name : {"LitT", "Meta", "Recs", "DbgB"}) md5_update(state, container.chunk(name));
  return md5_final(state);
}

}  // namespace

bool is_as_compiled(const BeamFile& beam) {
  // The digest as an integer in the external term format: SMALL_BIG_EXT, 16 bytes, positive, the lowest byte
  // first. A digest that begins with a zero has fewer bytes, and counts as not found.
  std::array<std::uint8_t, 3 + std::tuple_size_v<Md5Digest>> vsn = {110, 16, 0};
  std::ranges::reverse_copy(beam.md5, vsn.begin() + 3);
  return !std::ranges::search(beam.attributes, vsn).empty();
}

Result<BeamFile> read_beam(Bytes bytes, std::string_view name_for_messages) {
  Fault fault;
  BeamFile beam;
  const BeamContainer container(bytes, fault);
  if (!fault.found()) read_tables(container, beam, fault);
  if (!fault.found()) read_records(container.chunk("Recs"), beam, fault);
  if (!fault.found()) {
    const std::uint32_t functions_stated = read_code(container.chunk("Code"), beam, fault);
    if (!fault.found()) find_functions(beam, functions_stated, fault);
  }
  if (fault.found()) return error_about(name_for_messages, fault);
  beam.md5 = module_md5(container);
  return beam;
}

Result<BeamFile> read_beam_file(const std::string& path) {
  std::error_code problem;
  const std::uintmax_t size = std::filesystem::file_size(path, problem);  // an error for a folder, too
  if (problem) return Error{path + ": the file cannot be read: " + problem.message() + "."};
  std::ifstream file(path, std::ios::binary);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) return Error{path + ": the file cannot be read. Check that it exists and that you may read it."};
  return read_beam(bytes, path);
}

Result<std::vector<std::uint8_t>> read_beam_chunk(Bytes bytes, std::string_view chunk,
                                                  std::string_view name_for_messages) {
  Fault fault;
  const BeamContainer container(bytes, fault);
  if (fault.found()) return error_about(name_for_messages, fault);
  const Bytes found = container.chunk(chunk);
  return std::vector<std::uint8_t>(found.begin(), found.end());
}

}  // namespace ravel::erlang
