// The program's side of the conversation with the command: searches by itself, and steps on request.

#pragma once

namespace ravel::threads {

// Input and output of the program become those of one execution. REQUIRES: before the program is taken over.
void prepare_files();

// Obeys until the other side is gone; the process's exit status.
int serve(int socket);

}  // namespace ravel::threads
