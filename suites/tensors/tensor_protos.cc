#include "suites/tensors/tensor_protos.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "compiler/graph/op/tensor_type.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/file.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {
namespace {

using frontend::Annotate;
using frontend::Malformed;
using frontend::Quote;
using frontend::Unsupported;
using onnx::TensorProto;

// A message must have less than 2 GiB; this leaves some space for the fields
// other than the data.
constexpr size_t kMaxDataBytes =
    static_cast<size_t>(std::numeric_limits<int32_t>::max()) - (1 << 20);
// Limits the length of errors.
constexpr int kMaxRank = 64;

absl::StatusOr<graph::TensorType> TypeOf(const TensorProto& proto) {
  if (proto.data_location() == TensorProto::EXTERNAL) {
    return Unsupported("has its data in another file, which is not supported");
  }
  if (proto.dims_size() > kMaxRank) {
    return Unsupported("has ", proto.dims_size(), " axes; at most ", kMaxRank,
                       " are supported");
  }
  graph::TensorType type;
  ASSAY_ASSIGN_OR_RETURN(type.dtype,
                         frontend::ReadElementType(proto.data_type()));
  type.shape.assign(proto.dims().begin(), proto.dims().end());
  ASSAY_RETURN_IF_ERROR(CheckedNumElements(type.shape).status());
  return type;
}

}  // namespace

std::vector<std::string> FindInputProtos(const std::string& folder) {
  std::vector<std::string> paths;
  while (true) {
    std::string path =
        JoinPath(folder, absl::StrCat("input_", paths.size(), ".pb"));
    if (!FileExists(path)) return paths;
    paths.push_back(std::move(path));
  }
}

absl::StatusOr<UnreadTensor> OpenTensorProto(const std::string& path,
                                             absl::string_view bytes,
                                             MemoryBudget* memory) {
  UnreadTensor tensor;
  tensor.label = absl::StrCat("`", path, "`");
  memory->Use(static_cast<int64_t>(bytes.size()));
  const auto proto = std::make_shared<TensorProto>();
  if (bytes.size() > std::numeric_limits<int>::max() ||
      !proto->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Malformed(tensor.label, ": is no ONNX tensor: its ", bytes.size(),
                     " bytes cannot be parsed");
  }
  const absl::StatusOr<graph::TensorType> type = TypeOf(*proto);
  if (!type.ok()) return Annotate(type.status(), tensor.label);
  tensor.name = proto->name();
  tensor.type = *type;
  ASSAY_RETURN_IF_ERROR(memory->Check(tensor.label, type->num_bytes()));
  memory->Use(type->num_bytes());
  tensor.read = [proto, max_bytes = type->num_bytes(),
                 label = tensor.label]() -> absl::StatusOr<NDArray> {
    auto array = frontend::ReadTensor(*proto, /*folder=*/"", max_bytes);
    if (!array.ok()) return Annotate(array.status(), label);
    return array;
  };
  return tensor;
}

absl::StatusOr<std::string> SerializeTensorProto(absl::string_view name,
                                                 const NDArray& value) {
  if (value.num_bytes() > kMaxDataBytes) {
    return Unsupported("output ", Quote(name), ": has ", value.num_bytes(),
                       " bytes; an ONNX tensor must have less than 2 GiB");
  }
  return ToTensorProto(name, value).SerializeAsString();
}

}  // namespace assay::suites
