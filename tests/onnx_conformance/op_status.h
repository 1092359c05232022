// compiler/docs/op_status.md: how many cases of each operator pass.
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
  // Names of the inputs that were bound; only of cases that are not listed.
  std::vector<std::string> bound;
};

// The operators of the model's nodes, those in its subgraphs included.
std::set<std::string> OperatorsOf(const onnx::ModelProto& model);

// Reads and imports, but does not compile, every case below `root`.
std::vector<CaseStatus> CollectStatus(const std::string& root,
                                      const Exceptions& exceptions);

// The document.
std::string PrintOpStatus(const std::vector<CaseStatus>& cases);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_OP_STATUS_H_
