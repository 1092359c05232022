#include "compiler/graph/passes/pipeline.h"

#include <memory>

#include "compiler/graph/passes/common_subexpressions.h"
#include "compiler/graph/passes/dead_code.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/passes/pad_filters.h"
#include "compiler/graph/passes/simplify_inference.h"

namespace assay::graph {

PassList DefaultPasses(const PipelineOptions& options) {
  PassList passes;
  // Drops what exporters leave behind before anything is spent on it.
  passes.push_back(std::make_unique<DeadCode>());
  // Shape arithmetic folds to constants; simplify_inference wants its
  // parameters as constants.
  passes.push_back(std::make_unique<FoldConstants>());
  passes.push_back(std::make_unique<SimplifyInference>());
  passes.push_back(std::make_unique<CommonSubexpressions>());
  if (options.choose_filters) {
    passes.push_back(std::make_unique<PadFilters>(options.choose_filters));
    // alter_conv_layout wants weights as constants.
    passes.push_back(std::make_unique<FoldConstants>());
  }
  if (options.choose_conv_blocks) {
    // After simplify_inference, which matches plain convolutions.
    passes.push_back(std::make_unique<AlterConvLayout>(
        options.choose_conv_blocks, options.choose_transposed_blocks));
    // Evaluates the packing of weights that alter_conv_layout has added.
    passes.push_back(std::make_unique<FoldConstants>());
    // A tensor packed for two users becomes one again.
    passes.push_back(std::make_unique<CommonSubexpressions>());
  }
  passes.push_back(std::make_unique<DeadCode>());
  // Last: no pass looks into kernels.
  passes.push_back(std::make_unique<FuseOperators>(options.fusion));
  return passes;
}

}  // namespace assay::graph
