#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
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
#include "runtime/process/dynamic_library.h"
#include "suites/references/libraries.h"
#include "suites/references/library_session.h"
#include "suites/references/pinned_workers.h"

namespace assay::suites {
namespace {

// Those functions of OpenVINO's C API that are used here. The library may be
// missing when the program is built, and its header with it, so they are
// declared again. As in OpenVINO's header, objects of the library are pointers
// to types without a definition. Enumerations are ints here, which are passed
// in the same way.
namespace openvino {

struct CompiledModel;
struct Core;
struct Model;
struct Port;     // an input or an output of a model
struct Request;  // the state of a model that runs
struct Tensor;

// Statuses, with their names in OpenVINO.
constexpr int kOk = 0;                 // OK
constexpr int kInvalidArgument = -14;  // INVALID_C_PARAM

// Element types. The values of this enumeration differ between releases.
constexpr int kFloat32 = 4;  // F32
constexpr int kFloat64 = 5;  // F64
constexpr int kInt8 = 7;     // I8
constexpr int kInt32 = 9;    // I32
constexpr int kInt64 = 10;   // I64
constexpr int kUInt8 = 16;   // U8

// ov_dimension_t: the bounds of an extent or of a rank. They are equal if the
// value is known.
struct Range {
  int64_t min;
  int64_t max;
};

// ov_partial_shape_t. If the rank is unknown, `extents` is null.
struct PartialShape {
  Range rank;
  Range* extents;
};

// ov_property_t.
struct Property {
  const char* key;
  const void* value;
};

// ov_shape_t.
struct StaticShape {
  int64_t rank;
  int64_t* extents;
};

// ov_version_t.
struct Version {
  const char* build_number;
  const char* description;
};

// Lists the functions: the name without the prefix `ov_`, and the type. An int
// that a function returns is a status. Functions named `…_free` release what
// other functions of the library returned.
#define ASSAY_FOR_EACH_OPENVINO_FUNCTION(F)                                    \
  F(compiled_model_create_infer_request, int(const CompiledModel*, Request**)) \
  F(compiled_model_free, void(CompiledModel*))                                 \
  F(compiled_model_get_property,                                               \
    int(const CompiledModel*, const char* key, char** value))                  \
  F(compiled_model_output_by_index,                                            \
    int(const CompiledModel*, size_t index, Port**))                           \
  F(compiled_model_outputs_size, int(const CompiledModel*, size_t*))           \
  F(core_compile_model_props,                                                  \
    int(const Core*, const Model*, const char* device, size_t num_properties,  \
        const Property*, CompiledModel**))                                     \
  F(core_create, int(Core**))                                                  \
  F(core_free, void(Core*))                                                    \
  F(core_read_model,                                                           \
    int(const Core*, const char* file, const char* weights, Model**))          \
  F(core_read_model_from_memory_buffer,                                        \
    int(const Core*, const char* bytes, size_t size, const Tensor* weights,    \
        Model**))                                                              \
  F(free, void(const char*))                                                   \
  F(get_last_err_msg, const char*())                                           \
  F(get_openvino_version, int(Version*))                                       \
  F(infer_request_free, void(Request*))                                        \
  F(infer_request_get_tensor_by_const_port,                                    \
    int(const Request*, const Port*, Tensor**))                                \
  F(infer_request_infer, int(Request*))                                        \
  F(infer_request_set_tensor, int(Request*, const char* name, const Tensor*))  \
  F(model_free, void(Model*))                                                  \
  F(model_is_dynamic, bool(const Model*))                                      \
  F(model_reshape,                                                             \
    int(const Model*, const char** inputs, const PartialShape*, size_t))       \
  F(output_const_port_free, void(Port*))                                       \
  F(port_get_any_name, int(const Port*, char**))                               \
  F(shape_free, int(StaticShape*))                                             \
  F(tensor_create_from_host_ptr,                                               \
    int(int type, StaticShape, void* data, Tensor**))                          \
  F(tensor_data, int(const Tensor*, void**))                                   \
  F(tensor_free, void(Tensor*))                                                \
  F(tensor_get_byte_size, int(const Tensor*, size_t*))                         \
  F(tensor_get_element_type, int(const Tensor*, int*))                         \
  F(tensor_get_shape, int(const Tensor*, StaticShape*))                        \
  F(version_free, void(Version*))

struct Functions {
#define ASSAY_DECLARE_FUNCTION(name, type) \
  std::add_pointer_t<type> name = nullptr;
  ASSAY_FOR_EACH_OPENVINO_FUNCTION(ASSAY_DECLARE_FUNCTION)
#undef ASSAY_DECLARE_FUNCTION
};

}  // namespace openvino

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
    // The element type tells the library how many bytes to read. If the number
    // in kElementTypes were wrong, it could read beyond the array.
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
    Owned<openvino::Port> port(new_port, library_.output_const_port_free);
    char* name = nullptr;
    RETURN_IF_OV_ERROR(port_get_any_name(new_port, &name));
    outputs_.push_back({name, std::move(port)});
    library_.free(name);
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
    ASSAY_ASSIGN_OR_RETURN(
        const runtime::DynamicLibrary opened,
        runtime::DynamicLibrary::OpenWheel(program, "openvino"));
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
