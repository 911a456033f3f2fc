#include "threads/search/share_states.h"

#include <utility>

#include "base/check.h"
#include "engine/explorer_loop.h"
#include "sharing/shared_search.h"

namespace ravel::threads {

namespace {

// In a copy nobody hears of anything but by what the copy tells.
class OwnListener final : public Listener {
 public:
  OwnListener(ProgramCopies& copies, Listener& next) : copies_(copies), next_(&next) {}

  void be_copy() { next_ = nullptr; }
  void on_progress(const Counts& counts) override {
    if (next_ != nullptr)
      next_->on_progress(counts);
    else
      copies_.tidy();
  }
  void on_bug(const FoundBug& found) override {
    if (next_ != nullptr) next_->on_bug(found);
  }

 private:
  ProgramCopies& copies_;
  Listener* next_;
};

}  // namespace

std::optional<Exploration> share_states(const SharedStatesSearch& setting, Exploration so_far,
                                        std::vector<std::string>& problems) {
  ProgramCopies& copies = *setting.program.copies();
  System& system = setting.states.system();
  const ExplorerNeeds needs = setting.program.delaying_explorer();
  OwnListener listener(copies, *setting.surroundings.listener);
  Surroundings surroundings = setting.surroundings;
  surroundings.listener = &listener;
  setting.shared.set_knowledge(
      [&] { return setting.states.knowledge() + (setting.is_pointless() ? 1u : 0u); });
  bool is_copy = false;
  std::uint64_t replayed_before = setting.states.replayed();  // by others
  const auto fork = [&] {
    auto forked = copies.make();
    if (!forked || !forked->parent) return forked;
    is_copy = true;
    setting.states.come_back();
    return forked;
  };
  const auto save = [&](const Exploration& now) {
    PartFindings findings{.result = name_result(now, system)};
    if (auto& counts = findings.result.counts.states)
      counts->replayed = setting.states.replayed() - replayed_before;
    if (!is_copy) return findings;
    if (std::string news = copies.news(); !news.empty()) findings.news.push_back(std::move(news));
    return findings;
  };
  const auto learn = [&](const PartFindings& found) {
    for (const std::string& one : found.news)
      CHECK_MESSAGE(copies.learn(one), "what a process of the search has shown makes no sense");
  };
  // Bugs have happened here by then, when they were told.
  const auto keep = [&](const Exploration& now, const PartFindings&) { setting.surroundings.keep(now); };
  SharedSearch search(
      {.system = system,
       .states = setting.shared,
       .teller = system,
       .strategy = setting.strategy,
       .order = setting.order,
       .make_explorer = [&] { return make_explorer(setting.parameters, needs); },
       .delays_max = setting.parameters.bound,
       .needs = needs,
       .jobs = setting.jobs.jobs,
       .seconds_alone = setting.jobs.seconds_alone,
       .limits = setting.limits,
       .surroundings = surroundings,
       .keeping = setting.surroundings.keeping,
       .compares_hashes = false,  // what registers and stacks have left over may be of the process
       .fork = fork,
       .begin_copy = [&] { listener.be_copy(); },
       .begin_visit = [&] { replayed_before = setting.states.replayed(); },
       .save = save,
       .learn = learn,
       .ends_search = setting.is_pointless,
       .keep = setting.surroundings.keep ? keep
                                         : std::function<void(const Exploration&, const PartFindings&)>()});
  auto found = search.run(std::move(so_far));
  problems = search.problems();
  return found;
}

}  // namespace ravel::threads
