#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "oneapi/dnnl/dnnl.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/dynamic_library.h"
#include "suites/references/libraries.h"
#include "suites/references/library_session.h"
#include "suites/references/pinned_workers.h"

namespace assay::suites {
namespace {

constexpr char kOpenMp[] =
    "debian_openmp/usr/lib/x86_64-linux-gnu/libgomp.so.1";

// Lists those functions of oneDNN's C API, version 3, that are used here,
// without the prefix `dnnl_`.
#define ASSAY_FOR_EACH_ONEDNN_FUNCTION(F)      \
  F(convolution_forward_primitive_desc_create) \
  F(engine_create)                             \
  F(get_default_fpmath_mode)                   \
  F(matmul_primitive_desc_create)              \
  F(memory_create)                             \
  F(memory_desc_create_with_strides)           \
  F(memory_desc_create_with_tag)               \
  F(memory_desc_destroy)                       \
  F(memory_desc_equal)                         \
  F(memory_destroy)                            \
  F(post_ops_append_eltwise)                   \
  F(post_ops_create)                           \
  F(post_ops_destroy)                          \
  F(primitive_attr_create)                     \
  F(primitive_attr_destroy)                    \
  F(primitive_attr_set_post_ops)               \
  F(primitive_create)                          \
  F(primitive_desc_destroy)                    \
  F(primitive_desc_query_md)                   \
  F(primitive_destroy)                         \
  F(primitive_execute)                         \
  F(reorder_primitive_desc_create)             \
  F(stream_create)                             \
  F(stream_wait)                               \
  F(version)

// The functions of the library, and its state.
struct OneDnnLibrary {
#define ASSAY_DECLARE_FUNCTION(name) decltype(&dnnl_##name) name = nullptr;
  ASSAY_FOR_EACH_ONEDNN_FUNCTION(ASSAY_DECLARE_FUNCTION)
#undef ASSAY_DECLARE_FUNCTION

  // The function of OpenMP, which oneDNN uses for its threads. It sets the
  // number of threads of the parallel regions that the calling thread starts.
  void (*omp_set_num_threads)(int) = nullptr;
  // The threads of OpenMP. Like the library, they exist until the process ends.
  PinnedWorkers* workers = nullptr;

  // The engine and the stream are never destroyed.
  dnnl_engine_t engine = nullptr;
  dnnl_stream_t stream = nullptr;
};

// Objects of the library, which a function of the library destroys. A
// descriptor states type, extents and layout of a tensor.
template <typename Handle>
using Owned =
    std::unique_ptr<std::remove_pointer_t<Handle>, dnnl_status_t (*)(Handle)>;
using OneDnnDesc = Owned<dnnl_memory_desc_t>;
using OneDnnMemory = Owned<dnnl_memory_t>;

// Returns OK if `status` is dnnl_success, and otherwise an Internal error.
// `call` is the source text of the call that returned `status`. The error
// message contains the name of the function.
absl::Status ToStatus(int status, absl::string_view call) {
  if (status == dnnl_success) return absl::OkStatus();
  call = call.substr(0, call.find('('));
  call = call.substr(call.rfind('.') + 1);
  return absl::InternalError(
      absl::StrCat("oneDNN's `dnnl_", call, "` failed with status ", status));
}

// Returns from the enclosing function if a call of the library fails.
#define RETURN_IF_ONEDNN_ERROR(call) \
  ASSAY_RETURN_IF_ERROR(ToStatus(call, #call))

absl::StatusOr<dnnl_data_type_t> TypeOf(DType type) {
  if (type == DType::Float32()) return dnnl_f32;
  if (type == DType::Int32()) return dnnl_s32;
  if (type == DType::Int(8)) return dnnl_s8;
  if (type == DType::UInt(8)) return dnnl_u8;
  return absl::UnimplementedError(
      absl::StrCat(type.ToString(), " is not handed to oneDNN"));
}

// Creates a descriptor with the row-major layout.
absl::StatusOr<OneDnnDesc> PlainDesc(const OneDnnLibrary& library, DType type,
                                     const Shape& shape) {
  ASSAY_ASSIGN_OR_RETURN(const dnnl_data_type_t code, TypeOf(type));
  const Shape strides = RowMajorStrides(shape);
  dnnl_memory_desc_t desc = nullptr;
  RETURN_IF_ONEDNN_ERROR(library.memory_desc_create_with_strides(
      &desc, static_cast<int>(shape.size()), shape.data(), code,
      strides.data()));
  return OneDnnDesc(desc, library.memory_desc_destroy);
}

// Creates a descriptor whose layout the library chooses.
absl::StatusOr<OneDnnDesc> AnyDesc(const OneDnnLibrary& library, DType type,
                                   const Shape& shape) {
  ASSAY_ASSIGN_OR_RETURN(const dnnl_data_type_t code, TypeOf(type));
  dnnl_memory_desc_t desc = nullptr;
  RETURN_IF_ONEDNN_ERROR(library.memory_desc_create_with_tag(
      &desc, static_cast<int>(shape.size()), shape.data(), code,
      dnnl_format_tag_any));
  return OneDnnDesc(desc, library.memory_desc_destroy);
}

// Describes a product of matrices in the plain layout.
absl::StatusOr<dnnl_primitive_desc_t> DescribeGemm(const OneDnnLibrary& library,
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
  dnnl_primitive_desc_t desc = nullptr;
  RETURN_IF_ONEDNN_ERROR(library.matmul_primitive_desc_create(
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
absl::StatusOr<dnnl_primitive_desc_t> DescribeConvWith(
    const OneDnnLibrary& library, const ConvProblem& problem,
    const_dnnl_primitive_attr_t attributes) {
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
  dnnl_primitive_desc_t desc = nullptr;
  RETURN_IF_ONEDNN_ERROR(library.convolution_forward_primitive_desc_create(
      &desc, library.engine, dnnl_forward_inference, dnnl_convolution_auto,
      data.get(), weights.get(), problem.bias_relu ? bias.get() : nullptr,
      out.get(), strides.data(), dilations.data(), padding.data(),
      padding.data(), attributes));
  return desc;
}

absl::StatusOr<dnnl_primitive_desc_t> DescribeConv(const OneDnnLibrary& library,
                                                   const ConvProblem& problem) {
  if (!problem.bias_relu) return DescribeConvWith(library, problem, nullptr);
  dnnl_post_ops_t new_post_ops = nullptr;
  RETURN_IF_ONEDNN_ERROR(library.post_ops_create(&new_post_ops));
  const Owned<dnnl_post_ops_t> post_ops(new_post_ops, library.post_ops_destroy);
  RETURN_IF_ONEDNN_ERROR(library.post_ops_append_eltwise(
      new_post_ops, dnnl_eltwise_relu, /*alpha=*/0.0f, /*beta=*/0.0f));
  dnnl_primitive_attr_t new_attributes = nullptr;
  RETURN_IF_ONEDNN_ERROR(library.primitive_attr_create(&new_attributes));
  const Owned<dnnl_primitive_attr_t> attributes(new_attributes,
                                                library.primitive_attr_destroy);
  RETURN_IF_ONEDNN_ERROR(
      library.primitive_attr_set_post_ops(new_attributes, new_post_ops));
  return DescribeConvWith(library, problem, new_attributes);
}

struct OneDnnOperand {
  int argument = 0;  // for example DNNL_ARG_SRC
  NDArray value;     // in the plain layout
};

// Creates the descriptor of a primitive. The caller destroys it.
using DescribeRef = absl::FunctionRef<absl::StatusOr<dnnl_primitive_desc_t>()>;

// A problem that one primitive computes.
struct OneDnnProblem {
  std::vector<OneDnnOperand> operands;
  DType result_type;
  Shape result_shape;
};

class PreparedPrimitive : public PreparedKernel {
 public:
  PreparedPrimitive(const OneDnnLibrary& library, OneDnnProblem problem,
                    int threads)
      : PreparedKernel(threads, library.workers),
        library_(library),
        problem_(std::move(problem)),
        result_(problem_.result_type, problem_.result_shape) {}

  ~PreparedPrimitive() override {
    if (primitive_ != nullptr) library_.primitive_destroy(primitive_);
    if (desc_ != nullptr) library_.primitive_desc_destroy(desc_);
  }

  // `describe` creates the descriptor of the primitive.
  absl::Status Prepare(DescribeRef describe) {
    // A primitive is made for the number of threads at its creation.
    library_.omp_set_num_threads(threads());
    ASSAY_ASSIGN_OR_RETURN(desc_, describe());
    RETURN_IF_ONEDNN_ERROR(library_.primitive_create(&primitive_, desc_));
    for (const auto& [argument, value] : problem_.operands) {
      ASSAY_ASSIGN_OR_RETURN(const bool in_place, AddArgument(argument, value));
      if (in_place) continue;
      ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc plain, PlainDescOf(value));
      ASSAY_ASSIGN_OR_RETURN(const OneDnnMemory from,
                             NewMemory(plain.get(), value.raw()));
      ASSAY_RETURN_IF_ERROR(Reorder(plain.get(), from.get(), LayoutOf(argument),
                                    arguments_.back().memory));
    }
    ASSAY_ASSIGN_OR_RETURN(result_in_place_,
                           AddArgument(DNNL_ARG_DST, result_));
    return absl::OkStatus();
  }

 private:
  absl::Status Run() override {
    library_.omp_set_num_threads(threads());
    RETURN_IF_ONEDNN_ERROR(library_.primitive_execute(
        primitive_, library_.stream, static_cast<int>(arguments_.size()),
        arguments_.data()));
    RETURN_IF_ONEDNN_ERROR(library_.stream_wait(library_.stream));
    return absl::OkStatus();
  }

  absl::StatusOr<NDArray> Output() override {
    if (!result_in_place_) {
      ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc plain, PlainDescOf(result_));
      ASSAY_ASSIGN_OR_RETURN(const OneDnnMemory to,
                             NewMemory(plain.get(), result_.raw()));
      ASSAY_RETURN_IF_ERROR(Reorder(LayoutOf(DNNL_ARG_DST),
                                    arguments_.back().memory, plain.get(),
                                    to.get()));
    }
    return result_.Clone();
  }

  absl::StatusOr<OneDnnDesc> PlainDescOf(const NDArray& array) const {
    return PlainDesc(library_, array.dtype(), array.shape());
  }

  // Returns the layout of an argument in the primitive.
  const_dnnl_memory_desc_t LayoutOf(int argument) const {
    return library_.primitive_desc_query_md(desc_, dnnl_query_exec_arg_md,
                                            argument);
  }

  absl::StatusOr<OneDnnMemory> NewMemory(const_dnnl_memory_desc_t desc,
                                         const void* data) const {
    dnnl_memory_t memory = nullptr;
    RETURN_IF_ONEDNN_ERROR(library_.memory_create(
        &memory, desc, library_.engine, const_cast<void*>(data)));
    return OneDnnMemory(memory, library_.memory_destroy);
  }

  // Adds the memory of an argument in the layout of the primitive: that of
  // `value` if `value` has this layout, and otherwise memory of the library.
  // Returns true in the first case.
  absl::StatusOr<bool> AddArgument(int argument, const NDArray& value) {
    ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc plain, PlainDescOf(value));
    const_dnnl_memory_desc_t const layout = LayoutOf(argument);
    const bool in_place = library_.memory_desc_equal(layout, plain.get()) != 0;
    ASSAY_ASSIGN_OR_RETURN(
        OneDnnMemory memory,
        NewMemory(layout, in_place ? value.raw() : DNNL_MEMORY_ALLOCATE));
    arguments_.push_back({argument, memory.get()});
    memories_.push_back(std::move(memory));
    return in_place;
  }

  absl::Status Reorder(const_dnnl_memory_desc_t from_desc, dnnl_memory_t from,
                       const_dnnl_memory_desc_t to_desc,
                       dnnl_memory_t to) const {
    dnnl_primitive_desc_t new_desc = nullptr;
    RETURN_IF_ONEDNN_ERROR(library_.reorder_primitive_desc_create(
        &new_desc, from_desc, library_.engine, to_desc, library_.engine,
        nullptr));
    const Owned<dnnl_primitive_desc_t> desc(new_desc,
                                            library_.primitive_desc_destroy);
    dnnl_primitive_t new_reorder = nullptr;
    RETURN_IF_ONEDNN_ERROR(library_.primitive_create(&new_reorder, new_desc));
    const Owned<dnnl_primitive_t> reorder(new_reorder,
                                          library_.primitive_destroy);
    const std::vector<dnnl_exec_arg_t> arguments = {{DNNL_ARG_SRC, from},
                                                    {DNNL_ARG_DST, to}};
    RETURN_IF_ONEDNN_ERROR(library_.primitive_execute(
        new_reorder, library_.stream, static_cast<int>(arguments.size()),
        arguments.data()));
    RETURN_IF_ONEDNN_ERROR(library_.stream_wait(library_.stream));
    return absl::OkStatus();
  }

  const OneDnnLibrary& library_;
  const OneDnnProblem problem_;
  NDArray result_;
  bool result_in_place_ = false;  // true if the primitive writes to result_
  dnnl_primitive_desc_t desc_ = nullptr;
  dnnl_primitive_t primitive_ = nullptr;
  std::vector<OneDnnMemory> memories_;
  std::vector<dnnl_exec_arg_t> arguments_;  // the last one is the result
};

class OneDnn : public Reference {
 public:
  absl::Status Open(absl::string_view program) {
    // oneDNN uses the OpenMP that is open already.
    ASSAY_ASSIGN_OR_RETURN(const runtime::DynamicLibrary omp,
                           runtime::DynamicLibrary::Open(program, kOpenMp));
    ASSAY_ASSIGN_OR_RETURN(
        const runtime::DynamicLibrary opened,
        runtime::DynamicLibrary::OpenWheel(program, "onednn"));
    static auto* const workers = new PinnedWorkers;  // see OneDnnLibrary
    library_.workers = workers;
    ASSAY_RETURN_IF_ERROR(
        omp.Find("omp_set_num_threads", &library_.omp_set_num_threads));
#define ASSAY_FIND_FUNCTION(name) \
  ASSAY_RETURN_IF_ERROR(opened.Find("dnnl_" #name, &library_.name));
    ASSAY_FOR_EACH_ONEDNN_FUNCTION(ASSAY_FIND_FUNCTION)
#undef ASSAY_FIND_FUNCTION
    RETURN_IF_ONEDNN_ERROR(
        library_.engine_create(&library_.engine, dnnl_cpu, 0));
    RETURN_IF_ONEDNN_ERROR(library_.stream_create(
        &library_.stream, library_.engine, dnnl_stream_default_flags));
    return absl::OkStatus();
  }

  std::string name() const override { return "onednn"; }

  std::string version() const override {
    const dnnl_version_t* v = library_.version();
    return absl::StrCat(v->major, ".", v->minor, ".", v->patch);
  }

  absl::StatusOr<PreparedReference> PrepareGemm(const GemmProblem& problem,
                                                const GemmOperands& operands,
                                                int threads) override {
    OneDnnProblem gemm;
    gemm.operands = {{DNNL_ARG_SRC, operands.a},
                     {DNNL_ARG_WEIGHTS, operands.b}};
    gemm.result_type = problem.int8 ? DType::Int32() : DType::Float32();
    gemm.result_shape = {problem.m, problem.n};
    Parity parity;
    parity.threads = threads;
    parity.precision = problem.precision();
    return Prepare(std::move(gemm), std::move(parity),
                   [&] { return DescribeGemm(library_, problem); });
  }

  absl::StatusOr<PreparedReference> PrepareConv(const ConvProblem& problem,
                                                const ConvOperands& operands,
                                                int threads) override {
    OneDnnProblem conv;
    conv.operands = {
        {DNNL_ARG_SRC, operands.data},
        {DNNL_ARG_WEIGHTS, operands.weights.Reshaped(WeightShape(problem))}};
    if (problem.bias_relu) {
      conv.operands.push_back({DNNL_ARG_BIAS, operands.bias});
    }
    conv.result_type = DType::Float32();
    conv.result_shape = problem.out_shape();
    Parity parity;
    parity.threads = threads;
    parity.precision = problem.precision();
    parity.layout = TensorLayout::kOwn;
    return Prepare(std::move(conv), std::move(parity),
                   [&] { return DescribeConv(library_, problem); });
  }

 private:
  // Loads `problem`, to compute it on `parity.threads` threads. Sets the other
  // conditions of the runs.
  absl::StatusOr<PreparedReference> Prepare(OneDnnProblem problem,
                                            Parity parity,
                                            DescribeRef describe) const {
    // The environment variable ONEDNN_DEFAULT_FPMATH_MODE can allow new
    // primitives to compute in a lower precision than float32.
    dnnl_fpmath_mode_t mode = dnnl_fpmath_mode_strict;
    RETURN_IF_ONEDNN_ERROR(library_.get_default_fpmath_mode(&mode));
    parity.reduced_precision = mode != dnnl_fpmath_mode_strict;
    parity.optimization = "algorithm chosen by oneDNN";
    auto primitive = std::make_unique<PreparedPrimitive>(
        library_, std::move(problem), parity.threads);
    // Operands are reordered by several threads.
    ASSAY_RETURN_IF_ERROR(
        library_.workers->Watch([&] { return primitive->Prepare(describe); }));
    ASSAY_ASSIGN_OR_RETURN(parity.affinity, primitive->StartWorkers());
    return PreparedReference{std::move(primitive), std::move(parity)};
  }

  OneDnnLibrary library_;
};

#undef RETURN_IF_ONEDNN_ERROR

}  // namespace

absl::StatusOr<std::unique_ptr<Reference>> LoadOneDnn(
    absl::string_view program) {
  auto onednn = std::make_unique<OneDnn>();
  ASSAY_RETURN_IF_ERROR(onednn->Open(program));
  return onednn;
}

}  // namespace assay::suites
