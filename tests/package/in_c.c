#include <ravel/test.h>

RAVEL_TEST(in_c) { printf("said in C\n"); }
