#include "tests/onnx_conformance/known_differences.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::conformance {

absl::StatusOr<std::vector<KnownDifference>> ParseKnownDifferences(
    absl::string_view text) {
  std::vector<KnownDifference> differences;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> parts = absl::StrSplit(line, " | ");
    if (parts.size() != 3 || parts[0].empty() || parts[1].empty() ||
        parts[2].empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", line,
                       "` is malformed; write `<operator> | <error> | "
                       "<decision>`"));
    }
    if (!differences.empty() && parts[0] < differences.back().op_type) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", line, "` is not sorted by operator"));
    }
    differences.push_back({parts[0], parts[1], parts[2]});
  }
  return differences;
}

bool MatchesPattern(absl::string_view text, absl::string_view pattern) {
  const std::vector<absl::string_view> parts = absl::StrSplit(pattern, '*');
  if (!absl::ConsumePrefix(&text, parts.front())) return false;
  if (parts.size() == 1) return text.empty();
  for (size_t i = 1; i + 1 < parts.size(); ++i) {
    const size_t found = text.find(parts[i]);
    if (found == absl::string_view::npos) return false;
    text.remove_prefix(found + parts[i].size());
  }
  return absl::EndsWith(text, parts.back());
}

}  // namespace assay::conformance
