// Builds the bytes of a small module, right or wrong, for tests of the reader.

#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "erlang/beam/byte_reader.h"

namespace ravel::erlang {

using Bytes = std::vector<std::uint8_t>;

inline Bytes operator+(const Bytes& left, const Bytes& right) {
  Bytes both(left.size() + right.size());
  std::ranges::copy(right, std::ranges::copy(left, both.begin()).out);
  return both;
}

inline Bytes text(std::string_view characters) { return {characters.begin(), characters.end()}; }

inline Bytes be16(std::uint32_t value) {
  return {static_cast<std::uint8_t>(value >> 8), static_cast<std::uint8_t>(value)};
}

inline Bytes be32(std::uint32_t value) { return be16(value >> 16) + be16(value & 0xffff); }

// A compact term of a number below 2048.
inline Bytes compact(Tag tag, std::uint32_t value) {
  const auto low = static_cast<std::uint8_t>(tag);
  if (value < 16) return {static_cast<std::uint8_t>(value << 4 | low)};
  return {static_cast<std::uint8_t>((value >> 8) << 5 | 0x08 | low), static_cast<std::uint8_t>(value)};
}

// A compact term of these digits, most significant first. REQUIRES: 2 to 8, or 9 to 24 digits.
inline Bytes compact_digits(Tag tag, const Bytes& digits) {
  const auto low = static_cast<std::uint8_t>(tag);
  if (digits.size() <= 8)
    return Bytes{static_cast<std::uint8_t>((digits.size() - 2) << 5 | 0x18 | low)} + digits;
  return Bytes{static_cast<std::uint8_t>(0xf8 | low)} +
         compact(Tag::kUnsigned, static_cast<std::uint32_t>(digits.size() - 9)) + digits;
}

inline Bytes u(std::uint32_t value) { return compact(Tag::kUnsigned, value); }
inline Bytes i(std::uint32_t value) { return compact(Tag::kInteger, value); }
inline Bytes atom(std::uint32_t index) { return compact(Tag::kAtom, index); }
inline Bytes x(std::uint32_t number) { return compact(Tag::kX, number); }
inline Bytes y(std::uint32_t number) { return compact(Tag::kY, number); }
inline Bytes label(std::uint32_t number) { return compact(Tag::kLabel, number); }
inline Bytes extended(std::uint32_t kind) { return compact(Tag::kExtended, kind); }
inline Bytes list(std::uint32_t size) { return extended(1) + u(size); }
inline Bytes literal(std::uint32_t index) { return extended(4) + u(index); }

// By default: -module(m). -export([f/0]). f() -> ok.
struct ModuleBuilder {
  std::vector<std::string> atoms = {"m", "f", "ok"};
  // What f/0 does between its entry label 2 and int_code_end.
  Bytes body = Bytes{64} + atom(3) + x(0) + Bytes{19};
  std::uint32_t labels = 3;
  std::uint32_t functions = 1;
  std::uint32_t opcode_max = 180;
  // Further chunks; one that is built here anyway (AtU8, Code, ExpT) is replaced.
  std::vector<std::pair<std::string, Bytes>> chunks;

  Bytes code() const {
    return be32(16) + be32(0) + be32(opcode_max) + be32(labels) + be32(functions) +  //
           Bytes{1} + u(1) + Bytes{2} + atom(1) + atom(2) + u(0) + Bytes{1} + u(2) + body + Bytes{3};
  }

  Bytes atom_chunk() const {
    Bytes result = be32(static_cast<std::uint32_t>(atoms.size()));
    for (const std::string& name : atoms) {
      result = result + Bytes{static_cast<std::uint8_t>(name.size())} + text(name);
    }
    return result;
  }

  Bytes build() const {
    std::vector<std::pair<std::string, Bytes>> all = {
        {"AtU8", atom_chunk()}, {"Code", code()}, {"ExpT", be32(1) + be32(2) + be32(0) + be32(2)}};
    for (const auto& [name, content] : chunks) {
      std::erase_if(all, [&name = name](const auto& chunk) { return chunk.first == name; });
      all.emplace_back(name, content);
    }
    return container(all);
  }

  static Bytes container(const std::vector<std::pair<std::string, Bytes>>& chunks) {
    Bytes form = text("BEAM");
    for (const auto& [name, content] : chunks) {
      form = form + text(name) + be32(static_cast<std::uint32_t>(content.size())) + content;
      form.resize((form.size() + 3) / 4 * 4);
    }
    return text("FOR1") + be32(static_cast<std::uint32_t>(form.size())) + form;
  }
};

}  // namespace ravel::erlang
