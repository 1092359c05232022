// The flags of a suite that determine what its rows are compared with.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_COMPARISON_FLAGS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_COMPARISON_FLAGS_H_

#include <string>
#include <vector>

#include "suites/harness/flags/flag_group.h"

namespace assay::suites {

// Values of the flags. Paths are absolute or empty.
struct ComparisonOptions {
  // Name of the reference runtime with which times are compared; empty if they
  // are not compared with one.
  std::string reference;
  // Folder of the baselines; empty selects `baselines/` in the workspace.
  std::string baseline;
  // If true, a row without a baseline and a row of an emulated device count as
  // kInconclusive in the exit code of the suite, unless `bless` is set.
  bool require_baseline = false;
  // If not empty, the times of this run become the baseline, and this text is
  // stored with them as the reason.
  std::string bless;
  // If true, disturbed times become the baseline, too.
  bool force = false;
  // Folder that an earlier run with --out and --keep_artifacts wrote. If it is
  // not empty, the artifacts of the earlier run and of this run are measured
  // side by side.
  std::string against;
  // Path of bench_artifact, built at the commit of the run in `against`. If it
  // is not empty, this program runs the artifacts of `against`, so that the
  // comparison includes the runtimes of both commits.
  std::string against_runtime;
  // Folder that an earlier run with --out and --keep_artifacts wrote. If it is
  // not empty, the artifacts of that run are judged; nothing is compiled.
  std::string artifacts;
  // Path of bench_artifact, built at the commit of the run in `artifacts`. It
  // may be set only with `against_runtime`, and runs the artifacts of
  // `artifacts`. If it is empty, the bench_artifact of this commit runs them.
  std::string artifacts_runtime;
  // Usual time for measuring one row side by side, in seconds. Later rows may
  // use the time that earlier rows did not need.
  double budget_s = 30;
  // Time limit in seconds for a row that is undecided after its budget. The
  // measurement goes on only if this time is likely to suffice for a verdict
  // (suites/comparison/run_to_verdict.h).
  double max_budget_s = 600;
  // Equivalence margin: the largest relative change that is considered
  // irrelevant.
  double margin = 0.01;
  // If true, only kernels whose machine code differs are judged, instead of
  // whole inferences: the others are taken to need the same time.
  bool changed_kernels = false;
  // Names of nodes of the model. If there are any, only the kernels that
  // compute them are judged.
  std::vector<std::string> nodes;
  // A regression is attributed to kernels until its size is known to within
  // this fraction of itself, or the time is over.
  double attribution_precision = 0.05;
  // If true, a row without a verdict is attributed to kernels, too, as far as
  // its loads allow.
  bool attribute_undecided = false;
  // If false, rows are compared without testing first whether comparisons on
  // this machine give correct verdicts (suites/comparison/canary.h), because
  // the caller has just tested it.
  bool canary = true;

  bool blessing() const { return !bless.empty(); }
};

// Adds the flags to `app`. `options` must outlive `app` and the returned
// function.
FinishFlags AddComparisonFlags(CLI::App& app, ComparisonOptions* options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_COMPARISON_FLAGS_H_
