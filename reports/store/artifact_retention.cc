#include "reports/store/artifact_retention.h"

#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reports/result/run_folder.h"
#include "reports/store/index.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kSuffix[] = ".artifact";

absl::Status FileError(const std::string& path, const std::error_code& error) {
  return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
}

// Returns the files of artifacts. Other files are left alone.
absl::StatusOr<std::vector<std::filesystem::path>> ListArtifacts(
    const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  if (!std::filesystem::exists(folder, error)) return files;
  for (auto entry =
           std::filesystem::recursive_directory_iterator(folder, error);
       entry != std::filesystem::recursive_directory_iterator();
       entry.increment(error)) {
    if (error) break;
    const std::filesystem::path& path = entry->path();
    if (path.extension() == kSuffix && IsSha256Hex(path.stem().string())) {
      files.push_back(path);
    }
  }
  if (error) return FileError(folder, error);
  return files;
}

// Returns the digests of the artifacts that are kept.
absl::StatusOr<std::set<std::string>> KeptDigests(const std::string& folder,
                                                  int keep_days,
                                                  absl::Time now) {
  ASSAY_ASSIGN_OR_RETURN(StoreIndex index, StoreIndex::Open(folder));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Record> records, index.Find({}));
  const std::string since =
      absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", now - absl::Hours(24) * keep_days,
                       absl::UTCTimeZone());
  std::set<std::string> kept;
  std::map<std::tuple<std::string, CellKey, std::string>, std::string> newest;
  // The records are ordered by time.
  for (const Record& record : records) {
    for (const Row& row : record.result.rows) {
      const std::string& digest = row.build.artifact_digest;
      if (record.result.started_at >= since) kept.insert(digest);
      if (row.timing.samples_ns.empty()) continue;
      newest[{row.suite, row.cell, row.fingerprint}] = digest;
    }
  }
  for (const auto& [cell, digest] : newest) kept.insert(digest);
  return kept;
}

}  // namespace

absl::StatusOr<PrunedArtifacts> PruneArtifacts(const std::string& folder,
                                               int keep_days, absl::Time now,
                                               bool dry_run) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::filesystem::path> files,
                         ListArtifacts(ArtifactFolder(folder)));
  PrunedArtifacts result;
  result.artifacts = static_cast<int64_t>(files.size());
  if (files.empty()) return result;
  ASSAY_ASSIGN_OR_RETURN(const std::set<std::string> kept,
                         KeptDigests(folder, keep_days, now));
  for (const std::filesystem::path& file : files) {
    if (kept.count(file.stem().string()) > 0) continue;
    std::error_code error;
    const auto bytes =
        static_cast<int64_t>(std::filesystem::file_size(file, error));
    if (!error && !dry_run) std::filesystem::remove(file, error);
    if (error) return FileError(file.string(), error);
    ++result.dropped;
    result.dropped_bytes += bytes;
  }
  return result;
}

}  // namespace assay::reports
