#include "erlang/system/receive_loops.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/hash.h"

namespace ravel::erlang {

namespace {

const LoadedFunction* function_at(const Module& module, std::uint32_t index) {
  const auto next = std::ranges::upper_bound(module.functions, index, {}, &LoadedFunction::start);
  return next == module.functions.begin() ? nullptr : &*std::prev(next);
}

std::uint32_t end_of(const Module& module, const LoadedFunction& function) {
  const auto next = std::ranges::upper_bound(module.functions, function.start, {}, &LoadedFunction::start);
  return next == module.functions.end() ? module.end : next->start;
}

// The function in which the compiler found a fun: of '-loop/1-fun-0-' loop/1.
const LoadedFunction* holder_of(const Module& module, const Names& names, const LoadedFunction& function) {
  std::string_view text = names.atoms.text(function.name);
  if (!text.starts_with('-')) return nullptr;
  text.remove_prefix(1);
  const std::size_t slash = text.find('/');
  if (slash == text.npos) return nullptr;
  std::uint32_t arity = 0;
  std::from_chars(text.data() + slash + 1, text.data() + text.size(), arity);
  const std::string_view name = text.substr(0, slash);
  const auto holder = std::ranges::find_if(module.functions, [&](const LoadedFunction& one) {
    return one.arity == arity && names.atoms.text(one.name) == name;
  });
  return holder == module.functions.end() ? nullptr : &*holder;
}

}  // namespace

const ReceiveLoops::Graph& ReceiveLoops::graph_of(const Module& module) {
  const auto [known, is_new] = graphs_.try_emplace(&module);
  Graph& graph = known->second;
  if (!is_new) return graph;
  graph.calls = machine_.code.local_calls(module);
  // A function that makes a fun may call it.
  for (const LoadedFunction& function : module.functions)
    if (const LoadedFunction* const holder = holder_of(module, machine_.names, function))
      graph.calls.push_back({.at = end_of(module, *holder) - 1, .function = function.start});
  std::ranges::stable_sort(graph.calls, {}, &LocalCall::at);
  return graph;
}

const ReceiveLoops::Way& ReceiveLoops::way_from(std::span<const CodeWord* const> places) {
  const CodeArea& code = machine_.code.area();
  std::uint64_t key = places.size();
  for (const CodeWord* const place : places) key = combine(key, code.index_of(place));
  const auto [known, is_new] = ways_.try_emplace(key);
  Way& way = known->second;
  if (!is_new || places.empty()) return way;
  std::vector<std::pair<const Module*, std::uint32_t>> pending;
  const auto call_all = [&](const Module& module, std::uint32_t from, std::uint32_t end) {
    const std::vector<LocalCall>& calls = graph_of(module).calls;
    for (auto call = std::ranges::lower_bound(calls, from, {}, &LocalCall::at);
         call != calls.end() && call->at < end; ++call) {
      if (std::ranges::find(way.reached, call->function) != way.reached.end()) continue;
      way.reached.push_back(call->function);
      pending.emplace_back(&module, call->function);
    }
  };
  for (const CodeWord* const place : places) {
    const Module* const module = machine_.code.describe_place(place).module;
    if (module == nullptr) continue;
    const std::uint32_t index = code.index_of(place);
    if (const LoadedFunction* const function = function_at(*module, index))
      call_all(*module, index, end_of(*module, *function));
  }
  while (!pending.empty()) {
    const auto [module, start] = pending.back();
    pending.pop_back();
    if (const LoadedFunction* const function = function_at(*module, start))
      call_all(*module, start, end_of(*module, *function));
  }
  std::ranges::sort(way.reached);
  way.comes_back = reaches(way, places.front());
  return way;
}

bool ReceiveLoops::reaches(const Way& way, const CodeWord* place) const {
  if (place == nullptr) return false;
  const Module* const module = machine_.code.describe_place(place).module;
  const LoadedFunction* const function =
      module == nullptr ? nullptr : function_at(*module, machine_.code.area().index_of(place));
  return function != nullptr && std::ranges::binary_search(way.reached, function->start);
}

}  // namespace ravel::erlang
