#include "compiler/ops/cost_model.h"
#include "compiler/ops/kernel_rule.h"
#include "compiler/ops/matmul/block_sizes.h"
#include "compiler/ops/matmul/blocked_matmul.h"
#include "compiler/ops/matmul/blocked_products.h"
#include "compiler/ops/matmul/dense.h"
#include "compiler/ops/matmul/integer_matmul.h"
#include "compiler/ops/matmul/matmul.h"
#include "compiler/ops/matmul/strassen.h"
#include "compiler/ops/matmul/streamed_matmul.h"
#include "compiler/ops/matmul/tiled_matmul.h"
#include "compiler/ops/matrix_tile.h"

namespace assay::ops {
namespace {

using graph::OpKind;

// The implementations of products whose second operand is [k,n], in panels or
// plain. OPERATOR is `matmul` or `dense`.
#define ASSAY_BLOCKED_PRODUCTS(OPERATOR)                             \
  {OPERATOR ".bf16x3",                                               \
   false,                                                            \
   SplitMatmulApplies,                                               \
   TiledMatmulSpace,                                                 \
   DefaultTiledMatmulConfig,                                         \
   TiledMatmulSeconds,                                               \
   TiledMatmul,                                                      \
   ScheduleTiledMatmul,                                              \
   SplitErrorBound,                                                  \
   kAllTargetKinds,                                                  \
   SplitPanels},                                                     \
      {OPERATOR ".tiled_integer",                                    \
       true,                                                         \
       TiledIntegerMatmulApplies,                                    \
       TiledMatmulSpace,                                             \
       DefaultTiledMatmulConfig,                                     \
       TiledMatmulSeconds,                                           \
       TiledMatmul,                                                  \
       ScheduleTiledMatmul,                                          \
       nullptr,                                                      \
       kAllTargetKinds,                                              \
       TiledIntegerPanels},                                          \
      {OPERATOR ".blocked",                                          \
       true,                                                         \
       BlockedMatmulApplies,                                         \
       BlockedMatmulSpace,                                           \
       DefaultBlockedMatmulConfig,                                   \
       RooflineAt<kBlockedPercent>,                                  \
       BlockedMatmul,                                                \
       ScheduleBlockedMatmul,                                        \
       nullptr,                                                      \
       kAllTargetKinds,                                              \
       FloatPanels},                                                 \
      {OPERATOR ".blocked_integer",                                  \
       true,                                                         \
       IntegerMatmulApplies,                                         \
       IntegerMatmulSpace,                                           \
       DefaultIntegerMatmulConfig,                                   \
       RooflineAt<kBlockedPercent>,                                  \
       IntegerMatmul,                                                \
       ScheduleIntegerMatmul,                                        \
       nullptr,                                                      \
       kAllTargetKinds,                                              \
       IntegerPanels},                                               \
  {                                                                  \
    OPERATOR ".panel_rows", true, PanelRowsApply, NoSpace, NoConfig, \
        RooflineAt<20>, PanelRows, ScheduleMatmul                    \
  }

constexpr Implementation kDense[] = {
    ASSAY_BLOCKED_PRODUCTS("dense"),
    {"dense.partial_sums", true, DenseApplies, NoSpace, NoConfig,
     RooflineAt<20>, Dense, ScheduleDense},
};

// Few columns, or a short reduction, do not pay for panels.
std::optional<graph::Encoding> ColumnsOfFloats(const OpInstance& op,
                                               const target::Target&) {
  if (!IsMatrixProduct(op) || op.inputs[0].dtype != DType::Float32() ||
      op.inputs[1].dtype != DType::Float32()) {
    return std::nullopt;
  }
  return graph::ColumnMajor();
}

constexpr Implementation kMatmul[] = {
    ASSAY_BLOCKED_PRODUCTS("matmul"),
    {"matmul.partial_sums", true, DenseApplies, NoSpace, NoConfig,
     RooflineAt<20>, Dense, ScheduleDense, nullptr, kAllTargetKinds,
     ColumnsOfFloats},
    {"matmul.streamed", true, StreamedMatmulApplies, StreamedMatmulSpace,
     DefaultStreamedMatmulConfig, RooflineAt<kStreamedPercent>, Matmul,
     ScheduleStreamedMatmul},
    {"matmul.strassen", false, StrassenApplies, StrassenSpace,
     DefaultStrassenConfig, StrassenSeconds, StrassenMatmul, ScheduleStrassen,
     StrassenErrorBound, Only(target::TargetKind::kLlvm)},
    {"matmul.rows", true, MatmulApplies, NoSpace, NoConfig, RooflineAt<20>,
     Matmul, ScheduleMatmul},
};
#undef ASSAY_BLOCKED_PRODUCTS

}  // namespace

KernelRule DenseKernel(OpKind) { return {kDense}; }

KernelRule MatmulKernel(OpKind) { return {kMatmul}; }

}  // namespace assay::ops
