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
  // float64 or whole numbers.
  std::string graph;
  // Inputs are uniform in [low, high].
  float low = -1;
  float high = 1;
  // How far the result may be from the reference, relative to the largest
  // element (at least 1).
  double tolerance = 1e-5;
};

// What an element-wise operator is tried on: the element type of its operands,
// and attributes.
std::string ExampleType(const std::string& op);
std::string ExampleAttrs(const std::string& op);
// The element type of what it gives then.
std::string ExampleResultType(const std::string& op);
// The arguments that it is defined for, or [-4, 4].
struct Range {
  float low, high;
};
Range ExampleRange(const std::string& op);

// Convolutions and matrix products by every implementation, pools, reductions,
// element-wise families, data movement, conversions.
std::vector<OperatorCase> OperatorCases();

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_TESTING_OPERATOR_CASES_H_
