// OperatorProblem: a single-operator float32 model, specified by the flags
// `--op` and `--shape` of //suites:kernel.
//
//   conv2d            1x64x56x56,64x3x3,s1,p1     data NCHW, filters OxKHxKW,
//                                                 stride, padding
//                     1x64x56x56,64x3x3,s1,p1,d2,g64   in addition dilation and
//                                                 groups
//   dense             1x2048,1000                 data, outputs
//   matmul            512x512x512                 MxNxK
//   max_pool2d, avg_pool2d    1x64x112x112,3x3,s2,p1   data NCHW, window
//   global_avg_pool2d 1x512x7x7                   data NCHW
//   softmax, layer_norm       12x128x128          over the last axis
//   relu, add         1x64x56x56                  shape of each operand
//
// Data operands are inputs of the model; weights are constants, as in a
// network. The defaults are stride 1, padding 0, dilation 1 and one group.
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
