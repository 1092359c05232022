#include "suites/references/onednn_primitive.h"

#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

using OneDnnMemory = std::unique_ptr<dnnl::Memory, int (*)(dnnl::Memory*)>;

// Instructs memory_create to allocate the memory: DNNL_MEMORY_ALLOCATE.
void* const kAllocate = reinterpret_cast<void*>(~uintptr_t{0});

absl::StatusOr<int> TypeOf(DType type) {
  if (type == DType::Float32()) return dnnl::kFloat32;
  if (type == DType::Int32()) return dnnl::kInt32;
  if (type == DType::Int(8)) return dnnl::kInt8;
  if (type == DType::UInt(8)) return dnnl::kUInt8;
  return absl::UnimplementedError(
      absl::StrCat(type.ToString(), " is not handed to oneDNN"));
}

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

  absl::Status Prepare() {
    // A primitive is made for the number of threads at its creation.
    library_.omp_set_num_threads(threads());
    ASSAY_ASSIGN_OR_RETURN(desc_, problem_.describe());
    ASSAY_RETURN_IF_ONEDNN_ERROR(library_.primitive_create(&primitive_, desc_));
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
                           AddArgument(dnnl::kDestination, result_));
    return absl::OkStatus();
  }

 private:
  absl::Status Run() override {
    library_.omp_set_num_threads(threads());
    ASSAY_RETURN_IF_ONEDNN_ERROR(library_.primitive_execute(
        primitive_, library_.stream, static_cast<int>(arguments_.size()),
        arguments_.data()));
    ASSAY_RETURN_IF_ONEDNN_ERROR(library_.stream_wait(library_.stream));
    return absl::OkStatus();
  }

  absl::StatusOr<NDArray> Output() override {
    if (!result_in_place_) {
      ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc plain, PlainDescOf(result_));
      ASSAY_ASSIGN_OR_RETURN(const OneDnnMemory to,
                             NewMemory(plain.get(), result_.raw()));
      ASSAY_RETURN_IF_ERROR(Reorder(LayoutOf(dnnl::kDestination),
                                    arguments_.back().memory, plain.get(),
                                    to.get()));
    }
    return result_.Clone();
  }

  absl::StatusOr<OneDnnDesc> PlainDescOf(const NDArray& array) const {
    return PlainDesc(library_, array.dtype(), array.shape());
  }

  // Returns the layout of an argument in the primitive.
  const dnnl::MemoryDesc* LayoutOf(int argument) const {
    return library_.primitive_desc_query_md(desc_, dnnl::kLayoutOf, argument);
  }

  absl::StatusOr<OneDnnMemory> NewMemory(const dnnl::MemoryDesc* desc,
                                         const void* data) const {
    dnnl::Memory* memory = nullptr;
    ASSAY_RETURN_IF_ONEDNN_ERROR(library_.memory_create(
        &memory, desc, library_.engine, const_cast<void*>(data)));
    return OneDnnMemory(memory, library_.memory_destroy);
  }

  // Adds the memory of an argument in the layout of the primitive: that of
  // `value` if `value` has this layout, and otherwise memory of the library.
  // Returns true in the first case.
  absl::StatusOr<bool> AddArgument(int argument, const NDArray& value) {
    ASSAY_ASSIGN_OR_RETURN(const OneDnnDesc plain, PlainDescOf(value));
    const dnnl::MemoryDesc* const layout = LayoutOf(argument);
    const bool in_place = library_.memory_desc_equal(layout, plain.get()) != 0;
    ASSAY_ASSIGN_OR_RETURN(
        OneDnnMemory memory,
        NewMemory(layout, in_place ? value.raw() : kAllocate));
    arguments_.push_back({argument, memory.get()});
    memories_.push_back(std::move(memory));
    return in_place;
  }

  absl::Status Reorder(const dnnl::MemoryDesc* from_desc, dnnl::Memory* from,
                       const dnnl::MemoryDesc* to_desc,
                       dnnl::Memory* to) const {
    dnnl::PrimitiveDesc* new_desc = nullptr;
    ASSAY_RETURN_IF_ONEDNN_ERROR(library_.reorder_primitive_desc_create(
        &new_desc, from_desc, library_.engine, to_desc, library_.engine,
        nullptr));
    const std::unique_ptr<dnnl::PrimitiveDesc, int (*)(dnnl::PrimitiveDesc*)>
        desc(new_desc, library_.primitive_desc_destroy);
    dnnl::Primitive* new_reorder = nullptr;
    ASSAY_RETURN_IF_ONEDNN_ERROR(
        library_.primitive_create(&new_reorder, new_desc));
    const std::unique_ptr<dnnl::Primitive, int (*)(dnnl::Primitive*)> reorder(
        new_reorder, library_.primitive_destroy);
    const std::vector<dnnl::Argument> arguments = {{dnnl::kSource, from},
                                                   {dnnl::kDestination, to}};
    ASSAY_RETURN_IF_ONEDNN_ERROR(library_.primitive_execute(
        new_reorder, library_.stream, static_cast<int>(arguments.size()),
        arguments.data()));
    ASSAY_RETURN_IF_ONEDNN_ERROR(library_.stream_wait(library_.stream));
    return absl::OkStatus();
  }

  const OneDnnLibrary& library_;
  const OneDnnProblem problem_;
  NDArray result_;
  bool result_in_place_ = false;  // true if the primitive writes to result_
  dnnl::PrimitiveDesc* desc_ = nullptr;
  dnnl::Primitive* primitive_ = nullptr;
  std::vector<OneDnnMemory> memories_;
  std::vector<dnnl::Argument> arguments_;  // the last one is the result
};

}  // namespace

absl::StatusOr<OneDnnDesc> PlainDesc(const OneDnnLibrary& library, DType type,
                                     const Shape& shape) {
  ASSAY_ASSIGN_OR_RETURN(const int code, TypeOf(type));
  const Shape strides = RowMajorStrides(shape);
  dnnl::MemoryDesc* desc = nullptr;
  ASSAY_RETURN_IF_ONEDNN_ERROR(library.memory_desc_create_with_strides(
      &desc, static_cast<int>(shape.size()), shape.data(), code,
      strides.data()));
  return OneDnnDesc(desc, library.memory_desc_destroy);
}

absl::StatusOr<OneDnnDesc> AnyDesc(const OneDnnLibrary& library, DType type,
                                   const Shape& shape) {
  ASSAY_ASSIGN_OR_RETURN(const int code, TypeOf(type));
  dnnl::MemoryDesc* desc = nullptr;
  ASSAY_RETURN_IF_ONEDNN_ERROR(library.memory_desc_create_with_tag(
      &desc, static_cast<int>(shape.size()), shape.data(), code,
      dnnl::kAnyLayout));
  return OneDnnDesc(desc, library.memory_desc_destroy);
}

absl::StatusOr<PreparedReference> PrepareOneDnnPrimitive(
    const OneDnnLibrary& library, OneDnnProblem problem, int threads) {
  Parity parity;
  parity.threads = threads;
  parity.precision = problem.precision;
  parity.layout = problem.layout;
  parity.optimization = "algorithm chosen by oneDNN";
  ASSAY_ASSIGN_OR_RETURN(parity.reduced_precision, ReducesPrecision(library));
  auto primitive =
      std::make_unique<PreparedPrimitive>(library, std::move(problem), threads);
  // Operands are reordered by several threads.
  ASSAY_RETURN_IF_ERROR(
      library.workers->Watch([&] { return primitive->Prepare(); }));
  ASSAY_ASSIGN_OR_RETURN(parity.affinity, primitive->StartWorkers());
  return PreparedReference{std::move(primitive), std::move(parity)};
}

}  // namespace assay::suites
