#include "compiler/frontend/onnx/contrib/contrib_op.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {

using onnx::AttributeProto;

ContribOp::ContribOp(const ContribCall& call)
    : call_(call), attributes_(*call.node) {
  CHECK_EQ(call.types.size(), call.values.size());
  for (size_t i = 0; i < call.types.size(); ++i) {
    names_.push_back(absl::StrCat("%in", i));
  }
}

bool ContribOp::WantsResult(int i) const {
  const onnx::NodeProto& node = *call_.node;
  return i < node.output_size() && !node.output(i).empty() &&
         (call_.read == nullptr || call_.read->contains(node.output(i)));
}

absl::Status ContribOp::Require(std::initializer_list<int> operands) const {
  for (const int i : operands) {
    if (HasInput(i)) continue;
    return Malformed("input ", i, " is left out but is required");
  }
  return absl::OkStatus();
}

absl::Status ContribOp::ExpectScalars(
    std::initializer_list<int> operands) const {
  for (const int i : operands) {
    if (!HasInput(i) || Type(i).num_elements() == 1) continue;
    return Malformed("input ", i, " is ", Type(i).ToString(),
                     " but one element is needed");
  }
  return absl::OkStatus();
}

absl::Status ContribOp::ExpectRank(int i, int rank) const {
  if (Type(i).rank() == rank) return absl::OkStatus();
  return Malformed("input ", i, " is ", Type(i).ToString(), " but rank ", rank,
                   " is needed");
}

absl::Status ContribOp::ExpectBroadcast(int i, const Shape& shape) const {
  const Shape& given = Type(i).shape;
  bool fits = given.size() <= shape.size();
  for (size_t d = 1; fits && d <= given.size(); ++d) {
    const int64_t extent = given[given.size() - d];
    fits = extent == 1 || extent == shape[shape.size() - d];
  }
  if (fits) return absl::OkStatus();
  return Malformed("input ", i, " is ", Type(i).ToString(),
                   ", which does not broadcast to ", ShapeToString(shape));
}

absl::StatusOr<int64_t> ContribOp::RequiredInt(absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const std::optional<int64_t> value,
                         attributes_.OptionalInt(name));
  if (value.has_value()) return *value;
  return Malformed("attribute ", Quote(name), " is missing");
}

absl::StatusOr<float> ContribOp::RequiredFloat(absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const std::optional<float> value,
                         attributes_.OptionalFloat(name));
  if (value.has_value()) return *value;
  return Malformed("attribute ", Quote(name), " is missing");
}

absl::Status ContribOp::Copy(absl::Span<const AttributeSpec> attributes,
                             NodeBuilder::Added to) {
  for (const AttributeSpec& spec : attributes) {
    // Checks the type, and marks the attribute as read.
    absl::Status status;
    switch (spec.type) {
      case AttributeProto::INT:
        status = attributes_.OptionalInt(spec.name).status();
        break;
      case AttributeProto::FLOAT:
        status = attributes_.OptionalFloat(spec.name).status();
        break;
      case AttributeProto::STRING:
        status = attributes_.String(spec.name, "").status();
        break;
      case AttributeProto::INTS:
        status = attributes_.OptionalInts(spec.name).status();
        break;
      case AttributeProto::FLOATS:
        status = attributes_.OptionalFloats(spec.name).status();
        break;
      default:
        CHECK_EQ(spec.type, AttributeProto::STRINGS) << spec.name;
        status = attributes_.OptionalStrings(spec.name).status();
        break;
    }
    ASSAY_RETURN_IF_ERROR(status);
    for (const AttributeProto& attribute : call_.node->attribute()) {
      if (attribute.name() == spec.name) to.Copy(attribute);
    }
  }
  return absl::OkStatus();
}

absl::Status ContribOp::RefuseAttribute(absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t value, attributes_.Int(name, 0));
  if (value == 0) return absl::OkStatus();
  return Unsupported("attribute ", Quote(name), " is ", value,
                     "; only 0 is supported");
}

absl::Status ContribOp::RefuseInput(int i, absl::string_view what) const {
  if (!HasInput(i)) return absl::OkStatus();
  return Unsupported("input ", i, " (", what, ") is given, which is not ",
                     "supported");
}

ContribBody ContribOp::body() const {
  ContribBody body;
  body.nodes = builder_.nodes();
  body.inputs = names_;
  body.outputs = results_;
  return body;
}

}  // namespace assay::frontend
