// Reading and writing the files that users name, with errors that they can act on.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ravel {

Result<std::string> read_text_file(const std::string& path);

// Writes all of it or says why not.
Status write_text_file(const std::string& path, std::string_view text);

// The same in the place of what is there, which stays as it is until the new text is complete.
Status replace_text_file(const std::string& path, std::string_view text);

// Whether write_text_file() will succeed, as far as can be known: makes nothing that was not there.
Status check_writable_file(const std::string& path);

enum class Creation : std::uint8_t { kNow, kLater };

// Whether files can be written into this folder, which is made now or may be made later. The error does not
// say which option names another one.
Status check_writable_folder(const std::string& path, Creation creation);

// Makes the folder with its parents, if it is not there.
Status make_folder(const std::string& path);

}  // namespace ravel
