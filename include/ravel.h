/* What a test of C or C++ leaves open, for 'ravel check' to try in every way, and what it shows of itself.
 *
 *   #include <ravel.h>
 *
 *   int failing = ravel_choose(3);                             // 1, 2 or 3
 *   ...
 *   ravel_assert(is_stopped(), "all parts are stopped");
 *
 *   ravel_probe("holds", 1);                                   // in the stories of executions
 *   ravel_label("granted");
 *   ravel_explorer("initialised");                             // to a delaying explorer (ravel/explorer.h)
 *
 * Under Ravel a choice is a step of the thread that makes it, and a schedule says which way it goes; so is what the thread
 * shows. Compiled in another way the numbers are random, other ones in each run, and nothing is shown. Nothing has to be linked,
 * so a copy of this file is all that a project needs.
 */

#ifndef RAVEL_H_
#define RAVEL_H_

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ravel's runtime has these functions. `place` is where the program goes on. */
__attribute__((weak)) int ravel_take_choice(int n, const void* place);
__attribute__((weak)) void ravel_show_probe(const char* name, long value, const void* place);
__attribute__((weak)) void ravel_pass_label(const char* text, const void* place);
__attribute__((weak)) void ravel_tell_explorer(const char* text);
__attribute__((weak, noreturn)) void ravel_fail_assertion(const char* text, const char* file, unsigned line, const char* function);

/* One for all files of the program; 0 before the first number is drawn. */
__attribute__((weak)) unsigned long ravel_random_state = 0;

/* SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), by any number of threads at once. */
static inline unsigned long ravel_random_number(void) {
  unsigned long expected = 0, number;
  if (__atomic_load_n(&ravel_random_state, __ATOMIC_RELAXED) == 0) {
    number = ((unsigned long)time(NULL) << 22) + (unsigned long)getpid();
    __atomic_compare_exchange_n(&ravel_random_state, &expected, number, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
  number = __atomic_add_fetch(&ravel_random_state, 0x9e3779b97f4a7c15ul, __ATOMIC_RELAXED);
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9ul;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebul;
  return number ^ (number >> 31);
}

/* One of 1 to n. REQUIRES: n is 1 to 1000. */
__attribute__((noinline, unused)) static int ravel_choose(int n) {
  if (ravel_take_choice) return ravel_take_choice(n, __builtin_return_address(0));
  if (n < 1 || n > 1000) {
    fprintf(stderr, "ravel_choose(%d): there have to be 1 to 1000 ways to choose from\n", n);
    abort();
  }
  return (int)(ravel_random_number() % (unsigned)n) + 1;
}

/* From now on the calling thread shows this value by this name, until it shows another one. */
__attribute__((noinline, unused)) static void ravel_probe(const char* name, long value) {
  if (ravel_show_probe) ravel_show_probe(name, value, __builtin_return_address(0));
}

/* The calling thread has come here. */
__attribute__((noinline, unused)) static void ravel_label(const char* text) {
  if (ravel_pass_label) ravel_pass_label(text, __builtin_return_address(0));
}

/* The label "progress": something is done for which the program is there. */
__attribute__((noinline, unused)) static void ravel_progress(void) {
  if (ravel_pass_label) ravel_pass_label("progress", __builtin_return_address(0));
}

/* Tells a delaying explorer something, which may go by it when it says who moves. The program is the same without it. */
__attribute__((unused)) static inline void ravel_explorer(const char* text) {
  if (ravel_tell_explorer) ravel_tell_explorer(text);
}

__attribute__((noreturn)) static inline void ravel_abort(const char* text, const char* file, unsigned line, const char* function) {
  fprintf(stderr, "%s:%u: %s: assertion '%s' failed\n", file, line, function, text);
  abort();
}

#ifdef __cplusplus
}
#endif

/* The test has failed unless the condition holds, with NDEBUG, too. */
#define ravel_assert(condition, text)                                                     \
  ((condition)           ? (void)0                                                        \
   : ravel_fail_assertion ? ravel_fail_assertion(text, __FILE__, __LINE__, __func__)      \
                          : ravel_abort(text, __FILE__, __LINE__, __func__))

#endif
