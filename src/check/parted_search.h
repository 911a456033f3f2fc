// A search that is divided into part files, and what brings their results together: `ravel split` and
// `ravel merge`.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/part_files.h"
#include "check/part_pool.h"
#include "check/part_work.h"

namespace ravel {

class PartedSearchWork final : public PartWork {
 public:
  enum class Serve : std::uint8_t { kNo, kYes };

  // A new search, in `folder`.
  PartedSearchWork(std::string folder, std::uint32_t wanted, std::vector<std::string> arguments);
  // Goes on with what the folder has.
  PartedSearchWork(std::string folder, PartedSearchFile file, std::vector<std::string> results, Serve serve);

  Status open(const CheckedProgram& program, const std::string& test) override;
  bool begins_anew() const override { return begins_anew_; }
  bool tells_bugs() const override { return true; }
  SavedTest run(const PartedSearch& search) override;
  Status keep_told(const SavedTest& told) override;
  bool is_over() const override { return file_.is_over; }
  const Status& status() const override { return status_; }

  // How many part files there are to be run.
  std::size_t parts() const { return file_.given.size(); }
  std::uint64_t executions() const { return file_.test.report.result.counts.executions; }
  // What became of results that were not taken: sentences without a full stop.
  const std::vector<std::string>& remarks() const { return remarks_; }
  // Removes what is of no use any more once all is written: part files, and results in the folder. Call it
  // when the search has been told.
  void remove_old_files() const;

 private:
  Status work(const PartedSearch& search);
  Status take_results();
  Result<std::string> take(PartPool& pool, const PartResultFile& result, const std::string& name);
  void release_missing_files();
  Status write_parts(const PartedSearch& search, PartPool& pool);
  Status write_part(const SavedTest& test, const PartPool& pool, std::vector<PartNumber> parts);
  Status write_search(const PartedSearch& search);
  Status write_file() const;
  Status serve(const PartedSearch& search);
  Status answer(const std::string& line, const PartedSearch& search, bool& ends);
  std::vector<PartNumber> free_parts(const PartPool& pool) const;
  std::string path_of(std::uint64_t number) const;

  const std::string folder_;
  PartedSearchFile file_;
  const std::vector<std::string> results_;
  const Serve serve_ = Serve::kNo;
  std::unique_ptr<PartPool> pool_;
  std::vector<std::uint64_t> new_files_;  // since they were told to whoever is served
  std::vector<std::string> remarks_;
  Status status_ = Success{};
  bool begins_anew_ = false, has_run_ = false;
};

// "FOLDER/search".
std::string parted_search_path(const std::string& folder);

}  // namespace ravel
