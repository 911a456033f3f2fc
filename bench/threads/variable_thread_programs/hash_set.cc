// Sets with a lock for each operation, of which one goes through another one.
//
// expect: priority_changes=1 variables=1 bug assertion --strategy vt
#include "fail_fast_set.h"

#include <unordered_set>

int main() { use_from<std::unordered_set<int>>(199); }
