#include "suites/tune/log/short_workload.h"

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::suites {
namespace {

constexpr size_t kMaxLength = 60;

// Removes what follows an attribute: a comma or a brace.
absl::string_view Attribute(absl::string_view word) {
  return absl::StripSuffix(absl::StripSuffix(word, ","), "}");
}

}  // namespace

std::string ShortWorkload(absl::string_view workload) {
  std::vector<absl::string_view> operators, details;
  absl::string_view before;
  for (const absl::string_view word : absl::StrSplit(workload, ' ')) {
    if (before == "=") {
      const absl::string_view op = word.substr(0, word.find('('));
      if (op != "constant") operators.push_back(op);
    } else if (before == "p0:" || before == "p1:") {
      details.push_back(word);
    } else if (absl::StartsWith(word, "winograd=")) {
      details.push_back(Attribute(word));
    }
    before = word;
  }
  if (operators.empty()) return std::string(workload.substr(0, kMaxLength));
  details.insert(details.begin(), absl::string_view());
  return absl::StrCat(absl::StrJoin(operators, "+"),
                      absl::StrJoin(details, " "));
}

}  // namespace assay::suites
