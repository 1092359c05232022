// ImportOnnx*: an ONNX model becomes a graph (compiler/graph).
//
// What is accepted is written down in compiler/docs/onnx.md. In short: the
// operators of operator_table.h in opsets 7 to 21, each with the meaning it
// has in the model's opset; weights in the file or beside it; symbolic extents
// for which the caller gives numbers. Everything else is an error that names
// the node, the operator and the attribute: InvalidArgument where the file is
// wrong, Unimplemented where it may be right. Nothing in a file is ignored but
// documentation, metadata and initializers that nothing reads.
//
// Every extent in the graph is known. Shape arithmetic (Shape, Gather,
// Concat, … on constants) is gone; everything else stands one to one, dead
// nodes included. Graph inputs and outputs keep the names and the order of the
// model's, nodes the name of the ONNX node they came from.
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
  // Extents for the model's symbols; an extent that the model does not give
  // at all is called `<input>[<axis>]`. Each entry must be needed, and each
  // open extent of an input must have one.
  std::map<std::string, int64_t> dims;
  // Values for inputs that the graph then does not have: the shape of a
  // Reshape or the k of a TopK, say, which the graph must know and which some
  // models leave to whoever runs them. Each must be an input of that type.
  std::map<std::string, NDArray> bound_inputs;
  // For inputs and constants of the graph together, and for any other value
  // beside them. ResourceExhausted, naming the value, where they need more;
  // nothing is allocated then.
  int64_t max_memory = kDefaultMaxMemory;
};

// Reads `path` and the files of external data that it refers to, which must
// lie in its folder. Errors begin with the path.
absl::StatusOr<std::unique_ptr<graph::Graph>> ImportOnnxFile(
    const std::string& path, const ImportOptions& options = {});

// The content of a file. `folder` is where external data lies; empty if there
// must be none.
absl::StatusOr<std::unique_ptr<graph::Graph>> ImportOnnxBytes(
    absl::string_view bytes, const ImportOptions& options = {},
    const std::string& folder = "");

absl::StatusOr<std::unique_ptr<graph::Graph>> ImportOnnxModel(
    const onnx::ModelProto& model, const ImportOptions& options = {},
    const std::string& folder = "");

// Reads the value of a flag `--dim=N=1`: a symbol and its extent.
absl::StatusOr<std::pair<std::string, int64_t>> ParseDim(
    absl::string_view text);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_IMPORT_H_
