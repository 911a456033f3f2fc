// Streams, descriptors and files that threads share. Standard output and error order nothing, unless the program reads them back.
// expect: bug assertion -t one_stream --strategy dpor
// expect: bug assertion -t one_stream --strategy dfs
// expect: silent "data race" bug assertion -t one_stream
// expect: bug assertion -t two_streams_of_a_file --strategy dpor
// expect: bug assertion -t two_streams_of_a_file --strategy dfs
// expect: bug assertion -t position_of_a_descriptor --strategy dpor
// expect: bug assertion -t position_of_a_copied_descriptor --strategy dfs
// expect: bug assertion -t position_of_a_copied_descriptor --strategy dpor
// expect: bug assertion -t a_name_comes_and_goes --strategy dpor
// expect: bug assertion -t a_name_comes_and_goes --strategy dfs
// expect: bug assertion -t numbers_of_descriptors --strategy dpor
// expect: bug assertion -t numbers_of_descriptors --strategy dfs
// expect: bug assertion -t streams_of_the_language --strategy dpor
// expect: bug use_after_free -t a_stream_is_closed --strategy dpor
// expect: executions=1 pass -t printing --strategy dpor
// expect: bug assertion -t printing_that_is_read_back --strategy dpor
// expect: bug assertion -t printing_that_is_read_back --strategy dfs
// expect: executions=1 pass -t a_file_for_each --strategy dpor
// expect: bug assertion -t a_list_of_files --strategy dpor
// expect: pass -t a_pipe_between_threads --strategy dpor
// expect: pass -t a_pipe_between_threads --strategy dfs
// expect: bug assertion -t two_writers_of_a_pipe --strategy dpor
// expect: says "waits to read from the open file" bug deadlock -t nobody_writes --strategy dpor
#include <dirent.h>
#include <fcntl.h>
#include <ravel/test.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

template <class Function, class Other>
static void side_by_side(Function function, Other other) {
  std::thread thread(function);
  other();
  thread.join();
}

static void make_file(const char* name, const char* text) {
  FILE* const file = fopen(name, "w");
  fputs(text, file);
  fclose(file);
}

RAVEL_TEST(one_stream) {
  FILE* const file = tmpfile();
  side_by_side([&] { fputc('b', file); }, [&] { fprintf(file, "%c", 'a'); });
  rewind(file);
  assert(fgetc(file) == 'a');
}

RAVEL_TEST(two_streams_of_a_file) {
  make_file("two_streams.txt", "old");
  int found = 0;
  side_by_side([] { make_file("two_streams.txt", "new"); },
               [&] {
                 FILE* const file = fopen("./two_streams.txt", "r");
                 found = fgetc(file);
                 fclose(file);
               });
  assert(found == 'o');
}

RAVEL_TEST(position_of_a_descriptor) {
  make_file("position.txt", "ab");
  const int file = open("position.txt", O_RDONLY);
  char mine = 0;
  side_by_side([&] { lseek(file, 1, SEEK_CUR); }, [&] { assert(read(file, &mine, 1) == 1); });
  assert(mine == 'a');
}

RAVEL_TEST(position_of_a_copied_descriptor) {
  make_file("copied.txt", "ab");
  const int file = open("copied.txt", O_RDONLY);
  const int copy = dup(file);
  char mine = 0, theirs = 0;
  side_by_side([&] { assert(read(copy, &theirs, 1) == 1); }, [&] { assert(read(file, &mine, 1) == 1); });
  assert(mine == 'a');
}

RAVEL_TEST(a_name_comes_and_goes) {
  make_file("name.txt", "");
  struct stat status {};
  int found = 0;
  side_by_side([] { unlink("name.txt"); }, [&] { found = stat("name.txt", &status); });
  assert(found == 0);
}

RAVEL_TEST(numbers_of_descriptors) {
  int theirs = 0, mine = 0;
  side_by_side([&] { theirs = open("/dev/null", O_RDONLY); }, [&] { mine = open("/dev/null", O_RDONLY); });
  assert(mine < theirs);
}

RAVEL_TEST(streams_of_the_language) {
  make_file("language.txt", "");
  side_by_side([] { std::ofstream("language.txt", std::ios::app) << "b"; }, [] { std::ofstream("language.txt", std::ios::app) << "a"; });
  std::string text;
  std::ifstream("language.txt") >> text;
  assert(text == "ab");
}

RAVEL_TEST(a_stream_is_closed) {
  FILE* const file = tmpfile();
  side_by_side([&] { fclose(file); }, [&] { fputc('a', file); });
}

RAVEL_TEST(printing) {
  side_by_side(
      [] {
        printf("%d\n", 1);
        std::cout << "one" << std::endl;
        fputs("one", stderr);
      },
      [] {
        puts("2");
        std::cerr << "two\n";
        assert(write(1, "two", 3) == 3);
      });
}

RAVEL_TEST(printing_that_is_read_back) {
  const int output = dup(1);
  assert(freopen("printed.txt", "w+", stdout) != nullptr);
  side_by_side([] { printf("b"); }, [] { std::cout << "a" << std::flush; });
  fflush(stdout);
  dup2(output, 1);
  std::ifstream file("printed.txt");
  assert(file.get() == 'a');
}

RAVEL_TEST(a_file_for_each) {
  side_by_side([] { make_file("first.txt", "1"); }, [] { make_file("second.txt", "2"); });
}

RAVEL_TEST(a_list_of_files) {
  unlink("list/made.txt");
  mkdir("list", 0700);
  int count = 0;
  side_by_side([] { make_file("list/made.txt", ""); },
               [&] {
                 DIR* const folder = opendir("list");
                 while (readdir(folder) != nullptr) ++count;
                 closedir(folder);
               });
  assert(count == 2);
}

RAVEL_TEST(a_pipe_between_threads) {
  int ends[2];
  assert(pipe(ends) == 0);
  char byte = 0;
  side_by_side([&] { assert(write(ends[1], "a", 1) == 1); }, [&] { assert(read(ends[0], &byte, 1) == 1); });
  assert(byte == 'a');
}

RAVEL_TEST(two_writers_of_a_pipe) {
  int ends[2];
  assert(pipe(ends) == 0);
  side_by_side([&] { assert(write(ends[1], "b", 1) == 1); }, [&] { assert(write(ends[1], "a", 1) == 1); });
  char byte = 0;
  assert(read(ends[0], &byte, 1) == 1 && byte == 'a');
}

RAVEL_TEST(nobody_writes) {
  int ends[2];
  assert(pipe(ends) == 0);
  char byte = 0;
  side_by_side([] {}, [&] { assert(read(ends[0], &byte, 1) == 1); });
}
