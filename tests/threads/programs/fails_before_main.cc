// A constructor of a global variable that finds an error: there is no execution yet that could fail.
// expect: says "before main(): assertion table[3] == 4 failed" error
#include <cassert>
#include <thread>

struct Table {
  int entries[4] = {1, 2, 3, 5};
  Table() { check(entries); }
  static void check(const int* table) { assert(table[3] == 4); }
};

Table table;

int main() { std::thread([] {}).join(); }
