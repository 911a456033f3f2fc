#include "erlang/system/state_hashes.h"

#include <array>

#include "erlang/machine/process_image.h"

namespace ravel::erlang {

Term StateHashes::with_note(const NotedImage& noted) {
  return store_.intern_object(Kind::kTuple, std::array{noted.image, noted.note});
}

StateHashes::NotedImage StateHashes::without_note(Term image) const {
  return {.image = element(image, 1), .note = element(image, 2)};
}

std::optional<MetState> StateHashes::number(std::span<const Term> words, std::span<const Term> key) {
  if (visited_->is_full() || kept_.is_full()) return std::nullopt;
  WideHash hash(key.size());
  for (const Term word : key) hash.add(store_.wide_hash(word));
  if (!visited_->insert(hash.finish())) return MetState{.number = kNumberForgotten, .is_new = false};
  return MetState{.number = kept_.add(words), .is_new = true};
}

void StateHashes::for_each_root(Roots::Visit visit, void* collector) {
  for (Term& word : kept_.words()) visit(collector, &word, 1);
}

}  // namespace ravel::erlang
