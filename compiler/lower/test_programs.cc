#include "compiler/lower/test_programs.h"

namespace assay::lower {
namespace {

using expr::Expr;
using te::ReduceAxis;
using te::Tensor;
using Indices = std::vector<Expr>;

constexpr DType kFloat = DType::Float32();

}  // namespace

TestProgram Chain(int64_t n) {
  const Tensor a = te::Placeholder({n}, kFloat, "a");
  const Tensor b = te::Compute(
      {n}, "b", [&](const Indices& i) { return a(i) + 1; }, "", {"i"});
  const Tensor c = te::Compute(
      {n}, "c", [&](const Indices& i) { return b(i) * 2; }, "", {"i"});
  return {{a}, {c}};
}

TestProgram Blur(int64_t n) {
  const Tensor a = te::Placeholder({n + 2}, kFloat, "a");
  const Tensor b = te::Compute(
      {n + 2}, "b", [&](const Indices& i) { return a(i) * a(i); }, "", {"i"});
  const Tensor c = te::Compute(
      {n}, "c",
      [&](const Indices& i) { return b(i[0]) + b(i[0] + 1) + b(i[0] + 2); }, "",
      {"i"});
  return {{a}, {c}};
}

TestProgram Matmul(int64_t n, int64_t k, int64_t m) {
  const Tensor a = te::Placeholder({n, k}, kFloat, "a");
  const Tensor b = te::Placeholder({k, m}, kFloat, "b");
  const ReduceAxis r = te::MakeReduceAxis(k, "r");
  const Tensor c =
      te::Compute({n, m}, "c",
                  [&](const Indices& i) {
                    return te::Sum(a(i[0], r.var) * b(r.var, i[1]), {r});
                  },
                  "matmul", {"y", "x"});
  return {{a, b}, {c}};
}

TestProgram MaxOfAll(int64_t n, int64_t m) {
  const Tensor a = te::Placeholder({n, m}, kFloat, "a");
  const ReduceAxis y = te::MakeReduceAxis(n, "y");
  const ReduceAxis x = te::MakeReduceAxis(m, "x");
  const Tensor c = te::Compute({}, "c", [&](const Indices&) {
    return te::MaxOver(a(y.var, x.var), {y, x});
  });
  return {{a}, {c}};
}

TestProgram Convolution(const ConvolutionShape& s) {
  const int64_t padded = s.size + 2 * s.padding, b = s.block, k = s.kernel;
  const Shape out_shape = {s.batch, s.channels, s.OutputSize(), s.OutputSize(),
                           b};
  const std::vector<std::string> out_axes = {"n", "oc.o", "oh", "ow", "oc.i"};
  const Tensor data =
      te::Placeholder({s.batch, s.channels, s.size, s.size, b}, kFloat, "data");
  const Tensor weight =
      te::Placeholder({s.channels, s.channels, k, k, b, b}, kFloat, "weight");
  const Tensor bias = te::Placeholder({s.channels, b}, kFloat, "bias");
  const Tensor residual = te::Placeholder(out_shape, kFloat, "residual");
  const int p = static_cast<int>(s.padding), size = static_cast<int>(s.size);
  const int stride = static_cast<int>(s.stride);

  const Tensor pad = te::Compute(
      {s.batch, s.channels, padded, padded, b}, "pad",
      [&](const Indices& i) {
        return expr::SelectOf(
            i[2] >= p && i[2] < size + p && i[3] >= p && i[3] < size + p,
            data(i[0], i[1], i[2] - p, i[3] - p, i[4]), expr::Const(kFloat, 0));
      },
      "pad", {"n", "c", "h", "w", "ci"});
  const ReduceAxis ic_o = te::MakeReduceAxis(s.channels, "ic.o");
  const ReduceAxis kh = te::MakeReduceAxis(k, "kh");
  const ReduceAxis kw = te::MakeReduceAxis(k, "kw");
  const ReduceAxis ic_i = te::MakeReduceAxis(b, "ic.i");
  const Tensor conv = te::Compute(
      out_shape, "conv",
      [&](const Indices& i) {
        return te::Sum(
            pad(i[0], ic_o.var, i[2] * stride + kh.var, i[3] * stride + kw.var,
                ic_i.var) *
                weight(i[1], ic_o.var, kh.var, kw.var, ic_i.var, i[4]),
            {ic_o, kh, kw, ic_i});
      },
      "conv2d", out_axes);
  const Tensor biased = te::Compute(
      out_shape, "biased",
      [&](const Indices& i) { return conv(i) + bias(i[1], i[4]); }, "",
      out_axes);
  const Tensor out = te::Compute(
      out_shape, "out",
      [&](const Indices& i) {
        const Expr sum = s.residual ? biased(i) + residual(i) : biased(i);
        return expr::Max(sum, 0);
      },
      "", out_axes);
  TestProgram program{{data, weight, bias}, {out}};
  if (s.residual) program.inputs.push_back(residual);
  return program;
}

}  // namespace assay::lower
