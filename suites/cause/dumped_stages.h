// Reads how a part of a model was compiled from the stages that a compilation
// dumped (driver::CompileOptions::dump_dir).
#ifndef ASSAY_SUITES_CAUSE_DUMPED_STAGES_H_
#define ASSAY_SUITES_CAUSE_DUMPED_STAGES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::suites {

// The part of a model as it is after a stage. The texts of equal parts are
// equal whatever their place in the model: numbers of values and kernels are
// left out.
struct DumpedStage {
  std::string name;  // of the pass or stage, for example `fuse_operators`
  std::string text;
};

// Returns the lines of a printed graph that compute one of `nodes`. Each line
// names, between quotes, the nodes of the model that it computes. `%12`, the
// number of a value, becomes `%`.
std::string GraphLinesOf(absl::string_view graph,
                         const std::vector<std::string>& nodes);

// Returns the stages of the graph passes that changed the part, the imported
// model first.
absl::StatusOr<std::vector<DumpedStage>> GraphStages(
    const std::string& dump, const std::vector<std::string>& nodes);

// Returns the stages of kernels from the tensor expression to the loop IR, for
// example `te`, `schedule`, `lowered`, `unroll`, and then `ll`, `opt.ll` and
// `s`. The text of a stage is that of all kernels, one after the other. A stage
// that did not change any of them is left out.
absl::StatusOr<std::vector<DumpedStage>> KernelStages(
    const std::string& dump, const std::vector<std::string>& kernels);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CAUSE_DUMPED_STAGES_H_
