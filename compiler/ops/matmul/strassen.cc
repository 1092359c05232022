#include "compiler/ops/matmul/strassen.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/ops/cost_model.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/matmul/block_sizes.h"
#include "compiler/ops/matmul/blocked_products.h"
#include "compiler/ops/matmul/packing.h"
#include "compiler/ops/schedule_generic.h"
#include "compiler/ops/stages.h"

namespace assay::ops {
namespace {

using expr::Expr;
using schedule::Axis;

constexpr int kProducts = 7;

// Seconds to start all threads and to wait for the last one, twice.
constexpr double kStartSeconds = 8e-6;
// The number of columns that pays for packing the whole first operand again.
constexpr int64_t kOwnColumns = 128;

// A quarter of a matrix: its row and column of quarters.
struct Quarter {
  int row, column;
};

// A factor of one of the seven products: first + sign * second. If there is no
// second quarter, sign is 0 and second is first.
struct Factor {
  Quarter first, second;
  int sign;
};

constexpr Factor kLeft[kProducts] = {{{0, 0}, {1, 1}, 1}, {{1, 0}, {1, 1}, 1},
                                     {{0, 0}, {0, 0}, 0}, {{1, 1}, {1, 1}, 0},
                                     {{0, 0}, {0, 1}, 1}, {{1, 0}, {0, 0}, -1},
                                     {{0, 1}, {1, 1}, -1}};
constexpr Factor kRight[kProducts] = {
    {{0, 0}, {1, 1}, 1},  {{0, 0}, {0, 0}, 0}, {{0, 1}, {1, 1}, -1},
    {{1, 0}, {0, 0}, -1}, {{1, 1}, {1, 1}, 0}, {{0, 0}, {0, 1}, 1},
    {{1, 0}, {1, 1}, 1}};

// The value of `of` for factor number `product`, as a chain of selects.
template <typename Of>
Expr Pick(const Factor (&factors)[kProducts], const Expr& product, DType type,
          const Of& of) {
  Expr result = expr::Const(type, of(factors[kProducts - 1]));
  for (int p = kProducts - 2; p >= 0; --p) {
    result =
        expr::SelectOf(product <= p, expr::Const(type, of(factors[p])), result);
  }
  return result;
}

MatrixStack FactorsOf(const te::Tensor& x, const Factor (&factors)[kProducts]) {
  const int64_t rows = x.shape()[0] / 2, columns = x.shape()[1] / 2;
  const auto at = [=, &factors](const Expr& product, const Expr& row,
                                const Expr& column) {
    const auto value = [&](Quarter Factor::* quarter) {
      const auto pick = [&](int Quarter::* side) {
        return Pick(factors, product, DType::Int32(),
                    [&](const Factor& f) { return f.*quarter.*side; });
      };
      return x(pick(&Quarter::row) * AsInt(rows) + row,
               pick(&Quarter::column) * AsInt(columns) + column);
    };
    const Expr sign = Pick(factors, product, x.dtype(),
                           [](const Factor& f) { return f.sign; });
    return value(&Factor::first) + sign * value(&Factor::second);
  };
  return {kProducts, rows, columns, at};
}

MatmulSizes QuarterSizes(const OpInstance& op) {
  const MatmulSizes s = SizesOf(op);
  return {s.m / 2, s.n / 2, s.k / 2};
}

}  // namespace

bool StrassenApplies(const OpInstance& op, const target::Target& target) {
  if (!IsMatrixProduct(op) || !IsPlain(op.inputs[1].encoding) ||
      op.output.dtype != DType::Float32() ||
      op.stored[0].dtype != op.output.dtype ||
      op.stored[1].dtype != op.output.dtype) {
    return false;
  }
  const MatmulSizes s = SizesOf(op);
  MatmulSizes products = QuarterSizes(op);
  products.count = kProducts;
  return s.m % 2 == 0 && s.k % 2 == 0 && s.n % (2 * FloatLanes(target)) == 0 &&
         s.m >= 2 * kMinRows && s.k >= 2 * kMinSteps &&
         TilesFitIndices(products, DefaultStrassenConfig(op, target));
}

ConfigSpace StrassenSpace(const OpInstance& op, const target::Target& target) {
  return BlockSpace(QuarterSizes(op), target, DefaultStrassenConfig(op, target),
                    /*depth=*/1);
}

Config DefaultStrassenConfig(const OpInstance& op,
                             const target::Target& target) {
  const MatmulSizes s = QuarterSizes(op);
  Config config = DefaultBlocks(s, target, op.output.dtype.bytes(),
                                /*depth=*/1);
  const int64_t cores = target.num_cores(), nr = config.Knob("nr");
  if (cores < 2) return config;
  // Threads with their own columns wait for each other once, and not after each
  // product.
  const int64_t own = CeilDiv(CeilDiv(s.n, nr), cores);
  if (own * nr >= kOwnColumns && (own * cores - 1) * nr < s.n) {
    config.SetKnob("nc", own).SetKnob("parallel", kOverColumns);
  }
  return config;
}

double StrassenSeconds(const OpInstance& op, const target::Target& target,
                       const Config& config) {
  const MatmulSizes s = QuarterSizes(op);
  // Additional traffic compared with the definition: both operands are read
  // twice more, and seven quarters of a result are written and read.
  const int64_t more = 8 * (s.m * s.k + s.k * s.n) + 14 * s.m * s.n;
  const int64_t bytes = more * op.output.dtype.bytes();
  const bool waits =
      target.num_cores() != 1 && config.Knob("parallel") != kOverColumns;
  return RooflineSeconds(op, target, kBlockedPercent / 100.0) * kProducts / 8 +
         static_cast<double>(bytes) / Bandwidth(target, Bytes(op)) +
         (waits ? kProducts * kStartSeconds : 0);
}

const Inexact kStrassen = {
    [](const OpInstance&) -> std::string { return "strassen"; },
    [](const OpInstance&) { return 1e-5; }};

te::Tensor StrassenMatmul(const OpInstance& op, const Operands& in,
                          const target::Target&, const Config& config) {
  const MatmulSizes s = QuarterSizes(op);
  const te::Tensor m = BlockedProducts(
      {kProducts, s.m, s.n}, op.output.dtype, FactorsOf(in[0], kLeft),
      FactorsOf(in[1], kRight), config, "matmul.products");
  return te::Compute(
      op.stored_output.shape, "matmul",
      [&](const std::vector<Expr>& i) {
        const Expr row = i[0] % AsInt(s.m), column = i[1] % AsInt(s.n);
        const auto p = [&](int number) { return m(number - 1, row, column); };
        const Expr left = i[1] < AsInt(s.n);
        return expr::SelectOf(
            i[0] < AsInt(s.m),
            expr::SelectOf(left, p(1) + p(4) - p(5) + p(7), p(3) + p(5)),
            expr::SelectOf(left, p(2) + p(4), p(1) - p(2) + p(3) + p(6)));
      },
      "matmul", {"m", "n"});
}

void ScheduleStrassen(schedule::Schedule& s, const OpInstance& op,
                      const te::Tensor&, const te::Tensor& output,
                      const target::Target& target, const Config& config) {
  InlineOthers(s, output, target, [&](const te::Tensor& tensor) {
    return absl::StartsWith(tensor->tag, "matmul.");
  });
  ScheduleBlockedProducts(s, FindTagged(output, "matmul.products"), target,
                          config);
  // The four quarters of the result are computed together, so that each product
  // is read once.
  const MatmulSizes sizes = QuarterSizes(op);
  schedule::Stage& result = s[output];
  const auto [top, row] = result.Split(result.axis(0), sizes.m);
  const auto [left, columns] = result.Split(result.axis(1), sizes.n);
  const auto [column, lanes] = result.Split(columns, FloatLanes(target));
  result.Reorder({row, column, top, left, lanes});
  result.Parallel(row).Unroll(top).Unroll(left).Vectorize(lanes);
}

}  // namespace assay::ops
