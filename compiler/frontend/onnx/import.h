// ImportOnnxFile, ImportOnnxBytes, ImportOnnxModel: convert an ONNX model to a
// graph (compiler/graph).
//
// compiler/docs/onnx.md defines which models are accepted. In summary, a model
// may contain
//   - the operators of operator_table.h in opsets 6 to 28; in opsets 1 to 5,
//     only those whose definition is the same in later opsets;
//   - the operators of other domains that contrib_functions.h expands;
//   - weights in the file or in external files;
//   - symbolic extents, for which the caller must provide numbers.
// Documentation, metadata and unused initializers are ignored. Everything else
// is an error: InvalidArgument if the model is invalid, and Unimplemented if
// the model may be valid but is not supported. An error in a node names the
// node and its operator.
//
// All extents in the graph are numbers. What does not depend on the values of
// the inputs, such as shape arithmetic, is evaluated during import. The
// functions that the model calls, the operators of other domains, and the
// bodies (subgraphs) of If, Loop, Scan and SequenceMap are expanded in place,
// except for a branch of an If that is invalid for the extents of the inputs.
// All other nodes are converted one by one, even if their results are not used.
// Graph inputs and outputs keep their names and order. Each graph node has the
// name of the ONNX node from which it was created.
//
// Sequences and optional values exist only during import. As inputs and outputs
// of the model they become tensors: see signature.h.
//
//   ImportOptions options;
//   options.dims["N"] = 1;
//   ASSAY_ASSIGN_OR_RETURN(const ImportedModel model,
//                          ImportOnnxFile("net.onnx", options));
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_IMPORT_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_IMPORT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/frontend/onnx/import_options.h"
#include "compiler/frontend/onnx/imported_model.h"
#include "compiler/graph/graph.h"
#include "onnx/onnx.pb.h"

namespace assay::frontend {

// Imports the model in the file `path`. Files with external data must be in the
// same folder as `path` or below it. Errors contain the path.
absl::StatusOr<ImportedModel> ImportOnnxFile(const std::string& path,
                                             const ImportOptions& options = {});

// Imports a model from the content of a file. `folder` is the path of the
// folder with the files of external data. If `folder` is an empty string, a
// model with external data is an error.
absl::StatusOr<ImportedModel> ImportOnnxBytes(absl::string_view bytes,
                                              const ImportOptions& options = {},
                                              const std::string& folder = "");

// Imports a model that is already parsed. `folder` has the same meaning as for
// ImportOnnxBytes. Returns only the graph, because the caller has the file.
absl::StatusOr<std::unique_ptr<graph::Graph>> ImportOnnxModel(
    const onnx::ModelProto& model, const ImportOptions& options = {},
    const std::string& folder = "");

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_IMPORT_H_
