#include "compiler/graph/pipeline/pipeline.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/passes/assign_encodings.h"
#include "compiler/graph/passes/combine_parallel.h"
#include "compiler/graph/passes/common_subexpressions.h"
#include "compiler/graph/passes/copy_outputs.h"
#include "compiler/graph/passes/crop_filters.h"
#include "compiler/graph/passes/dead_code.h"
#include "compiler/graph/passes/dilation_to_batch.h"
#include "compiler/graph/passes/flatten_matmul.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/passes/fold_pads.h"
#include "compiler/graph/passes/fold_scale_axis.h"
#include "compiler/graph/passes/fuse_operators.h"
#include "compiler/graph/passes/pad_channels.h"
#include "compiler/graph/passes/simplify_algebra.h"
#include "compiler/graph/passes/simplify_inference.h"
#include "compiler/graph/passes/unsigned_data.h"
#include "compiler/graph/passes/widen_floats.h"
#include "compiler/graph/quantization/fake_quantization_to_integer.h"

namespace assay::graph {
namespace {

constexpr PipelineStep kPipeline[] = {
    // First: it decides which integers a quantized model computes.
    {FakeQuantizationToInteger::kName, 1},
    // Drops the dead nodes that exporters leave, before work is spent on them.
    {DeadCode::kName, 1},
    // Folds shape arithmetic, and the parameters of batch_norm that
    // simplify_inference needs as constants.
    {FoldConstants::kName, 0},
    // Before all passes that look for float32 convolutions.
    {WidenFloats::kName, 2},
    {SimplifyAlgebra::kName, 1},
    // After simplify_algebra, which merges consecutive pads.
    {FoldPads::kName, 2},
    {SimplifyInference::kName, 0},
    // Folds the rest of batch_norm that simplify_inference leaves, and scales
    // of the model.
    {FoldScaleAxis::kName, 2},
    {CommonSubexpressions::kName, 1},
    // After common_subexpressions, which makes equal operands one node.
    {CombineParallelConv2d::kName, 3},
    {CombineParallelDense::kName, 3},
    {UnsignedData::kName, 2},
    // Merges additions of the passes above with those of the model.
    {SimplifyAlgebra::kName, 1},
    {CropFilters::kName, 2},
    // Folds the slices of crop_filters: the passes below need constant weights.
    {FoldConstants::kName, 0},
    {DilationToBatch::kName, 2},
    {PadChannels::kName, 2},
    {FlattenMatmul::kName, 2},
    // After all passes that change convolutions, products and their weights.
    {AssignEncodings::kName, 2},
    // Encodes the weights.
    {FoldConstants::kName, 0},
    // Removes conversions that move no element.
    {SimplifyAlgebra::kName, 1},
    // Merges weights that were encoded once per user.
    {CommonSubexpressions::kName, 1},
    {DeadCode::kName, 1},
    // After fold_constants, which would evaluate the copies of constants.
    {CopyOutputs::kName, 0},
    // Last: no pass looks into kernels.
    {FuseOperators::kName, 0},
};

template <typename P>
std::unique_ptr<Pass> Make(const PipelineOptions&) {
  return std::make_unique<P>();
}
template <typename P>
std::unique_ptr<Pass> MakeForTarget(const PipelineOptions& options) {
  return std::make_unique<P>(options.costs.get());
}

// The constructor of each pass.
struct Maker {
  absl::string_view name;
  std::unique_ptr<Pass> (*make)(const PipelineOptions& options);
};

const Maker kMakers[] = {
    {AssignEncodings::kName, MakeForTarget<AssignEncodings>},
    {CombineParallelConv2d::kName, MakeForTarget<CombineParallelConv2d>},
    {CombineParallelDense::kName, MakeForTarget<CombineParallelDense>},
    {CommonSubexpressions::kName, Make<CommonSubexpressions>},
    {CopyOutputs::kName, Make<CopyOutputs>},
    {CropFilters::kName, Make<CropFilters>},
    {DeadCode::kName, Make<DeadCode>},
    {DilationToBatch::kName, MakeForTarget<DilationToBatch>},
    {FakeQuantizationToInteger::kName, Make<FakeQuantizationToInteger>},
    {FlattenMatmul::kName, Make<FlattenMatmul>},
    {FoldConstants::kName,
     [](const PipelineOptions& options) -> std::unique_ptr<Pass> {
       return std::make_unique<FoldConstants>(options.max_memory);
     }},
    {FoldPads::kName, Make<FoldPads>},
    {FoldScaleAxis::kName, Make<FoldScaleAxis>},
    {FuseOperators::kName,
     [](const PipelineOptions& options) -> std::unique_ptr<Pass> {
       return std::make_unique<FuseOperators>(options.fusion);
     }},
    {PadChannels::kName, MakeForTarget<PadChannels>},
    {SimplifyAlgebra::kName, Make<SimplifyAlgebra>},
    {SimplifyInference::kName, Make<SimplifyInference>},
    {UnsignedData::kName, MakeForTarget<UnsignedData>},
    {WidenFloats::kName, Make<WidenFloats>},
};

// Null if there is no pass of that name.
std::unique_ptr<Pass> MakePass(absl::string_view name,
                               const PipelineOptions& options) {
  for (const Maker& maker : kMakers) {
    if (maker.name == name) return maker.make(options);
  }
  return nullptr;
}

}  // namespace

absl::Span<const PipelineStep> Pipeline() { return kPipeline; }

absl::StatusOr<PassList> MakePasses(absl::Span<const std::string> names,
                                    const PipelineOptions& options) {
  PassList passes;
  for (const std::string& name : names) {
    passes.push_back(MakePass(name, options));
    if (passes.back() == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no pass `", name, "`"));
    }
  }
  return passes;
}

}  // namespace assay::graph
