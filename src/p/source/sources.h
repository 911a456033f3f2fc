// The texts of a program, and places in them.
//
// A place is a file and an offset, which is what nodes carry; line and column are found when somebody asks.

#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace ravel::p {

struct Place {
  std::uint32_t file = 0;
  std::uint32_t offset = 0;  // in bytes

  friend auto operator<=>(const Place&, const Place&) = default;
};

// Both from 1; a column is one character of UTF-8.
struct LineColumn {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

class Sources {
 public:
  // The number of the file, by which places name it. `name` is how messages call it.
  // A byte order mark is dropped.
  std::uint32_t add(std::string name, std::string text);

  std::uint32_t size() const { return static_cast<std::uint32_t>(files_.size()); }
  const std::string& name(std::uint32_t file) const { return files_[file].name; }
  // Stays where it is as long as these sources do.
  std::string_view text(std::uint32_t file) const { return files_[file].text; }

  LineColumn line_column(Place place) const;
  // file:line:column
  std::string describe(Place place) const;

 private:
  struct File {
    std::string name;
    std::string text;
  };
  std::deque<File> files_;
};

}  // namespace ravel::p
