#include "reports/site/pages/testing/sample.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "runtime/base/random.h"

namespace assay::reports::site {

Json SampleStatuses() {
  const auto status = [](const char* name, const char* label, int severity,
                         const char* kind, const char* sign) {
    return Json{{"name", name}, {"label", label}, {"severity", severity},
                {"kind", kind}, {"sign", sign},   {"why", ""}};
  };
  return {status("wrong_output", "wrong output", 9, "bad", "✕"),
          status("infrastructure", "infrastructure", 8, "bad", "!"),
          status("regressed", "regressed", 7, "bad", "▲"),
          status("not_run", "not run", 6, "unjudged", "∅"),
          status("inconclusive", "inconclusive", 5, "unjudged", "?"),
          status("no_baseline", "no baseline", 4, "unjudged", "○"),
          status("improved", "improved", 3, "good", "▼"),
          status("equivalent", "equivalent", 2, "quiet", "≈"),
          status("pass", "pass", 1, "quiet", "✓")};
}

std::string Sample::Model(int cell) const {
  if (cell == 4) return kHostileName;
  static const std::vector<std::string>& names = *new std::vector<std::string>{
      "resnet18", "mobilenet_v1",    "ssd_mobilenet_v1",
      "resnet50", "efficientnet_b0", "gemm_512",
      "conv_3x3", "bert_tiny",       "squeezenet1_1_int8"};
  const size_t model = static_cast<size_t>(cell / 8);
  return model < names.size()
             ? names[model]
             : absl::StrCat(names[model % names.size()], "_", model);
}

std::string Sample::Device(int cell) const {
  return cell / 8 % 5 == 4 ? "rpi3b" : "host";
}

std::string Sample::Suite(int cell) const {
  return cell / 8 % 9 == 5 || cell / 8 % 9 == 6 ? "kernels" : "full";
}

std::string Sample::VariantText(int cell) const {
  return absl::StrCat(cell / 2 % 2 == 0 ? "fusion on" : "fusion off",
                      cell / 4 % 2 == 0 ? "" : ", tuned");
}

std::string Sample::Name(int cell) const {
  return absl::StrCat(
      Suite(cell), "/", Model(cell), "/", Device(cell), "/",
      absl::StrReplaceAll(VariantText(cell), {{", ", "/"}, {" ", "_"}}),
      "/threads_", Threads(cell));
}

int Sample::Status(int cell) const {
  if (cell == 0) return kRegressed;
  if (cell == 1) return kWrong;
  if (cell == 2) return kFailed;
  if (cell == 3) return kImproved;
  const uint64_t draw = Rng(static_cast<uint64_t>(cell)).NextU64() % 400;
  if (draw < 2) return kRegressed;
  if (draw < 6) return kImproved;
  if (draw < 16) return kInconclusive;
  if (draw < 30) return kNoBaseline;
  return draw < 100 ? kEquivalent : kPass;
}

int Sample::Step(int cell) const {
  return size_.nights * 2 / 3 + (cell == 0 ? 0 : cell % 7);
}

double Sample::Change(int cell) const {
  const int status = Status(cell);
  if (status == kRegressed) return 0.021 + 0.003 * (cell % 11);
  if (status == kImproved) return -0.03 - 0.002 * (cell % 13);
  return 0.0;
}

double Sample::Median(int cell, int night) const {
  Rng rng(static_cast<uint64_t>(cell) * 1'000'003 +
          static_cast<uint64_t>(night));
  const double base =
      11.4 * std::exp(0.3 * (cell / 8 % 9)) * (1 + 0.35 * (cell / 2 % 2)) *
      (cell % 2 == 0 ? 1.0 : 0.58) * (cell / 4 % 2 == 0 ? 1.0 : 0.93);
  const double machine =
      0.004 * std::sin(night / 9.0) + (night >= size_.nights / 2 ? 0.006 : 0.0);
  const double spike = rng.NextU64() % 60 == 0 ? 0.03 : 0.0;
  return base * (1 + machine + spike + rng.NormalFloat(0, 0.003f)) *
         (night >= Step(cell) ? 1 + Change(cell) : 1.0);
}

std::string SampleCommit(int night) {
  Rng rng(static_cast<uint64_t>(night) + 1'000'000);
  std::string sha;
  while (sha.size() < 40) absl::StrAppendFormat(&sha, "%016x", rng.NextU64());
  return sha.substr(0, 40);
}

std::string NightTime(int night) {
  const absl::Time start = absl::FromCivil(
      absl::CivilSecond(2024, 3, 1, 1, 30, 0), absl::UTCTimeZone());
  return absl::FormatTime("%Y-%m-%d%ET%H:%M:%SZ",
                          start + absl::Hours(24) * night, absl::UTCTimeZone());
}

double Rounded(double value) {
  return std::strtod(absl::StrFormat("%.4g", value).c_str(), nullptr);
}

}  // namespace assay::reports::site
