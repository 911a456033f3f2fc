// The hash functions of terms, with the results of OTP on a 64-bit machine.
//
// `key_hash` places keys in large maps (map.h). It equals the emulator's internal hash wherever that depends
// on the term alone: integers, floats, bitstrings, lists, tuples and maps of these. What the emulator hashes
// by an address or a table index (atoms, pids, references, ports, funs) is hashed here by its name, so that
// the order of a map never depends on what a run did before.
//
// `portable_hash_2` is erlang:phash2, `portable_hash` is erlang:phash. For pids, references and ports they
// hash numbers made from their names; everything else agrees with OTP.
//
// All are walks with their own stack: the depth of a term is no limit.
#pragma once

#include <cstdint>

#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// The 32 bits that decide about levels `8 * depth` to `8 * depth + 7` of the trie.
std::uint32_t key_hash(const Names& names, Term key, std::uint32_t depth);
// What decides about the first 16 levels from OTP 27 on.
std::uint64_t wide_key_hash(const Names& names, Term key);

std::uint32_t portable_hash_2(const Names& names, Term t);
std::uint32_t portable_hash(const Names& names, Term t);

}  // namespace ravel::erlang
