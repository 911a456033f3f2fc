#include "explorers/explorer_library.h"

#include <ravel/explorer.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "base/shared_library.h"
#include "explorers/built_in.h"

namespace ravel {

namespace {

// In the terms of the library.
const std::uint32_t* words_of(std::span<const ActorId> actors) {
  static_assert(std::is_same_v<std::underlying_type_t<ActorId>, std::uint32_t>);
  return reinterpret_cast<const std::uint32_t*>(actors.data());
}

// The words of a state, which the library may make more or fewer.
class Words final : public ravel_words {
 public:
  explicit Words(ExplorerState& state) : ravel_words{state.data(), state.size(), &resize_to}, state_(state) {}

 private:
  static void resize_to(ravel_words* words, std::size_t count) {
    ExplorerState& state = static_cast<Words*>(words)->state_;
    state.resize(count);
    words->at = state.data();
    words->count = count;
  }

  ExplorerState& state_;
};

class LibraryExplorer final : public DelayingExplorer {
 public:
  LibraryExplorer(std::string file, std::uint64_t checksum, const ravel_explorer_functions& functions)
      : file_(std::move(file)), checksum_(checksum), functions_(functions) {}

  std::string name() const override { return file_; }
  std::uint64_t checksum() const override { return checksum_; }
  void note_enabled(ExplorerState& state, ActorId actor, std::optional<ActorId> by,
                    const ActorNames& names) const override {
    Words words(state);
    functions_.enabled(&words, static_cast<std::uint32_t>(actor),
                       by ? static_cast<std::uint32_t>(*by) : RAVEL_NOBODY, names.name_of(actor).c_str());
  }
  void note_blocked(ExplorerState& state, ActorId actor) const override {
    Words words(state);
    functions_.blocked(&words, static_cast<std::uint32_t>(actor));
  }
  void note_message(ExplorerState& state, const ExplorerMessage& message) const override {
    if (functions_.message == nullptr) return;
    Words words(state);
    functions_.message(&words, static_cast<std::uint32_t>(message.from), message.text.c_str());
  }
  // next() gets the words to look at only.
  ActorId next(const ExplorerState& state, std::span<const ActorId> enabled) const override {
    const Words words(const_cast<ExplorerState&>(state));
    return ActorId{functions_.next(&words, words_of(enabled), enabled.size())};
  }
  void delay(ExplorerState& state, std::span<const ActorId> enabled) const override {
    Words words(state);
    functions_.delay(&words, words_of(enabled), enabled.size());
  }

 private:
  const std::string file_;
  const std::uint64_t checksum_;
  const ravel_explorer_functions& functions_;
};

constexpr const char kEntry[] = "ravel_explorer_library";

// What the library has to offer, or what is wrong with that.
Result<const ravel_explorer_functions*> functions_of(const SharedLibrary& library) {
  using Entry = const ravel_explorer_functions* (*)();
  const auto entry = reinterpret_cast<Entry>(library.find(kEntry));
  if (entry == nullptr)
    return Error{std::string("this library is no explorer: it has no function ") + kEntry +
                 "(). RAVEL_EXPLORER of <ravel/explorer.h> makes one"};
  const ravel_explorer_functions* const functions = entry();
  if (functions == nullptr) return Error{std::string(kEntry) + "() of this library gives a null pointer"};
  if (functions->version != RAVEL_EXPLORER_VERSION)
    return Error{"this explorer is of version " + std::to_string(functions->version) +
                 ", and this ravel takes version " + std::to_string(RAVEL_EXPLORER_VERSION) +
                 ". Build it again with the <ravel/explorer.h> of this ravel"};
  if (functions->enabled == nullptr || functions->blocked == nullptr || functions->next == nullptr ||
      functions->delay == nullptr)
    return Error{"this explorer lacks one of the functions enabled, blocked, next and delay"};
  return functions;
}

}  // namespace

bool names_explorer_library(const std::string& name) { return name.ends_with(".so"); }

bool names_general_explorer(const std::string& name) {
  return name.empty() || std::ranges::count(kBuiltInExplorers, name) > 0 || names_explorer_library(name);
}

Result<std::unique_ptr<DelayingExplorer>> load_explorer(const std::string& file) {
  auto library = SharedLibrary::open(file);
  if (!library) return library.error();
  const auto functions = functions_of(*library);
  if (!functions) {
    library->close();
    return functions.error();
  }
  return std::unique_ptr<DelayingExplorer>(
      std::make_unique<LibraryExplorer>(file, library->checksum(), **functions));
}

}  // namespace ravel
