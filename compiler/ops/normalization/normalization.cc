#include "compiler/ops/normalization/normalization.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/reduction/row_reduce.h"

namespace assay::ops {
namespace {

using expr::CallOf;
using expr::Combiner;
using expr::Expr;
using expr::Intrinsic;

Expr Exp(const Expr& x) { return CallOf(Intrinsic::kExp, {x}); }

// The building blocks of softmax and log_softmax, for rows along any axis.
class SoftmaxRows {
 public:
  SoftmaxRows(const te::Tensor& x, int64_t axis, const Config& config)
      : x_(x), axis_(axis), config_(config) {
    shape_.rows = x.shape();
    shape_.rows.erase(shape_.rows.begin() + axis);
    shape_.length = x.shape()[axis];
  }

  bool is_last() const { return axis_ == x_.ndim() - 1; }
  const RowShape& shape() const { return shape_; }

  Expr At(const std::vector<Expr>& row, const Expr& k) const {
    std::vector<Expr> indices = row;
    indices.insert(indices.begin() + axis_, k);
    return x_(indices);
  }

  te::Tensor Reduce(const std::string& name, Combiner combiner,
                    const RowValue& value) const {
    if (is_last()) {
      return RowReduce(name, expr::ReducerOf(combiner, x_.dtype()), shape_,
                       value, config_);
    }
    const expr::ReduceAxis r = te::MakeReduceAxis(shape_.length, "k");
    return te::Compute(
        shape_.rows, name,
        [&](const std::vector<Expr>& row) {
          return expr::Reduce::Make(combiner, value(row, r.var), {r});
        },
        "reduction");
  }

  // Computes each result element from its row and its position in the row.
  te::Tensor Result(const std::string& name, const RowValue& value) const {
    return te::Compute(x_.shape(), name, [&](const std::vector<Expr>& i) {
      std::vector<Expr> row = i;
      row.erase(row.begin() + axis_);
      return value(row, i[axis_]);
    });
  }

 private:
  const te::Tensor& x_;
  const int64_t axis_;
  const Config& config_;
  RowShape shape_;
};

}  // namespace

te::Tensor Softmax(const te::Tensor& x, int64_t axis, const Config& config) {
  const SoftmaxRows rows(x, axis, config);
  const te::Tensor max = rows.Reduce(
      "max", Combiner::kMax,
      [&](const auto& row, const Expr& k) { return rows.At(row, k); });
  RowValue exp = [&](const std::vector<Expr>& row, const Expr& k) {
    return Exp(rows.At(row, k) - max(row));
  };
  te::Tensor stored;
  if (rows.is_last()) {
    stored = RowMap("exp", rows.shape(), exp);
    exp = [&](std::vector<Expr> row, const Expr& k) {
      row.push_back(k);
      return stored(row);
    };
  }
  const te::Tensor sum = rows.Reduce("sum", Combiner::kSum, exp);
  const te::Tensor inverse = RowScalar(
      "inverse", rows.shape().rows,
      [&](const auto& row) { return expr::Const(x.dtype(), 1) / sum(row); });
  return rows.Result("softmax", [&](const auto& row, const Expr& k) {
    return exp(row, k) * inverse(row);
  });
}

te::Tensor LogSoftmax(const te::Tensor& x, int64_t axis, const Config& config) {
  const SoftmaxRows rows(x, axis, config);
  const te::Tensor max = rows.Reduce(
      "max", Combiner::kMax,
      [&](const auto& row, const Expr& k) { return rows.At(row, k); });
  const te::Tensor sum =
      rows.Reduce("sum", Combiner::kSum, [&](const auto& row, const Expr& k) {
        return Exp(rows.At(row, k) - max(row));
      });
  const te::Tensor log_sum = RowScalar(
      "log_sum", rows.shape().rows,
      [&](const auto& row) { return CallOf(Intrinsic::kLog, {sum(row)}); });
  // The logarithm would be lost in a sum with a large maximum.
  return rows.Result("log_softmax", [&](const auto& row, const Expr& k) {
    return (rows.At(row, k) - max(row)) - log_sum(row);
  });
}

te::Tensor LayerNorm(const te::Tensor& x, const te::Tensor& scale,
                     const te::Tensor& bias, int64_t axis, float epsilon,
                     const Config& config) {
  const Shape& shape = x.shape();
  RowShape rows;
  rows.rows.assign(shape.begin(), shape.begin() + axis);
  for (size_t d = axis; d < shape.size(); ++d) rows.length *= shape[d];
  const auto at = [&](const std::vector<Expr>& row, const Expr& k) {
    std::vector<Expr> indices = row;
    int64_t stride = rows.length;
    for (size_t d = axis; d < shape.size(); ++d) {
      Expr index = k;
      if (stride != rows.length) index = index % AsInt(stride);
      stride /= shape[d];
      if (stride != 1) index = index / AsInt(stride);
      indices.push_back(shape[d] == 1 ? Expr(0) : index);
    }
    return x(indices);
  };
  const auto c = [&](double value) { return expr::Const(x.dtype(), value); };
  const auto count = static_cast<double>(rows.length);
  const expr::Reducer total = expr::ReducerOf(Combiner::kSum, x.dtype());
  const te::Tensor sum = RowReduce("sum", total, rows, at, config);
  const te::Tensor mean = RowScalar("mean", rows.rows, [&](const auto& row) {
    return sum(row) * c(1 / count);
  });
  const te::Tensor squares = RowReduce(
      "squares", total, rows,
      [&](const auto& row, const Expr& k) {
        const Expr centred = at(row, k) - mean(row);
        return centred * centred;
      },
      config);
  const te::Tensor inverse =
      RowScalar("inverse", rows.rows, [&](const auto& row) {
        return c(1) / CallOf(Intrinsic::kSqrt,
                             {squares(row) * c(1 / count) + c(epsilon)});
      });
  return te::Compute(shape, "layer_norm", [&](const std::vector<Expr>& i) {
    const std::vector<Expr> row(i.begin(), i.begin() + axis);
    const std::vector<Expr> column(i.begin() + axis, i.end());
    return (x(i) - mean(row)) * inverse(row) * scale(column) + bias(column);
  });
}

}  // namespace assay::ops
