// The flags that determine what rows are compared with.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_COMPARISON_FLAGS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_COMPARISON_FLAGS_H_

#include <string>

#include "suites/harness/flags/flag_group.h"

namespace assay::suites {

// Paths are absolute or empty.
struct ComparisonOptions {
  // `onnxruntime` to compare times with it, or empty.
  std::string reference;
  // Folder of the baselines; empty selects that of the workspace.
  std::string baseline;
  bool require_baseline = false;
  // Reason why the times of this run become the baseline; empty if they do not.
  std::string bless;
  // Folder that a run with --out and --keep_artifacts wrote, whose artifacts
  // are measured side by side with those of this run.
  std::string against;
  // bench_artifact of that run's commit, if its runtime is measured, too.
  std::string against_runtime;
  // Time limit for measuring one row side by side.
  double budget_s = 20;
  // Largest relative change that does not matter.
  double margin = 0.01;

  bool blessing() const { return !bless.empty(); }
};

// `options` outlives the result.
FinishFlags AddComparisonFlags(CLI::App& app, ComparisonOptions* options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_COMPARISON_FLAGS_H_
