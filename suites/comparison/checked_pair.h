// CheckedPair: two artifacts of one model that are compared, and whose outputs
// are checked while they are timed (suites/correctness/checked_session.h).
//
//   CheckedPair pair({&base, &run, &session, &runner, &runner});
//   ASSAY_RETURN_IF_ERROR(pair.Examine(&base_accuracy, &run_accuracy));
//   PairedLoads loads(pair.Loader(), sampling, Clock::Monotonic());
//   ... RunToVerdict(loads, options, budget) ...
//   if (!pair.run_problem().empty()) ...
#ifndef ASSAY_SUITES_COMPARISON_CHECKED_PAIR_H_
#define ASSAY_SUITES_COMPARISON_CHECKED_PAIR_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/file.h"
#include "runtime/measure/session.h"
#include "suites/comparison/load_in_order.h"
#include "suites/comparison/paired_loads.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/checked_session.h"

namespace assay::suites {

// All pointers must outlive the CheckedPair and the pairs that it loads.
struct CheckedPairOptions {
  const runtime::Artifact* base = nullptr;
  const runtime::Artifact* run = nullptr;
  // A session of the model, which has the examples and the number of threads.
  const CheckedSession* session = nullptr;
  // The runners of the two artifacts. If they are the same runner and it
  // supports it, both artifacts are loaded in one session; otherwise, in a
  // session each.
  runtime::Runner* base_runner = nullptr;
  runtime::Runner* run_runner = nullptr;
  // Contender::extra_work of the run.
  double extra_work = 0;
};

class CheckedPair {
 public:
  explicit CheckedPair(const CheckedPairOptions& options)
      : options_(options),
        one_session_(options.base_runner == options.run_runner) {}

  // Loads both artifacts and runs them on all examples. Sets the accuracy of
  // each. Must be called first. If each artifact has a process of its own,
  // finds out whether the two processes can share the memory of inputs, outputs
  // and intermediate values: both runners must support this, and both programs
  // must still compute the same outputs when they run in turns. They may fail
  // to do so, because two commits may place these values at different offsets.
  absl::Status Examine(Accuracy* base, Accuracy* run);
  // Like Examine(), for programs that are known to be correct: returns Internal
  // if an output is wrong.
  absl::Status ExamineCorrect();

  // Loads both artifacts for a measurement. The order in which the two programs
  // get the inputs of a round is random.
  absl::StatusOr<ProgramPair> Load(const PairPlacement& placement);
  // Returns a function that calls Load() of this object.
  PairLoader Loader();

  // Returns true if both artifacts are loaded in one session. Valid after
  // Examine().
  bool one_session() const { return one_session_; }

  // One sentence on the first wrong output of a timed run, or empty.
  const std::string& base_problem() const { return base_record_->problem; }
  const std::string& run_problem() const { return run_record_->problem; }
  // Returns Internal with one of these sentences, or OK if both are empty.
  absl::Status Problem() const;

 private:
  struct Loaded : LoadedPair<CheckedSession> {
    // The folder of the memory that two processes share, if they do.
    std::shared_ptr<const TempDir> memory;
  };
  absl::StatusOr<Loaded> LoadBoth(const PairPlacement& placement);
  absl::Status TrySharing();

  const CheckedPairOptions options_;
  bool one_session_;
  // True if the two processes of a load share memory.
  bool shares_memory_ = false;
  std::string base_digest_, run_digest_;  // if loaded in sessions of their own
  std::shared_ptr<CheckedSession::Record> base_record_, run_record_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_CHECKED_PAIR_H_
