// OperatorProblem: a single-operator float32 model, specified by the flags
// `--op` and `--shape` of //suites:kernel.
//
//   --op               example of --shape        meaning
//   conv2d             1x64x56x56,64x3x3,s1,p1   NCHW data, OxKHxKW filters,
//                                                stride s, padding p
//                      1x64x56x56,64x3x3,d2,g64  NCHW data, OxKHxKW filters,
//                                                dilation d, g groups
//   dense              1x2048,1000               data, number of outputs
//   matmul             512x512x512               MxNxK: [M, K] times [K, N]
//   max_pool2d,        1x64x112x112,3x3,s2,p1    NCHW data, window, stride s,
//   avg_pool2d                                   padding p
//   global_avg_pool2d  1x512x7x7                 NCHW data
//   softmax,           12x128x128                data; the operator is applied
//   layer_norm                                   along the last axis
//   relu, add          1x64x56x56                shape of each operand
//
// Data operands are inputs of the model; weights are constants, as in a
// network. The attributes s, p, d and g are optional. Their defaults are stride
// 1, padding 0, dilation 1 and one group.
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
  // The values of the operator's attributes, by letter (`s`, `p`, `d`, `g`),
  // including defaults.
  std::map<char, int64_t> numbers;

  // Returns the value of --shape. Attributes with their default values are
  // omitted.
  std::string ToString() const;
};

// Parses the values of --op and --shape. Returns InvalidArgument, with the name
// of the flag and the invalid part, if one of the values is invalid.
absl::StatusOr<OperatorProblem> ParseOperatorProblem(absl::string_view op,
                                                     absl::string_view shape);

// Returns the list of operators and their shape syntax, for --help.
std::string OperatorHelp();

// Builds the model. Its weights depend on `seed`. Returns InvalidArgument, with
// the name of the flag, if the operator is invalid, for example because a
// window is larger than the data.
absl::StatusOr<std::unique_ptr<graph::Graph>> OperatorModel(
    const OperatorProblem& problem, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_OPERATOR_PROBLEM_H_
