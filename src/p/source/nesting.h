// How deep trees may be.

#pragma once

namespace ravel::p {

// Expressions, statements, types and modules inside each other. Every recursion over a tree is bounded by it:
// at about two kilobytes a level (with sanitizers) that is a fraction of the stack of a thread. Programs that
// people write stay below 30; a sum of 400 terms is still read.
inline constexpr unsigned kNestingMax = 400;

}  // namespace ravel::p
