// Converts problems (problem.h) to small ONNX models, as an exporter would
// write them.
//
// The model of a matrix product has two inputs, `a` and `b`. The model of a
// convolution has one input, `data`; weights and bias are constants. The output
// of both models is `out`. Values are float32, except that 8-bit matrix
// products use MatMulInteger without zero points.
#ifndef ASSAY_SUITES_REFERENCES_ONE_NODE_MODEL_H_
#define ASSAY_SUITES_REFERENCES_ONE_NODE_MODEL_H_

#include <string>

#include "suites/references/problem.h"

namespace assay::suites {

// Returns the model of a matrix product as the content of an ONNX file.
std::string GemmModel(const GemmProblem& problem);
// Returns the model of a convolution as the content of an ONNX file. If
// `problem.bias_relu` is true, Conv has a bias, and Relu follows Conv.
std::string ConvModel(const ConvProblem& problem, const ConvOperands& operands);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONE_NODE_MODEL_H_
