// Damaged files: whatever happens to the bytes, the reader returns an error or a module that keeps its
// promises. Run it under the sanitizers, too.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "erlang/beam/beam_file.h"
#include "erlang/beam/dump_beam.h"
#include "tests/erlang_beam/installed_modules.h"
#include "tests/erlang_beam/module_builder.h"
#include "tests/erlang_beam/validate.h"

namespace ravel::erlang {
namespace {

struct ChunkPlace {
  std::size_t header = 0;  // its name, then four bytes of size
  std::size_t size = 0;
};

std::vector<ChunkPlace> chunks_of(const Bytes& bytes) {
  std::vector<ChunkPlace> places;
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::size_t size = static_cast<std::size_t>(bytes[at + 4]) << 24 |
                             static_cast<std::size_t>(bytes[at + 5]) << 16 |
                             static_cast<std::size_t>(bytes[at + 6]) << 8 | bytes[at + 7];
    places.push_back({at, std::min(size, bytes.size() - at - 8)});  // the size may be damaged
    at += 8 + (size + 3) / 4 * 4;
  }
  return places;
}

// Debug information is most of a file and is not read: without it, more of the damage matters.
Bytes without_debug_info(const Bytes& bytes) {
  std::vector<std::pair<std::string, Bytes>> kept;
  for (const ChunkPlace& place : chunks_of(bytes)) {
    const auto name = bytes.begin() + static_cast<std::ptrdiff_t>(place.header);
    const std::string chunk(name, name + 4);
    if (chunk != "Dbgi" && chunk != "Docs") {
      kept.emplace_back(chunk, Bytes(name + 8, name + 8 + static_cast<std::ptrdiff_t>(place.size)));
    }
  }
  return ModuleBuilder::container(kept);
}

void write_u32(Bytes& bytes, std::size_t at, std::uint32_t value) {
  for (std::size_t k = 0; k < 4 && at + k < bytes.size(); ++k) {
    bytes[at + k] = static_cast<std::uint8_t>(value >> (8 * (3 - k)));
  }
}

Bytes damaged(Bytes bytes, Random& random) {
  const std::vector<ChunkPlace> chunks = chunks_of(bytes);
  // Half of the damage hits one chosen chunk, so that small chunks are hit as well.
  const ChunkPlace chunk = chunks.empty() ? ChunkPlace() : chunks[random.below(chunks.size())];
  const auto somewhere = [&] {
    return random.chance(1, 2) && chunk.size > 0 ? chunk.header + 8 + random.below(chunk.size)
                                                 : random.below(bytes.size());
  };
  switch (random.below(6)) {
    case 0: bytes.resize(random.below(bytes.size())); break;
    case 1: write_u32(bytes, chunk.header + 4, static_cast<std::uint32_t>(random.next())); break;
    case 2:
      write_u32(bytes, chunk.header + 4, static_cast<std::uint32_t>(chunk.size - random.below(16)));
      break;
    case 3: {
      constexpr std::uint32_t kNumbers[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 255, 256};
      write_u32(bytes, somewhere(), kNumbers[random.below(std::size(kNumbers))]);
      break;
    }
    case 4: {
      const std::size_t from = somewhere();
      const std::size_t size = std::min<std::size_t>(random.below(20), bytes.size() - from);
      bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(from),
                  bytes.begin() + static_cast<std::ptrdiff_t>(from + size));
      break;
    }
    default:
      for (std::uint64_t flips = 1 + random.below(4); flips > 0; --flips) {
        bytes[somewhere()] ^= static_cast<std::uint8_t>(1u << random.below(8));
      }
  }
  return bytes;
}

void expect_error_or_sound(const Bytes& bytes, std::uint64_t seed, int& read, int& refused) {
  const Result<BeamFile> beam = read_beam(bytes, "mutant.beam");
  if (!beam) {
    ++refused;
    EXPECT_EQ(beam.error().message.rfind("mutant.beam: ", 0), 0u) << beam.error().message;
    EXPECT_EQ(beam.error().message.back(), '.') << beam.error().message;
    return;
  }
  ++read;
  ASSERT_EQ(validate(*beam), "") << "seed " << seed;
  EXPECT_FALSE(dump_beam(*beam).empty());
}

TEST(BeamFuzz, DamagedModulesAreRefusedOrSound) {
  std::vector<Bytes> originals = {ModuleBuilder().build()};
  for (const std::string& path : installed_beams("stdlib")) {
    const std::string name = std::filesystem::path(path).stem();
    for (const char* wanted : {"queue", "base64", "proplists", "math", "gen_event", "uri_string"}) {
      if (name == wanted) originals.push_back(without_debug_info(bytes_of_file(path)));
    }
  }
  int read = 0;
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 6000 && !HasFatalFailure(); ++seed) {
    Random random(seed);
    Bytes bytes = damaged(originals[random.below(originals.size())], random);
    if (bytes.size() > 100 && random.chance(1, 4)) bytes = damaged(std::move(bytes), random);
    expect_error_or_sound(bytes, seed, read, refused);
  }
  EXPECT_GT(read, 100) << "else nothing but the outermost checks was tried";
  EXPECT_GT(refused, 1000);
}

// Instructions at random, in an intact container: goes deeper than damage to the bytes of a file.
TEST(BeamFuzz, RandomInstructionsAreRefusedOrSound) {
  int read = 0;
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 20000 && !HasFatalFailure(); ++seed) {
    Random random(seed);
    ModuleBuilder module;
    module.atoms = {"m", "f", "string", "integer", "skip", "safe", "no_fail"};
    module.labels = 4;
    module.opcode_max = kOpcodeMax;
    module.chunks = {{"ImpT", be32(2) + be32(1) + be32(2) + be32(1) + be32(1) + be32(2) + be32(2)},
                     {"FunT", be32(1) + be32(2) + be32(0) + be32(2) + be32(0) + be32(0) + be32(0)},
                     {"LitT", be32(0) + be32(1) + be32(2) + Bytes{131, 106}},
                     {"StrT", text("hello")}};
    const OpcodeInfo* info = nullptr;
    std::uint32_t number = 0;
    while (info == nullptr || !info->loadable) {
      number = 1 + static_cast<std::uint32_t>(random.below(kOpcodeMax));
      info = &opcode_info(number);
    }
    // Operands that are mostly what the signature asks for.
    const auto operand = [&](char letter) -> Bytes {
      const auto small = static_cast<std::uint32_t>(random.below(4));
      if (random.chance(1, 20)) return compact(static_cast<Tag>(random.below(8)), small);
      switch (letter) {
        case 'f': return label(2);
        case 'j':
        case 'g': return label(random.chance(1, 2) ? 2 : 0);
        case 's':
        case 'c': return random.chance(1, 3) ? literal(0) : random.chance(1, 2) ? i(small) : atom(small);
        case 'r':
        case 'd': return x(small);
        case 'y': return y(small);
        case 'l':
        case 'm': return extended(2) + u(small);
        case 'a': return atom(1 + static_cast<std::uint32_t>(random.below(7)));
        default: return u(small);
      }
    };
    module.body = {static_cast<std::uint8_t>(number)};
    std::string_view signature = info->signature;
    for (std::size_t k = 0; k < signature.size(); ++k) {
      if (signature[k] == '[' || signature[k] == 'B' || signature[k] == 'M') {
        const std::string_view elements = signature[k] == '['
                                              ? signature.substr(k + 1, signature.size() - k - 2)
                                          : signature[k] == 'B' ? std::string_view("auucus")
                                                                : std::string_view("au");
        const auto size = static_cast<std::uint32_t>(elements.size() * random.below(3));
        module.body = module.body + list(size);
        for (std::uint32_t e = 0; e < size; ++e)
          module.body = module.body + operand(elements[e % elements.size()]);
        break;
      }
      module.body = module.body + operand(signature[k]);
    }
    module.body.push_back(19);
    expect_error_or_sound(module.build(), seed, read, refused);
  }
  EXPECT_GT(read, 2000);
  EXPECT_GT(refused, 2000);
}

}  // namespace
}  // namespace ravel::erlang
