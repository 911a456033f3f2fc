// The foreign type and functions of jobs.p.

#include <ravel/p_foreign.h>

#include <algorithm>

// (urgency: int, name: string)
struct Job {
  int64_t urgency;
  std::string name;
  RAVEL_P_FIELDS(urgency, name)

  friend bool operator<(const Job& a, const Job& b) {
    return a.urgency != b.urgency ? a.urgency > b.urgency : a.name < b.name;
  }
  friend bool operator==(const Job& a, const Job& b) { return a.urgency == b.urgency && a.name == b.name; }
};

// The most urgent job comes first. As the jobs are always in this order, two queues with the same jobs are one
// value, however they came about, and the search visits a state with them once.
struct Queue {
  std::vector<Job> jobs;
  RAVEL_P_TYPE(tQueue, jobs)

  // How messages and stories show it; without this as a tuple: tQueue<(<urgency:9, name:repair, >),>
  std::string show() const {
    std::string text;
    for (const Job& job : jobs) text += (text.empty() ? "" : ", ") + job.name;
    return "[" + text + "]";
  }
};

Queue NewQueue() { return {}; }

Queue Add(Queue queue, const Job& job) {
  queue.jobs.insert(std::upper_bound(queue.jobs.begin(), queue.jobs.end(), job), job);
  return queue;
}

Queue Remove(Queue queue, const Job& job) {
  const auto at = std::find(queue.jobs.begin(), queue.jobs.end(), job);
  ravel::p::check(at != queue.jobs.end(), "no such job waits: " + job.name);
  queue.jobs.erase(at);
  return queue;
}

Job MostUrgent(const Queue& queue) {
  ravel::p::check(!queue.jobs.empty(), "no job waits");
  return queue.jobs.front();
}

int64_t Size(const Queue& queue) { return static_cast<int64_t>(queue.jobs.size()); }

RAVEL_P_FUNCTION(NewQueue)
RAVEL_P_FUNCTION(Add)
RAVEL_P_FUNCTION(Remove)
RAVEL_P_FUNCTION(MostUrgent)
RAVEL_P_FUNCTION(Size)
