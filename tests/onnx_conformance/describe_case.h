// DescribeCase: what a packed test case computes, on one line for messages.
#ifndef ASSAY_TESTS_ONNX_CONFORMANCE_DESCRIBE_CASE_H_
#define ASSAY_TESTS_ONNX_CONFORMANCE_DESCRIBE_CASE_H_

#include <string>

#include "tests/onnx_conformance/packed_cases.pb.h"

namespace assay::conformance {

// Returns the name of the case, the opset, the attributes of its first node and
// its operands with their types and up to eight elements, for example
// `Elu/7 (opset 22; alpha=0.5; x0 float32[2] 1 nan)`.
std::string DescribeCase(const PackedCase& packed);

}  // namespace assay::conformance

#endif  // ASSAY_TESTS_ONNX_CONFORMANCE_DESCRIBE_CASE_H_
