#include "compiler/ops/reduction/row_reduce.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"
#include "compiler/ops/inlining/inline_stages.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/schedule_generic.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::Expr;
using schedule::Axis;
using schedule::Stage;

constexpr char kPartial[] = "row.partial";
constexpr char kFold[] = "row.fold";
constexpr char kFinal[] = "row.final";
constexpr char kMap[] = "row.map";

// Size limit for keeping a row between two stages on the stack of its thread; a
// longer row is stored in the workspace.
constexpr int64_t kMostLocalBytes = 64 << 10;

std::vector<Expr> Appended(std::vector<Expr> row, Expr k) {
  row.push_back(std::move(k));
  return row;
}

// Returns `i` without its last index.
std::vector<Expr> RowOf(const std::vector<Expr>& i) {
  return {i.begin(), i.end() - 1};
}

Shape WithLast(Shape rows, int64_t extent) {
  rows.push_back(extent);
  return rows;
}

Expr Reduction(const expr::Reducer& reducer, Expr value,
               const expr::ReduceAxis& axis) {
  return expr::Reduce::Make(reducer, {std::move(value)}, {axis});
}

// partial[row, l] combines every lanes-th element, starting at element l.
te::Tensor Partial(const std::string& name, const expr::Reducer& reducer,
                   const RowShape& shape, const RowValue& value,
                   int64_t lanes) {
  const expr::ReduceAxis r = te::MakeReduceAxis(shape.length / lanes, "k.o");
  return te::Compute(
      WithLast(shape.rows, lanes), name + ".partial",
      [&](const std::vector<Expr>& i) {
        const Expr k = r.var * AsInt(lanes) + i.back();
        return Reduction(reducer, value(RowOf(i), k), r);
      },
      kPartial);
}

// Combines several registers of partial results into one.
te::Tensor Fold(const std::string& name, const expr::Reducer& reducer,
                const te::Tensor& partial, int64_t vector) {
  const int64_t lanes = partial.shape().back();
  Shape shape = partial.shape();
  shape.back() = vector;
  return te::Compute(
      shape, name + ".fold",
      [&](const std::vector<Expr>& i) {
        Expr sum = partial(i);
        for (int64_t l = vector; l < lanes; l += vector) {
          const Expr next = partial(Appended(RowOf(i), i.back() + AsInt(l)));
          sum = expr::Combine(reducer, {sum}, {next})[0];
        }
        return sum;
      },
      kFold);
}

bool IsLongRow(const te::Tensor& tensor) {
  if (tensor->tag != kMap) return false;
  return tensor.shape().back() * tensor.dtype().bytes() > kMostLocalBytes;
}

// Vectorizes `axis`. If `lanes` does not divide the extent, some elements are
// computed twice; an axis shorter than `lanes` becomes one shorter vector.
void VectorizeAlong(Stage& stage, const Axis& axis, int64_t lanes) {
  if (axis.extent <= 1) return;
  if (axis.extent <= lanes) {
    stage.Vectorize(axis);
    return;
  }
  const auto [outer, inner] =
      stage.Split(axis, lanes, schedule::Tail::kShiftInwards);
  stage.Vectorize(inner);
}

}  // namespace

te::Tensor RowReduce(const std::string& name, const expr::Reducer& reducer,
                     const RowShape& shape, const RowValue& value,
                     const Config& config) {
  const int64_t lanes = config.Knob("lanes");
  const int64_t vector = config.Knob("vector");
  if (lanes == 1) {
    const expr::ReduceAxis r = te::MakeReduceAxis(shape.length, "k");
    return te::Compute(
        shape.rows, name,
        [&](const std::vector<Expr>& row) {
          return Reduction(reducer, value(row, r.var), r);
        },
        kFinal);
  }
  CHECK_EQ(lanes % vector, 0);
  te::Tensor partial = Partial(name, reducer, shape, value, lanes);
  if (lanes > vector) partial = Fold(name, reducer, partial, vector);
  // Combine the lanes of the register, then the remaining elements of the row.
  const int64_t done = shape.length / lanes * lanes;
  const int64_t rest = shape.length - done;
  const expr::ReduceAxis r = te::MakeReduceAxis(vector + rest, "k.i");
  return te::Compute(
      shape.rows, name,
      [&](const std::vector<Expr>& row) {
        if (rest == 0) {
          return Reduction(reducer, partial(Appended(row, r.var)), r);
        }
        // The indices of both arms are in bounds, whichever arm is taken.
        const Expr lane = expr::Min(r.var, AsInt(vector - 1));
        const Expr k = expr::Max(r.var - AsInt(vector), 0) + AsInt(done);
        return Reduction(
            reducer,
            expr::SelectOf(r.var < AsInt(vector), partial(Appended(row, lane)),
                           value(row, k)),
            r);
      },
      kFinal);
}

te::Tensor RowMap(const std::string& name, const RowShape& shape,
                  const RowValue& value) {
  return te::Compute(
      WithLast(shape.rows, shape.length), name,
      [&](const std::vector<Expr>& i) { return value(RowOf(i), i.back()); },
      kMap);
}

te::Tensor RowScalar(
    const std::string& name, const Shape& rows,
    const std::function<Expr(const std::vector<Expr>& row)>& value) {
  return te::Compute(
      rows, name, [&](const std::vector<Expr>& i) { return value(i); }, kFinal);
}

ConfigSpace RowSpace(int64_t length, const target::Target& target) {
  const int64_t vector = FloatLanes(target);
  std::vector<int64_t> lanes = {1};
  for (int64_t registers : {1, 2, 4}) {
    const int64_t n = registers * vector;
    if (n > 1 && n <= length) lanes.push_back(n);
  }
  ConfigSpace space;
  space.DefineKnob("lanes", lanes);
  space.DefineKnob("vector", {vector});
  return space;
}

Config DefaultRowConfig(int64_t length, const target::Target& target) {
  const int64_t vector = FloatLanes(target);
  int64_t lanes = 1;
  for (int64_t registers : {1, 2, 4}) {
    if (length >= 2 * registers * vector) lanes = registers * vector;
  }
  if (lanes == 1 && vector > 1 && length >= vector) lanes = vector;
  return Config().SetKnob("lanes", lanes).SetKnob("vector", vector);
}

void ScheduleRows(schedule::Schedule& s, const te::Tensor& output, int row_axes,
                  const target::Target& target) {
  const int64_t lanes = FloatLanes(target);
  Stage& out = s[output];
  std::vector<Axis> row_list, body;
  for (int d = 0; d < output.ndim(); ++d) {
    (d < row_axes ? row_list : body).push_back(out.axis(d));
  }
  Axis rows;
  if (!row_list.empty()) {
    rows = row_list.size() == 1 ? row_list[0] : out.Fuse(row_list);
    if (rows.extent > 1 && IsWorthThreads(KernelWork(s))) out.Parallel(rows);
  }
  if (!body.empty()) VectorizeAlong(out, body.back(), lanes);
  const auto is_row = [](const te::Tensor& tensor) {
    return absl::StartsWith(tensor->tag, "row.");
  };
  for (const te::Tensor& stored : InlineStages(s, output, is_row)) {
    ParallelizeRows(s, stored, target);
  }
  // Visit consumers first: a stage is computed where all its consumers are.
  std::vector<te::Tensor> tensors = te::TopologicalOrder({output});
  std::reverse(tensors.begin(), tensors.end());
  for (const te::Tensor& tensor : tensors) {
    if (!is_row(tensor) || tensor.same_as(output)) continue;
    const std::string& tag = tensor->tag;
    Stage& stage = s[tensor];
    if (!row_list.empty()) {
      stage.ComputeAt(out, rows);
      if (!IsLongRow(tensor)) stage.SetScope(expr::Scope::kLocal);
    }
    if (tag == kFinal) continue;
    const Axis last = stage.axis(tensor.ndim() - 1);
    if (tag == kPartial) {
      const auto [registers, vector] = stage.Split(last, lanes);
      stage.Reorder({stage.reduce_axis(0), registers, vector});
      stage.Unroll(registers).Vectorize(vector);
    } else {
      VectorizeAlong(stage, last, lanes);
    }
  }
}

}  // namespace assay::ops
