// Problems as ONNX models of one operator, as an exporter would write them.
//
// Nothing but what the problem leaves open is an input: a matrix product has
// two, a convolution one, its weights and bias being known. Values are called
// `a`, `b`, `data` and `out`; they are float32 but for products of bytes, which
// are MatMulInteger without zero points.
#ifndef ASSAY_SUITES_REFERENCES_ONE_NODE_MODEL_H_
#define ASSAY_SUITES_REFERENCES_ONE_NODE_MODEL_H_

#include <string>

#include "suites/references/problem.h"

namespace assay::suites {

// The bytes of the file.
std::string GemmModel(const GemmProblem& problem);
// With bias_relu, Conv with a bias and Relu.
std::string ConvModel(const ConvProblem& problem, const ConvOperands& operands);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONE_NODE_MODEL_H_
