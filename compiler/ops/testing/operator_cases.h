// OperatorCases: small graphs for every operator that has a kernel, for tests
// that compile and run them. Most extents are not multiples of the vector
// length.
#ifndef ASSAY_COMPILER_OPS_TESTING_OPERATOR_CASES_H_
#define ASSAY_COMPILER_OPS_TESTING_OPERATOR_CASES_H_

#include <string>
#include <vector>

namespace assay::ops {

struct OperatorCase {
  // A unique name.
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

// Returns the element type of the operands with which the elementwise operator
// `op` is tested.
std::string ExampleType(const std::string& op);

// Returns the attributes with which the elementwise operator `op` is tested, in
// text form.
std::string ExampleAttrs(const std::string& op);
// Returns the element type of the result for operands of type ExampleType(op).
std::string ExampleResultType(const std::string& op);
struct Range {
  float low, high;
};
// Returns the range of operands with which `op` is tested: [-4, 4] for most
// operators, otherwise a range for which the result is defined.
Range ExampleRange(const std::string& op);

// Returns all cases.
std::vector<OperatorCase> OperatorCases();

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_TESTING_OPERATOR_CASES_H_
