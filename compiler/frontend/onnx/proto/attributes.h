// Attributes: typed access to the attributes of one ONNX node.
//
// An importer must read every attribute that the operator has in the model's
// opset. CheckAllRead() then returns an error if the node has any other
// attribute, so that no attribute is ignored by accident. Error messages
// contain the name of the attribute.
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
  // `node` must outlive this object.
  explicit Attributes(const onnx::NodeProto& node) : node_(node) {}

  // Returns InvalidArgument if an attribute
  //   - has no name, or has the same name as another attribute of the node;
  //   - has no type, or has a value of a type other than its declared type; or
  //   - refers to an attribute of a function (ref_attr_name).
  absl::Status Check() const;

  // Return the value of the attribute, or `absent` if the attribute is absent.
  // These and all other methods that read an attribute return InvalidArgument
  // if the type of the attribute is not the type that the method reads.
  absl::StatusOr<int64_t> Int(absl::string_view name, int64_t absent);
  absl::StatusOr<float> Float(absl::string_view name, float absent);
  absl::StatusOr<std::string> String(absl::string_view name,
                                     absl::string_view absent);
  // Returns true for the integer 1 and false for 0. Returns InvalidArgument for
  // other values.
  absl::StatusOr<bool> Flag(absl::string_view name, bool absent);

  // Return the value of the attribute, or nullopt if the attribute is absent.
  absl::StatusOr<std::optional<int64_t>> OptionalInt(absl::string_view name);
  absl::StatusOr<std::optional<float>> OptionalFloat(absl::string_view name);
  absl::StatusOr<std::optional<std::vector<int64_t>>> OptionalInts(
      absl::string_view name);
  absl::StatusOr<std::optional<std::vector<float>>> OptionalFloats(
      absl::string_view name);
  absl::StatusOr<std::optional<std::vector<std::string>>> OptionalStrings(
      absl::string_view name);
  // Return a pointer to the value of the attribute, or null if the attribute is
  // absent.
  absl::StatusOr<const onnx::TensorProto*> OptionalTensor(
      absl::string_view name);
  absl::StatusOr<const onnx::GraphProto*> OptionalGraph(absl::string_view name);
  absl::StatusOr<const onnx::TypeProto*> OptionalType(absl::string_view name);

  // Returns Unimplemented if the node has an attribute that was not read.
  // `opset` is used only in the error message.
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
