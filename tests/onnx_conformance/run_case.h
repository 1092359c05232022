// RunCase: imports, compiles and runs one test case, and compares its outputs
// with the expected outputs.
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
  // Inputs that were passed to the importer as constants, because it rejected
  // the model without bound inputs (bound_inputs.h). Empty for most cases.
  std::vector<std::string> bound;
};

// Imports a model for the data set `data`. Symbolic dimensions are bound to the
// extents of the values in `data`, which replace declared extents that differ
// and also give the lengths of sequences and the presence of optional values.
// If the import fails, it is repeated with the inputs InputsToBind(model) as
// constants.
absl::StatusOr<ImportedCase> ImportCase(const onnx::ModelProto& model,
                                        const DataSet& data);

// For each data set of the case `name`, imports the model, compiles it for this
// machine with the default options, and runs it on two threads. Returns OK if
// the outputs agree with the expected outputs (CompareTensors) in all data
// sets.
absl::Status RunCase(const std::string& root, const std::string& name);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_RUN_CASE_H_
