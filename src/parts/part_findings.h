// What a part of a search has found, in logical names, and how that of several parts is put together.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/remark.h"
#include "engine/search_result.h"

namespace ravel {

struct PartFindings {
  SearchResult result = {};
  // What is no bug and still worth telling: sentences without a full stop
  std::vector<std::string> warnings = {};
  Remarks left_behind = {};   // processes that wait when the test is over
  Remarks handled_ends = {};  // abnormal ends of processes that were no bugs
  // What its executions have shown of the program besides, each in the front end's own form
  std::vector<std::string> news = {};
};

// Adds what a part of a search has found to what others have, which come in no order.
void merge(PartFindings& into, const PartFindings& part);
// Adds what was found next, so that all is what one process finds.
void append(PartFindings& into, PartFindings next);

std::string print_findings(const PartFindings& findings);
// Nothing: it is damaged.
std::optional<PartFindings> parse_findings(std::string_view bytes);

}  // namespace ravel
