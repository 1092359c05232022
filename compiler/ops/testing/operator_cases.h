// OperatorCases: for every operator that has a kernel, small graphs of odd
// sizes, for tests that compile and run them.
#ifndef ASSAY_COMPILER_OPS_TESTING_OPERATOR_CASES_H_
#define ASSAY_COMPILER_OPS_TESTING_OPERATOR_CASES_H_

#include <string>
#include <vector>

namespace assay::ops {

struct OperatorCase {
  // An identifier, unique.
  std::string name;
  // The body of a kernel, in the text form of graphs. The result is float32,
  // float64 or an integer type.
  std::string graph;
  // Inputs are uniform in [low, high].
  float low = -1;
  float high = 1;
  // Bound of the error relative to the largest element of the reference, or to
  // 1 if that is larger.
  double tolerance = 1e-5;
};

// The operand type and the attributes that an element-wise operator is tested
// with.
std::string ExampleType(const std::string& op);
std::string ExampleAttrs(const std::string& op);
// Its result type for these operands.
std::string ExampleResultType(const std::string& op);
// The domain of the operator, or [-4, 4].
struct Range {
  float low, high;
};
Range ExampleRange(const std::string& op);

// Convolutions and matrix products by every implementation, pools, reductions,
// element-wise families, data movement, conversions.
std::vector<OperatorCase> OperatorCases();

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_TESTING_OPERATOR_CASES_H_
