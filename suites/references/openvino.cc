#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"
#include "suites/references/dynamic_library.h"
#include "suites/references/libraries.h"
#include "suites/references/openvino_library.h"
#include "suites/references/pinned_workers.h"

namespace assay::suites {
namespace {

// The functions of the library, and its threads.
struct OpenVinoLibrary : openvino::Functions {
  // The worker threads of all sessions. They belong to a pool that, like the
  // library, exists until the process ends.
  PinnedWorkers* workers = nullptr;
};

// An object that a function of the library releases.
template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// Properties of a compiled model, and a value.
constexpr char kNumThreads[] = "INFERENCE_NUM_THREADS";
constexpr char kPrecision[] = "INFERENCE_PRECISION_HINT";
constexpr char kFloat32Precision[] = "f32";

// A supported element type.
struct ElementType {
  DType ours;
  int theirs;
};
const ElementType kElementTypes[] = {
    {DType::Float32(), openvino::kFloat32},
    {DType::Float64(), openvino::kFloat64},
    {DType::Int64(), openvino::kInt64},
    {DType::Int32(), openvino::kInt32},
    {DType::Int(8), openvino::kInt8},
    {DType::UInt(8), openvino::kUInt8},
};

std::optional<int> ElementTypeOf(DType type) {
  for (const ElementType& row : kElementTypes) {
    if (row.ours == type) return row.theirs;
  }
  return std::nullopt;
}

absl::StatusOr<DType> DTypeOf(int type) {
  for (const ElementType& row : kElementTypes) {
    if (row.theirs == type) return row.ours;
  }
  return absl::UnimplementedError(absl::StrCat(
      "an output is of type ", type, ", which is not read from OpenVINO"));
}

// Returns the extents, or nullopt if they are not all known.
std::optional<Shape> KnownShape(const openvino::PartialShape& partial) {
  if (partial.rank.min != partial.rank.max) return std::nullopt;
  Shape shape;
  for (int64_t i = 0; i < partial.rank.min; ++i) {
    const openvino::Range& extent = partial.extents[i];
    if (extent.min != extent.max) return std::nullopt;
    shape.push_back(extent.min);
  }
  return shape;
}

// Returns the last message of the library on one line.
std::string LastMessage(const OpenVinoLibrary& library) {
  const char* const text = library.get_last_err_msg();
  if (text == nullptr) return "";
  const std::vector<std::string> words =
      absl::StrSplit(text, absl::ByAnyChar(" \n\t"), absl::SkipEmpty());
  library.free(text);
  return absl::StrJoin(words, " ");
}

// Returns OK if `status` is kOk, and otherwise an Internal error with the last
// message of the library. `call` is the source text of the call that returned
// `status`. The error message contains the name of the function.
absl::Status ToStatus(const OpenVinoLibrary& library, int status,
                      absl::string_view call) {
  if (status == openvino::kOk) return absl::OkStatus();
  // The library keeps the message of an earlier error if it only rejects an
  // argument.
  const std::string message =
      status == openvino::kInvalidArgument ? "" : LastMessage(library);
  return absl::InternalError(absl::StrCat(
      "OpenVINO: `ov_", call.substr(0, call.find('(')), "` failed with status ",
      status, message.empty() ? "" : ": ", message));
}

// Returns from the enclosing function if a call of a function of `library_`
// fails: RETURN_IF_OV_ERROR(core_create(&core)).
#define RETURN_IF_OV_ERROR(call) \
  ASSAY_RETURN_IF_ERROR(ToStatus(library_, library_.call, #call))

class OpenVinoSession : public ModelSession {
 public:
  OpenVinoSession(const OpenVinoLibrary& library,
                  const runtime::NamedTensors& inputs, int threads)
      : ModelSession(inputs, threads, library.workers), library_(library) {}

  ~OpenVinoSession() override {
    if (request_ != nullptr) library_.infer_request_free(request_);
    if (compiled_ != nullptr) library_.compiled_model_free(compiled_);
  }

  absl::Status Prepare(const openvino::Core* core, const OnnxSource& source) {
    openvino::Model* new_model = nullptr;
    if (source.file.empty()) {
      RETURN_IF_OV_ERROR(core_read_model_from_memory_buffer(
          core, source.bytes.data(), source.bytes.size(), /*weights=*/nullptr,
          &new_model));
    } else {
      RETURN_IF_OV_ERROR(core_read_model(core, source.file.c_str(),
                                         /*weights=*/nullptr, &new_model));
    }
    const Owned<openvino::Model> model(new_model, library_.model_free);
    if (library_.model_is_dynamic(new_model)) {
      ASSAY_RETURN_IF_ERROR(SetExtents(new_model));
    }
    ASSAY_RETURN_IF_ERROR(Compile(core, new_model));
    RETURN_IF_OV_ERROR(
        compiled_model_create_infer_request(compiled_, &request_));
    for (auto& [name, value] : inputs()) {
      ASSAY_ASSIGN_OR_RETURN(const Owned<openvino::Tensor> tensor,
                             NewTensor(value));
      RETURN_IF_OV_ERROR(
          infer_request_set_tensor(request_, name.c_str(), tensor.get()));
    }
    size_t count = 0;
    RETURN_IF_OV_ERROR(compiled_model_outputs_size(compiled_, &count));
    for (size_t i = 0; i < count; ++i) ASSAY_RETURN_IF_ERROR(AddOutput(i));
    return absl::OkStatus();
  }

  // Returns the conditions of the runs.
  absl::StatusOr<Parity> Conditions() {
    Parity parity;
    // The library may have fewer threads than were asked for.
    ASSAY_ASSIGN_OR_RETURN(const std::string threads, Property(kNumThreads));
    if (!absl::SimpleAtoi(threads, &parity.threads)) {
      return absl::InternalError(
          absl::StrCat("OpenVINO: ", kNumThreads, " is `", threads, "`"));
    }
    ASSAY_ASSIGN_OR_RETURN(const std::string precision, Property(kPrecision));
    parity.reduced_precision = precision != kFloat32Precision;
    ASSAY_ASSIGN_OR_RETURN(parity.affinity, StartWorkers());
    parity.optimization = "latency hint";
    return parity;
  }

 private:
  struct Output {
    std::string name;
    Owned<openvino::Port> port;
    // The memory of the output; empty if its extents are not known.
    NDArray value;
  };

  absl::Status Run() override {
    RETURN_IF_OV_ERROR(infer_request_infer(request_));
    return absl::OkStatus();
  }

  absl::StatusOr<runtime::NamedTensors> ReadOutputs() override {
    runtime::NamedTensors result;
    for (const Output& output : outputs_) {
      openvino::Tensor* new_tensor = nullptr;
      RETURN_IF_OV_ERROR(infer_request_get_tensor_by_const_port(
          request_, output.port.get(), &new_tensor));
      const Owned<openvino::Tensor> tensor(new_tensor, library_.tensor_free);
      ASSAY_ASSIGN_OR_RETURN(NDArray value, CopyOf(new_tensor));
      result.push_back({output.name, std::move(value)});
    }
    return result;
  }

  // Replaces symbolic extents of the inputs by those of the values, because
  // OpenVINO chooses other kernels if extents are known.
  absl::Status SetExtents(const openvino::Model* model) {
    std::vector<const char*> names;
    std::vector<std::vector<openvino::Range>> extents;
    for (const auto& [name, value] : inputs()) {
      names.push_back(name.c_str());
      extents.emplace_back();
      for (const int64_t extent : value.shape()) {
        extents.back().push_back({extent, extent});
      }
    }
    std::vector<openvino::PartialShape> shapes;
    for (std::vector<openvino::Range>& shape : extents) {
      const auto rank = static_cast<int64_t>(shape.size());
      shapes.push_back({{rank, rank}, shape.data()});
    }
    RETURN_IF_OV_ERROR(
        model_reshape(model, names.data(), shapes.data(), shapes.size()));
    return absl::OkStatus();
  }

  absl::Status Compile(const openvino::Core* core,
                       const openvino::Model* model) {
    const std::string num_threads = absl::StrCat(threads());
    const std::vector<openvino::Property> properties = {
        {kPrecision, kFloat32Precision},
        {"PERFORMANCE_HINT", "LATENCY"},
        {"NUM_STREAMS", "1"},
        {kNumThreads, num_threads.c_str()},
        // By default, the latency hint uses one thread per core, which may be
        // fewer than there are processors.
        {"ENABLE_HYPER_THREADING", "YES"},
        // PinnedWorkers treats all libraries alike.
        {"ENABLE_CPU_PINNING", "NO"},
    };
    RETURN_IF_OV_ERROR(core_compile_model_props(
        core, model, "CPU", properties.size(), properties.data(), &compiled_));
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Property(const char* key) const {
    char* value = nullptr;
    RETURN_IF_OV_ERROR(compiled_model_get_property(compiled_, key, &value));
    std::string text = value;
    library_.free(value);
    return text;
  }

  // Creates a tensor that uses the memory of `array`.
  absl::StatusOr<Owned<openvino::Tensor>> NewTensor(NDArray& array) const {
    const std::optional<int> type = ElementTypeOf(array.dtype());
    if (!type.has_value()) {
      return absl::UnimplementedError(
          absl::StrCat("a value is ", array.dtype().ToString(),
                       ", which is not handed to OpenVINO"));
    }
    Shape extents = array.shape();
    const openvino::StaticShape shape = {static_cast<int64_t>(extents.size()),
                                         extents.data()};
    openvino::Tensor* new_tensor = nullptr;
    RETURN_IF_OV_ERROR(
        tensor_create_from_host_ptr(*type, shape, array.raw(), &new_tensor));
    Owned<openvino::Tensor> tensor(new_tensor, library_.tensor_free);
    // A wrong element type would let the library write beyond the array.
    size_t bytes = 0;
    RETURN_IF_OV_ERROR(tensor_get_byte_size(new_tensor, &bytes));
    if (bytes != array.num_bytes()) {
      return absl::InternalError(absl::StrCat("OpenVINO: a tensor has ", bytes,
                                              " bytes instead of ",
                                              array.num_bytes()));
    }
    return tensor;
  }

  absl::Status AddOutput(size_t index) {
    openvino::Port* new_port = nullptr;
    RETURN_IF_OV_ERROR(
        compiled_model_output_by_index(compiled_, index, &new_port));
    outputs_.push_back(
        {"", Owned<openvino::Port>(new_port, library_.output_const_port_free),
         NDArray()});
    Output& output = outputs_.back();
    char* name = nullptr;
    RETURN_IF_OV_ERROR(port_get_any_name(new_port, &name));
    output.name = name;
    library_.free(name);
    openvino::PartialShape partial = {};
    RETURN_IF_OV_ERROR(port_get_partial_shape(new_port, &partial));
    const std::optional<Shape> shape = KnownShape(partial);
    library_.partial_shape_free(&partial);
    if (!shape.has_value()) return absl::OkStatus();
    int type = 0;
    RETURN_IF_OV_ERROR(port_get_element_type(new_port, &type));
    ASSAY_ASSIGN_OR_RETURN(const DType dtype, DTypeOf(type));
    output.value = NDArray(dtype, *shape);
    ASSAY_ASSIGN_OR_RETURN(const Owned<openvino::Tensor> tensor,
                           NewTensor(output.value));
    RETURN_IF_OV_ERROR(infer_request_set_tensor_by_const_port(
        request_, new_port, tensor.get()));
    return absl::OkStatus();
  }

  absl::StatusOr<NDArray> CopyOf(const openvino::Tensor* tensor) const {
    openvino::StaticShape extents = {};
    RETURN_IF_OV_ERROR(tensor_get_shape(tensor, &extents));
    Shape shape(extents.extents, extents.extents + extents.rank);
    library_.shape_free(&extents);
    int type = 0;
    RETURN_IF_OV_ERROR(tensor_get_element_type(tensor, &type));
    ASSAY_ASSIGN_OR_RETURN(const DType dtype, DTypeOf(type));
    void* data = nullptr;
    RETURN_IF_OV_ERROR(tensor_data(tensor, &data));
    NDArray copy(dtype, std::move(shape));
    if (copy.num_bytes() > 0) std::memcpy(copy.raw(), data, copy.num_bytes());
    return copy;
  }

  const OpenVinoLibrary& library_;
  openvino::CompiledModel* compiled_ = nullptr;
  openvino::Request* request_ = nullptr;
  std::vector<Output> outputs_;
};

class OpenVino : public Reference {
 public:
  ~OpenVino() override {
    if (core_ != nullptr) library_.core_free(core_);
  }

  absl::Status Open(absl::string_view program) {
    ASSAY_ASSIGN_OR_RETURN(const DynamicLibrary opened,
                           DynamicLibrary::OpenWheel(program, "openvino"));
    static auto* const workers = new PinnedWorkers;  // see OpenVinoLibrary
    library_.workers = workers;
#define ASSAY_FIND_FUNCTION(name, type) \
  ASSAY_RETURN_IF_ERROR(opened.Find("ov_" #name, &library_.name));
    ASSAY_FOR_EACH_OPENVINO_FUNCTION(ASSAY_FIND_FUNCTION)
#undef ASSAY_FIND_FUNCTION
    openvino::Version version = {};
    RETURN_IF_OV_ERROR(get_openvino_version(&version));
    // For example `2026.4.1`, of the build `2026.4.1-22982-…`.
    version_ =
        std::vector<std::string>(absl::StrSplit(version.build_number, '-'))[0];
    library_.version_free(&version);
    RETURN_IF_OV_ERROR(core_create(&core_));
    return absl::OkStatus();
  }

  std::string name() const override { return "openvino"; }
  std::string version() const override { return version_; }

  absl::StatusOr<PreparedReference> LoadModel(
      const OnnxSource& model, const runtime::NamedTensors& inputs,
      int threads) override {
    auto session = std::make_unique<OpenVinoSession>(library_, inputs, threads);
    ASSAY_RETURN_IF_ERROR(library_.workers->Watch(
        [&] { return session->Prepare(core_, model); }));
    ASSAY_ASSIGN_OR_RETURN(Parity parity, session->Conditions());
    return PreparedReference{std::move(session), std::move(parity)};
  }

  absl::StatusOr<PreparedReference> PrepareGemm(const GemmProblem& problem,
                                                const GemmOperands& operands,
                                                int threads) override {
    if (problem.int8) {
      return absl::UnimplementedError("openvino multiplies no bytes");
    }
    return Reference::PrepareGemm(problem, operands, threads);
  }

 private:
  OpenVinoLibrary library_;
  std::string version_;
  openvino::Core* core_ = nullptr;
};

#undef RETURN_IF_OV_ERROR

}  // namespace

absl::StatusOr<std::unique_ptr<Reference>> LoadOpenVino(
    absl::string_view program) {
  auto openvino = std::make_unique<OpenVino>();
  ASSAY_RETURN_IF_ERROR(openvino->Open(program));
  return openvino;
}

}  // namespace assay::suites
