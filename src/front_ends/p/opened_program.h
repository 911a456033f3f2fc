// A program in P that was read from files and checked, and which of its tests are meant.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "p/program/program.h"
#include "p/system/p_explorer.h"
#include "report/text.h"

namespace ravel::p {

// Whether these files are a program in P: names of `.p` and `.pproj` files, a folder that holds a project, or
// none, if this folder holds one.
bool is_program(std::span<const std::string> files);

// What tests without a spec are held to: nothing, or all specs of the program.
enum class LooseSpecs : std::uint8_t { kLeftOut, kAttached };

// What a program is made of.
struct ProgramFiles {
  std::vector<std::string> sources;    // one project, or `.p` files; none: the project here
  std::vector<std::string> libraries;  // with foreign functions
};

struct SourceChecksum {
  std::string name;  // as messages call the file
  std::uint64_t checksum = 0;
};

class OpenedProgram {
 public:
  // Warnings are shown. An error of the program ends with a newline, and may have several lines.
  static Result<std::shared_ptr<const OpenedProgram>> open(const ProgramFiles& files, LooseSpecs loose,
                                                           ColourWish colour);

  const Program& program() const { return *program_; }
  // What names the program again: the project's file, or the files as they were given.
  const std::vector<std::string>& files() const { return files_; }
  const std::vector<std::string>& libraries() const { return libraries_; }
  // Where a source of this name is.
  std::string path_of(const std::string& name) const;
  // "Client.pproj" or "Client.p": how messages call it.
  const std::string& name() const { return name_; }
  // Libraries are among them.
  const std::vector<SourceChecksum>& sources() const { return sources_; }
  LooseSpecs loose_specs() const { return loose_; }

  // Places in Program::tests: those that -t names, or all, with the programs without tests their
  // implementations. A name is that of a test, or of one with parameters, which stands for all combinations.
  Result<std::vector<std::size_t>> chosen_tests(const std::vector<std::string>& wanted) const;
  // An error if timers are to be more than machines, and none of these tests has one that is recognised, or
  // one has a machine that looks like one only by its name.
  Status check_timers(const std::vector<std::size_t>& chosen) const;
  // An error if one of these tests may call a foreign function that no library has. It says what to write.
  Status check_foreign(const std::vector<std::size_t>& chosen) const;
  // The machines that --symmetric names, with commas between them; the error is about the option.
  Result<IdSet<MachineId>> symmetric_machines(const std::vector<std::string>& names) const;
  // The spec of this name as an explorer of these tests; the error is about --explorer.
  Result<ExplorerSpec> explorer(const std::string& name, const std::vector<std::size_t>& chosen) const;

 private:
  std::vector<std::size_t> usual_tests() const;
  void attach_specs();
  Status link(const std::vector<std::string>& libraries);

  std::vector<std::string> files_;
  std::vector<std::string> libraries_;
  std::string name_;
  std::vector<SourceChecksum> sources_;
  std::map<std::string, std::string> paths_;  // of sources with other names, by name
  LooseSpecs loose_ = LooseSpecs::kLeftOut;
  std::unique_ptr<Program> program_;
  std::vector<std::string> undeclared_;  // functions of libraries that the program does not declare
};

}  // namespace ravel::p
