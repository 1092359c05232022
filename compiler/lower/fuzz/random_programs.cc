#include "compiler/lower/fuzz/random_programs.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/te/reducers.h"

namespace assay::lower {

using expr::Expr;
using te::Tensor;
using Indices = std::vector<Expr>;

Expr Clamp(const Expr& x) { return expr::Max(expr::Min(x, 4), -4); }

namespace {

class ProgramMaker {
 public:
  explicit ProgramMaker(Rng& rng) : rng_(rng) {}

  RandomProgram Make() {
    RandomProgram program;
    for (int i = 0; i < 2; ++i) {
      program.inputs.push_back(te::Placeholder(
          {Pick(1, 9), Pick(1, 9)}, DType::Float32(), absl::StrCat("in", i)));
      tensors_.push_back(program.inputs.back());
    }
    const int64_t stages = Pick(2, 5);
    for (int64_t i = 0; i < stages; ++i) {
      const Tensor stage = NewStage(absl::StrCat("t", i));
      tensors_.push_back(stage);
    }
    program.outputs.push_back(tensors_.back());
    const Tensor& other = tensors_[tensors_.size() - 2];
    if (Pick(0, 3) == 0 && !other.is_placeholder()) {
      program.outputs.push_back(other);
    }
    return program;
  }

 private:
  int64_t Pick(int64_t lo, int64_t hi) { return rng_.UniformInt(lo, hi); }
  int PickInt(int64_t lo, int64_t hi) { return static_cast<int>(Pick(lo, hi)); }
  const Tensor& PickTensor() {
    // Prefers recent tensors, so that chains become deep.
    const int64_t last = static_cast<int64_t>(tensors_.size()) - 1;
    return tensors_[std::max(Pick(0, last), Pick(0, last))];
  }

  Tensor NewStage(const std::string& name) {
    const Tensor x = PickTensor();
    switch (Pick(0, 10)) {
      case 0:
        return Elementwise(name, x);
      case 1:
        return Pad(name, x);
      case 2:
        return Transpose(name, x);
      case 3:
        return Matmul(name, x, PickTensor());
      case 4:
        return Window(name, x);
      case 5:
        return Stencil(name, x);
      case 6:
        return Twins(name, x);
      case 7:
        return ArgOfRows(name, x);
      case 8:
        return ComplexProduct(name, x, PickTensor());
      case 9:
        return Composition(name, x, PickTensor());
      default:
        return Reshape(name, x);
    }
  }

  // x combined with another tensor of the same shape, if there is one.
  Tensor Elementwise(const std::string& name, const Tensor& x) {
    const Tensor y = PickTensor();
    return te::Compute(x.shape(), name, [&](const Indices& i) {
      if (y.shape() != x.shape()) return Clamp(x(i)) + 1;
      return Clamp(x(i)) - Clamp(y(i));
    });
  }

  Tensor Pad(const std::string& name, const Tensor& x) {
    const int before = PickInt(0, 2), after = PickInt(0, 2);
    const int n = static_cast<int>(x.shape()[0]);
    const int m = static_cast<int>(x.shape()[1]);
    return te::Compute({n + before, m + after}, name, [&](const Indices& i) {
      return expr::SelectOf(i[0] >= before && i[1] < m,
                            Clamp(x(i[0] - before, i[1])),
                            expr::Const(DType::Float32(), 3));
    });
  }

  Tensor Transpose(const std::string& name, const Tensor& x) {
    return te::Compute({x.shape()[1], x.shape()[0]}, name,
                       [&](const Indices& i) { return Clamp(x(i[1], i[0])); });
  }

  Tensor Matmul(const std::string& name, const Tensor& a, const Tensor& b) {
    const int64_t k = std::min(a.shape()[1], b.shape()[0]);
    const te::ReduceAxis r = te::MakeReduceAxis(k, "r");
    return te::Compute(
        {a.shape()[0], b.shape()[1]}, name, [&](const Indices& i) {
          return te::Sum(Clamp(a(i[0], r.var)) * Clamp(b(r.var, i[1])), {r});
        });
  }

  // A strided window of the first dimension, reduced.
  Tensor Window(const std::string& name, const Tensor& x) {
    const int64_t window = Pick(1, std::min<int64_t>(3, x.shape()[0]));
    const int stride = PickInt(1, 2);
    const bool max = Pick(0, 1) == 0;
    const te::ReduceAxis r = te::MakeReduceAxis(window, "r");
    const te::ReduceAxis q = te::MakeReduceAxis(x.shape()[1], "q");
    return te::Compute(
        {(x.shape()[0] - window) / stride + 1, 3}, name, [&](const Indices& i) {
          const Expr value = Clamp(x(i[0] * stride + r.var, q.var));
          return max ? te::MaxOver(value, {r, q}) : te::Sum(value, {q, r});
        });
  }

  Tensor Stencil(const std::string& name, const Tensor& x) {
    const int64_t taps = std::min<int64_t>(3, x.shape()[1]);
    return te::Compute({x.shape()[0], x.shape()[1] - taps + 1}, name,
                       [&](const Indices& i) {
                         Expr sum = Clamp(x(i));
                         for (int k = 1; k < taps; ++k)
                           sum = sum + Clamp(x(i[0], i[1] + k));
                         return sum;
                       });
  }

  // A reshape, whose indices use division and remainder.
  Tensor Reshape(const std::string& name, const Tensor& x) {
    const int m = static_cast<int>(x.shape()[1]);
    const int64_t n = x.shape()[0];
    if (Pick(0, 1) == 0) {
      return te::Compute({n * m, 1}, name, [&](const Indices& i) {
        return Clamp(x(i[0] / m, i[0] % m));
      });
    }
    return te::Compute({m, n}, name, [&](const Indices& i) {
      const Expr flat = i[0] * static_cast<int>(n) + i[1];
      return Clamp(x(flat / m, flat % m));
    });
  }

  // Two outputs; both may be read.
  Tensor Twins(const std::string& name, const Tensor& x) {
    const std::vector<Tensor> twins =
        te::ComputeTuple(x.shape(), name, [&](const Indices& i) {
          return Indices{Clamp(x(i)) + 1, 0 - Clamp(x(i))};
        });
    return OneOf(twins);
  }

  // The index or the value of the largest or smallest element of each row;
  // there are few distinct values, so that ties occur.
  Tensor ArgOfRows(const std::string& name, const Tensor& x) {
    const te::ReduceAxis r = te::MakeReduceAxis(x.shape()[1], "r");
    const bool last = Pick(0, 1) == 0;
    const expr::Reducer reducer = Pick(0, 1) == 0 ? te::ArgMax(x.dtype(), last)
                                                  : te::ArgMin(x.dtype(), last);
    const std::vector<Tensor> best =
        te::ComputeTuple({x.shape()[0], 2}, name, [&](const Indices& i) {
          const Expr value = expr::Max(Clamp(x(i[0], r.var)),
                                       expr::Cast::Make(x.dtype(), i[1]));
          return te::ReduceTuple(reducer, {r.var, value}, {r});
        });
    if (Pick(0, 2) == 0) return best[1];
    return te::Compute(best[0].shape(), name + ".where", [&](const Indices& i) {
      return expr::Cast::Make(x.dtype(), best[0](i));
    });
  }

  // Product of the complex numbers a + b i of each row; each result needs both
  // old values.
  Tensor ComplexProduct(const std::string& name, const Tensor& a,
                        const Tensor& b) {
    const DType type = DType::Float32();
    const expr::Reducer product = expr::MakeReducer(
        "complex_product", {expr::Const(type, 1), expr::Const(type, 0)},
        [&](const Indices& x, const Indices& y) {
          // Adding 0 makes zeros positive in any order.
          const Expr zero = expr::Const(type, 0);
          return Indices{x[0] * y[0] - x[1] * y[1] + zero,
                         x[0] * y[1] + x[1] * y[0] + zero};
        },
        /*reorderable=*/true);
    return RowsReduced(name, product, a, b);
  }

  // Composition of the functions x -> a x + b of each row, which is not
  // commutative.
  Tensor Composition(const std::string& name, const Tensor& a,
                     const Tensor& b) {
    const DType type = DType::Float32();
    const expr::Reducer composition = expr::MakeReducer(
        "composition", {expr::Const(type, 1), expr::Const(type, 0)},
        [&](const Indices& x, const Indices& y) {
          const Expr zero = expr::Const(type, 0);
          return Indices{x[0] * y[0] + zero, x[0] * y[1] + x[1] + zero};
        },
        /*reorderable=*/false);
    return RowsReduced(name, composition, a, b);
  }

  // Limits the number of columns, so that products are exact integers.
  Tensor RowsReduced(const std::string& name, const expr::Reducer& reducer,
                     const Tensor& a, const Tensor& b) {
    const int64_t rows = std::min(a.shape()[0], b.shape()[0]);
    const int64_t columns = std::min(a.shape()[1], b.shape()[1]);
    const te::ReduceAxis r =
        te::MakeReduceAxis(std::min<int64_t>(columns, 3), "r");
    const te::ReduceAxis q =
        te::MakeReduceAxis(std::min<int64_t>(rows, 2), "q");
    return OneOf(te::ComputeTuple({rows, 2}, name, [&](const Indices& i) {
      const Expr row = expr::Min(i[0] + q.var, static_cast<int>(rows - 1));
      return te::ReduceTuple(
          reducer, {Clamp(a(row, r.var)), Clamp(b(row, r.var))}, {q, r});
    }));
  }

  const Tensor& OneOf(const std::vector<Tensor>& outputs) {
    const int64_t chosen = Pick(0, static_cast<int64_t>(outputs.size()) - 1);
    for (const Tensor& tensor : outputs) {
      if (!tensor.same_as(outputs[chosen]) && Pick(0, 1) == 0) {
        tensors_.push_back(tensor);
      }
    }
    return outputs[chosen];
  }

  Rng& rng_;
  std::vector<Tensor> tensors_;
};

}  // namespace

RandomProgram MakeRandomProgram(Rng& rng) { return ProgramMaker(rng).Make(); }

}  // namespace assay::lower
