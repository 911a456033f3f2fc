// Races, messages that nobody receives, and what makes the difference between a failing execution and a
// passing one.

#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/race.h"
#include "engine/search_result.h"
#include "report/text.h"

namespace ravel {

// The races by event, with the numbers of their variants from 1.
std::string describe_races(std::span<const RaceDescription> races, Colour colour);

// The variants without the sentence before them, from the number `first` on. Begins with an empty line.
std::string describe_variants(std::span<const RaceDescription> races, std::size_t first, Colour colour);

// A line for each message, or nothing.
std::string describe_orphans(std::span<const OrphanDescription> orphans, Colour colour);

// The warning of a search, one line, or nothing. `first` is the first message of the execution that it names.
std::string describe_unreceived(const SearchResult& result, const std::optional<OrphanDescription>& first,
                                Colour colour);

// The end of a bug's story.
std::string describe_explanation(const Explanation& explanation, Colour colour);

}  // namespace ravel
