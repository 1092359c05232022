// FirstDifference: finds the stage of the compiler at which two compilations of
// a part of a model part ways, for example two commits or two sets of flags.
//
// All later stages differ as a consequence, so this stage is the cause of a
// difference in the machine code: a graph pass, the tensor expression, the
// schedule, lowering, a pass over loops, the generator of LLVM IR, or LLVM.
//
// The stages are compared as texts, from the dumps of both compilations.
#ifndef ASSAY_SUITES_CAUSE_FIRST_DIFFERENCE_H_
#define ASSAY_SUITES_CAUSE_FIRST_DIFFERENCE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "suites/cause/dumped_stages.h"

namespace assay::suites {

// The kernels of a part in one compilation.
struct CompiledPart {
  std::string dump;                  // the folder of the compilation
  std::vector<std::string> kernels;  // their symbols
};

struct StageDifference {
  // `graph pass NAME`, `tensor expression`, `schedule`, `lowering`, `loop pass
  // NAME`, `code generation` or `LLVM`. Empty if all stages are the same.
  std::string stage;
  // The first line that differs, as `BEFORE` and `AFTER`; one may be empty.
  std::string before;
  std::string after;
};

// `nodes` are the nodes of the model that the part computes. Returns NotFound
// if a dump has no graphs.
absl::StatusOr<StageDifference> FirstDifference(
    const std::vector<std::string>& nodes, const CompiledPart& base,
    const CompiledPart& run);

// Compares the texts of two sequences of stages. Returns the name of the first
// stage after which they differ. If one sequence has a stage there that the
// other one does not have at all, this is the stage. The name is empty if both
// sequences are equal.
StageDifference CompareStages(absl::Span<const DumpedStage> base,
                              absl::Span<const DumpedStage> run);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CAUSE_FIRST_DIFFERENCE_H_
