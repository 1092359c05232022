// CheckOutputs: is this the right answer? Asked before anything is timed; the
// time of a wrong answer is of no use to anybody.
//
// An output of a float type is right if each element is within
//   kRelativeBound * max|reference| + kAbsoluteBound
// of the reference's, the maximum being over that output. The numbers are for
// float32 networks: the reference reduces in double and rounds once per
// operator, so the error is the other side's. A sum of K float32 products, in
// whatever order, is off by about sqrt(K) * 2^-24 of the size of its terms:
// 4e-6 for the largest of ResNet-18 (K = 4608), and twenty such layers in a
// row, the errors of each independent, by about 2e-5. The relative bound leaves
// five times that. It is still far below what a wrong kernel does: dropping
// one of K products changes a sum by about 1 / sqrt(K) of itself.
// The absolute bound is for outputs that are nearly zero throughout.
//
// An output of another type is right if it is equal, but for a detector's
// choice of boxes (detections.h). Where the reference is
// infinite or not a number the output must be the same; a reference without
// a single finite element checks nothing and is refused.
#ifndef ASSAY_SUITES_CORRECTNESS_ACCURACY_H_
#define ASSAY_SUITES_CORRECTNESS_ACCURACY_H_

#include <optional>
#include <string>

#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/detections.h"

namespace assay::suites {

constexpr double kRelativeBound = 1e-4;
constexpr double kAbsoluteBound = 1e-5;

struct Accuracy {
  bool correct = false;
  // Of the output that comes closest to its bound or exceeds it most. The
  // error is infinite where an output is of another shape or has an element
  // that is not a number.
  double max_abs_error = 0;
  double bound = 0;
  // One sentence about what is wrong; empty if nothing is.
  std::string problem;
  // What is to be said of an answer that is right; mostly nothing.
  std::string remark;
};

// Outputs are matched by position; names are the reference's. With a rule the
// outputs are a detector's: boxes, scores and detections.
Accuracy CheckOutputs(
    const runtime::NamedTensors& outputs,
    const runtime::NamedTensors& reference,
    const std::optional<SuppressionRule>& rule = std::nullopt);

// Same number of outputs with the same types, shapes and bits: what the same
// code must give for the same input every time.
bool SameBits(const runtime::NamedTensors& a, const runtime::NamedTensors& b);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ACCURACY_H_
