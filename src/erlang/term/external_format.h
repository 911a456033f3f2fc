// The external term format: terms as bytes, as term_to_binary/2 writes and binary_to_term/2 reads them, and
// as literals stand in compiled modules.
//
// Both directions work with stacks of their own, so any depth is fine. Reading trusts nothing: what a header
// promises is checked against the bytes that are left before anything is allocated, so memory stays
// proportional to the input.
//
// A pid of this node is written with the number of its path (process_number.h), in the fields `id` and
// `serial`; a reference with three words: its creator's number (60 bits) and its index (36 bits). Pids, ports
// and references of other nodes become objects of kind `foreign`:
// {pid, node, creation, id, serial}, {port, node, creation, id}, {reference, node, creation, word...}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "erlang/term/heap.h"
#include "erlang/term/names.h"
#include "erlang/term/term.h"

namespace ravel::erlang {

// What becomes of atoms that do not exist yet (atoms.h).
enum class NewAtoms : std::uint8_t { kStatic, kRunTime, kRefused };

struct DecodedTerm {
  Term term;
  std::size_t size;  // bytes that were read; more may follow
};

// The term at the beginning of `bytes`, which start with 131. What stands after it is not looked at.
Result<DecodedTerm> decode_external_prefix(Heap& heap, Names& names, std::span<const std::uint8_t> bytes,
                                           NewAtoms new_atoms = NewAtoms::kStatic);
inline Result<Term> decode_external(Heap& heap, Names& names, std::span<const std::uint8_t> bytes,
                                    NewAtoms new_atoms = NewAtoms::kStatic) {
  auto decoded = decode_external_prefix(heap, names, bytes, new_atoms);
  if (!decoded) return decoded.error();
  return decoded->term;
}

struct EncodeOptions {
  int compression = 0;            // zlib's level; -1: its default; 0: none
  int minor_version = 1;          // 0: floats as text; 1: OTP 25's default; 2: all atoms as UTF-8
  bool is_deterministic = false;  // large maps in the order of their keys
};

// The bytes of `term`, beginning with 131. Fails only for a binary that is too large for the format.
// `heap` serves as room for what is made on the way.
Result<std::vector<std::uint8_t>> encode_external(Heap& heap, const Names& names, Term term,
                                                  const EncodeOptions& options = {});

// What external_size/2 answers: an upper bound of the size of the encoding, exact unless funs are in it.
std::size_t external_size(Heap& heap, const Names& names, Term term, const EncodeOptions& options = {});

}  // namespace ravel::erlang
