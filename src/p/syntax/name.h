// A name where it is written.

#pragma once

#include <string_view>

#include "p/source/sources.h"

namespace ravel::p {

struct Name {
  std::string_view text = {};
  Place place = {};
};

}  // namespace ravel::p
