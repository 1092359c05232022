// ImportOptions: what a caller of the importer (import.h) can give in addition
// to the model.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_IMPORT_OPTIONS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_IMPORT_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/ndarray.h"

namespace assay::frontend {

// The tensors in a sequence or an optional value.
struct ValueParts {
  // False if an optional value is absent, which then has no types. True for a
  // sequence.
  bool present = true;
  // The types of the elements of a sequence, in order, or the type of the
  // tensor in an optional value.
  std::vector<graph::TensorType> types;
};

struct ImportOptions {
  // Maps the symbols in the types of the inputs to extents. If the model
  // specifies neither a number nor a symbol for an extent, the symbol of this
  // extent is `<input>[<axis>]`. Import fails if an entry for a symbol of an
  // input is missing, or if an entry is not used.
  std::map<std::string, int64_t> dims;
  // Maps names of inputs to constant values. These inputs become constants and
  // are not inputs of the graph. Some models need this, because the shape of a
  // Reshape or the k of a TopK is an input of the model but must be known at
  // import. Import fails if the model has no such input, or if the type of the
  // value differs from that of the input.
  std::map<std::string, NDArray> bound_inputs;
  // Maps names of inputs that are sequences or optional values to their parts,
  // which are not in the file. Import fails if the entry of such an input is
  // missing, does not agree with its declared type or belongs to no input.
  // signature.h describes the inputs of the graph.
  std::map<std::string, ValueParts> input_parts;
  // Memory limit in bytes. All inputs and constants of the graph, together with
  // the largest of the other values, must not exceed this limit. If a value
  // would exceed it, the value is not allocated, and import fails with
  // ResourceExhausted and the name of the value.
  int64_t max_memory = kDefaultMaxMemory;
  // Is called with one sentence for each declared shape of an output or an
  // intermediate value that differs from the inferred shape, and for each
  // branch of an If that is invalid for the extents of the inputs, so that the
  // graph always takes the other branch. May be null.
  std::function<void(const std::string&)> warn = nullptr;
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_IMPORT_OPTIONS_H_
