// MutationRun: runs a program on many broken copies of files, several at a
// time, each in a process of its own.
#ifndef ASSAY_TESTS_FUZZ_MUTATION_RUN_H_
#define ASSAY_TESTS_FUZZ_MUTATION_RUN_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/file.h"
#include "runtime/process/subprocess.h"
#include "suites/harness/progress.h"
#include "tests/fuzz/mutate_file.h"
#include "tests/fuzz/mutation_tally.h"

namespace assay::fuzz {

// A file to mutate. `name` is unique and has no slash.
struct Subject {
  std::string name;
  std::string bytes;
  // The extents of its symbolic dimensions: values of the flag --dim.
  std::vector<std::string> dims;
};

struct MutationOptions {
  // Returns the program and its arguments for a copy of the subject at the path
  // `file`. Several threads call this function.
  std::function<std::vector<std::string>(const Subject& subject,
                                         const std::string& file)>
      command;
  runtime::ProcessOptions process;
  // The seeds from `first_seed` to `first_seed + mutations - 1` are used for
  // each subject.
  uint64_t first_seed = 0;
  int mutations = 0;
  // Number of processes at a time, at least 1.
  int jobs = 1;
  // Folder in which files with problems are kept; empty for none.
  std::string keep;
};

class MutationRun {
 public:
  // `out` gets a line for each problem. Both pointers must outlive this object.
  MutationRun(MutationOptions options, std::vector<Subject> subjects,
              std::ostream* out, suites::Progress* progress);

  // Runs the program on every subject as it is, then on all mutations. Returns
  // FailedPrecondition if the program does not accept a subject: then its
  // mutations would prove nothing. Returns other errors if files cannot be
  // written. That mutations have problems is no error.
  absl::Status Run();

  // One tally for each subject.
  const std::vector<Tally>& tallies() const { return tallies_; }

 private:
  size_t NumRuns() const;
  absl::Status RunOn(const Subject& subject, absl::string_view bytes,
                     const std::string& folder,
                     absl::StatusOr<runtime::ProcessResult>* ended) const;
  absl::Status CheckSubject(const Subject& subject,
                            const std::string& folder) const;
  void Work(const std::string& folder);
  absl::Status Mutate(size_t run, const std::string& folder);
  absl::Status Report(const Subject& subject, uint64_t seed,
                      const MutatedFile& mutated, const std::string& problem,
                      const absl::StatusOr<runtime::ProcessResult>& ended);

  const MutationOptions options_;
  const std::vector<Subject> subjects_;
  std::ostream* const out_;
  suites::Progress* const progress_;
  // Number of the next run.
  std::atomic<size_t> next_{0};
  // Guards the rest.
  std::mutex mutex_;
  std::vector<Tally> tallies_;
  absl::Status status_;
};

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_MUTATION_RUN_H_
