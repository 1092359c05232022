// Generates compiler/docs/op_status.md, the number of passing cases of each
// operator.
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
  bool listed = false;
  // Names of the bound inputs; empty for listed cases.
  std::vector<std::string> bound;
};

// The operators of the model's nodes, including its subgraphs.
std::set<std::string> OperatorsOf(const onnx::ModelProto& model);

// Reads and imports every case below `root`, without compiling it.
std::vector<CaseStatus> CollectStatus(const std::string& root,
                                      const Exceptions& exceptions);

// Returns the text of the document.
std::string PrintOpStatus(const std::vector<CaseStatus>& cases);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_OP_STATUS_H_
