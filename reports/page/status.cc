#include "reports/page/status.h"

#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "runtime/base/check.h"

namespace assay::reports {
namespace {

constexpr std::array<Status, 11> kStatuses = {{
    {"wrong_output", "✕", ""},
    {"infrastructure", "!", "the device or the harness failed"},
    {"regressed", "▲", ""},
    {kNotRun, "∅", "the newest run of the suite does not have it"},
    {"environment_changed", "◆", "the machine differs from the baseline's"},
    {"inconclusive", "?", "the samples are too few or vary too much"},
    {"no_baseline", "○", "there is nothing to compare with"},
    {"improved", "▼", ""},
    {"emulated", "◌", "times of an emulator are not meaningful"},
    {"equivalent", "≈", ""},
    {"pass", "✓", ""},
}};

}  // namespace

absl::Span<const Status> Statuses() { return kStatuses; }

const Status& StatusOf(absl::string_view name) {
  for (const Status& status : kStatuses) {
    if (status.name == name) return status;
  }
  CHECK(false) << "unknown status " << name;
  return kStatuses[0];
}

std::string BadgeHtml(const Status& status) {
  return absl::StrCat("<span class=\"badge s-", status.name,
                      "\"><span class=\"sign\" aria-hidden=\"true\">",
                      status.symbol, "</span> ", Words(status.name), "</span>");
}

std::string Words(absl::string_view name) {
  return absl::StrReplaceAll(name, {{"_", " "}});
}

}  // namespace assay::reports
