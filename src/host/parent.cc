#include "host/parent.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>

namespace ravel {

void end_with_parent() {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() == 1) raise(SIGTERM);  // it has ended already
}

}  // namespace ravel
