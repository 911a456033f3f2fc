#include "cluster/task_engine.h"

namespace ravel::cluster {

std::span<const EngineKind* const> engines() {
  static constexpr const EngineKind* kEngines[] = {
#ifdef RAVEL_WORK_QUEUE
      &kWorkQueue,
#endif
#ifdef RAVEL_TASKVINE
      &kTaskVine,
#endif
  };
  return kEngines;
}

}  // namespace ravel::cluster
