#include "compiler/frontend/onnx/proto/type_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "runtime/base/shape.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::TensorType;

bool HasNumber(const onnx::TensorShapeProto::Dimension& dim) {
  return dim.has_dim_value() && dim.dim_value() != -1;
}

std::string DeclaredToString(const onnx::TypeProto::Tensor& declared) {
  const auto dtype = ReadElementType(declared.elem_type());
  std::string text = dtype.ok() ? dtype->ToString() : "?";
  if (!declared.has_shape()) return text;
  std::vector<std::string> dims;
  for (const auto& dim : declared.shape().dim()) {
    dims.push_back(HasNumber(dim)        ? absl::StrCat(dim.dim_value())
                   : dim.has_dim_param() ? Escape(dim.dim_param())
                                         : "?");
  }
  return absl::StrCat(text, "[", absl::StrJoin(dims, ","), "]");
}

}  // namespace

absl::StatusOr<int64_t> TypeReader::ReadExtent(
    const onnx::TensorShapeProto::Dimension& dim, const std::string& input,
    size_t axis) {
  if (HasNumber(dim)) return dim.dim_value();
  // Some exporters write `?` for each extent that they do not know.
  const bool named = !dim.dim_param().empty() && dim.dim_param() != "?";
  const std::string symbol =
      named ? dim.dim_param() : absl::StrCat(input, "[", axis, "]");
  const bool is_new = symbols_.insert(symbol).second;
  const auto found = dims_.find(symbol);
  if (found == dims_.end()) {
    if (is_new) open_.push_back({symbol, input, axis});
    return 0;
  }
  if (found->second >= 0) return found->second;
  return Malformed("extent ", Quote(symbol), " is given as ", found->second,
                   ", which is negative");
}

absl::StatusOr<Shape> TypeReader::GivenShape(const std::string& input) {
  Shape shape;
  const std::string scalar = absl::StrCat(input, "[]");
  bool is_given = dims_.count(scalar) > 0;
  if (is_given) symbols_.insert(scalar);
  while (true) {
    const std::string symbol = absl::StrCat(input, "[", shape.size(), "]");
    const auto found = dims_.find(symbol);
    if (found == dims_.end()) break;
    is_given = true;
    ASSAY_ASSIGN_OR_RETURN(
        const int64_t extent,
        ReadExtent(onnx::TensorShapeProto::Dimension(), input, shape.size()));
    shape.push_back(extent);
  }
  if (is_given) return shape;
  return Malformed(
      "has no shape in the model; give it one with --dim=", Escape(input),
      "[0]=1 and so on for each axis, or with a "
      "file of --inputs");
}

absl::StatusOr<TensorType> TypeReader::ReadInput(
    const onnx::ValueInfoProto& info) {
  if (!info.type().has_tensor_type()) {
    return Unsupported("is no tensor; only tensors are supported");
  }
  const onnx::TypeProto::Tensor& declared = info.type().tensor_type();
  TensorType type;
  ASSAY_ASSIGN_OR_RETURN(type.dtype, ReadElementType(declared.elem_type()));
  if (!declared.has_shape()) {
    ASSAY_ASSIGN_OR_RETURN(type.shape, GivenShape(info.name()));
  }
  for (const auto& dim : declared.shape().dim()) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t extent,
                           ReadExtent(dim, info.name(), type.shape.size()));
    type.shape.push_back(extent);
  }
  ASSAY_RETURN_IF_ERROR(CheckSize(type, memory_.left()));
  return type;
}

absl::Status TypeReader::CheckElementType(const onnx::ValueInfoProto& info,
                                          const TensorType& actual) const {
  if (!info.has_type()) return absl::OkStatus();
  if (!info.type().has_tensor_type()) {
    return Malformed("is declared as no tensor but is ", actual.ToString());
  }
  const onnx::TypeProto::Tensor& declared = info.type().tensor_type();
  ASSAY_ASSIGN_OR_RETURN(const DType dtype,
                         ReadElementType(declared.elem_type()));
  if (dtype == actual.dtype) return absl::OkStatus();
  return Malformed("is declared as ", DeclaredToString(declared), " but is ",
                   actual.ToString());
}

absl::Status TypeReader::CheckShape(const onnx::ValueInfoProto& info,
                                    const TensorType& actual,
                                    absl::Span<const int> bounded) const {
  const onnx::TypeProto::Tensor& declared = info.type().tensor_type();
  if (!declared.has_shape()) return absl::OkStatus();
  bool agrees = declared.shape().dim_size() == actual.rank();
  for (int i = 0; agrees && i < actual.rank(); ++i) {
    const auto& dim = declared.shape().dim(i);
    const auto bound = dims_.find(dim.dim_param());
    if (std::find(bounded.begin(), bounded.end(), i) != bounded.end()) {
      agrees = !HasNumber(dim) || dim.dim_value() <= actual.shape[i];
    } else if (HasNumber(dim)) {
      agrees = dim.dim_value() == actual.shape[i];
    } else if (dim.has_dim_param() && bound != dims_.end()) {
      agrees = bound->second == actual.shape[i];
    }
  }
  if (agrees) return absl::OkStatus();
  return Malformed("is declared as ", DeclaredToString(declared), " but is ",
                   actual.ToString());
}

absl::Status TypeReader::CheckDeclared(const onnx::ValueInfoProto& info,
                                       const TensorType& actual) const {
  ASSAY_RETURN_IF_ERROR(CheckElementType(info, actual));
  return CheckShape(info, actual);
}

// One sentence names all symbols, so that the user can give all extents at
// once.
absl::Status TypeReader::OpenExtentsError() const {
  const OpenExtent& first = open_[0];
  const std::string flag = absl::StrCat("--dim=", Escape(first.symbol), "=1");
  if (open_.size() == 1) {
    return Malformed("input ", Quote(first.input), ": extent ",
                     Quote(first.symbol), " has no value; give it one with ",
                     flag);
  }
  std::string list;
  for (size_t i = 0; i < open_.size(); ++i) {
    const char* before = i == 0 ? "" : i + 1 < open_.size() ? ", " : " and ";
    absl::StrAppend(&list, before, Quote(open_[i].symbol), " (input ",
                    Quote(open_[i].input), ", axis ", open_[i].axis, ")");
  }
  return Malformed("the extents ", list,
                   " have no values; give each of them one with "
                   "--dim=NAME=EXTENT, for example ",
                   flag);
}

absl::Status TypeReader::CheckDims() const {
  for (const auto& [symbol, extent] : dims_) {
    if (symbols_.count(symbol) > 0) continue;
    if (symbols_.empty()) {
      return Malformed("the model has no open extent ", Quote(symbol),
                       "; all its extents are numbers");
    }
    return Malformed("the model has no open extent ", Quote(symbol),
                     "; it has ", absl::StrJoin(symbols_, ", "));
  }
  return open_.empty() ? absl::OkStatus() : OpenExtentsError();
}

}  // namespace assay::frontend
