#include "rpc/server/health/canary_judge.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSlow = 1.2;
constexpr int kRunsInARow = 3;
constexpr size_t kMaxGood = 31;
// So many runs are needed before one can be slow.
constexpr size_t kMinGood = 5;
constexpr double kMaxDrift = 1.1;
constexpr double kStoredChange = 0.01;
constexpr int64_t kMaxFileBytes = 64 << 10;
// No canary takes an hour.
constexpr int64_t kMaxNanos = int64_t{3600} * 1'000'000'000;

int64_t Median(const std::deque<int64_t>& values) {
  std::vector<int64_t> sorted(values.begin(), values.end());
  const auto middle =
      sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

bool IsTime(const Json& json) {
  return json.is_number_unsigned() && json.get<uint64_t>() > 0 &&
         json.get<uint64_t>() <= static_cast<uint64_t>(kMaxNanos);
}

}  // namespace

CanaryJudge::CanaryJudge(std::string path, std::string fingerprint)
    : path_(std::move(path)), fingerprint_(std::move(fingerprint)) {
  if (path_.empty()) return;
  const absl::StatusOr<std::string> text = ReadFile(path_, kMaxFileBytes);
  if (text.ok()) Parse(*text);
  stored_usual_ = usual_nanos();
}

absl::Status CanaryJudge::Add(const CanaryResult& result) {
  if (!result.right) {
    num_slow_ = num_good_ = 0;
    problem_ = "the canary computed a wrong result";
    return absl::OkStatus();
  }
  const int64_t usual = usual_nanos();
  const bool slow =
      good_.size() >= kMinGood &&
      static_cast<double>(result.nanos) > kSlow * static_cast<double>(usual);
  if (slow) {
    num_good_ = 0;
    num_slow_ = std::min(num_slow_ + 1, kRunsInARow);
    if (num_slow_ == kRunsInARow) {
      problem_ =
          absl::StrFormat("the canary took %.2f ms and usually takes %.2f ms",
                          static_cast<double>(result.nanos) / 1e6,
                          static_cast<double>(usual) / 1e6);
    }
    return absl::OkStatus();
  }
  num_slow_ = 0;
  num_good_ = std::min(num_good_ + 1, kRunsInARow);
  if (num_good_ == kRunsInARow) problem_.clear();
  AddGood(result.nanos);
  return StoreIfChanged();
}

int64_t CanaryJudge::usual_nanos() const {
  if (good_.empty()) return 0;
  const int64_t median = Median(good_);
  if (least_median_ == 0) return median;
  const double limit = kMaxDrift * static_cast<double>(least_median_);
  return std::min(median, static_cast<int64_t>(limit));
}

bool CanaryJudge::unsettled() const {
  return !problem_.empty() || num_slow_ > 0 || good_.size() < kMinGood;
}

void CanaryJudge::AddGood(int64_t nanos) {
  good_.push_back(std::clamp(nanos, int64_t{1}, kMaxNanos));
  if (good_.size() > kMaxGood) good_.pop_front();
  if (good_.size() < kMinGood) return;
  const int64_t median = Median(good_);
  if (least_median_ == 0 || median < least_median_) least_median_ = median;
}

void CanaryJudge::Parse(absl::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("fingerprint", Json()) != fingerprint_ ||
      json.value("answer", Json()) != kCanaryAnswer) {
    return;
  }
  const Json least = json.value("least_median_nanos", Json());
  const Json good = json.value("good_nanos", Json());
  if (!IsTime(least) || !good.is_array() || good.size() < kMinGood ||
      good.size() > kMaxGood ||
      !std::all_of(good.begin(), good.end(), IsTime)) {
    return;
  }
  least_median_ = least.get<int64_t>();
  for (const Json& nanos : good) good_.push_back(nanos.get<int64_t>());
}

absl::Status CanaryJudge::StoreIfChanged() {
  if (path_.empty() || good_.size() < kMinGood) return absl::OkStatus();
  const int64_t usual = usual_nanos();
  const auto stored = static_cast<double>(stored_usual_);
  if (std::abs(static_cast<double>(usual) - stored) <= kStoredChange * stored) {
    return absl::OkStatus();
  }
  Json json = {{"fingerprint", fingerprint_},
               {"answer", kCanaryAnswer},
               {"least_median_nanos", least_median_},
               {"good_nanos", Json::array()}};
  for (const int64_t nanos : good_) json["good_nanos"].push_back(nanos);
  const std::string text =
      json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  const absl::Status status = WriteFileAtomic(path_, text);
  if (status.ok()) stored_usual_ = usual;
  return status;
}

}  // namespace assay::rpc
