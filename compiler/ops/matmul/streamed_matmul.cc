#include "compiler/ops/matmul/streamed_matmul.h"

#include <algorithm>
#include <vector>

#include "compiler/ops/integers.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using schedule::Axis;

constexpr int64_t kPageBytes = 4096;

// Columns of a task: at most a page of each row of the second operand, as many
// as half of the L1 cache has sums for, and a multiple of `lanes`.
int64_t ColumnsOfTask(const OpInstance& op, const target::Target& target,
                      int64_t lanes) {
  const MatmulSizes s = SizesOf(op);
  const int64_t threads = std::max(1, target.num_cores());
  const int64_t sums = target.l1_bytes() / 2 / (s.m * op.output.dtype.bytes());
  const int64_t most =
      std::max(lanes, std::min(kPageBytes / op.stored[1].dtype.bytes(), sums));
  const int64_t parts = CeilDiv(s.n, most);
  const int64_t even = CeilDiv(parts * s.count, threads) * threads;
  const int64_t columns = CeilDiv(s.n, std::max(parts, even / s.count));
  return std::max(lanes, CeilDiv(columns, lanes) * lanes);
}

}  // namespace

bool StreamedMatmulApplies(const OpInstance& op, const target::Target& target) {
  return IsPlain(op.inputs[1].encoding) && SizesOf(op).m <= kMostStreamedRows &&
         FloatLanes(target) > 1;
}

ConfigSpace StreamedMatmulSpace(const OpInstance& op,
                                const target::Target& target) {
  const int64_t lanes = FloatLanes(target);
  const int64_t columns = ColumnsOfTask(op, target, lanes);
  ConfigSpace space;
  std::vector<int64_t> nc;
  for (const int64_t parts : {8, 4, 2, 1}) {
    const int64_t part = CeilDiv(CeilDiv(columns, parts), lanes) * lanes;
    if (nc.empty() || part > nc.back()) nc.push_back(part);
  }
  space.DefineKnob("nc", nc);
  space.DefineKnob("ku", {1, 2, 4, 8, 16});
  return space;
}

Config DefaultStreamedMatmulConfig(const OpInstance& op,
                                   const target::Target& target) {
  return Config()
      .SetKnob("nc", ColumnsOfTask(op, target, FloatLanes(target)))
      .SetKnob("ku", 8);
}

void ScheduleStreamedMatmul(schedule::Schedule& s, const OpInstance& op,
                            const te::Tensor& matmul, const te::Tensor& output,
                            const target::Target& target,
                            const Config& config) {
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    return tensor.same_as(matmul);
  });
  const te::Tensor sums = AccumulateLocally(s, matmul, output);
  const int64_t lanes = FloatLanes(target);
  const int rank = output.ndim();

  schedule::Stage& out = s[output];
  const auto [nc, n] = out.Split(out.axis(rank - 1), config.Knob("nc"));
  const auto [no, lane] = out.Split(n, lanes);
  std::vector<Axis> tasks;
  for (int d = 0; d + 2 < rank; ++d) tasks.push_back(out.axis(d));
  tasks.push_back(nc);
  std::vector<Axis> order = tasks;
  order.insert(order.end(), {out.axis(rank - 2), no, lane});
  out.Reorder(order);
  out.Vectorize(lane);
  const Axis task = out.Fuse(tasks);
  if (IsWorthThreads(NumElements(op.stored[1].shape))) out.Parallel(task);

  schedule::Stage& sum = s[sums];
  sum.ComputeAt(out, task);
  const auto [ko, ki] = sum.Split(sum.reduce_axis(0), config.Knob("ku"));
  const auto [so, slane] = sum.Split(sum.axis(rank - 1), lanes);
  sum.Reorder({ko, so, ki, sum.axis(rank - 2), slane});
  sum.Unroll(ki).Unroll(sum.axis(rank - 2)).Vectorize(slane);
}

}  // namespace assay::ops
