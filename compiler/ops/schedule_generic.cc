#include "compiler/ops/schedule_generic.h"

#include <algorithm>
#include <vector>

#include "compiler/ops/inlining/inline_stages.h"

namespace assay::ops {
namespace {

using schedule::Axis;
using schedule::Schedule;
using schedule::Stage;

// Starting threads takes some microseconds, about as long as simple arithmetic
// on this many elements.
constexpr int64_t kParallelThreshold = 16384;

// The work of a stage: elements of the result times length of the reduction.
int64_t Work(const Stage& stage) {
  int64_t work = NumElements(stage.state().tensor().shape());
  for (const Axis& axis : stage.state().reduce_axes) work *= axis.extent;
  return work;
}

int64_t VectorLength(int64_t extent, int64_t lanes) {
  if (extent % lanes == 0) return extent <= 2 * lanes ? extent : lanes;
  int64_t power = 1;
  while (power * 2 <= lanes && extent % (power * 2) == 0) power *= 2;
  return power;
}

// [N, C, H, W] read from blocks of channels: the channels of a block are
// written row by row, so that the cache lines of a row, which hold all channels
// of the block, are still in the cache for the next channel.
void UnpackRows(Schedule& s, const te::Tensor& output, int64_t block,
                const target::Target& target) {
  Stage& stage = s[output];
  const auto [outer, channel] = stage.Split(stage.axis(1), block);
  const Axis row = stage.axis(2), column = stage.axis(3);
  stage.Reorder({stage.axis(0), outer, row, channel, column});
  const int64_t length = VectorLength(column.extent, FloatLanes(target));
  if (length > 1) {
    const auto [unused, vector] = stage.Split(column, length);
    stage.Vectorize(vector);
  }
  const Axis shared = stage.Fuse({stage.axis(0), outer, row});
  if (Work(stage) >= kParallelThreshold) stage.Parallel(shared);
}

}  // namespace

int64_t FloatLanes(const target::Target& target) {
  return std::max(1, target.vector_bits() / 32);
}

void ParallelizeRows(Schedule& s, const te::Tensor& tensor,
                     const target::Target& target) {
  Stage& stage = s[tensor];
  const int ndim = tensor.ndim();
  if (ndim == 0) return;
  // The resulting leaves: parallel rows, serial axes, reduction, vector.
  Axis inner = stage.axis(ndim - 1);
  std::vector<Axis> serial;
  const int64_t length = VectorLength(inner.extent, FloatLanes(target));
  if (length > 1 && length < inner.extent) {
    const auto [outer, vector] = stage.Split(inner, length);
    serial.push_back(outer);
    inner = vector;
  }
  // With three dimensions or more, the last but one is not fused, so that its
  // index needs no division.
  const int shared = ndim >= 3 ? ndim - 2 : ndim - 1;
  for (int d = ndim - 2; d >= shared; --d) {
    serial.insert(serial.begin(), stage.axis(d));
  }
  std::vector<Axis> outer;
  for (int d = 0; d < shared; ++d) outer.push_back(stage.axis(d));
  Axis rows;
  if (outer.size() >= 2) {
    rows = stage.Fuse(outer);
  } else if (outer.size() == 1) {
    rows = outer[0];
  } else if (!serial.empty()) {
    rows = serial[0];
    serial.erase(serial.begin());
  }
  std::vector<Axis> order;
  const bool has_rows = rows.extent > 0;
  if (has_rows) order.push_back(rows);
  order.insert(order.end(), serial.begin(), serial.end());
  for (const Axis& r : stage.state().reduce_axes) order.push_back(r);
  order.push_back(inner);
  stage.Reorder(order);
  if (length > 1) stage.Vectorize(inner);
  if (has_rows && Work(stage) >= kParallelThreshold) stage.Parallel(rows);
}

void ScheduleInjective(Schedule& s, const te::Tensor& output,
                       const target::Target& target) {
  int64_t block = 0;
  for (const te::Tensor& tensor : te::TopologicalOrder({output})) {
    if (tensor.is_placeholder()) continue;
    if (tensor->tag == "unpack") block = te::InputsOf(tensor)[0].shape().back();
  }
  const auto none_stays = [](const te::Tensor&) { return false; };
  for (const te::Tensor& stored : InlineStages(s, output, none_stays)) {
    ParallelizeRows(s, stored, target);
  }
  if (block > 1 && output.ndim() == 4) {
    return UnpackRows(s, output, block, target);
  }
  ParallelizeRows(s, output, target);
}

void ScheduleReduction(Schedule& s, const te::Tensor& output,
                       const target::Target& target) {
  const auto stays = [&](const te::Tensor& tensor) {
    return tensor->tag == "pad" || s[tensor].state().is_reduction();
  };
  std::vector<te::Tensor> rows = InlineStages(s, output, stays);
  for (const te::Tensor& tensor : te::TopologicalOrder({output})) {
    if (tensor.is_placeholder() || tensor->output > 0) continue;
    if (tensor.same_as(output) || stays(tensor)) rows.push_back(tensor);
  }
  for (const te::Tensor& tensor : rows) ParallelizeRows(s, tensor, target);
}

int64_t KernelWork(const Schedule& s) {
  int64_t work = 0;
  for (const Stage* stage : s.stages()) work += Work(*stage);
  return work;
}

bool IsWorthThreads(int64_t work) { return work >= kParallelThreshold; }

}  // namespace assay::ops
