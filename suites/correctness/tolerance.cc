#include "suites/correctness/tolerance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/element.h"

namespace assay::suites {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// One element in so many may jump.
constexpr size_t kElementsPerJump = 100;

// Returns the largest relative error of one rounding to a 16-bit float type.
// Returns 0 for larger types, for which kRelativeBound covers roundings.
double RoundingTo16Bits(DType type) {
  if (type == DType::Float16()) return 0x1p-11;
  if (type == DType::BFloat16()) return 0x1p-8;
  return 0;
}

// Returns the size below which numbers may count as 0.
double LeastSize(DType type) {
  if (!type.is_float()) return 0;
  if (type == DType::Float16()) return kRoundings * 0x1p-24;
  return type == DType::Float64() ? std::numeric_limits<double>::min()
                                  : std::numeric_limits<float>::min();
}

}  // namespace

Tolerance::Tolerance(const NDArray& reference, const OutputRule& rule)
    : rule_(rule),
      num_elements_(static_cast<size_t>(reference.num_elements())) {
  const DType type = reference.dtype();
  double low = 0, high = 0;
  for (const double value : AsDoubles(reference)) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const double largest = std::max(high, -low);
  usual_ = LeastSize(type);
  step_ = (high - low) / 255;
  if (!type.is_float()) {
    factor_ = kIntegerFactor;
    step_ = std::max(step_, 1.0);
  } else if (!rule.exact) {
    usual_ += (kRelativeBound + kRoundings * RoundingTo16Bits(type)) * largest;
  }
  if (rule.other_runtime && rule.in_steps) {
    usual_ = std::max(usual_, kMaxSteps * step_);
  }
  limit_ = std::max(kMaxSteps * step_, kAbsoluteBound);
  // A few elements may jump if only as few change by so much with noise.
  const size_t few = num_elements_ / kElementsPerJump;
  if (rule.jumps) {
    num_jumps_ = std::max<size_t>(few, 1);
  } else if (few >= rule.noise.size() || rule.noise[few] <= limit_) {
    num_jumps_ = few;
  }
  agreed_ = kInfinity;
  if (!rule.agreement.has_value()) return;
  const double usual = rule.in_steps ? std::max(usual_, step_) : usual_;
  const double difference = *rule.agreement * largest;
  agreed_ =
      difference == 0 ? usual : kNoiseFactor * std::max(usual, difference);
}

double Tolerance::Allowed(size_t rank) const {
  const size_t place = rank / static_cast<size_t>(kNoiseFactor);
  if (rule_.exact || place >= rule_.noise.size()) return usual_;
  const double change = rule_.noise[place];
  double allowed = std::min(factor_ * change, limit_);
  if (rank < num_jumps_) allowed = std::max(allowed, kJumpFactor * change);
  return std::max(usual_, std::min(allowed, agreed_));
}

double Tolerance::mean() const {
  return std::max({usual_, kMaxMeanSteps * step_, kAbsoluteBound});
}

std::string Tolerance::Describe() const {
  const double widest = Allowed(0);
  if (!(widest > usual_)) return "";
  const auto changed = std::count_if(rule_.noise.begin(), rule_.noise.end(),
                                     [](double change) { return change > 0; });
  const double wanted = factor_ * rule_.noise[0];
  return absl::StrFormat(
      "rounding alone changes %d of %d elements by up to %.1e, so errors of up "
      "to %.1e instead of %.1e are allowed%s",
      changed, num_elements_, rule_.noise[0], widest, usual_,
      widest >= wanted    ? ""
      : widest == agreed_ ? ", limited by the agreement with another runtime"
                          : ", limited by the range of the output");
}

}  // namespace assay::suites
