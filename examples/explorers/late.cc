// The explorer of late_explorer.erl in C++. The words: how many are late, who they are, and then the order of
// all that there are.
#include <ravel/explorer.h>
#include <string.h>

struct late : ravel::delaying::Explorer {
  using Words = ravel::delaying::Words;
  using Actors = ravel::delaying::Actors;

  // Where the order begins.
  static size_t order(const Words& words) { return words.empty() ? 0 : 1 + words[0]; }

  static bool is_late(const Words& words, uint32_t actor) { return words.find(actor, 1) < order(words); }

  static void enabled(Words& words, uint32_t actor, uint32_t, const char*) {
    if (words.empty()) words.push_back(0);
    if (words.find(actor, order(words)) < words.size()) return;
    size_t place = order(words);
    while (place < words.size() && !is_late(words, words[place])) ++place;
    words.insert(place, actor);
  }
  static void blocked(Words&, uint32_t) {}

  static uint32_t next(const Words& words, const Actors& actors) {
    for (size_t place = order(words); place < words.size(); ++place)
      if (actors.contains(words[place])) return words[place];
    return actors[0];
  }
  static void delay(Words& words, const Actors& actors) {
    words.move_to_end(next(words, actors), order(words));
  }

  static void message(Words& words, uint32_t actor, const char* text) {
    if (words.empty()) words.push_back(0);
    if (strcmp(text, "late") == 0) {
      words.move_to_end(actor, order(words));
      words.insert(1, actor);
      ++words[0];
    }
    if (strcmp(text, "initialised") != 0) return;
    for (; words[0] > 0; --words[0]) {
      const uint32_t last = words[words[0]];
      words.remove(last, order(words));
      words.insert(order(words), last);
      words.erase(words[0]);
    }
  }
};
RAVEL_EXPLORER(late)
