// ImportOnnx*: convert an ONNX model to a graph (compiler/graph).
//
// compiler/docs/onnx.md defines what is accepted. In short: the operators of
// operator_table.h in opsets 6 to 21, each with its meaning in the model's
// opset; weights in the file or in external files; symbolic extents for which
// the caller gives numbers. Everything else is an error that names the node,
// the operator and the attribute: InvalidArgument if the file is invalid,
// Unimplemented if it may be valid. Only documentation, metadata and unused
// initializers are ignored.
//
// Every extent in the graph is known. Shape arithmetic (Shape, Gather, Concat,
// … on constants) is evaluated; all other nodes are converted one by one,
// including dead ones. Graph inputs and outputs keep their names and order, and
// nodes the name of the ONNX node they came from.
//
//   ImportOptions options;
//   options.dims["N"] = 1;
//   ASSAY_ASSIGN_OR_RETURN(auto graph, ImportOnnxFile("net.onnx", options));
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_IMPORT_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_IMPORT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/ndarray.h"

namespace assay::frontend {

struct ImportOptions {
  // Extents for the symbols of the model; an extent that the model leaves out
  // is called `<input>[<axis>]`. Every unknown extent of an input needs an
  // entry, and an unused entry is an error.
  std::map<std::string, int64_t> dims;
  // Constant values for inputs, which the graph then does not have: for example
  // the shape of a Reshape or the k of a TopK, which must be known at import
  // but are inputs of some models. Each must be an input of that type.
  std::map<std::string, NDArray> bound_inputs;
  // Maximum size in bytes of the inputs and constants of the graph together
  // with any one other value. If more is needed, import fails with
  // ResourceExhausted, naming the value, before it is allocated.
  int64_t max_memory = kDefaultMaxMemory;
};

// Reads `path` and the files of external data that it refers to, which must
// lie in its folder. Errors begin with the path.
absl::StatusOr<std::unique_ptr<graph::Graph>> ImportOnnxFile(
    const std::string& path, const ImportOptions& options = {});

// Imports the content of a file. `folder` contains external data; if it is
// empty, external data is an error.
absl::StatusOr<std::unique_ptr<graph::Graph>> ImportOnnxBytes(
    absl::string_view bytes, const ImportOptions& options = {},
    const std::string& folder = "");

absl::StatusOr<std::unique_ptr<graph::Graph>> ImportOnnxModel(
    const onnx::ModelProto& model, const ImportOptions& options = {},
    const std::string& folder = "");

// Parses the value of a flag `--dim=N=1`: a symbol and its extent.
absl::StatusOr<std::pair<std::string, int64_t>> ParseDim(
    absl::string_view text);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_IMPORT_H_
