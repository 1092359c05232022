// Signature: the inputs and outputs of a model as those of a graph.
//
// A graph takes and returns only tensors. A sequence or an optional value `x`
// among the inputs or outputs of the model becomes tensors with these names:
//
//   x               a tensor, or the tensor in an optional value
//   x[0], x[1], …   the elements of a sequence, also one in an optional value
//   none            an empty sequence or an absent optional value
//
// The file declares neither the length of an input that is a sequence nor the
// presence of one that is optional: ImportOptions::input_parts does. Those of
// outputs are known after all nodes have been imported.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_SIGNATURE_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_SIGNATURE_H_

#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/frontend/onnx/import_options.h"
#include "compiler/frontend/onnx/operators/import_value.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "compiler/graph/builder/bounded_dims.h"
#include "compiler/graph/graph.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/memory_limit.h"

namespace assay::frontend {

class Signature {
 public:
  // The values of the names in the model's graph.
  using Values = absl::flat_hash_map<std::string, ImportValue>;

  // All arguments must outlive this object. Inputs and constants are subtracted
  // from `memory`.
  Signature(const onnx::GraphProto& proto, const ImportOptions& options,
            MemoryBudget* memory, const graph::BoundedDims* bounded_dims,
            graph::Graph* graph);

  // Adds the inputs to the graph and to `values`, which must contain the
  // initializers. Inputs with a value in the options become constants. Returns
  // an error if a type is not supported or not complete, or if an entry of the
  // options belongs to no input.
  absl::Status AddInputs(Values& values);

  // Adds the outputs, whose values must be in `values`, to the graph. Returns
  // InvalidArgument if an output does not have the declared kind or element
  // type. A declared shape that differs is only reported to options.warn,
  // because exporters often declare wrong shapes.
  absl::Status AddOutputs(const Values& values) const;

  // Checks the declared types of intermediate values as AddOutputs() does.
  absl::Status CheckValueInfos(const Values& values) const;

 private:
  absl::StatusOr<ImportValue> AddInput(const onnx::ValueInfoProto& info);
  absl::StatusOr<ImportValue> AddParts(const onnx::ValueInfoProto& info);
  absl::StatusOr<graph::Value> AddPart(const std::string& name,
                                       const onnx::TypeProto& declared,
                                       const graph::TensorType& type);
  absl::StatusOr<graph::Value> AddTensor(const std::string& name,
                                         const graph::TensorType& type);
  const onnx::ValueInfoProto* FindInput(const std::string& name) const;
  absl::Status CheckOptions() const;
  absl::Status CheckDeclared(const onnx::ValueInfoProto& info,
                             const ImportValue& value,
                             absl::string_view label) const;
  absl::Status CheckTensor(const onnx::ValueInfoProto& info, graph::Value value,
                           absl::string_view label) const;

  const onnx::GraphProto& proto_;
  const ImportOptions& options_;
  MemoryBudget* const memory_;
  const graph::BoundedDims* const bounded_dims_;
  graph::Graph* const graph_;
  TypeReader types_;
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_SIGNATURE_H_
