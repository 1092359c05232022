// Generates compiler/docs/op_status.md, which states the number of passing test
// cases of each operator.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_OP_STATUS_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_OP_STATUS_H_

#include <set>
#include <string>
#include <vector>

#include "onnx/onnx.pb.h"
#include "tests/onnx_conformance/exception_list.h"

namespace assay::conformance {

struct CaseStatus {
  std::string name;
  std::set<std::string> operators;
  // True if the case is in the list of failing cases (exception_list.h).
  bool listed = false;
  // Names of the bound inputs, which the importer receives as constants
  // (bound_inputs.h). Empty for listed cases.
  std::vector<std::string> bound;
};

// Returns the operators of all nodes of the model, including the nodes of
// subgraphs.
std::set<std::string> OperatorsOf(const onnx::ModelProto& model);

// Returns the status of every case below `root`. Reads the model of every case,
// but compiles no model. A model is imported only to determine the bound
// inputs, that is, only if the case is not listed and has inputs that can be
// bound.
std::vector<CaseStatus> CollectStatus(const std::string& root,
                                      const Exceptions& exceptions);

// Returns the text of the document as Markdown.
std::string PrintOpStatus(const std::vector<CaseStatus>& cases);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_OP_STATUS_H_
