// From text to syntax trees: P 3, as P's own compiler reads it.
//
// The idea: recursive descent, operators by precedence. After a fault the parser sees nothing but the end of
// the file, so that everything it is in the middle of ends without another message, up to a list of
// declarations, states or statements, which skips to where the next one begins.
//
// What only P's verifier uses is read and dropped where it has no meaning for a test: `invariant`, `axiom`,
// `Lemma`, `Theorem`, `Proof`, `init-condition` and `pure` declarations, invariants of loops, contracts of
// foreign functions. Its expressions become ExpressionForm::kVerifier. `assume N` and `assert N` behind an
// event or a machine, which bounded queues in older versions, are read and dropped, too.
//
// A tree is nested at most kNestingMax deep; more is an error.
// Cost: linear.

#pragma once

#include "p/source/arena.h"
#include "p/source/diagnostics.h"
#include "p/syntax/declaration_syntax.h"

namespace ravel::p {

// The trees live in `arena`, and their names in `sources`. After an error they are incomplete: nothing but
// what is declared may be read of them.
FileSyntax parse(const Sources& sources, std::uint32_t file, Arena& arena, Diagnostics& diagnostics);

}  // namespace ravel::p
