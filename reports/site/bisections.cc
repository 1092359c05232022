#include "reports/site/bisections.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "reports/store/store_files.h"
#include "runtime/base/file.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kSuffix[] = ".json";
// A report of thousands of cells has less.
constexpr int64_t kMaxBytes = 16 << 20;

bool IsName(absl::string_view name) {
  return !name.empty() && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                  c == '.' || c == '_' || c == '-';
         });
}

}  // namespace

absl::StatusOr<SiteBisections> ReadBisections(const std::string& folder) {
  SiteBisections bisections;
  const absl::StatusOr<std::vector<std::string>> files =
      ListStoreFiles(folder, kSuffix);
  if (absl::IsNotFound(files.status())) return bisections;
  ASSAY_RETURN_IF_ERROR(files.status());
  for (const std::string& file : *files) {
    const auto skip = [&](absl::string_view why) {
      bisections.skipped.push_back(
          absl::StrCat("`bisections/", PlainText(file), "` ", why));
    };
    const std::string name(absl::StripSuffix(file, kSuffix));
    if (!IsName(name)) {
      skip("has a name that the address of a page cannot contain");
      continue;
    }
    const absl::StatusOr<std::string> text =
        ReadFile(JoinPath(folder, file), kMaxBytes);
    if (!text.ok()) {
      skip(text.status().message());
      continue;
    }
    auto report = nlohmann::ordered_json::parse(*text, /*cb=*/nullptr,
                                                /*allow_exceptions=*/false);
    if (!report.is_object()) {
      skip("is not a JSON object");
      continue;
    }
    bisections.reports.push_back({name, std::move(report)});
  }
  return bisections;
}

}  // namespace assay::reports
