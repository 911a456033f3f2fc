// Project files of P (`.pproj`), as P's compiler takes them.
//
//   <Project>
//   <ProjectName>Name</ProjectName>
//   <InputFiles> <PFile>./PSrc/</PFile> ... </InputFiles>       files, or folders with what is below them
//   <IncludeProject>../Timer/Timer.pproj</IncludeProject>        whose files are read, too; its tests are
//   left out
//   </Project>
//
// A path of a file counts from the folder of the project file; that of an included project from there, too,
// and if nothing is there, from the folder where the command is called, which is how P reads it. `OutputDir`,
// `Target` and others say what P makes, and are read over. Hidden files are left out (as P leaves them out),
// and what is neither
// `.p` nor foreign code.

#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace ravel::p {

struct ProjectFile {
  std::filesystem::path path;
  std::string name;            // how messages call it: the path from the project's folder, if it is below
  bool is_dependency = false;  // below the folder of an included project
};

struct Project {
  std::string name;
  std::filesystem::path folder;
  std::vector<ProjectFile>
      files;  // .p; sorted within each folder, so that the order does not depend on the disk
  std::vector<std::filesystem::path> foreign_files;  // .cs, .java
};

Result<Project> read_project(const std::filesystem::path& file);

// The one project file of the folder: the first by name. An error if there is none.
Result<std::filesystem::path> find_project(const std::filesystem::path& folder);

}  // namespace ravel::p
