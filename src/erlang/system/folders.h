// Folders of the host as projects are looked for in them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ravel::erlang {

// Files below a folder, or in it, whose names end so, and the folders in it: sorted, and none if the folder
// is not there.
std::vector<std::string> files_below(const std::string& folder, std::string_view suffix);
std::vector<std::string> files_in(const std::string& folder, std::string_view suffix);
std::vector<std::string> folders_in(const std::string& folder);
// "a/b", without a leading "./".
std::string join_path(const std::string& folder, const std::string& name);
bool is_folder(const std::string& path);
bool is_file(const std::string& path);

}  // namespace ravel::erlang
