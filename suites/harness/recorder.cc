#include "suites/harness/recorder.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "reports/render/format.h"
#include "reports/result/plain_row.h"
#include "reports/result/run_folder.h"
#include "reports/store/store_address.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/file.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "suites/machine/environment.h"
#include "suites/tensors/tensor_files.h"

namespace assay::suites {
namespace {

constexpr int kWholeModel = -1;

}  // namespace

absl::Status Recorder::Open(const reports::Environment& environment,
                            const std::string& notes) {
  const absl::MutexLock lock(&mutex_);
  first_notes_ = notes;
  result_.started_at = identity_.started_at;
  result_.commit = identity_.commit;
  result_.environment = environment;
  if (options_.store.empty()) return absl::OkStatus();
  const std::string job =
      Sha256Hex(absl::StrCat(identity_.command, "\n", environment.fingerprint,
                             "\n", ComparableState(environment)));
  store_folder_ = options_.store;
  if (reports::IsPostgresAddress(options_.store)) {
    ASSAY_ASSIGN_OR_RETURN(publisher_,
                           reports::Publisher::Create(options_.store));
    store_folder_ = publisher_->folder();
  }
  ASSAY_ASSIGN_OR_RETURN(log_, reports::RunLog::Open(store_folder_, job,
                                                     result_, options_.resume));
  result_.started_at = log_->started_at();
  if (log_->recorded() > 0) {
    absl::StrAppend(&first_notes_, "continues the run of ", log_->started_at(),
                    ", which had recorded ", log_->recorded(),
                    log_->recorded() == 1 ? " row\n" : " rows\n");
  } else if (options_.resume) {
    first_notes_ += "there was no run to continue\n";
  }
  for (const reports::CorruptRecord& record : log_->corrupt_records()) {
    absl::StrAppend(&first_notes_, "`", store_folder_,
                    "`: ", reports::Describe(record), "\n");
  }
  return absl::OkStatus();
}

std::optional<reports::Row> Recorder::Find(const std::string& cell) const {
  const absl::MutexLock lock(&mutex_);
  const reports::Row* row = log_ == nullptr ? nullptr : log_->Find(cell);
  return row == nullptr ? std::nullopt : std::make_optional(*row);
}

absl::Status Recorder::WriteOutputs(const Job& job,
                                    const runtime::NamedTensors& outputs,
                                    const std::string& label, bool wrong) {
  if (options_.outputs.empty() || outputs.empty()) return absl::OkStatus();
  const absl::MutexLock lock(&mutex_);
  if (outputs_job_.has_value() && *outputs_job_ <= job.index) {
    return absl::OkStatus();
  }
  ASSAY_RETURN_IF_ERROR(suites::WriteOutputs(options_.outputs, outputs));
  outputs_job_ = job.index;
  outputs_note_ =
      absl::StrCat(label,
                   wrong ? "warning: wrong outputs were written to `"
                         : "outputs were written to `",
                   options_.outputs, "`\n");
  return absl::OkStatus();
}

absl::Status Recorder::KeepRow(const Job& job, size_t index,
                               const JobResult& result) {
  const absl::MutexLock lock(&mutex_);
  KeepCanary(job, result.session.canary);
  ASSAY_RETURN_IF_ERROR(Record(job, index, result));
  return WriteFiles();
}

absl::Status Recorder::Keep(const Job& job, JobResult result) {
  const absl::MutexLock lock(&mutex_);
  KeepCanary(job, result.session.canary);
  for (size_t i = 0; i < result.cells.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(Record(job, i, result));
  }
  notes_[{job.model, job.index}] = std::move(result.session.notes);
  return result.cells.empty() ? absl::OkStatus() : WriteFiles();
}

void Recorder::KeepCanary(const Job& job, const reports::Canary& canary) {
  canaries_[job.index] = canary;
  result_.canary.clear();
  for (const auto& [index, trials] : canaries_) {
    result_.canary.insert(result_.canary.end(), trials.begin(), trials.end());
  }
}

// Records a row, unless it is recorded already.
absl::Status Recorder::Record(const Job& job, size_t index,
                              const JobResult& result) {
  const std::pair<int, size_t> place = {job.index, index};
  const auto at = std::lower_bound(places_.begin(), places_.end(), place);
  if (at != places_.end() && *at == place) return absl::OkStatus();
  const MeasuredCell& cell = result.cells[index];
  reports::Row row = cell.row;
  reports::MakePlain(&row);
  if (log_ != nullptr && log_->Find(cell.name) == nullptr) {
    ASSAY_RETURN_IF_ERROR(
        log_->Append(cell.name, row, result_.canary, job.index));
    if (publisher_.has_value()) publisher_->Push();
  }
  if (cell.artifact != nullptr) ASSAY_RETURN_IF_ERROR(KeepArtifact(cell));
  result_.rows.insert(result_.rows.begin() + (at - places_.begin()),
                      std::move(row));
  places_.insert(at, place);
  return absl::OkStatus();
}

absl::Status Recorder::KeepArtifact(const MeasuredCell& cell) const {
  if (options_.keep_artifacts) {
    ASSAY_RETURN_IF_ERROR(
        runtime::ArtifactStore(reports::ArtifactFolder(options_.out))
            .Put(*cell.artifact));
  }
  if (cell.row.emulated) return absl::OkStatus();
  if (options_.follow && !cell.row.timing.samples_ns.empty()) {
    ASSAY_RETURN_IF_ERROR(
        runtime::ArtifactStore(reports::ArtifactFolder(store_folder_))
            .Put(*cell.artifact));
  }
  if (baseline_artifacts_.empty()) return absl::OkStatus();
  return runtime::ArtifactStore(baseline_artifacts_).Put(*cell.artifact);
}

absl::Status Recorder::WriteFiles() {
  result_.remarks =
      absl::StrSplit(PlainLines(notes()), '\n', absl::SkipEmpty());
  if (options_.out.empty()) return absl::OkStatus();
  constexpr std::pair<const char*, reports::Format> kFiles[] = {
      {"results.json", reports::Format::kJson},
      {"results.csv", reports::Format::kCsv},
      {"results.xml", reports::Format::kJUnit},
      {"summary.md", reports::Format::kMarkdown},
  };
  for (const auto& [name, format] : kFiles) {
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(JoinPath(options_.out, name),
                                          reports::Render(result_, format)));
  }
  return absl::OkStatus();
}

void Recorder::KeepNotes(int model, const ReportNotes& notes) {
  const absl::MutexLock lock(&mutex_);
  notes_[{model, kWholeModel}] = notes;
}

absl::Status Recorder::Finish(absl::string_view notes) {
  const absl::MutexLock lock(&mutex_);
  last_notes_ = std::string(notes);
  if (log_ != nullptr) ASSAY_RETURN_IF_ERROR(log_->Finish());
  if (publisher_.has_value()) {
    publisher_->PushNow();
    const std::string warning = publisher_->Warning();
    if (!warning.empty()) {
      absl::StrAppend(&last_notes_, "warning: ", warning, "\n");
    }
  }
  return WriteFiles();
}

std::string Recorder::notes() const {
  std::string text = first_notes_;
  std::set<std::string> printed;
  for (const auto& [job, notes] : notes_) {
    text += notes.lines;
    for (const std::string& once : notes.once) {
      if (printed.insert(once).second) text += once;
    }
  }
  return absl::StrCat(text, outputs_note_, last_notes_);
}

}  // namespace assay::suites
