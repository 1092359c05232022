// RunCase: runs one case through importer, compiler and executor.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_RUN_CASE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_RUN_CASE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "onnx/onnx.pb.h"
#include "tests/onnx_conformance/case.h"

namespace assay::conformance {

struct ImportedCase {
  std::unique_ptr<graph::Graph> graph;
  // Inputs that were bound to constants because the importer rejected the model
  // otherwise; empty for most cases.
  std::vector<std::string> bound;
};

// Imports a model. Symbolic dimensions are bound to the extents of the data
// set.
absl::StatusOr<ImportedCase> ImportCase(const onnx::ModelProto& model,
                                        const DataSet& data);

// Returns OK if all data sets of the case pass. Compiles each of them for this
// machine with the default options and runs it on two threads.
absl::Status RunCase(const std::string& root, const std::string& name);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_RUN_CASE_H_
