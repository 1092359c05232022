#include "suites/trials/report_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/stats/binomial.h"

namespace assay::suites {

std::string RateText(int64_t count, int64_t of) {
  const stats::Proportion bounds =
      stats::ClopperPearson(count, of, kBoundLevel);
  return absl::StrFormat(
      "%.1f [%.1f, %.1f]",
      100 * static_cast<double>(count) / static_cast<double>(of),
      100 * bounds.lower, 100 * bounds.upper);
}

std::string MachineText(const runtime::DeviceFacts& machine) {
  std::string text = absl::StrCat("machine: ", machine.fingerprint, "\n");
  for (const auto& [key, value] : machine.identity) {
    absl::StrAppend(&text, "  ", key, ": ", value, "\n");
  }
  return text;
}

}  // namespace assay::suites
