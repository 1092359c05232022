// RunCase: imports and runs one test case, and compares its outputs with the
// expected outputs.
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
#include "tests/onnx_conformance/compare.h"

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

enum class Engine {
  kCompiled,     // for this machine with the default options, on two threads
  kInterpreter,  // compiler/graph/reference
};

// For each data set of the case, imports the model and runs it. Returns OK if
// the outputs agree with the expected outputs in all data sets
// (CompareTensors()).
absl::Status RunCase(const Case& test_case, Engine engine,
                     Tolerance tolerance = Tolerance::kOnnx);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_RUN_CASE_H_
