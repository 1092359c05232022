// Tolerance: how much the elements of one output may differ from the reference.
//
// The *usual* tolerance is the same for all elements:
//   kRelativeBound * max|reference|,
// where the maximum is over the finite elements. For a 16-bit float type,
// kRoundings * u * max|reference| is added, where u is the largest relative
// error of one rounding to this type: 2^-11 for float16 and 2^-8 for bfloat16.
// Denormal numbers may count as 0.
//
// kRelativeBound is chosen for float32 networks. The reference reduces in
// double and rounds once per operator, so its own error is negligible. A sum of
// K float32 products, in any order, has an error of about sqrt(K) * 2^-24
// relative to the typical magnitude of such a sum. This is 4e-6 for the largest
// reduction of ResNet-18 (K = 4608), and about 2e-5 after twenty layers of this
// size with independent errors. The relative bound is five times 2e-5. It is
// still far below the error of a wrong kernel: if one of K products is missing,
// the sum changes by about 1 / sqrt(K) of its value.
//
// A network that computes in 16 bits rounds the result of every operator to 16
// bits, in the reference as well (compiler/graph/reference/evaluate.h). Sums
// are computed in a larger type before they are rounded, but tiny differences
// of the sums decide how they are rounded, and a runtime that joins operators
// rounds less often. Elements of correct results therefore differ by about u
// after one layer. A sum of such elements has about the same relative error, so
// after twenty layers with independent errors the difference is sqrt(20) * u =
// 4.5 u. kRoundings is 16, 3.6 times as large, because a layer consists of
// several operators. The tolerance is then 0.8 % of the largest element for
// float16 and 6 % for bfloat16. If one of K products is missing in the last
// layer, this is found if K is below 16000 or 256, respectively.
//
// An output is *exact* if every operator before it has results whose bits IEEE
// 754 defines (rounding.h). No error is allowed then, except that denormal
// numbers may count as 0.
//
// *Noise* widens the tolerance for models that amplify rounding: the reference
// is computed again with rounding noise (rounding_sensitivity.h), and the
// changes of the elements are sorted. An error may be kNoiseFactor times as
// large as a change, and kNoiseFactor times as many elements may have such an
// error: the k-th largest error may be kNoiseFactor times the change with the
// number k / kNoiseFactor. If a few elements jump, for example where a number
// is rounded to an integer, a few elements of the output may jump. A program
// that does not round at all differs in all elements, and is wrong. This has
// limits:
//   - No error may exceed kMaxSteps steps, and the mean of all errors may not
//     exceed kMaxMeanSteps steps, where a step is 1/255 of the range of the
//     reference including 0. Errors up to kAbsoluteBound are within these
//     limits in any case, because the range may be almost 0, for example if the
//     output is a difference of equal sums.
//     One element in a hundred may exceed the limit, up to kJumpFactor times
//     the change, if at most one element in a hundred exceeds it with noise, or
//     if an operator before the output rounds or compares numbers that are not
//     exact. In the latter case, at least one element may do so.
//   - If another runtime computed the same output and it differs from the
//     reference by d, no error may exceed kNoiseFactor * d, or kNoiseFactor
//     times the usual tolerance if this is larger. If d is 0, noise widens
//     nothing. A program with an algorithm whose rounding errors are larger
//     than those of float32 sums is limited only if d is 0.
//
// Elements of int8 and uint8 are compared with a tolerance only in models with
// quantized parts whose rounding depends on float sums (rounding.h). Their
// usual tolerance is 0; noise may change them by kIntegerFactor times the
// change. If another runtime agrees to the bit, one step is still allowed.
#ifndef ASSAY_SUITES_CORRECTNESS_TOLERANCE_H_
#define ASSAY_SUITES_CORRECTNESS_TOLERANCE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/ndarray.h"

namespace assay::suites {

constexpr double kRelativeBound = 1e-4;
constexpr double kAbsoluteBound = 1e-5;
constexpr double kRoundings = 16;
constexpr double kNoiseFactor = 8;
constexpr double kIntegerFactor = 2;
constexpr double kJumpFactor = 1.5;
constexpr double kMaxSteps = 16;
constexpr double kMaxMeanSteps = 2;

// How much rounding noise changes the elements of an output, largest first. The
// changes of each run are sorted, and each place has the largest change of all
// runs at this place. Empty if nothing was measured, or if nothing changes.
using OutputNoise = std::vector<double>;

// The rule for one output.
struct OutputRule {
  bool exact = false;
  // True if an operator before the output rounds or compares numbers that are
  // not exact.
  bool jumps = false;
  // True for an output of a model whose quantized values depend on rounding.
  bool in_steps = false;
  // True for a comparison with another runtime, which may round quantized
  // values in other places: kMaxSteps steps are then allowed if `in_steps`.
  bool other_runtime = false;
  OutputNoise noise = {};
  // The largest difference of another runtime, relative to max|reference|.
  std::optional<double> agreement = std::nullopt;
};

class Tolerance {
 public:
  // `rule` must outlive this object.
  Tolerance(const NDArray& reference, const OutputRule& rule);

  // Returns the tolerance of each element without noise.
  double usual() const { return usual_; }
  // Returns the tolerance of the element whose error has the given rank: rank 0
  // is the largest error.
  double Allowed(size_t rank) const;
  // Returns the tolerance of the mean of all errors.
  double mean() const;

  // Returns a clause for remarks that says how much noise widens the tolerance,
  // or an empty string if noise does not widen it.
  std::string Describe() const;

 private:
  const OutputRule& rule_;
  size_t num_elements_ = 0;
  double usual_ = 0;
  double step_ = 0;
  double limit_ = 0;  // by the range of the reference
  size_t num_jumps_ = 0;
  double factor_ = kNoiseFactor;
  double agreed_ = 0;  // the limit by the other runtime
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_TOLERANCE_H_
