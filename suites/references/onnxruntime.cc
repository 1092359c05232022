#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "onnxruntime/onnxruntime_c_api.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/dynamic_library.h"
#include "suites/references/exact_model.h"
#include "suites/references/libraries.h"
#include "suites/references/library_session.h"

namespace assay::suites {
namespace {

// Names of entries of a session's configuration.
constexpr char kExternalDataFolder[] =
    "session.model_external_initializers_file_folder_path";
constexpr char kExactByteProducts[] = "session.x64quantprecision";
constexpr char kAccuracyLevel[] = "session.qdq_matmulnbits_accuracy_level";

// Converts a status of the library and releases it.
absl::Status ToStatus(const OrtApi& api, OrtStatus* status) {
  if (status == nullptr) return absl::OkStatus();
  absl::Status result = absl::InternalError(
      absl::StrCat("ONNX Runtime: ", api.GetErrorMessage(status)));
  api.ReleaseStatus(status);
  return result;
}

// A supported element type.
struct ElementType {
  DType ours;
  ONNXTensorElementDataType theirs;
};
const ElementType kElementTypes[] = {
    {DType::Float32(), ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT},
    {DType::Float64(), ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE},
    {DType::Float16(), ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16},
    {DType::BFloat16(), ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16},
    {DType::Int64(), ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64},
    {DType::Int32(), ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32},
    {DType::Int(8), ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8},
    {DType::UInt(8), ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8},
    {DType::Bool(), ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL},
};

std::optional<ONNXTensorElementDataType> ElementTypeOf(DType type) {
  for (const ElementType& row : kElementTypes) {
    if (row.ours == type) return row.theirs;
  }
  return std::nullopt;
}

std::optional<DType> DTypeOf(ONNXTensorElementDataType type) {
  for (const ElementType& row : kElementTypes) {
    if (row.theirs == type) return row.ours;
  }
  return std::nullopt;
}

#define RETURN_IF_ORT_ERROR(call) ASSAY_RETURN_IF_ERROR(ToStatus(api_, call))

class OnnxRuntimeSession : public ModelSession {
 public:
  // Each session has its own threads, which are `workers`.
  OnnxRuntimeSession(const OrtApi& api, const runtime::NamedTensors& inputs,
                     int threads, std::unique_ptr<PinnedWorkers> workers)
      : ModelSession(inputs, threads, workers.get()),
        api_(api),
        workers_(std::move(workers)) {}

  ~OnnxRuntimeSession() override {
    for (OrtValue* value : values_) api_.ReleaseValue(value);
    for (size_t i = 0; i < outputs_.size(); ++i) ReleaseOutput(i);
    if (memory_ != nullptr) api_.ReleaseMemoryInfo(memory_);
    if (session_ != nullptr) api_.ReleaseSession(session_);
  }

  absl::Status Prepare(const OrtEnv* env, const OnnxSource& model) {
    OrtSessionOptions* options = nullptr;
    RETURN_IF_ORT_ERROR(api_.CreateSessionOptions(&options));
    // The session starts its threads when it is created.
    const absl::Status status =
        workers_->Watch([&] { return CreateSession(env, model, options); });
    api_.ReleaseSessionOptions(options);
    ASSAY_RETURN_IF_ERROR(status);
    RETURN_IF_ORT_ERROR(api_.CreateCpuMemoryInfo(OrtArenaAllocator,
                                                 OrtMemTypeDefault, &memory_));
    ASSAY_RETURN_IF_ERROR(CreateInputs());
    return FindOutputs();
  }

  // Returns the conditions of the runs. Inputs are read from the memory that
  // the session was given, and no output is copied.
  Parity Conditions() {
    Parity parity;
    parity.threads = threads();
    parity.affinity = PinWorkers();
    parity.optimization = "all graph optimizations";
    return parity;
  }

 private:
  void ReleaseOutput(size_t i) {
    if (outputs_[i] != nullptr) api_.ReleaseValue(outputs_[i]);
    outputs_[i] = nullptr;
  }

  absl::Status Run() override {
    std::vector<const char*> in, out;
    for (const auto& [name, value] : inputs()) in.push_back(name.c_str());
    for (const std::string& name : output_names_) out.push_back(name.c_str());
    // A run allocates the outputs that do not exist, and writes to the memory
    // of the others.
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (!is_fixed_[i]) ReleaseOutput(i);
    }
    RETURN_IF_ORT_ERROR(api_.Run(session_, nullptr, in.data(), values_.data(),
                                 values_.size(), out.data(), out.size(),
                                 outputs_.data()));
    if (!first_run_) return absl::OkStatus();
    first_run_ = false;
    return FindFixedOutputs();
  }

  // Finds the outputs whose shape is that in the file. The shapes of others may
  // depend on the values of the inputs, and the library does not write to
  // memory of another shape than that of the result, or of another rank than
  // the file declares.
  absl::Status FindFixedOutputs() {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      OrtTypeInfo* info = nullptr;
      RETURN_IF_ORT_ERROR(api_.SessionGetOutputTypeInfo(session_, i, &info));
      const OrtTensorTypeAndShapeInfo* tensor = nullptr;
      Tensor declared, actual;
      absl::Status status =
          ToStatus(api_, api_.CastTypeInfoToTensorInfo(info, &tensor));
      if (status.ok() && tensor != nullptr) status = Read(tensor, &declared);
      api_.ReleaseTypeInfo(info);
      ASSAY_RETURN_IF_ERROR(status);
      ASSAY_RETURN_IF_ERROR(Read(outputs_[i], &actual));
      is_fixed_[i] = declared.shape == actual.shape;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<runtime::NamedTensors> ReadOutputs() override {
    runtime::NamedTensors result;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      ASSAY_ASSIGN_OR_RETURN(NDArray value, CopyOf(outputs_[i]));
      result.push_back({output_names_[i], std::move(value)});
    }
    return result;
  }

  absl::Status CreateSession(const OrtEnv* env, const OnnxSource& model,
                             OrtSessionOptions* options) {
    // The defaults of the other options are those for speed: nodes are executed
    // one after the other, so that there is no second pool of threads, and idle
    // threads spin. `session.intra_op_thread_affinities` is not set, because
    // PinnedWorkers treats all libraries alike.
    RETURN_IF_ORT_ERROR(api_.SetIntraOpNumThreads(options, threads()));
    RETURN_IF_ORT_ERROR(
        api_.SetSessionGraphOptimizationLevel(options, ORT_ENABLE_ALL));
    if (!model.file.empty()) {
      const std::string folder =
          model.file.substr(0, model.file.rfind('/') + 1);
      RETURN_IF_ORT_ERROR(api_.AddSessionConfigEntry(
          options, kExternalDataFolder, folder.empty() ? "." : folder.c_str()));
    }
    std::optional<std::string> exact;
    if (model.arithmetic == ByteProducts::kExact) {
      RETURN_IF_ORT_ERROR(
          api_.AddSessionConfigEntry(options, kExactByteProducts, "1"));
      // The level with which a product of dequantized weights becomes a
      // MatMulNBits.
      RETURN_IF_ORT_ERROR(
          api_.AddSessionConfigEntry(options, kAccuracyLevel, "0"));
      exact = WithExactProducts(model.bytes);
    }
    const absl::string_view bytes = exact.has_value() ? *exact : model.bytes;
    RETURN_IF_ORT_ERROR(api_.CreateSessionFromArray(
        env, bytes.data(), bytes.size(), options, &session_));
    return absl::OkStatus();
  }

  absl::Status CreateInputs() {
    for (auto& [name, value] : inputs()) {
      const std::optional<ONNXTensorElementDataType> type =
          ElementTypeOf(value.dtype());
      if (!type.has_value()) {
        return absl::UnimplementedError(
            absl::StrCat("input `", name, "` is ", value.dtype().ToString(),
                         ", which is not handed to ONNX Runtime"));
      }
      OrtValue* tensor = nullptr;
      RETURN_IF_ORT_ERROR(api_.CreateTensorWithDataAsOrtValue(
          memory_, value.raw(), value.num_bytes(), value.shape().data(),
          value.shape().size(), *type, &tensor));
      values_.push_back(tensor);
    }
    return absl::OkStatus();
  }

  absl::Status FindOutputs() {
    OrtAllocator* allocator = nullptr;  // lives as long as the library
    RETURN_IF_ORT_ERROR(api_.GetAllocatorWithDefaultOptions(&allocator));
    size_t count = 0;
    RETURN_IF_ORT_ERROR(api_.SessionGetOutputCount(session_, &count));
    for (size_t i = 0; i < count; ++i) {
      char* name = nullptr;
      RETURN_IF_ORT_ERROR(
          api_.SessionGetOutputName(session_, i, allocator, &name));
      output_names_.emplace_back(name);
      RETURN_IF_ORT_ERROR(api_.AllocatorFree(allocator, name));
    }
    outputs_.resize(count, nullptr);
    is_fixed_.resize(count, false);
    return absl::OkStatus();
  }

  // The type of a value.
  struct Tensor {
    // An extent is -1 if the file does not declare it. Empty if it declares no
    // shape.
    Shape shape;
    ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  };

  absl::Status Read(const OrtTensorTypeAndShapeInfo* info,
                    Tensor* tensor) const {
    size_t rank = 0;
    RETURN_IF_ORT_ERROR(api_.GetDimensionsCount(info, &rank));
    tensor->shape.resize(rank);
    RETURN_IF_ORT_ERROR(api_.GetDimensions(info, tensor->shape.data(), rank));
    RETURN_IF_ORT_ERROR(api_.GetTensorElementType(info, &tensor->type));
    return absl::OkStatus();
  }

  absl::Status Read(const OrtValue* value, Tensor* tensor) const {
    OrtTensorTypeAndShapeInfo* info = nullptr;
    RETURN_IF_ORT_ERROR(api_.GetTensorTypeAndShape(value, &info));
    const absl::Status status = Read(info, tensor);
    api_.ReleaseTensorTypeAndShapeInfo(info);
    return status;
  }

  absl::StatusOr<NDArray> CopyOf(OrtValue* value) const {
    Tensor tensor;
    ASSAY_RETURN_IF_ERROR(Read(value, &tensor));
    const std::optional<DType> dtype = DTypeOf(tensor.type);
    if (!dtype.has_value()) {
      return absl::UnimplementedError(
          absl::StrCat("an output is of type ", static_cast<int>(tensor.type),
                       ", which is not read from ONNX Runtime"));
    }
    void* data = nullptr;
    RETURN_IF_ORT_ERROR(api_.GetTensorMutableData(value, &data));
    NDArray copy(*dtype, std::move(tensor.shape));
    if (copy.num_bytes() > 0) std::memcpy(copy.raw(), data, copy.num_bytes());
    return copy;
  }

  const OrtApi& api_;
  const std::unique_ptr<PinnedWorkers> workers_;
  OrtSession* session_ = nullptr;
  OrtMemoryInfo* memory_ = nullptr;
  std::vector<OrtValue*> values_;  // use the memory of inputs()
  std::vector<std::string> output_names_;
  std::vector<OrtValue*> outputs_;
  // For each output, true if all runs write to the memory of the first.
  std::vector<bool> is_fixed_;
  bool first_run_ = true;
};

class OnnxRuntime : public Reference {
 public:
  OnnxRuntime(const OrtApi& api, std::string version, OrtEnv* env)
      : api_(api), version_(std::move(version)), env_(env) {}
  ~OnnxRuntime() override { api_.ReleaseEnv(env_); }

  std::string name() const override { return "onnxruntime"; }
  std::string version() const override { return version_; }

  absl::StatusOr<PreparedReference> LoadModel(
      const OnnxSource& model, const runtime::NamedTensors& inputs,
      int threads) override {
    auto session = std::make_unique<OnnxRuntimeSession>(
        api_, inputs, threads, std::make_unique<PinnedWorkers>());
    ASSAY_RETURN_IF_ERROR(session->Prepare(env_, model));
    Parity parity = session->Conditions();
    return PreparedReference{std::move(session), std::move(parity)};
  }

 private:
  const OrtApi& api_;
  const std::string version_;
  OrtEnv* const env_;
};

#undef RETURN_IF_ORT_ERROR

}  // namespace

absl::StatusOr<std::unique_ptr<Reference>> LoadOnnxRuntime(
    absl::string_view program) {
  ASSAY_ASSIGN_OR_RETURN(
      const runtime::DynamicLibrary library,
      runtime::DynamicLibrary::OpenWheel(program, "onnxruntime"));
  const OrtApiBase* (*get_api_base)() = nullptr;
  ASSAY_RETURN_IF_ERROR(library.Find("OrtGetApiBase", &get_api_base));
  const OrtApiBase* base = get_api_base();
  // Newer libraries still support the API version of the header.
  const OrtApi* api = base->GetApi(ORT_API_VERSION);
  if (api == nullptr) {
    return absl::UnavailableError(
        absl::StrCat("ONNX Runtime ", base->GetVersionString(),
                     " has no interface of version ", ORT_API_VERSION));
  }
  OrtEnv* env = nullptr;
  ASSAY_RETURN_IF_ERROR(
      ToStatus(*api, api->CreateEnv(ORT_LOGGING_LEVEL_ERROR, "assay", &env)));
  return std::make_unique<OnnxRuntime>(*api, base->GetVersionString(), env);
}

}  // namespace assay::suites
