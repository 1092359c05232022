// OperatorCases: small graphs with odd sizes for every operator that has a
// kernel, for tests that compile and run them.
#ifndef ASSAY_COMPILER_OPS_TESTING_OPERATOR_CASES_H_
#define ASSAY_COMPILER_OPS_TESTING_OPERATOR_CASES_H_

#include <string>
#include <vector>

namespace assay::ops {

struct OperatorCase {
  // A unique identifier.
  std::string name;
  // The kernel body as a graph in text form. The result is float32, float64 or
  // an integer type.
  std::string graph;
  // Inputs are uniformly distributed in [low, high].
  float low = -1;
  float high = 1;
  // Error bound relative to max(1, the largest element of the reference).
  double tolerance = 1e-5;
};

// The operand type and attributes used to test an element-wise operator.
std::string ExampleType(const std::string& op);
std::string ExampleAttrs(const std::string& op);
// The result type for these operands.
std::string ExampleResultType(const std::string& op);
// The domain of the operator, or [-4, 4].
struct Range {
  float low, high;
};
Range ExampleRange(const std::string& op);

// Covers convolutions and matrix products in every implementation, pools,
// reductions, element-wise operators, data movement and conversions.
std::vector<OperatorCase> OperatorCases();

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_TESTING_OPERATOR_CASES_H_
