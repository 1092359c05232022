// CheckOutputs: compares the outputs of a program with a reference, before the
// program is timed.
//
// An output of type float32 or float64 is correct if the error of each element
// is at most
//   kRelativeBound * max|reference| + kAbsoluteBound,
// where the maximum is over the finite elements of the reference for this
// output. For an output of a 16-bit float type, kRoundings * u * max|reference|
// is added, where u is the largest relative error of one rounding to this type:
// 2^-11 for float16 and 2^-8 for bfloat16. If an element of the reference is
// infinite, the element of the output must be the same infinity; if it is a
// NaN, the element of the output must be a NaN. A non-empty reference without
// any finite element is rejected, because a comparison with it cannot detect
// errors.
//
// The bounds are chosen for float32 networks. The reference reduces in double
// and rounds once per operator, so its own error is negligible. A sum of K
// float32 products, in any order, has an error of about sqrt(K) * 2^-24
// relative to the typical magnitude of such a sum. This is 4e-6 for the largest
// reduction of ResNet-18 (K = 4608), and about 2e-5 after twenty layers of this
// size with independent errors. The relative bound is five times 2e-5. It is
// still far below the error of a wrong kernel: if one of K products is missing,
// the sum changes by about 1 / sqrt(K) of its value. The absolute bound is
// needed for outputs whose elements are all nearly zero.
//
// A network that computes in 16 bits rounds the result of every operator to 16
// bits, in the reference as well (compiler/graph/reference/evaluate.h). Sums
// are computed in a larger type before they are rounded, but tiny differences
// of the sums decide how they are rounded, and a runtime that joins operators
// rounds less often. Elements of correct results therefore differ by about u
// after one layer. A sum of such elements has about the same relative error, so
// after twenty layers with independent errors the difference is sqrt(20) * u =
// 4.5 u. kRoundings is 16, 3.6 times as large, because a layer consists of
// several operators. The bound is then 0.8 % of the largest element for float16
// and 6 % for bfloat16. If one of K products is missing in the last layer, this
// is found if K is below 16000 or 256, respectively.
//
// Outputs of integer and bool types must be equal to the reference, except for
// the boxes that a detector selects (detections.h). near_ties.h describes how
// models are compared whose decisions depend on rounding.
//
// Quantized models round in their interior, so a tiny difference before a
// rounding can become a step after it. If CheckRule::in_steps is true, outputs
// of float types, int8 and uint8 are compared in steps, where a step is 1/255
// of the range of the reference for this output: no element may differ by more
// than kMaxSteps, nor all on average by more than kMaxMeanSteps. Two
// implementations of the quantized networks of //suites:zoo differ by at most
// 11 steps, and by at most 1.9 on average. Networks with a wrong kernel differ
// by half of the range. Whether an element is non-finite must still agree.
#ifndef ASSAY_SUITES_CORRECTNESS_ACCURACY_H_
#define ASSAY_SUITES_CORRECTNESS_ACCURACY_H_

#include <optional>
#include <string>
#include <vector>

#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/detections.h"

namespace assay::suites {

constexpr double kRelativeBound = 1e-4;
constexpr double kAbsoluteBound = 1e-5;
constexpr double kRoundings = 16;
constexpr double kMaxSteps = 16;
constexpr double kMaxMeanSteps = 2;
constexpr double kNoiseFactor = 8;

struct CheckRule {
  // If present, the outputs must be the three outputs of a detector: boxes,
  // scores and detections.
  std::optional<SuppressionRule> detections = std::nullopt;
  bool in_steps = false;
  // How much rounding alone changes each output (rounding_noise.h). If it is
  // not empty, the bound of an output is at least kNoiseFactor times its value.
  std::vector<double> noise = {};
};

struct Accuracy {
  bool correct = false;
  // Maximum error of one output, and the bound on this error. The output is the
  // one for which the quotient of maximum error and bound is largest. Both
  // values are 0 if this output has an integer type and is correct. The error
  // is infinite if
  //   - the number of outputs, or the type or shape of an output, is wrong;
  //   - an element of a float output is wrong, and this element or the
  //     corresponding element of the reference is not finite;
  //   - the reference for a float output is not empty, but has no finite
  //     element;
  //   - an output of an integer type differs from the reference; or
  //   - detections are wrong.
  double max_abs_error = 0;
  double bound = 0;
  // One sentence that describes the error; empty if the outputs are correct.
  std::string problem;
  // A remark on correct outputs; usually empty.
  std::string remark;
};

// Compares each output with the element of `reference` at the same position.
// The names of outputs in messages are those in `reference`.
Accuracy CheckOutputs(const runtime::NamedTensors& outputs,
                      const runtime::NamedTensors& reference,
                      const CheckRule& rule = {});

// Returns the bound on the error of each element of an output of a float type
// that is not compared in steps. `noise` is the element of CheckRule::noise for
// this output, or 0. Returns nullopt if `reference` is not empty but has no
// finite element.
std::optional<double> ErrorBound(const NDArray& reference, double noise);

// Returns true if `a` and `b` have the same number of outputs with equal types,
// shapes and bits. The outputs of two runs of the same code on the same input
// must satisfy this.
bool SameBits(const runtime::NamedTensors& a, const runtime::NamedTensors& b);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ACCURACY_H_
