#include "reports/site/testing/site_fixture.h"

#include <filesystem>

#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "reports/store/acknowledgement_log.h"
#include "reports/store/summary/store_summary.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {

absl::StatusOr<SiteSummary> WriteFixtureSite(const std::string& folder,
                                             const std::string& out,
                                             const SiteEventOptions& events) {
  ASSAY_ASSIGN_OR_RETURN(const StoreSummary store, StoreSummary::Read(folder));
  ASSAY_ASSIGN_OR_RETURN(AcknowledgementLog log, ReadAcknowledgements(folder));
  ASSAY_ASSIGN_OR_RETURN(SiteBisections bisections,
                         ReadBisections(JoinPath(folder, "bisections")));
  SiteInput input;
  input.store = &store;
  input.store_name = "farm";
  input.acknowledgements = std::move(log.acknowledgements);
  input.bisections = std::move(bisections.reports);
  input.now = FixtureNow();
  SiteOptions options;
  options.folder = out;
  options.events = events;
  options.pages = {{"index.html", "<!doctype html>\n"}};
  return WriteSite(input, options);
}

std::map<std::string, std::string> FilesOf(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string();
    files[path.substr(folder.size() + 1)] = ReadFile(path).value_or("");
  }
  return files;
}

nlohmann::ordered_json DataOf(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok()) return nullptr;
  absl::string_view json = *text;
  if (!absl::ConsumePrefix(&json, "assay.load(\"") ||
      !absl::ConsumeSuffix(&json, ");\n")) {
    return nullptr;
  }
  const size_t comma = json.find("\",");
  if (comma == absl::string_view::npos) return nullptr;
  json.remove_prefix(comma + 2);
  auto parsed =
      nlohmann::ordered_json::parse(json.begin(), json.end(), nullptr, false);
  return parsed.is_discarded() ? nullptr : parsed;
}

}  // namespace assay::reports
