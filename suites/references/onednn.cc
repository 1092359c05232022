#include "suites/references/onednn.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "suites/references/onednn_library.h"
#include "suites/references/onednn_primitive.h"

namespace assay::suites {
namespace {

// Describes a product of matrices in the plain layout.
absl::StatusOr<dnnl::PrimitiveDesc*> DescribeGemm(const OneDnnLibrary& library,
                                                  const GemmProblem& problem) {
  const auto plain = [&](DType if_int8, int64_t rows, int64_t columns) {
    return PlainDesc(library, problem.int8 ? if_int8 : DType::Float32(),
                     {rows, columns});
  };
  ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc a,
                         plain(DType::UInt(8), problem.m, problem.k));
  ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc b,
                         plain(DType::Int(8), problem.k, problem.n));
  ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc c,
                         plain(DType::Int32(), problem.m, problem.n));
  dnnl::PrimitiveDesc* desc = nullptr;
  ASSAY_RETURN_IF_ONEDNN_ERROR(library.matmul_primitive_desc_create(
      &desc, library.engine, a.get(), b.get(), /*bias=*/nullptr, c.get(),
      /*attributes=*/nullptr));
  return desc;
}

// Several groups are a separate axis.
Shape WeightShape(const ConvProblem& problem) {
  Shape shape = problem.weight_shape();
  if (problem.groups > 1) {
    shape[0] /= problem.groups;
    shape.insert(shape.begin(), problem.groups);
  }
  return shape;
}

// Describes a convolution for which the library chooses all layouts.
absl::StatusOr<dnnl::PrimitiveDesc*> DescribeConvWith(
    const OneDnnLibrary& library, const ConvProblem& problem,
    const dnnl::Attributes* attributes) {
  const DType type = DType::Float32();
  ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc data,
                         AnyDesc(library, type, problem.data_shape()));
  ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc weights,
                         AnyDesc(library, type, WeightShape(problem)));
  ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc bias,
                         PlainDesc(library, type, {problem.out_channels}));
  ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc out,
                         AnyDesc(library, type, problem.out_shape()));
  const Shape strides = {problem.stride, problem.stride};
  // oneDNN's dilation of 0 is a dense window.
  const Shape dilations = {problem.dilation - 1, problem.dilation - 1};
  const Shape padding = {problem.padding, problem.padding};
  dnnl::PrimitiveDesc* desc = nullptr;
  ASSAY_RETURN_IF_ONEDNN_ERROR(
      library.convolution_forward_primitive_desc_create(
          &desc, library.engine, dnnl::kForwardInference,
          dnnl::kConvolutionAuto, data.get(), weights.get(),
          problem.bias_relu ? bias.get() : nullptr, out.get(), strides.data(),
          dilations.data(), padding.data(), padding.data(), attributes));
  return desc;
}

absl::StatusOr<dnnl::PrimitiveDesc*> DescribeConv(const OneDnnLibrary& library,
                                                  const ConvProblem& problem) {
  if (!problem.bias_relu) return DescribeConvWith(library, problem, nullptr);
  dnnl::PostOps* new_post_ops = nullptr;
  ASSAY_RETURN_IF_ONEDNN_ERROR(library.post_ops_create(&new_post_ops));
  const std::unique_ptr<dnnl::PostOps, int (*)(dnnl::PostOps*)> post_ops(
      new_post_ops, library.post_ops_destroy);
  ASSAY_RETURN_IF_ONEDNN_ERROR(library.post_ops_append_eltwise(
      new_post_ops, dnnl::kRelu, /*alpha=*/0.0f, /*beta=*/0.0f));
  dnnl::Attributes* new_attributes = nullptr;
  ASSAY_RETURN_IF_ONEDNN_ERROR(library.primitive_attr_create(&new_attributes));
  const std::unique_ptr<dnnl::Attributes, int (*)(dnnl::Attributes*)>
      attributes(new_attributes, library.primitive_attr_destroy);
  ASSAY_RETURN_IF_ONEDNN_ERROR(
      library.primitive_attr_set_post_ops(new_attributes, new_post_ops));
  return DescribeConvWith(library, problem, new_attributes);
}

class OneDnn : public Reference {
 public:
  explicit OneDnn(const OneDnnLibrary& library) : library_(library) {}

  std::string name() const override { return "onednn"; }

  std::string version() const override {
    const dnnl::Version* v = library_.version();
    return absl::StrCat(v->major, ".", v->minor, ".", v->patch);
  }

  absl::StatusOr<PreparedReference> PrepareGemm(const GemmProblem& problem,
                                                const GemmOperands& operands,
                                                int threads) override {
    OneDnnProblem gemm;
    gemm.operands = {{dnnl::kSource, operands.a}, {dnnl::kWeights, operands.b}};
    gemm.result_type = problem.int8 ? DType::Int32() : DType::Float32();
    gemm.result_shape = {problem.m, problem.n};
    gemm.precision = problem.precision();
    gemm.describe = [this, problem] { return DescribeGemm(library_, problem); };
    return PrepareOneDnnPrimitive(library_, std::move(gemm), threads);
  }

  absl::StatusOr<PreparedReference> PrepareConv(const ConvProblem& problem,
                                                const ConvOperands& operands,
                                                int threads) override {
    OneDnnProblem conv;
    conv.operands = {
        {dnnl::kSource, operands.data},
        {dnnl::kWeights, operands.weights.Reshaped(WeightShape(problem))}};
    if (problem.bias_relu) {
      conv.operands.push_back({dnnl::kBias, operands.bias});
    }
    conv.result_type = DType::Float32();
    conv.result_shape = problem.out_shape();
    conv.layout = TensorLayout::kOwn;
    conv.precision = problem.precision();
    conv.describe = [this, problem] { return DescribeConv(library_, problem); };
    return PrepareOneDnnPrimitive(library_, std::move(conv), threads);
  }

 private:
  const OneDnnLibrary library_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Reference>> LoadOneDnn(
    absl::string_view program) {
  ASSAY_ASSIGN_OR_RETURN(const OneDnnLibrary library,
                         OpenOneDnnLibrary(program));
  return std::make_unique<OneDnn>(library);
}

}  // namespace assay::suites
