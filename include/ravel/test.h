/* Several tests in one program of C or C++, each of which 'ravel check' explores by itself.
 *
 *   #include <ravel/test.h>
 *
 *   RAVEL_TEST(no_update_is_lost) {
 *     ...                            // threads, and assert() of what must hold
 *   }
 *
 * A test passes if it returns; what makes a program fail makes a test fail. Under Ravel nothing of the program runs before a
 * test but its constructors, and as behind the end of main() its exit handlers and destructors run after it. 'ravel tests PROGRAM' lists
 * the tests, and 'ravel check PROGRAM -t NAME' explores one of them.
 *
 * Compiled in another way the program runs all its tests, or those that its arguments name: several each in a process of
 * its own, so that none finds what another one has left behind; a single one in the program itself, as debuggers like it.
 * The main() for that is here, and any other main() takes its place; define RAVEL_TEST_WITHOUT_MAIN before including this
 * if that other one is in the same file.
 */

#ifndef RAVEL_TEST_H_
#define RAVEL_TEST_H_

#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ravel_test {
  const char* name;
  const char* file;
  unsigned line;
  void (*function)(void);
  struct ravel_test* next;
};

/* One for all files of the program. */
__attribute__((weak)) struct ravel_test* ravel_tests = NULL;

/* Ravel's runtime has this function. */
__attribute__((weak)) void ravel_note_test(const char* name, const char* file, unsigned line, void (*function)(void));

static inline void ravel_add_test(struct ravel_test* test) {
  struct ravel_test** place = &ravel_tests;
  while (*place != NULL) place = &(*place)->next;
  *place = test;
  if (ravel_note_test) ravel_note_test(test->name, test->file, test->line, test->function);
}

/* Whether the test passes, in a process of its own. */
static inline int ravel_passes_alone(const struct ravel_test* test) {
  int status = 0;
  pid_t child;
  fflush(NULL);
  child = fork();
  if (child == 0) {
    test->function();
    fflush(NULL);
    _exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) != child) {
    perror("fork");
    return 0;
  }
  if (WIFSIGNALED(status)) printf("%s:%u: %s failed: signal %d\n", test->file, test->line, test->name, WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    printf("%s:%u: %s failed: exit status %d\n", test->file, test->line, test->name, WEXITSTATUS(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Runs the tests that are named, or all; the exit status. */
static inline int ravel_run_tests(int count, char** names) {
  struct ravel_test* test;
  int i, failed = 0;
  for (i = 0; i < count; ++i) {
    for (test = ravel_tests; test != NULL && strcmp(test->name, names[i]) != 0;) test = test->next;
    if (test != NULL) continue;
    fprintf(stderr, "There is no test '%s'. The tests are:\n", names[i]);
    for (test = ravel_tests; test != NULL; test = test->next) fprintf(stderr, "  %s\n", test->name);
    return 2;
  }
  for (test = ravel_tests; test != NULL; test = test->next) {
    int is_wanted = count == 0;
    for (i = 0; i < count; ++i) is_wanted |= strcmp(test->name, names[i]) == 0;
    if (!is_wanted) continue;
    printf("%s\n", test->name);
    if (count == 1) {
      test->function();
    } else if (!ravel_passes_alone(test)) {
      failed = 1;
    }
  }
  return failed;
}

#ifdef __cplusplus
}
#endif

#ifndef RAVEL_TEST_WITHOUT_MAIN
__attribute__((weak)) int main(int argc, char** argv) { return ravel_run_tests(argc - 1, argv + 1); }
#endif

#define RAVEL_TEST(test)                                                                                   \
  static void ravel_test_##test(void);                                                                     \
  static struct ravel_test ravel_entry_##test = {#test, __FILE__, __LINE__, &ravel_test_##test, NULL};     \
  __attribute__((constructor)) static void ravel_enter_##test(void) { ravel_add_test(&ravel_entry_##test); } \
  static void ravel_test_##test(void)

#endif
