// Attributes: typed and strict access to the attributes of one ONNX node.
//
// An importer reads every attribute that the operator has in the model's opset;
// CheckAllRead() then reports any other attribute as an error, so that none is
// ignored by accident. An attribute of the wrong type, a duplicate, and one
// with values of several types are errors that name it.
//
//   ASSAY_ASSIGN_OR_RETURN(int64_t axis, attributes.Int("axis", 1));
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_PROTO_ATTRIBUTES_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_PROTO_ATTRIBUTES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

class Attributes {
 public:
  // `node` must outlive the object.
  explicit Attributes(const onnx::NodeProto& node) : node_(node) {}

  // Checks that names are unique and that values have the attribute's type.
  absl::Status Check() const;

  // Return the value; `absent` if the attribute is absent.
  absl::StatusOr<int64_t> Int(absl::string_view name, int64_t absent);
  absl::StatusOr<float> Float(absl::string_view name, float absent);
  absl::StatusOr<std::string> String(absl::string_view name,
                                     absl::string_view absent);
  // 0 or 1.
  absl::StatusOr<bool> Flag(absl::string_view name, bool absent);

  // Return nothing if the attribute is absent.
  absl::StatusOr<std::optional<int64_t>> OptionalInt(absl::string_view name);
  absl::StatusOr<std::optional<float>> OptionalFloat(absl::string_view name);
  absl::StatusOr<std::optional<std::vector<int64_t>>> OptionalInts(
      absl::string_view name);
  absl::StatusOr<std::optional<std::vector<float>>> OptionalFloats(
      absl::string_view name);
  absl::StatusOr<std::optional<std::vector<std::string>>> OptionalStrings(
      absl::string_view name);
  // Return null if the attribute is absent.
  absl::StatusOr<const onnx::TensorProto*> OptionalTensor(
      absl::string_view name);
  absl::StatusOr<const onnx::GraphProto*> OptionalGraph(absl::string_view name);

  // Returns an error that names an attribute that was not read.
  absl::Status CheckAllRead(int opset) const;

 private:
  // Marks the attribute as read; returns null if it is absent.
  absl::StatusOr<const onnx::AttributeProto*> Find(
      absl::string_view name, onnx::AttributeProto::AttributeType type);

  const onnx::NodeProto& node_;
  absl::flat_hash_set<std::string> read_;
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_PROTO_ATTRIBUTES_H_
