// The program's side of the conversation with the command: searches by itself, and steps on request.

#pragma once

namespace ravel::threads {

// Obeys until the other side is gone; the process's exit status.
int serve(int socket);

}  // namespace ravel::threads
