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
#define ASSAY_BLOCKED_PRODUCTS(OPERATOR)                                       \
  {OPERATOR ".bf16x3",  SplitMatmulApplies,                                    \
   TiledMatmulSpace,    DefaultTiledMatmulConfig,                              \
   TiledMatmulSeconds,  TiledMatmul,                                           \
   ScheduleTiledMatmul, &kSplitNumbers,                                        \
   kAllTargetKinds,     SplitPanels},                                          \
      {OPERATOR ".tiled_integer", TiledIntegerMatmulApplies,                   \
       TiledMatmulSpace,          DefaultTiledMatmulConfig,                    \
       TiledMatmulSeconds,        TiledMatmul,                                 \
       ScheduleTiledMatmul,       nullptr,                                     \
       kAllTargetKinds,           TiledIntegerPanels},                         \
      {OPERATOR ".blocked",                                                    \
       BlockedMatmulApplies,                                                   \
       BlockedMatmulSpace,                                                     \
       DefaultBlockedMatmulConfig,                                             \
       RooflineAt<kBlockedPercent>,                                            \
       BlockedMatmul,                                                          \
       ScheduleBlockedMatmul,                                                  \
       nullptr,                                                                \
       kAllTargetKinds,                                                        \
       FloatPanels},                                                           \
      {OPERATOR ".blocked_integer",                                            \
       IntegerMatmulApplies,                                                   \
       IntegerMatmulSpace,                                                     \
       DefaultIntegerMatmulConfig,                                             \
       RooflineAt<kBlockedPercent>,                                            \
       IntegerMatmul,                                                          \
       ScheduleIntegerMatmul,                                                  \
       nullptr,                                                                \
       kAllTargetKinds,                                                        \
       IntegerPanels},                                                         \
  {                                                                            \
    OPERATOR ".panel_rows", PanelRowsApply, NoSpace, NoConfig, RooflineAt<20>, \
        PanelRows, ScheduleMatmul                                              \
  }

constexpr Implementation kDense[] = {
    ASSAY_BLOCKED_PRODUCTS("dense"),
    {"dense.partial_sums", DenseApplies, NoSpace, NoConfig, RooflineAt<20>,
     Dense, ScheduleDense},
};

// Few columns, or a short reduction, do not pay for panels.
std::vector<graph::Encoding> ColumnsOfFloats(const OpInstance& op,
                                             const target::Target&) {
  if (!IsMatrixProduct(op) || op.inputs[0].dtype != DType::Float32() ||
      op.inputs[1].dtype != DType::Float32()) {
    return {};
  }
  return {graph::ColumnMajor()};
}

constexpr Implementation kMatmul[] = {
    ASSAY_BLOCKED_PRODUCTS("matmul"),
    {"matmul.partial_sums", DenseApplies, NoSpace, NoConfig, RooflineAt<20>,
     Dense, ScheduleDense, nullptr, kAllTargetKinds, ColumnsOfFloats},
    {"matmul.streamed", StreamedMatmulApplies, StreamedMatmulSpace,
     DefaultStreamedMatmulConfig, RooflineAt<kStreamedPercent>, Matmul,
     ScheduleStreamedMatmul},
    {"matmul.strassen", StrassenApplies, StrassenSpace, DefaultStrassenConfig,
     StrassenSeconds, StrassenMatmul, ScheduleStrassen, &kStrassen,
     Only(target::TargetKind::kLlvm)},
    {"matmul.rows", MatmulApplies, NoSpace, NoConfig, RooflineAt<20>, Matmul,
     ScheduleMatmul},
};
#undef ASSAY_BLOCKED_PRODUCTS

}  // namespace

KernelRule DenseKernel(OpKind) { return {kDense}; }

KernelRule MatmulKernel(OpKind) { return {kMatmul}; }

}  // namespace assay::ops
