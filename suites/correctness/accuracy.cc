#include "suites/correctness/accuracy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
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

double ErrorOf(double got, double want) {
  if (std::isfinite(got) && std::isfinite(want)) return std::abs(got - want);
  const bool same = got == want || (std::isnan(got) && std::isnan(want));
  return same ? 0 : kInfinity;
}

// Returns true if all bits are those with which outputs are filled before they
// are computed.
bool IsUnwritten(const NDArray& array) {
  const auto* bytes = static_cast<const unsigned char*>(array.raw());
  return std::all_of(bytes, bytes + array.num_bytes(),
                     [](unsigned char byte) { return byte == 0xff; });
}

// Returns a remark on an output without finite elements that is correct.
std::string DescribeNonFinite(const std::string& name,
                              const std::vector<double>& values) {
  const auto count = [&](bool (*is)(double)) {
    return std::count_if(values.begin(), values.end(), is);
  };
  const std::pair<int64_t, const char*> all[] = {
      {count([](double x) { return std::isnan(x); }), "NaN"},
      {count([](double x) { return x > 0; }), "inf"},
      {count([](double x) { return x < 0; }), "-inf"}};
  std::string text;
  for (const auto& [number, kind] : all) {
    if (number == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", number, " ", kind);
  }
  return absl::StrCat("output `", name, "` has no finite element: it is ", text,
                      ", as in the reference");
}

// Compares the sorted errors with the tolerance. Returns false if some error is
// too large.
bool AreAllowed(std::vector<double> errors, const Tolerance& tolerance) {
  double sum = 0;
  for (const double error : errors) sum += error;
  const double mean = sum / static_cast<double>(errors.size());
  if (mean > tolerance.mean()) return false;
  const auto large =
      std::partition(errors.begin(), errors.end(),
                     [&](double error) { return error > tolerance.usual(); });
  std::sort(errors.begin(), large, std::greater<>());
  for (auto error = errors.begin(); error != large; ++error) {
    const auto rank = static_cast<size_t>(error - errors.begin());
    if (*error > tolerance.Allowed(rank)) return false;
  }
  return true;
}

// Compares an output with a tolerance. The types must be equal.
Accuracy CheckElements(const std::string& name, const NDArray& output,
                       const NDArray& reference, const OutputRule& rule) {
  const Tolerance tolerance(reference, rule);
  const std::vector<double> got = AsDoubles(output);
  const std::vector<double> want = AsDoubles(reference);
  std::vector<double> errors;
  errors.reserve(want.size());
  size_t worst = 0, large = 0;
  bool any_finite = want.empty();
  for (size_t i = 0; i < want.size(); ++i) {
    any_finite |= std::isfinite(want[i]);
    errors.push_back(ErrorOf(got[i], want[i]));
    if (errors[i] > errors[worst]) worst = i;
    if (errors[i] > tolerance.usual()) ++large;
  }
  Accuracy accuracy;
  accuracy.bound = tolerance.usual();
  accuracy.correct = true;
  if (want.empty()) return accuracy;
  accuracy.max_abs_error = errors[worst];
  if (large > 0) {
    accuracy.bound = tolerance.Allowed(0);
    accuracy.correct = std::isfinite(errors[worst]) &&
                       AreAllowed(std::move(errors), tolerance);
  }
  const std::string widened = tolerance.Describe();
  if (!accuracy.correct) {
    accuracy.problem = absl::StrFormat(
        "element %d of output `%s` is %.9g, the reference says %.9g; ", worst,
        name, got[worst], want[worst]);
    if (rule.exact) {
      absl::StrAppend(&accuracy.problem,
                      "no error is allowed, because IEEE 754 defines the "
                      "result of every operation");
    } else {
      absl::StrAppendFormat(
          &accuracy.problem,
          "an error of at most %.1e is allowed, which %d of %d elements exceed",
          tolerance.usual(), large, want.size());
      if (!widened.empty()) {
        absl::StrAppend(&accuracy.problem, " by too much: ", widened);
      }
    }
    return accuracy;
  }
  if (!any_finite) {
    if (IsUnwritten(output) && !IsUnwritten(reference)) {
      return Wrong(
          absl::StrCat("output `", name, "` was not written by the program"));
    }
    accuracy.remarks = {DescribeNonFinite(name, want)};
  } else if (large > 0) {
    accuracy.remarks = {
        absl::StrFormat("%d of %d elements of output `%s` needed this: %s",
                        large, want.size(), name, widened)};
  }
  return accuracy;
}

Accuracy CheckOne(const std::string& name, const NDArray& output,
                  const NDArray& reference, const OutputRule& rule) {
  if (output.dtype() != reference.dtype() ||
      output.shape() != reference.shape()) {
    return Wrong(absl::StrCat("output `", name, "` is ", Describe(output),
                              ", the reference says ", Describe(reference)));
  }
  const DType type = output.dtype();
  if (type.is_float() ||
      (rule.in_steps && (type == DType::Int(8) || type == DType::UInt(8)))) {
    return CheckElements(name, output, reference, rule);
  }
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
  if (!a.correct && !(std::isfinite(a.max_abs_error) && a.bound > 0)) {
    return kInfinity;
  }
  // An output that is wrong although no error exceeds its bound is worse than
  // all correct ones.
  return (a.bound > 0 ? a.max_abs_error / a.bound : 0) + (a.correct ? 0 : 1);
}

}  // namespace

std::string JoinRemarks(const Accuracy& accuracy) {
  return absl::StrJoin(accuracy.remarks, "; ");
}

OutputRule RuleOfOutput(const CheckRule& rule, size_t output) {
  return output < rule.size() ? rule[output] : OutputRule();
}

void Merge(Accuracy next, std::optional<Accuracy>* all) {
  if (!all->has_value()) {
    *all = std::move(next);
    return;
  }
  Accuracy& merged = **all;
  if (Badness(next) > Badness(merged)) std::swap(next, merged);
  if (!merged.correct) return;
  for (std::string& remark : next.remarks) {
    if (absl::c_linear_search(merged.remarks, remark)) continue;
    merged.remarks.push_back(std::move(remark));
  }
}

Accuracy CheckOutputs(const runtime::NamedTensors& outputs,
                      const runtime::NamedTensors& reference,
                      const CheckRule& rule) {
  if (outputs.size() != reference.size() || reference.empty()) {
    return Wrong(absl::StrCat("there are ", outputs.size(),
                              " outputs, the reference has ",
                              reference.size()));
  }
  std::optional<Accuracy> all;
  for (size_t i = 0; i < reference.size(); ++i) {
    Merge(CheckOne(reference[i].name, outputs[i].value, reference[i].value,
                   RuleOfOutput(rule, i)),
          &all);
  }
  return *std::move(all);
}

std::vector<std::optional<double>> AgreementOf(
    const runtime::NamedTensors& outputs,
    const runtime::NamedTensors& reference) {
  std::vector<std::optional<double>> agreement;
  for (size_t i = 0; i < reference.size(); ++i) {
    const std::vector<double> got = AsDoubles(outputs[i].value);
    const std::vector<double> want = AsDoubles(reference[i].value);
    double largest = 0, difference = 0;
    for (size_t k = 0; k < want.size() && k < got.size(); ++k) {
      if (!std::isfinite(got[k]) || !std::isfinite(want[k])) continue;
      largest = std::max(largest, std::abs(want[k]));
      difference = std::max(difference, std::abs(got[k] - want[k]));
    }
    // If the reference is 0, the difference has no relative size.
    if (largest > 0 || difference == 0) {
      agreement.push_back(difference == 0 ? 0 : difference / largest);
    } else {
      agreement.push_back(std::nullopt);
    }
  }
  return agreement;
}

bool SameBits(const runtime::NamedTensors& a, const runtime::NamedTensors& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) {
                      return BitwiseEqual(x.value, y.value);
                    });
}

}  // namespace assay::suites
