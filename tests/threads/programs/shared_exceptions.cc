// An exception that a future hands over is looked at by one thread and destroyed by another one, in whichever order they let it go: that is no
// data race, although the library counts who has it by operations that are not seen. What is wrong with the program itself is.
// expect: silent "data race" pass
// expect: race main::looked bug assertion -- both

#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

struct Refused : std::runtime_error {
  explicit Refused(int code) : std::runtime_error("refused"), code(code) {}
  int code;
};

int main(int argc, char**) {
  std::packaged_task<void()> task([] { throw Refused(7); });
  std::future<void> result = task.get_future();
  std::thread worker([task = std::move(task)]() mutable {
    task();
    std::packaged_task<void()> given_back = std::move(task);
  });
  int looked = 0;
  std::thread other;
  if (argc > 1) other = std::thread([&] { ++looked; });
  try {
    result.get();
    assert(false);
  } catch (const Refused& refused) {
    assert(refused.code == 7 && std::string(refused.what()) == "refused");
    ++looked;
  }
  result = {};
  worker.join();
  if (other.joinable()) other.join();
  assert(looked == (argc > 1 ? 2 : 1));
}
