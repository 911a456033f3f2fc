// The same with ordered sets.
//
// expect: priority_changes=1 variables=1 bug assertion --strategy vt
#include "fail_fast_set.h"

#include <set>

int main() { use_from<std::set<int>>(199); }
