// StoredArtifacts: a "compiler" that returns the artifacts of an earlier run
// instead of compiling.
//
// With it, one program judges the artifacts of two commits: neither commit's
// harness judges its own compiler.
#ifndef ASSAY_SUITES_HARNESS_COMPILER_STORED_ARTIFACTS_H_
#define ASSAY_SUITES_HARNESS_COMPILER_STORED_ARTIFACTS_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "suites/harness/compiler/compiler.h"

namespace assay::suites {

class StoredArtifacts : public Compiler {
 public:
  // Reads results.json of `folder`, which a run with --out and --keep_artifacts
  // wrote.
  static absl::StatusOr<StoredArtifacts> Open(const std::string& folder);

  // Returns the artifact of the cell. If `place.any_threads` is true, the run
  // must have only one row with this model, device and variant. Returns
  // Internal, which makes the row an infrastructure failure, if the run has no
  // such row, if the row has no artifact, or if the run had a different model
  // with this name. Writes no dumps.
  absl::StatusOr<CompiledModel> Compile(const Model& model, const Place& place,
                                        const reports::Variant& variant,
                                        const std::string& dump_dir) override;
  // Returns OK if the run has a tuned row of this device with this number of
  // threads, or with any number if `place.any_threads` is true.
  absl::Status CanTune(const Place& place) const override;

 private:
  StoredArtifacts(std::string folder, reports::RunResult result)
      : folder_(std::move(folder)), result_(std::move(result)) {}

  std::string folder_;
  reports::RunResult result_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_COMPILER_STORED_ARTIFACTS_H_
