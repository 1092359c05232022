#include "suites/references/problem.h"

#include "runtime/base/random.h"
#include "suites/models/model_file.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {

NDArray UniformOperand(const Shape& shape, uint64_t seed,
                       absl::string_view name, DType dtype) {
  NDArray array(dtype, shape);
  // Use only seven bits of a byte: on processors without byte dot products,
  // libraries sum two products in 16 bits, which eight bits would overflow.
  const float high = dtype.is_float() ? 1.0f : 127.0f;
  Rng(SeedFor(seed, name))
      .FillUniform(array, dtype.is_uint() ? 0.0f : -high, high);
  return array;
}

std::string GemmModel(const GemmProblem& problem) {
  OnnxBuilder onnx("gemm", ExportStyle());
  const bool int8 = problem.int8;
  const std::string a = onnx.Input("a", {problem.m, problem.k},
                                   int8 ? DType::UInt(8) : DType::Float32());
  const std::string b = onnx.Input("b", {problem.k, problem.n},
                                   int8 ? DType::Int(8) : DType::Float32());
  const std::string out =
      onnx.AddNode(int8 ? "MatMulInteger" : "MatMul", "out", {a, b})->output(0);
  onnx.Output("out", out, {problem.m, problem.n},
              int8 ? DType::Int32() : DType::Float32());
  return SerializeModel(onnx.Build());
}

std::string ConvModel(const ConvProblem& problem,
                      const ConvOperands& operands) {
  OnnxBuilder onnx("conv", ExportStyle());
  const std::string data = onnx.Input("data", problem.data_shape());
  const std::string weights = onnx.Weight("weights", operands.weights);
  const std::string bias =
      problem.bias_relu ? onnx.Weight("bias", operands.bias) : "";
  const std::string sum =
      onnx.Conv("conv", data, weights, bias,
                {problem.kernel, problem.stride, problem.padding, /*extra=*/0,
                 problem.dilation},
                problem.groups);
  const std::string out = problem.bias_relu ? onnx.Relu("relu", sum) : sum;
  onnx.Output("out", out, problem.out_shape());
  return SerializeModel(onnx.Build());
}

}  // namespace assay::suites
