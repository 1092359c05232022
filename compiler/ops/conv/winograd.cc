#include "compiler/ops/conv/winograd.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "absl/strings/str_format.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/graph/encoding/winograd.h"
#include "compiler/ops/conv/conv2d.h"
#include "compiler/ops/conv/pad.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/schedule_generic.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::Expr;
using expr::ReduceAxis;
using graph::Matrix;
using graph::WinogradMatrices;

// factor * x, or x if the factor is 1.
Expr Scaled(double factor, const Expr& x) {
  return factor == 1 ? x : expr::Const(x.dtype(), factor) * x;
}

// sum + factor * x; `sum` may be undefined.
Expr AddScaled(const Expr& sum, double factor, const Expr& x) {
  if (factor == 0) return sum;
  if (!sum.defined()) return Scaled(factor, x);
  return factor == -1 ? sum - x : sum + Scaled(factor, x);
}

// The product of one row of `matrix` with the vector `x`.
//
// Points come in pairs p, -p, so neighbouring rows of B, and neighbouring
// columns of A, have every other entry equal and the rest opposite. Each such
// pair is written with a shared sum and a shared difference, which halves the
// arithmetic once the code generator has merged equal expressions.
class RowProduct {
 public:
  RowProduct(const Matrix& matrix, std::function<Expr(int64_t)> x)
      : matrix_(matrix), x_(std::move(x)) {}

  Expr Row(int64_t row) const {
    if (matrix_.rows == matrix_.columns) return InputRow(row);
    return OutputRow(row);
  }

 private:
  // Rows 2k-1 and 2k form a pair: even columns are equal, odd ones opposite.
  Expr InputRow(int64_t row) const {
    if (row == 0 || row == matrix_.rows - 1) return Sum(row, 0, 1);
    const int64_t first = row % 2 == 1 ? row : row - 1;
    const Expr even = Sum(first, 0, 2), odd = Sum(first, 1, 2);
    return row == first ? even + odd : even - odd;
  }

  Expr Sum(int64_t row, int64_t from, int64_t step) const {
    Expr sum;
    for (int64_t c = matrix_.columns - 1; c >= 0; --c) {
      if (c % step == from % step) {
        sum = AddScaled(sum, matrix_.at(row, c), x_(c));
      }
    }
    return sum;
  }

  // Columns 2k-1 and 2k form a pair: equal in even rows, opposite in odd ones.
  Expr OutputRow(int64_t row) const {
    Expr sum;
    for (int64_t c = 1; c + 1 < matrix_.columns; c += 2) {
      const Expr pair = row % 2 == 0 ? x_(c) + x_(c + 1) : x_(c) - x_(c + 1);
      sum = AddScaled(sum, matrix_.at(row, c), pair);
    }
    for (int64_t c : {int64_t{0}, matrix_.columns - 1}) {
      sum = AddScaled(sum, matrix_.at(row, c), x_(c));
    }
    return sum;
  }

  const Matrix& matrix_;
  std::function<Expr(int64_t)> x_;
};

// Row `row` of the product of `matrix` with `x`. Schedules unroll the loop over
// `row`, so that one case remains.
Expr Transformed(const Matrix& matrix, const Expr& row,
                 const std::function<Expr(int64_t)>& x) {
  const RowProduct product(matrix, x);
  Expr result = product.Row(matrix.rows - 1);
  for (int64_t r = matrix.rows - 2; r >= 0; --r) {
    result = expr::SelectOf(expr::Eq(row, AsInt(r)), product.Row(r), result);
  }
  return result;
}

struct Tiling {
  int64_t m = 0, alpha = 0;
  int64_t rows = 0, columns = 0;  // tiles per image
  int64_t count = 0;              // tiles of all images
};

Tiling TilingOf(const WinogradMatrices& w, const Shape& output) {
  Tiling t;
  t.m = w.m;
  t.alpha = w.alpha;
  t.rows = CeilDiv(output[2], w.m);
  t.columns = CeilDiv(output[3], w.m);
  t.count = output[0] * t.rows * t.columns;
  return t;
}

te::Tensor PadTiles(const te::Tensor& data, const graph::Conv2dAttrs& attrs,
                    const Tiling& tiling) {
  PadWindow window;
  window.top = attrs.padding[0];
  window.left = attrs.padding[1];
  window.height = tiling.rows * tiling.m + 2;
  window.width = tiling.columns * tiling.m + 2;
  return Pad(data, window, expr::Const(data.dtype(), 0));
}

// B d B^T: the rows of every tile first, then the columns.
te::Tensor TransformInput(const te::Tensor& padded, const WinogradMatrices& w,
                          const Tiling& tiling) {
  const int64_t blocks = padded.shape()[1], block = padded.shape()[4];
  const int m = AsInt(tiling.m), tiles_w = AsInt(tiling.columns);
  const int tiles = AsInt(tiling.rows * tiling.columns);
  const te::Tensor rows = te::Compute(
      {w.alpha, w.alpha, blocks, tiling.count, block}, "rows",
      [&](const std::vector<Expr>& i) {
        const Expr n = i[3] / tiles, tile = i[3] % tiles;
        const Expr top = tile / tiles_w * m, left = tile % tiles_w * m;
        return Transformed(w.input, i[0], [&](int64_t r) {
          return padded(n, i[2], top + AsInt(r), left + i[1], i[4]);
        });
      },
      "winograd.rows", {"a", "c", "ic.o", "p", "ic.i"});
  return te::Compute(rows.shape(), "V",
                     [&](const std::vector<Expr>& i) {
                       return Transformed(w.input, i[1], [&](int64_t c) {
                         return rows(i[0], AsInt(c), i[2], i[3], i[4]);
                       });
                     },
                     "winograd.V", {"a", "b", "ic.o", "p", "ic.i"});
}

te::Tensor Products(const te::Tensor& v, const te::Tensor& weights) {
  const Shape& shape = v.shape();
  const ReduceAxis ic_o = te::MakeReduceAxis(shape[2], "ic.o");
  const ReduceAxis ic_i = te::MakeReduceAxis(shape[4], "ic.i");
  const int block = AsInt(shape[4]);
  return te::Compute(
      {shape[0], shape[1], weights.shape()[2], shape[3], weights.shape()[4]},
      "M",
      [&](const std::vector<Expr>& i) {
        const Expr pixel = v(i[0], i[1], ic_o.var, i[3], ic_i.var);
        const Expr weight =
            weights(i[0], i[1], i[2], ic_o.var * block + ic_i.var, i[4]);
        return te::Sum(pixel * weight, {ic_o, ic_i});
      },
      "winograd.M", {"a", "b", "oc.o", "p", "oc.i"});
}

// A M A^T: the rows of every tile first, then the columns of the pixels.
te::Tensor TransformOutput(const te::Tensor& products,
                           const WinogradMatrices& w, const Tiling& tiling,
                           const Shape& output) {
  const int block = AsInt(output[4]), wb = AsInt(products.shape()[4]);
  const te::Tensor columns = te::Compute(
      {w.m, w.alpha, output[1], tiling.count, output[4]}, "columns",
      [&](const std::vector<Expr>& i) {
        const Expr channel = i[2] * block + i[4];
        return Transformed(w.output, i[0], [&](int64_t a) {
          return products(AsInt(a), i[1], channel / wb, i[3], channel % wb);
        });
      },
      "winograd.columns", {"i", "b", "oc.o", "p", "oc.i"});
  const te::Tensor pixels =
      te::Compute({w.m, w.m, output[1], tiling.count, output[4]}, "pixels",
                  [&](const std::vector<Expr>& i) {
                    return Transformed(w.output, i[1], [&](int64_t b) {
                      return columns(i[0], AsInt(b), i[2], i[3], i[4]);
                    });
                  },
                  "winograd.pixels", {"i", "j", "oc.o", "p", "oc.i"});
  const int m = AsInt(w.m);
  return te::Compute(output, "conv2d",
                     [&](const std::vector<Expr>& i) {
                       const Expr tile =
                           (i[0] * AsInt(tiling.rows) + i[2] / m) *
                               AsInt(tiling.columns) +
                           i[3] / m;
                       return pixels(i[2] % m, i[3] % m, i[1], tile, i[4]);
                     },
                     "conv2d", {"n", "oc.o", "oh", "ow", "oc.i"});
}

}  // namespace

bool WinogradApplies(const OpInstance& op, const target::Target&) {
  return op.encoding<graph::WinogradFilters>(1) != nullptr;
}

std::vector<graph::Encoding> WinogradWeights(const OpInstance& op,
                                             const target::Target& target) {
  const auto& attrs = op.attrs_as<graph::Conv2dAttrs>();
  const Shape& w = op.inputs[1].shape;
  if (!IsBlockedFloatConv(op) || w[2] != 3 || w[3] != 3 ||
      attrs.strides != graph::Pair{1, 1} ||
      attrs.dilations != graph::Pair{1, 1}) {
    return {};
  }
  // Two vectors of output channels use each broadcast pixel twice.
  const int64_t out = BlockOf(op.output);
  const int64_t wide = std::max(2 * FloatLanes(target), out);
  std::vector<graph::Encoding> encodings;
  for (const int64_t m : graph::kWinogradTiles) {
    encodings.push_back(
        graph::WinogradFilters{m, w[0] % wide == 0 ? wide : out});
  }
  return encodings;
}

const Inexact kWinograd = {
    [](const OpInstance& op) {
      const int64_t m = op.encoding<graph::WinogradFilters>(1)->m;
      return absl::StrFormat("winograd F(%dx%d)", m, m);
    },
    [](const OpInstance& op) {
      const int64_t m = op.encoding<graph::WinogradFilters>(1)->m;
      return m == 2 ? 1e-5 : m == 4 ? 1e-4 : 1e-3;
    }};

te::Tensor WinogradConv2d(const OpInstance& op, const Operands& in,
                          const target::Target&, const Config&) {
  const auto& attrs = op.attrs_as<graph::Conv2dAttrs>();
  const Shape& output = op.stored_output.shape;
  const WinogradMatrices* w =
      graph::FindWinograd(op.encoding<graph::WinogradFilters>(1)->m);
  const Tiling tiling = TilingOf(*w, output);
  const te::Tensor padded = PadTiles(in[0], attrs, tiling);
  const te::Tensor v = TransformInput(padded, *w, tiling);
  return TransformOutput(Products(v, in[1]), *w, tiling, output);
}

}  // namespace assay::ops
