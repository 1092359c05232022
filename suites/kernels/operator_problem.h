// OperatorProblem: `--op` and `--shape` of //suites:kernel, as a model of one
// operator on float32.
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
// Data is an input of the model; weights are known, as in a network. Stride and
// dilation are 1, padding is 0 and there is 1 group where the text is silent.
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
  // The parts `1x64x56x56` of the text, in order.
  std::vector<Shape> shapes;
  // `s`, `p`, `d`, `g`, those that the operator has.
  std::map<char, int64_t> numbers;

  // As --shape, numbers that are at their defaults left out.
  std::string ToString() const;
};

// The error names the flag and the part that is wrong.
absl::StatusOr<OperatorProblem> ParseOperatorProblem(absl::string_view op,
                                                     absl::string_view shape);

// `conv2d, dense, …` and the lines above, for --help.
std::string OperatorHelp();

// InvalidArgument, naming the flag, where there is no such operator: a window
// larger than the data. Weights depend on the seed.
absl::StatusOr<std::unique_ptr<graph::Graph>> OperatorModel(
    const OperatorProblem& problem, uint64_t seed);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_OPERATOR_PROBLEM_H_
