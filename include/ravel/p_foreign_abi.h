/* What libraries of foreign functions of P and Ravel say to each other, in C. <ravel/p_foreign.h> says what such a library
 * is, and has what makes one of C++ functions.
 *
 *   #include <ravel/p_foreign_abi.h>
 *
 *   static ravel_p_value twice(struct ravel_p_call* call, const ravel_p_value* arguments, size_t count) {
 *     (void)count;
 *     return call->make_int(call, 2 * call->to_int(call, arguments[0]));
 *   }
 *   static const struct ravel_p_function functions[] = {{"Twice", "(int): int", twice}};
 *   const struct ravel_p_foreign* ravel_p_foreign_library(void) {
 *     static const struct ravel_p_foreign all = {RAVEL_P_FOREIGN_VERSION, functions, 1, NULL, 0};
 *     return &all;
 *   }
 *
 * Nothing has to be linked.
 */

#ifndef RAVEL_P_FOREIGN_ABI_H_
#define RAVEL_P_FOREIGN_ABI_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of what stands below. A library of another version is refused. */
#define RAVEL_P_FOREIGN_VERSION 1u

/* A value of P, until the call ends. Values never change; equal ones are the same number. */
typedef uint64_t ravel_p_value;
#define RAVEL_P_NULL_VALUE ((ravel_p_value)0)

enum ravel_p_kind {
  RAVEL_P_NULL,
  RAVEL_P_BOOL,
  RAVEL_P_INT, /* and elements of enums */
  RAVEL_P_FLOAT,
  RAVEL_P_STRING,
  RAVEL_P_EVENT,
  RAVEL_P_MACHINE,
  RAVEL_P_TUPLE,
  RAVEL_P_NAMED_TUPLE,
  RAVEL_P_SEQ,
  RAVEL_P_SET,
  RAVEL_P_MAP,
  RAVEL_P_FOREIGN
};

/* One call, and what it may ask of Ravel. A question that does not fit its value (the integer of a string, an
 * element that is not there) is answered by 0 or null, and makes the search end with an error. */
struct ravel_p_call {
  enum ravel_p_kind (*kind)(struct ravel_p_call*, ravel_p_value);
  int (*to_bool)(struct ravel_p_call*, ravel_p_value);
  int64_t (*to_int)(struct ravel_p_call*, ravel_p_value);
  double (*to_float)(struct ravel_p_call*, ravel_p_value);
  /* Of `*length` bytes, which end with the call. No zero follows them. */
  const char* (*to_string)(struct ravel_p_call*, ravel_p_value, size_t* length);
  /* How many parts a tuple, seq, set or map has. */
  size_t (*size)(struct ravel_p_call*, ravel_p_value);
  /* The part of a tuple or seq at this place; of a set the element, of a map the key, in the order of
   * compare(). */
  ravel_p_value (*part)(struct ravel_p_call*, ravel_p_value, size_t place);
  /* Of a map: the value of the key at this place. */
  ravel_p_value (*mapped)(struct ravel_p_call*, ravel_p_value map, size_t place);
  /* Of a named tuple: the name of the part at this place. */
  const char* (*field)(struct ravel_p_call*, ravel_p_value, size_t place);
  /* Of a foreign value: the name of its type, and what it was made of. */
  const char* (*foreign_type)(struct ravel_p_call*, ravel_p_value);
  ravel_p_value (*content)(struct ravel_p_call*, ravel_p_value);
  /* As P's format() writes it, until the next call of this function. */
  const char* (*text)(struct ravel_p_call*, ravel_p_value, size_t* length);
  /* Negative, 0 or positive: an order of all values. */
  int (*compare)(struct ravel_p_call*, ravel_p_value, ravel_p_value);

  ravel_p_value (*make_bool)(struct ravel_p_call*, int truth);
  ravel_p_value (*make_int)(struct ravel_p_call*, int64_t);
  ravel_p_value (*make_float)(struct ravel_p_call*, double);
  ravel_p_value (*make_string)(struct ravel_p_call*, const char* bytes, size_t length);
  /* Null if the program has no such event. */
  ravel_p_value (*make_event)(struct ravel_p_call*, const char* name);
  ravel_p_value (*make_tuple)(struct ravel_p_call*, const ravel_p_value* parts, size_t count);
  ravel_p_value (*make_named_tuple)(struct ravel_p_call*, const char* const* fields,
                                    const ravel_p_value* parts, size_t count);
  ravel_p_value (*make_seq)(struct ravel_p_call*, const ravel_p_value* elements, size_t count);
  ravel_p_value (*make_set)(struct ravel_p_call*, const ravel_p_value* elements, size_t count);
  ravel_p_value (*make_map)(struct ravel_p_call*, const ravel_p_value* keys, const ravel_p_value* values,
                            size_t count);
  ravel_p_value (*make_foreign)(struct ravel_p_call*, const char* type, ravel_p_value content);

  /* A line that the program prints. */
  void (*log)(struct ravel_p_call*, const char* bytes, size_t length);
  /* An assertion that does not hold. The function should return; its result does not count. */
  void (*fail)(struct ravel_p_call*, const char* bytes, size_t length);
  /* The same, for an exception of the function's language. */
  void (*thrown)(struct ravel_p_call*, const char* bytes, size_t length);
  /* One of 0 .. count - 1, as `choose(count)` in P. If it returns 0, the function has to return at once, and
   * its result does not count: it is called again, with an answer, for each that there is. Not for specs,
   * which choose nothing. */
  int (*choose)(struct ravel_p_call*, int64_t count, int64_t* chosen);
};

struct ravel_p_function {
  const char* name; /* as in P; of a function that is declared in a machine Machine::Name */
  const char*
      signature; /* "(int, seq[string]): bool", with ? for types that are not compared; null: nothing is */
  ravel_p_value (*run)(struct ravel_p_call*, const ravel_p_value* arguments,
                       size_t count); /* must not throw */
};

/* A foreign type whose values are shown in its own way. */
struct ravel_p_type {
  const char* name;
  /* A string for a value of this content. It may neither choose nor fail. */
  ravel_p_value (*show)(struct ravel_p_call*, ravel_p_value content);
};

struct ravel_p_foreign {
  uint32_t version; /* RAVEL_P_FOREIGN_VERSION */
  const struct ravel_p_function* functions;
  size_t function_count;
  const struct ravel_p_type* types; /* those that have a show() */
  size_t type_count;
};

/* The one function that a library exports. */
__attribute__((visibility("default"))) const struct ravel_p_foreign* ravel_p_foreign_library(void);

#ifdef __cplusplus
}
#endif

#endif
