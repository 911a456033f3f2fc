// Result<T>: a value, or an error that a user can act on.
//
// For bad input (a file, an option, an unsupported operation): what is wrong, whose fault it is, what to do
// next, in one message. Errors are values; nothing throws. Status is the Result of an action without
// a value.
//
//   Result<Module> load(const std::string& path);
//   ...
//   auto module = load(path);
//   if (!module) return module.error();
//   use(*module);

#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace ravel {

struct Error {
  std::string message;

  friend bool operator==(const Error&, const Error&) = default;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  // Implicit, so that a function can return either.
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // REQUIRES: ok().
  T& value() & { return check_ok(), *std::get_if<0>(&content_); }
  const T& value() const& { return check_ok(), *std::get_if<0>(&content_); }
  T&& value() && { return check_ok(), std::move(*std::get_if<0>(&content_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // REQUIRES: !ok().
  const Error& error() const {
    CHECK_MESSAGE(!ok(), "error() of a Result that holds a value");
    return *std::get_if<1>(&content_);
  }

 private:
  void check_ok() const {
    if (!ok()) [[unlikely]]
      check_failed("ok()", __FILE__, __LINE__, error().message.c_str());
  }

  std::variant<T, Error> content_;
};

struct Success {};
using Status = Result<Success>;

}  // namespace ravel
