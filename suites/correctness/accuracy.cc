#include "suites/correctness/accuracy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/element.h"

namespace assay::suites {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Accuracy Wrong(std::string problem) {
  Accuracy wrong;
  wrong.max_abs_error = kInfinity;
  wrong.problem = std::move(problem);
  return wrong;
}

std::string Describe(const NDArray& array) {
  return absl::StrCat(array.dtype().ToString(), ShapeToString(array.shape()));
}

// Returns the largest relative error of one rounding to a 16-bit float type.
// Returns 0 for larger types, for which kRelativeBound covers roundings.
double RoundingTo16Bits(DType type) {
  if (type == DType::Float16()) return 0x1p-11;
  if (type == DType::BFloat16()) return 0x1p-8;
  return 0;
}

Accuracy CheckFloats(const std::string& name, const NDArray& output,
                     const NDArray& reference, double noise) {
  const std::optional<double> bound = ErrorBound(reference, noise);
  if (!bound.has_value()) {
    return Wrong(absl::StrCat("the reference has no finite element in output `",
                              name, "`, so nothing can be checked"));
  }
  Accuracy accuracy;
  accuracy.bound = *bound;
  const std::vector<double> got = AsDoubles(output);
  const std::vector<double> want = AsDoubles(reference);
  size_t worst = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    double error = std::abs(got[i] - want[i]);
    if (!std::isfinite(got[i]) || !std::isfinite(want[i])) {
      const bool same =
          got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i]));
      error = same ? 0 : kInfinity;
    }
    if (error > accuracy.max_abs_error) {
      accuracy.max_abs_error = error;
      worst = i;
    }
  }
  accuracy.correct = accuracy.max_abs_error <= accuracy.bound;
  if (!accuracy.correct) {
    accuracy.problem = absl::StrFormat(
        "element %d of output `%s` is %.9g, the reference says %.9g; an error "
        "of at most %.1e is allowed",
        worst, name, got[worst], want[worst], accuracy.bound);
  }
  return accuracy;
}

// The largest and the mean difference of outputs of a quantized model.
Accuracy CheckSteps(const std::string& name, const NDArray& output,
                    const NDArray& reference) {
  const std::vector<double> got = AsDoubles(output);
  const std::vector<double> want = AsDoubles(reference);
  double low = kInfinity, high = -kInfinity;
  for (const double value : want) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  Accuracy accuracy;
  const double step = high > low ? (high - low) / 255 : kAbsoluteBound;
  accuracy.bound = kMaxSteps * step;
  double sum = 0;
  int64_t different = 0;
  size_t worst = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    const bool same =
        got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i]));
    if (same) continue;
    ++different;
    double error = std::abs(got[i] - want[i]);
    if (!std::isfinite(error)) error = kInfinity;
    sum += error;
    if (error > accuracy.max_abs_error) {
      accuracy.max_abs_error = error;
      worst = i;
    }
  }
  const double mean =
      want.empty() ? 0 : sum / static_cast<double>(want.size()) / step;
  const double largest = accuracy.max_abs_error / step;
  accuracy.correct = largest <= kMaxSteps && mean <= kMaxMeanSteps;
  const std::string differences = absl::StrFormat(
      "%d of %d elements of output `%s` differ, by %.2g steps at most and %.2g "
      "on average",
      different, want.size(), name, largest, mean);
  if (accuracy.correct) {
    if (different > 0) accuracy.remark = differences;
    return accuracy;
  }
  accuracy.problem = absl::StrFormat(
      "%s, where %g and %g are allowed; element %d is %.9g, the reference says "
      "%.9g",
      differences, kMaxSteps, kMaxMeanSteps, worst, got[worst], want[worst]);
  return accuracy;
}

Accuracy CheckOne(const std::string& name, const NDArray& output,
                  const NDArray& reference, bool in_steps, double noise) {
  if (output.dtype() != reference.dtype() ||
      output.shape() != reference.shape()) {
    return Wrong(absl::StrCat("output `", name, "` is ", Describe(output),
                              ", the reference says ", Describe(reference)));
  }
  const DType type = output.dtype();
  if (in_steps &&
      (type.is_float() || type == DType::Int(8) || type == DType::UInt(8))) {
    return CheckSteps(name, output, reference);
  }
  if (type.is_float()) return CheckFloats(name, output, reference, noise);
  if (!BitwiseEqual(output, reference)) {
    return Wrong(absl::StrCat("output `", name, "` of type ", type.ToString(),
                              " differs from the reference"));
  }
  Accuracy accuracy;
  accuracy.correct = true;
  return accuracy;
}

// Returns the error relative to the bound, by which outputs are ranked.
double Badness(const Accuracy& a) {
  if (!a.correct && !std::isfinite(a.max_abs_error)) return kInfinity;
  return a.bound > 0 ? a.max_abs_error / a.bound : 0;
}

}  // namespace

Accuracy CheckOutputs(const runtime::NamedTensors& outputs,
                      const runtime::NamedTensors& reference,
                      const CheckRule& rule) {
  if (outputs.size() != reference.size() || reference.empty() ||
      (rule.detections.has_value() && reference.size() != 3)) {
    return Wrong(absl::StrCat("there are ", outputs.size(),
                              " outputs, the reference has ",
                              reference.size()));
  }
  const auto noise = [&](size_t i) {
    return i < rule.noise.size() ? rule.noise[i] : 0.0;
  };
  // Detections come last.
  const size_t plain = rule.detections.has_value() ? 2 : reference.size();
  Accuracy worst = CheckOne(reference[0].name, outputs[0].value,
                            reference[0].value, rule.in_steps, noise(0));
  double bound = worst.bound;
  for (size_t i = 1; i < plain; ++i) {
    Accuracy next = CheckOne(reference[i].name, outputs[i].value,
                             reference[i].value, rule.in_steps, noise(i));
    bound = std::max(bound, next.bound);
    if (Badness(next) > Badness(worst)) worst = std::move(next);
  }
  if (!rule.detections.has_value() || !worst.correct) return worst;
  const DetectionCheck check = CheckDetections(
      outputs[2].value, reference[2].value, reference[0].value,
      reference[1].value, *rule.detections, std::max(kTie, 2 * bound));
  if (!check.problem.empty()) {
    return Wrong(
        absl::StrCat("output `", reference[2].name, "`: ", check.problem));
  }
  if (check.different > 0) {
    worst.remark =
        absl::StrCat(check.different, " detections differ, each by a near tie");
  }
  return worst;
}

std::optional<double> ErrorBound(const NDArray& reference, double noise) {
  double largest = 0;
  bool any_finite = reference.num_elements() == 0;
  for (const double value : AsDoubles(reference)) {
    if (!std::isfinite(value)) continue;
    any_finite = true;
    largest = std::max(largest, std::abs(value));
  }
  if (!any_finite) return std::nullopt;
  const double relative =
      kRelativeBound + kRoundings * RoundingTo16Bits(reference.dtype());
  return std::max(relative * largest + kAbsoluteBound, kNoiseFactor * noise);
}

bool SameBits(const runtime::NamedTensors& a, const runtime::NamedTensors& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) {
                      return BitwiseEqual(x.value, y.value);
                    });
}

}  // namespace assay::suites
