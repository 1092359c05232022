// CheckOutputs: compares the outputs of a program with a reference, before the
// program is timed.
//
// An output of a float type is correct if each element is within
//   kRelativeBound * max|reference| + kAbsoluteBound
// of the reference, where the maximum is over that output. The bounds are for
// float32 networks: the reference reduces in double and rounds once per
// operator, so its own error is negligible. A sum of K float32 products, in any
// order, has an error of about sqrt(K) * 2^-24 relative to its terms: 4e-6 for
// the largest reduction of ResNet-18 (K = 4608), and about 2e-5 after twenty
// such layers with independent errors. The relative bound is five times that,
// and still far below the error of a wrong kernel: dropping one of K products
// changes a sum by about 1 / sqrt(K) of itself. The absolute bound is for
// outputs whose elements are all nearly zero.
//
// Outputs of other types must be equal, except for the boxes that a detector
// selects (detections.h). If an element of the reference is infinite or NaN,
// the output must be the same; a reference without any finite element is
// rejected, because it cannot detect errors.
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
  // Error and bound of the output with the largest error relative to its bound.
  // The error is infinite if an output has the wrong shape, or if an element
  // differs from the reference and one of them is not finite.
  double max_abs_error = 0;
  double bound = 0;
  // One sentence that describes the error; empty if the outputs are correct.
  std::string problem;
  // A remark on correct outputs; usually empty.
  std::string remark;
};

// Matches outputs by position; messages use the names of the reference. If
// `rule` is given, the outputs are those of a detector: boxes, scores and
// detections.
Accuracy CheckOutputs(
    const runtime::NamedTensors& outputs,
    const runtime::NamedTensors& reference,
    const std::optional<SuppressionRule>& rule = std::nullopt);

// Returns true if both have the same number of outputs with equal types, shapes
// and bits, as the same code must produce for the same input.
bool SameBits(const runtime::NamedTensors& a, const runtime::NamedTensors& b);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ACCURACY_H_
