// Problems as ONNX models of one operator, as an exporter would write them.
//
// A matrix product has two inputs, `a` and `b`; a convolution has one, `data`,
// and constant weights and bias. The output is `out`. Values are float32,
// except in products of bytes, which are MatMulInteger without zero points.
#ifndef ASSAY_SUITES_REFERENCES_ONE_NODE_MODEL_H_
#define ASSAY_SUITES_REFERENCES_ONE_NODE_MODEL_H_

#include <string>

#include "suites/references/problem.h"

namespace assay::suites {

// Returns the content of the ONNX file.
std::string GemmModel(const GemmProblem& problem);
// If the problem has bias_relu, Conv has a bias and is followed by Relu.
std::string ConvModel(const ConvProblem& problem, const ConvOperands& operands);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONE_NODE_MODEL_H_
