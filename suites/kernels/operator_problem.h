// OperatorProblem: a single-operator float32 model, specified by the flags
// `--op` and `--shape` of //suites:kernel.
//
//   conv2d            1x64x56x56,64x3x3,s1,p1     data NCHW, filters OxKHxKW,
//                     1x64x56x56,64x3x3,s1,p1,d2,g64   stride, padding,
//                                                 dilation and groups
//   dense             1x2048,1000                 data, outputs
//   matmul            512x512x512                 MxNxK
//   max_pool2d, avg_pool2d    1x64x112x112,3x3,s2,p1   data NCHW, window
//   global_avg_pool2d 1x512x7x7
//   softmax, layer_norm       12x128x128          over the last axis
//   relu, add         1x64x56x56
//
// Data is an input of the model; weights are constants, as in a network. Stride
// and dilation default to 1, padding to 0, and the number of groups to 1.
#ifndef ASSAY_SUITES_KERNELS_OPERATOR_PROBLEM_H_
#define ASSAY_SUITES_KERNELS_OPERATOR_PROBLEM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"
#include "runtime/base/shape.h"

namespace assay::suites {

struct OperatorProblem {
  std::string op;
  // The shapes in the text, such as `1x64x56x56`, in order.
  std::vector<Shape> shapes;
  // Attributes by letter (`s`, `p`, `d`, `g`), as far as the operator has them.
  std::map<char, int64_t> numbers;

  // Returns the value of --shape, without attributes that have their defaults.
  std::string ToString() const;
};

// Error messages name the flag and the invalid part.
absl::StatusOr<OperatorProblem> ParseOperatorProblem(absl::string_view op,
                                                     absl::string_view shape);

// Returns the list of operators and their shape syntax, for --help.
std::string OperatorHelp();

// Builds the model; its weights depend on the seed. Returns InvalidArgument,
// naming the flag, if the operator is invalid, for example because a window is
// larger than the data.
absl::StatusOr<std::unique_ptr<graph::Graph>> OperatorModel(
    const OperatorProblem& problem, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_OPERATOR_PROBLEM_H_
