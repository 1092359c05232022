#include "compiler/ops/cost_model.h"
#include "compiler/ops/kernel_rule.h"
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

constexpr Implementation kDense[] = {
    {"dense.partial_sums", true, AlwaysApplies, NoSpace, NoConfig,
     RooflineAt<20>, Dense, ScheduleDense},
};

constexpr Implementation kPackedDense[] = {
    {"packed_dense.bf16x3", false, SplitMatmulApplies, TiledMatmulSpace,
     DefaultTiledMatmulConfig, TiledMatmulSeconds, TiledMatmul,
     ScheduleTiledMatmul, SplitErrorBound},
    {"packed_dense.tiled_integer", true, TiledIntegerMatmulApplies,
     TiledMatmulSpace, DefaultTiledMatmulConfig, TiledMatmulSeconds,
     TiledMatmul, ScheduleTiledMatmul},
    {"packed_dense.blocked", true, BlockedMatmulApplies, BlockedMatmulSpace,
     DefaultBlockedMatmulConfig, RooflineAt<kBlockedPercent>, BlockedMatmul,
     ScheduleBlockedMatmul},
    {"packed_dense.blocked_integer", true, IntegerMatmulApplies,
     IntegerMatmulSpace, DefaultIntegerMatmulConfig,
     RooflineAt<kBlockedPercent>, IntegerMatmul, ScheduleIntegerMatmul},
    {"packed_dense.rows", true, PackedDenseRowsApply, NoSpace, NoConfig,
     RooflineAt<20>, PackedDenseRows, ScheduleMatmul},
};

constexpr Implementation kMatmul[] = {
    {"matmul.bf16x3", false, SplitMatmulApplies, TiledMatmulSpace,
     DefaultTiledMatmulConfig, TiledMatmulSeconds, TiledMatmul,
     ScheduleTiledMatmul, SplitErrorBound},
    {"matmul.tiled_integer", true, TiledIntegerMatmulApplies, TiledMatmulSpace,
     DefaultTiledMatmulConfig, TiledMatmulSeconds, TiledMatmul,
     ScheduleTiledMatmul},
    {"matmul.blocked", true, BlockedMatmulApplies, BlockedMatmulSpace,
     DefaultBlockedMatmulConfig, RooflineAt<kBlockedPercent>, BlockedMatmul,
     ScheduleBlockedMatmul},
    {"matmul.blocked_integer", true, IntegerMatmulApplies, IntegerMatmulSpace,
     DefaultIntegerMatmulConfig, RooflineAt<kBlockedPercent>, IntegerMatmul,
     ScheduleIntegerMatmul},
    {"matmul.streamed", true, StreamedMatmulApplies, StreamedMatmulSpace,
     DefaultStreamedMatmulConfig, RooflineAt<kStreamedPercent>, Matmul,
     ScheduleStreamedMatmul},
    {"matmul.strassen", false, StrassenApplies, StrassenSpace,
     DefaultStrassenConfig, StrassenSeconds, StrassenMatmul, ScheduleStrassen,
     StrassenErrorBound, Only(target::TargetKind::kLlvm)},
    {"matmul.rows", true, AlwaysApplies, NoSpace, NoConfig, RooflineAt<20>,
     Matmul, ScheduleMatmul},
};

}  // namespace

KernelRule DenseKernel(OpKind) { return {kDense}; }

KernelRule PackedDenseKernel(OpKind) { return {kPackedDense}; }

KernelRule MatmulKernel(OpKind) { return {kMatmul}; }

}  // namespace assay::ops
