// RunCase: one case through importer, compiler and executor.
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
  // Inputs that were bound to their values because the importer refused the
  // model without; empty for most cases.
  std::vector<std::string> bound;
};

// Extents that the model leaves open are those of the data set.
absl::StatusOr<ImportedCase> ImportCase(const onnx::ModelProto& model,
                                        const DataSet& data);

// Whether the case passes, with all its data sets: compiled for this machine
// at the default options and run on two threads. Where inputs are bound, each
// data set is compiled anew.
absl::Status RunCase(const std::string& root, const std::string& name);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_RUN_CASE_H_
