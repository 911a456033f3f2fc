#include <cassert>

void check_amount(int amount) { assert(amount > 0); }
