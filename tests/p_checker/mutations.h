// Damages a text of P: what a reader must survive, whatever it says about it.

#pragma once

#include <string>
#include <string_view>

#include "base/random.h"

namespace ravel::p {

// One to four damages: bytes or tokens that are dropped, doubled, exchanged or replaced, or one repeated very
// often.
std::string mutated(std::string_view text, Random& random);

// One to three changes after which a program may still be one: tokens that are dropped, doubled or exchanged,
// put in the place of others of the same kind, pieces of the other text put in, numbers changed.
std::string varied(std::string_view text, std::string_view other, Random& random);

}  // namespace ravel::p
