#include "reports/site/site_writer.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "absl/strings/str_cat.h"
#include "reports/site/cell_data.h"
#include "reports/site/commit_data.h"
#include "reports/site/data_script.h"
#include "reports/site/device_data.h"
#include "reports/site/front_data.h"
#include "reports/site/news.h"
#include "reports/site/run_data.h"
#include "reports/site/site_folder.h"
#include "runtime/base/file.h"
#include "runtime/base/parallel/for_all.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

// Calls `work` for 0 to count - 1 with several threads. Returns the error of
// one of the calls, if any failed; then not all were made.
absl::Status TryForAll(size_t count,
                       const std::function<absl::Status(size_t)>& work) {
  std::mutex mutex;
  absl::Status error;
  std::atomic<bool> failed = false;
  ForAll(count, [&](size_t i) {
    if (failed) return;
    const absl::Status status = work(i);
    if (status.ok()) return;
    failed = true;
    const std::lock_guard<std::mutex> lock(mutex);
    error = status;
  });
  return error;
}

// A digest of all runs before each run, and of all runs.
std::vector<std::string> RunDigests(const SiteModel& model) {
  std::vector<std::string> digests = {""};
  for (const SummarizedRun& run : model.runs()) {
    digests.push_back(
        Sha256Hex(absl::StrCat(digests.back(), "\n", run.name, "\n", run.state))
            .substr(0, 16));
  }
  return digests;
}

std::string PathOf(const char* folder, absl::string_view name) {
  return absl::StrCat("data/", folder, "/", name, ".js");
}

absl::Status WriteCells(const SiteModel& model, SiteFolder& site) {
  const std::vector<std::string> digests = RunDigests(model);
  return TryForAll(model.cells.size(), [&](size_t id) -> absl::Status {
    const std::string path = PathOf("cells", absl::StrCat(id));
    const std::string key = CellFileKey(model, id, digests);
    if (site.IsFresh(path, key)) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(const std::string script, CellScript(model, id));
    return site.Write(path, key, script);
  });
}

absl::Status WriteTails(const SiteModel& model, SiteFolder& site) {
  const CellRelations relations = RelationsOf(model);
  const size_t groups = (model.cells.size() + kTailCells - 1) / kTailCells;
  return TryForAll(groups, [&](size_t group) -> absl::Status {
    ASSAY_ASSIGN_OR_RETURN(const std::string script,
                           TailScript(model, relations, group));
    return site.Update(PathOf("tails", absl::StrCat(group)), script);
  });
}

absl::Status WriteRuns(const SiteModel& model, SiteFolder& site) {
  return TryForAll(model.runs().size(), [&](size_t run) -> absl::Status {
    const SummarizedRun& of = model.runs()[run];
    const std::string path = PathOf("runs", absl::StrCat(run));
    // Cells that came later are missing in the file, which pages know. Other
    // names of cells would need another file, but IDs stay.
    const std::string key =
        Sha256Hex(absl::StrCat(run, " ", of.name, "\n", of.state))
            .substr(0, 16);
    if (site.IsFresh(path, key)) return absl::OkStatus();
    return site.Write(path, key, RunScript(model, static_cast<uint32_t>(run)));
  });
}

absl::Status WriteCommits(const SiteModel& model, SiteFolder& site) {
  const std::map<std::string, SiteCommit> commits = SiteCommits(model);
  std::vector<std::pair<std::string, const SiteCommit*>> list;
  for (const auto& [name, commit] : commits) list.emplace_back(name, &commit);
  return TryForAll(list.size(), [&](size_t i) -> absl::Status {
    const std::string path = PathOf("commits", list[i].first);
    const std::string key = CommitFileKey(model, *list[i].second);
    if (site.IsFresh(path, key)) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(const std::string script,
                           CommitScript(model, *list[i].second));
    return site.Write(path, key, script);
  });
}

absl::Status WriteBisections(const SiteModel& model, SiteFolder& site) {
  for (const SiteBisection& bisection : model.input->bisections) {
    ASSAY_RETURN_IF_ERROR(
        site.Update(PathOf("bisections", bisection.name),
                    absl::StrCat("assay.load(\"bisection\",",
                                 ScriptJson(bisection.report), ");\n")));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<SiteSummary> WriteSite(const SiteInput& input,
                                      const SiteOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<SiteFolder> site,
                         SiteFolder::Open(options.folder));
  ASSAY_ASSIGN_OR_RETURN(const SiteModel model,
                         MakeSiteModel(input, site->cells(), options.events));
  // A tail says how many nights of the file of its cell it continues, so newer
  // files of cells fit to the tails of the night before.
  ASSAY_RETURN_IF_ERROR(WriteCells(model, *site));
  ASSAY_RETURN_IF_ERROR(WriteTails(model, *site));
  ASSAY_RETURN_IF_ERROR(WriteRuns(model, *site));
  ASSAY_RETURN_IF_ERROR(WriteCommits(model, *site));
  ASSAY_RETURN_IF_ERROR(WriteBisections(model, *site));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<SiteDevice> devices,
                         SiteDevices(model));
  for (const SiteDevice& device : devices) {
    ASSAY_ASSIGN_OR_RETURN(const std::string script,
                           DeviceScript(model, device));
    ASSAY_RETURN_IF_ERROR(site->Update(PathOf("devices", device.key), script));
  }
  for (const auto& [name, contents] : options.pages) {
    ASSAY_RETURN_IF_ERROR(site->Update(std::string(name), contents));
  }
  ASSAY_RETURN_IF_ERROR(site->Update("feed.xml", FeedXml(model)));
  ASSAY_RETURN_IF_ERROR(site->Update("summary.md", SummaryMarkdown(model)));
  ASSAY_RETURN_IF_ERROR(site->Update("data/nights.js", NightsScript(model)));
  ASSAY_ASSIGN_OR_RETURN(const std::string front, FrontScript(model, devices));
  std::vector<std::string> names;
  for (const SiteCell& cell : model.cells) names.push_back(cell.name);
  ASSAY_RETURN_IF_ERROR(site->Finish(names));
  ASSAY_RETURN_IF_ERROR(site->Update("data/front.js", front));
  site->RemoveOthers();
  return SiteSummary{model.cells.size(),     model.runs().size(),
                     model.attention.size(), site->files_written(),
                     site->bytes_written(),  site->warning()};
}

}  // namespace assay::reports
