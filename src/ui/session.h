// What the page of `ravel ui` asks for, and gets: executions tried from the one that is shown, searches that
// go on from a step, and files that keep what was found. Requests and answers are JSON objects;
// docs/design/ui.md lists them.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/front_end.h"
#include "check/subject.h"
#include "ui/local_server.h"
#include "ui/search_process.h"
#include "ui/what_if.h"

namespace ravel {

class Session {
 public:
  // References must outlive this. `folder`: of the files that are saved.
  Session(const FrontEnds& front_ends, const Subject& subject, WhatIf what_if, std::string folder);

  // Has the server answer what this session can.
  void add_to(LocalServer& server);

 private:
  class Request;  // what was sent, read
  using Answer = Result<std::string> (Session::*)(Request&);

  // The last search, and where it began.
  struct Search {
    std::unique_ptr<SearchProcess> process;
    std::size_t branch = 0, step = 0;
    std::string strategy;
    bool is_noted = false;                  // what it has found
    std::optional<std::size_t> found = {};  // the branch with its bug
  };

  void add(LocalServer& server, const char* name, Answer answer);
  std::size_t branch_of(Request& request) const;
  std::size_t step_of(Request& request, const char* name, std::size_t branch) const;

  Result<std::string> list(Request& request);
  Result<std::string> story(Request& request);
  Result<std::string> choose(Request& request);
  Result<std::string> roll_back(Request& request);
  Result<std::string> vary(Request& request);
  Result<std::string> save(Request& request);
  Result<std::string> search(Request& request);
  Result<std::string> stop_search(Request& request);

  // All executions, and the search. `added`: the number of the one that was asked for.
  std::string branches(std::optional<std::size_t> added = {});
  // Where the last search is, nullptr without one. A search that has ended has its bug among the executions,
  // like those that were tried: so one answer asks once, and never tells of an end without its bug.
  const SearchProcess::State* look_at_search();
  void note_found(const std::vector<NamedBug>& bugs);

  const FrontEnds& front_ends_;
  const Subject& subject_;
  WhatIf what_if_;
  const std::string folder_;
  std::optional<Search> search_;
};

}  // namespace ravel
