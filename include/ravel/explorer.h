/* A delaying explorer of one's own, in C or C++, for 'ravel check --strategy ss --explorer ./mine.so' (and ses).
 *
 *   #include <ravel/explorer.h>
 *
 *   // Round robin: who waits, or is delayed, goes to the tail of a queue.
 *   struct round_robin : ravel::delaying::Explorer {
 *     using Words = ravel::delaying::Words;
 *     using Actors = ravel::delaying::Actors;
 *     static void enabled(Words& queue, uint32_t actor, uint32_t, const char*) {
 *       if (!queue.contains(actor)) queue.push_back(actor);
 *     }
 *     static void blocked(Words& queue, uint32_t actor) { queue.move_to_end(actor); }
 *     static uint32_t next(const Words& queue, const Actors& enabled) {
 *       for (uint32_t actor : queue)
 *         if (enabled.contains(actor)) return actor;
 *       return enabled[0];
 *     }
 *     static void delay(Words& queue, const Actors& enabled) { queue.move_to_end(next(queue, enabled)); }
 *   };
 *   RAVEL_EXPLORER(round_robin)
 *
 *   c++ -std=c++11 -O2 -shared -fPIC round_robin.cc -o round_robin.so
 *
 * What an explorer is: A. Desai, S. Qadeer, S. A. Seshia, "Systematic testing of asynchronous reactive programs", FSE 2015.
 *
 * All that an explorer remembers is in the words that it gets. A search copies them, compares them, and goes back to earlier
 * ones, so the library itself must remember nothing between two calls, and must give the same answer to the same question.
 * An actor is a number, which says only who it is, and may be another one when a search is resumed: do not order by it. Its
 * name is as in the stories of executions: P, P.1, ...
 *
 * Nothing has to be linked. The C part alone is enough for C and for other languages.
 */

#ifndef RAVEL_EXPLORER_H_
#define RAVEL_EXPLORER_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of what stands below. A library of another version is refused. */
#define RAVEL_EXPLORER_VERSION 1u

/* `by` where nobody has moved yet. */
#define RAVEL_NOBODY UINT32_MAX

/* What an explorer remembers: `count` words. At the beginning of an execution there are none. */
struct ravel_words {
  uint32_t* at;
  size_t count;
  /* New words are 0. `at` is another address afterwards. */
  void (*resize)(struct ravel_words* words, size_t count);
};

/* None of these functions may throw, and but for `message` none may be null. */
struct ravel_explorer_functions {
  uint32_t version; /* RAVEL_EXPLORER_VERSION */
  /* The actor can move now, and could not before the step of `by`. */
  void (*enabled)(struct ravel_words* state, uint32_t actor, uint32_t by, const char* name);
  /* The actor can't move any more, or has ended. At one step these come before those who can move now. */
  void (*blocked)(struct ravel_words* state, uint32_t actor);
  /* Who moves: one of `actors`, all who can, of whom there are one or more, in the order of their names. */
  uint32_t (*next)(const struct ravel_words* state, const uint32_t* actors, size_t count);
  /* One delay: next() is to name another one. With as many delays as there are actors, but for one, it has to have named
   * each of them. */
  void (*delay)(struct ravel_words* state, const uint32_t* actors, size_t count);
  /* In the last step the actor has said this, by ravel_explorer(text) or ravel:explorer(Term). These come last of a step. */
  void (*message)(struct ravel_words* state, uint32_t actor, const char* text);
};

/* The one function that a library exports. */
__attribute__((visibility("default"))) const struct ravel_explorer_functions* ravel_explorer_library(void);

#ifdef __cplusplus
}

namespace ravel {
namespace delaying {

/* The words of an explorer, as a container. A pointer into it is invalid when words were added or taken away. */
class Words {
 public:
  explicit Words(ravel_words& words) : words_(words) {}

  size_t size() const { return words_.count; }
  bool empty() const { return size() == 0; }
  void resize(size_t count) { words_.resize(&words_, count); }
  uint32_t& operator[](size_t place) { return words_.at[place]; }
  const uint32_t& operator[](size_t place) const { return words_.at[place]; }
  uint32_t* begin() { return words_.at; }
  uint32_t* end() { return words_.at + size(); }
  const uint32_t* begin() const { return words_.at; }
  const uint32_t* end() const { return words_.at + size(); }

  /* The place of a word, from `from` on; size() if there is none. */
  size_t find(uint32_t word, size_t from = 0) const {
    while (from < size() && (*this)[from] != word) ++from;
    return from < size() ? from : size();
  }
  bool contains(uint32_t word) const { return find(word) < size(); }

  void push_back(uint32_t word) { insert(size(), word); }
  /* Before the word at this place. */
  void insert(size_t place, uint32_t word) {
    resize(size() + 1);
    for (size_t i = size() - 1; i > place; --i) (*this)[i] = (*this)[i - 1];
    (*this)[place] = word;
  }
  void erase(size_t place) {
    for (size_t i = place; i + 1 < size(); ++i) (*this)[i] = (*this)[i + 1];
    resize(size() - 1);
  }
  /* The first word that is equal, if there is one, from `from` on. */
  void remove(uint32_t word, size_t from = 0) {
    const size_t place = find(word, from);
    if (place < size()) erase(place);
  }
  void move_to_end(uint32_t word, size_t from = 0) {
    const size_t place = find(word, from);
    if (place == size()) return;
    erase(place);
    push_back(word);
  }

 private:
  ravel_words& words_;
};

/* Who can move. */
class Actors {
 public:
  Actors(const uint32_t* actors, size_t count) : actors_(actors), count_(count) {}

  size_t size() const { return count_; }
  uint32_t operator[](size_t place) const { return actors_[place]; }
  const uint32_t* begin() const { return actors_; }
  const uint32_t* end() const { return actors_ + count_; }
  bool contains(uint32_t actor) const {
    for (const uint32_t one : *this)
      if (one == actor) return true;
    return false;
  }

 private:
  const uint32_t* actors_;
  size_t count_;
};

/* What explorers have that do not hear messages. */
struct Explorer {
  static void message(Words&, uint32_t /*actor*/, const char* /*text*/) {}
};

/* The static functions of a class as those of a library. */
template <class Own>
struct Functions {
  static void enabled(ravel_words* state, uint32_t actor, uint32_t by, const char* name) {
    Words words(*state);
    Own::enabled(words, actor, by, name);
  }
  static void blocked(ravel_words* state, uint32_t actor) {
    Words words(*state);
    Own::blocked(words, actor);
  }
  static uint32_t next(const ravel_words* state, const uint32_t* actors, size_t count) {
    const Words words(*const_cast<ravel_words*>(state));
    return Own::next(words, Actors(actors, count));
  }
  static void delay(ravel_words* state, const uint32_t* actors, size_t count) {
    Words words(*state);
    Own::delay(words, Actors(actors, count));
  }
  static void message(ravel_words* state, uint32_t actor, const char* text) {
    Words words(*state);
    Own::message(words, actor, text);
  }
};

} /* namespace delaying */
} /* namespace ravel */

#define RAVEL_EXPLORER(own)                                                                   \
  extern "C" const ravel_explorer_functions* ravel_explorer_library(void) {                   \
    typedef ravel::delaying::Functions<own> functions;                                        \
    static const ravel_explorer_functions all = {                                             \
        RAVEL_EXPLORER_VERSION, functions::enabled, functions::blocked, functions::next,      \
        functions::delay,       functions::message};                                          \
    return &all;                                                                              \
  }
#endif

#endif
