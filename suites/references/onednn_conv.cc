#include "suites/references/onednn_conv.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

// Returns from the enclosing function if a call of the library fails.
#define RETURN_IF_DNNL_ERROR(call) \
  ASSAY_RETURN_IF_ERROR(OneDnnStatus(call, #call))

class PreparedConv : public PreparedKernel {
 public:
  PreparedConv(const OneDnnLibrary& dnnl, const ConvProblem& problem,
               ConvOperands operands, int threads)
      : PreparedKernel(threads, dnnl.workers),
        dnnl_(dnnl),
        problem_(problem),
        operands_(std::move(operands)) {}

  ~PreparedConv() override {
    dnnl_.primitive_destroy(conv_);
    for (const dnnl_memory_t memory : memories_) dnnl_.memory_destroy(memory);
    dnnl_.primitive_desc_destroy(desc_);
  }

  absl::Status Prepare() {
    dnnl_.omp_set_num_threads(threads());
    ASSAY_RETURN_IF_ERROR(Describe());
    RETURN_IF_DNNL_ERROR(dnnl_.primitive_create(&conv_, desc_));
    ASSAY_RETURN_IF_ERROR(AddOperand(DNNL_ARG_SRC, dnnl_query_src_md,
                                     operands_.data,
                                     Plain(problem_.data_shape(), dnnl_nchw)));
    ASSAY_RETURN_IF_ERROR(AddOperand(DNNL_ARG_WEIGHTS, dnnl_query_weights_md,
                                     operands_.weights, PlainWeights()));
    if (problem_.bias_relu) {
      // dnnl_query_weights_md, 1 is the bias, which has one layout only.
      ASSAY_RETURN_IF_ERROR(AddMemory(DNNL_ARG_BIAS,
                                      Plain({problem_.out_channels}, dnnl_a),
                                      operands_.bias.raw()));
    }
    return AddMemory(DNNL_ARG_DST, Preferred(dnnl_query_dst_md),
                     DNNL_MEMORY_ALLOCATE);
  }

 private:
  absl::Status Run() override {
    dnnl_.omp_set_num_threads(threads());
    RETURN_IF_DNNL_ERROR(dnnl_.primitive_execute(
        conv_, dnnl_.stream, static_cast<int>(args_.size()), args_.data()));
    RETURN_IF_DNNL_ERROR(dnnl_.stream_wait(dnnl_.stream));
    return absl::OkStatus();
  }

  absl::StatusOr<NDArray> Output() override {
    NDArray output(DType::Float32(), problem_.out_shape());
    const dnnl_memory_desc_t plain = Plain(problem_.out_shape(), dnnl_nchw);
    dnnl_memory_t to = nullptr;
    RETURN_IF_DNNL_ERROR(
        dnnl_.memory_create(&to, &plain, dnnl_.engine, output.raw()));
    const absl::Status status =
        Reorder(Preferred(dnnl_query_dst_md), args_.back().memory, plain, to);
    dnnl_.memory_destroy(to);
    ASSAY_RETURN_IF_ERROR(status);
    return output;
  }

  dnnl_memory_desc_t Plain(const Shape& shape, dnnl_format_tag_t tag) const {
    dnnl_memory_desc_t desc;
    dnnl_dims_t dims;
    for (size_t i = 0; i < shape.size(); ++i) dims[i] = shape[i];
    dnnl_.memory_desc_init_by_tag(&desc, static_cast<int>(shape.size()), dims,
                                  dnnl_f32, tag);
    return desc;
  }

  // Several groups are a separate axis.
  Shape WeightDims() const {
    Shape dims = problem_.weight_shape();
    if (problem_.groups > 1) {
      dims[0] /= problem_.groups;
      dims.insert(dims.begin(), problem_.groups);
    }
    return dims;
  }
  dnnl_memory_desc_t PlainWeights() const {
    return Plain(WeightDims(), problem_.groups > 1 ? dnnl_goihw : dnnl_oihw);
  }

  dnnl_memory_desc_t Preferred(dnnl_query_t what) const {
    return *dnnl_.primitive_desc_query_md(desc_, what, 0);
  }

  absl::Status Describe();
  absl::Status DescribeWith(dnnl_primitive_attr_t attr);
  absl::Status AddOperand(int argument, dnnl_query_t what, const NDArray& value,
                          const dnnl_memory_desc_t& from);
  absl::Status AddMemory(int argument, const dnnl_memory_desc_t& desc,
                         const void* data);
  absl::Status Reorder(const dnnl_memory_desc_t& from_desc, dnnl_memory_t from,
                       const dnnl_memory_desc_t& to_desc, dnnl_memory_t to);

  const OneDnnLibrary& dnnl_;
  const ConvProblem problem_;
  const ConvOperands operands_;
  dnnl_primitive_desc_t desc_ = nullptr;
  dnnl_primitive_t conv_ = nullptr;
  std::vector<dnnl_memory_t> memories_;
  std::vector<dnnl_exec_arg_t> args_;  // the last one is the result
};

absl::Status PreparedConv::Describe() {
  dnnl_primitive_attr_t attr = nullptr;
  RETURN_IF_DNNL_ERROR(dnnl_.primitive_attr_create(&attr));
  dnnl_post_ops_t post_ops = nullptr;
  RETURN_IF_DNNL_ERROR(dnnl_.post_ops_create(&post_ops));
  if (problem_.bias_relu) {
    RETURN_IF_DNNL_ERROR(dnnl_.post_ops_append_eltwise(
        post_ops, 1.0f, dnnl_eltwise_relu, 0.0f, 0.0f));
    RETURN_IF_DNNL_ERROR(dnnl_.primitive_attr_set_post_ops(attr, post_ops));
  }
  const absl::Status status = DescribeWith(attr);
  dnnl_.post_ops_destroy(post_ops);
  dnnl_.primitive_attr_destroy(attr);
  return status;
}

absl::Status PreparedConv::DescribeWith(dnnl_primitive_attr_t attr) {
  // The library chooses all layouts.
  const dnnl_memory_desc_t data =
      Plain(problem_.data_shape(), dnnl_format_tag_any);
  const dnnl_memory_desc_t weights = Plain(WeightDims(), dnnl_format_tag_any);
  const dnnl_memory_desc_t bias = Plain({problem_.out_channels}, dnnl_a);
  const dnnl_memory_desc_t out =
      Plain(problem_.out_shape(), dnnl_format_tag_any);
  const dnnl_dims_t strides = {problem_.stride, problem_.stride};
  // oneDNN's dilation of 0 is a dense window.
  const dnnl_dims_t dilations = {problem_.dilation - 1, problem_.dilation - 1};
  const dnnl_dims_t padding = {problem_.padding, problem_.padding};
  dnnl_convolution_desc_t desc;
  RETURN_IF_DNNL_ERROR(dnnl_.dilated_convolution_forward_desc_init(
      &desc, dnnl_forward_inference, dnnl_convolution_auto, &data, &weights,
      problem_.bias_relu ? &bias : nullptr, &out, strides, dilations, padding,
      padding));
  RETURN_IF_DNNL_ERROR(
      dnnl_.primitive_desc_create(&desc_, &desc, attr, dnnl_.engine, nullptr));
  return absl::OkStatus();
}

absl::Status PreparedConv::AddMemory(int argument,
                                     const dnnl_memory_desc_t& desc,
                                     const void* data) {
  dnnl_memory_t memory = nullptr;
  RETURN_IF_DNNL_ERROR(dnnl_.memory_create(&memory, &desc, dnnl_.engine,
                                           const_cast<void*>(data)));
  memories_.push_back(memory);
  args_.push_back({argument, memory});
  return absl::OkStatus();
}

// Adds an operand in the layout that the primitive prefers, in memory of the
// library unless `value` has this layout.
absl::Status PreparedConv::AddOperand(int argument, dnnl_query_t what,
                                      const NDArray& value,
                                      const dnnl_memory_desc_t& from) {
  const dnnl_memory_desc_t preferred = Preferred(what);
  if (dnnl_.memory_desc_equal(&preferred, &from)) {
    return AddMemory(argument, from, value.raw());
  }
  ASSAY_RETURN_IF_ERROR(AddMemory(argument, preferred, DNNL_MEMORY_ALLOCATE));
  dnnl_memory_t plain = nullptr;
  RETURN_IF_DNNL_ERROR(dnnl_.memory_create(&plain, &from, dnnl_.engine,
                                           const_cast<void*>(value.raw())));
  const absl::Status status =
      Reorder(from, plain, preferred, args_.back().memory);
  dnnl_.memory_destroy(plain);
  return status;
}

absl::Status PreparedConv::Reorder(const dnnl_memory_desc_t& from_desc,
                                   dnnl_memory_t from,
                                   const dnnl_memory_desc_t& to_desc,
                                   dnnl_memory_t to) {
  dnnl_primitive_desc_t desc = nullptr;
  RETURN_IF_DNNL_ERROR(dnnl_.reorder_primitive_desc_create(
      &desc, &from_desc, dnnl_.engine, &to_desc, dnnl_.engine, nullptr));
  dnnl_primitive_t reorder = nullptr;
  RETURN_IF_DNNL_ERROR(dnnl_.primitive_create(&reorder, desc));
  const std::vector<dnnl_exec_arg_t> args = {{DNNL_ARG_FROM, from},
                                             {DNNL_ARG_TO, to}};
  RETURN_IF_DNNL_ERROR(dnnl_.primitive_execute(
      reorder, dnnl_.stream, static_cast<int>(args.size()), args.data()));
  RETURN_IF_DNNL_ERROR(dnnl_.stream_wait(dnnl_.stream));
  dnnl_.primitive_destroy(reorder);
  dnnl_.primitive_desc_destroy(desc);
  return absl::OkStatus();
}

#undef RETURN_IF_DNNL_ERROR

}  // namespace

absl::StatusOr<PreparedReference> PrepareOneDnnConv(
    const OneDnnLibrary& dnnl, const ConvProblem& problem,
    const ConvOperands& operands, int threads) {
  auto conv = std::make_unique<PreparedConv>(dnnl, problem, operands, threads);
  // Operands are reordered by several threads.
  ASSAY_RETURN_IF_ERROR(dnnl.workers->Watch([&] { return conv->Prepare(); }));
  Parity parity;
  ASSAY_ASSIGN_OR_RETURN(parity.affinity, conv->StartWorkers());
  parity.threads = threads;
  parity.precision = problem.precision();
  ASSAY_ASSIGN_OR_RETURN(parity.reduced_precision, ReducesPrecision(dnnl));
  parity.layout = TensorLayout::kOwn;
  parity.optimization = "algorithm chosen by oneDNN";
  return PreparedReference{std::move(conv), std::move(parity)};
}

}  // namespace assay::suites
