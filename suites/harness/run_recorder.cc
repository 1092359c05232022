#include "suites/harness/run_recorder.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "reports/render/format.h"
#include "reports/result/plain_row.h"
#include "runtime/artifact/artifact_store.h"
#include "runtime/base/file.h"
#include "runtime/base/plain_text.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/row_outcome.h"
#include "suites/machine/environment.h"
#include "suites/tensors/tensor_files.h"

namespace assay::suites {
namespace {

constexpr int kWholeModel = -1;

}  // namespace

absl::Status RunRecorder::Open(const reports::Environment& environment) {
  const absl::MutexLock lock(&mutex_);
  result_.started_at = services_.identity.started_at;
  result_.commit = services_.identity.commit;
  result_.environment = environment;
  if (options_.output.store.empty()) return absl::OkStatus();
  const std::string job = Sha256Hex(
      absl::StrCat(services_.identity.command, "\n", environment.fingerprint,
                   "\n", ComparableState(environment)));
  ASSAY_ASSIGN_OR_RETURN(
      log_, reports::RunLog::Open(options_.output.store, job, result_,
                                  options_.output.resume));
  result_.started_at = log_->started_at();
  if (log_->recorded() > 0) {
    absl::StrAppend(&run_remarks_, "continues the run of ", log_->started_at(),
                    ", which had recorded ", log_->recorded(),
                    log_->recorded() == 1 ? " row\n" : " rows\n");
  } else if (options_.output.resume) {
    run_remarks_ += "there was no run to continue\n";
  }
  for (const reports::CorruptRecord& record : log_->corrupt_records()) {
    absl::StrAppend(&run_remarks_, "`", options_.output.store,
                    "`: ", reports::Describe(record), "\n");
  }
  return absl::OkStatus();
}

std::optional<reports::Row> RunRecorder::Find(const std::string& cell) const {
  const absl::MutexLock lock(&mutex_);
  const reports::Row* row = log_ == nullptr ? nullptr : log_->Find(cell);
  return row == nullptr ? std::nullopt : std::make_optional(*row);
}

absl::Status RunRecorder::WriteOutputs(const Unit& unit, const Cell& cell) {
  const std::string& path = options_.output.outputs;
  if (path.empty() || cell.outputs.empty()) return absl::OkStatus();
  const absl::MutexLock lock(&mutex_);
  if (outputs_unit_.has_value() && *outputs_unit_ <= unit.index) {
    return absl::OkStatus();
  }
  ASSAY_RETURN_IF_ERROR(suites::WriteOutputs(path, cell.outputs));
  outputs_unit_ = unit.index;
  const bool wrong = cell.row.verdict == stats::Verdict::kWrongOutput;
  outputs_remark_ =
      absl::StrCat(Label(cell.row),
                   wrong ? "warning: wrong outputs were written to `"
                         : "outputs were written to `",
                   path, "`\n");
  return absl::OkStatus();
}

absl::Status RunRecorder::KeepRow(const Unit& unit, size_t index,
                                  const Attempt& attempt) {
  const absl::MutexLock lock(&mutex_);
  KeepCanary(unit, attempt);
  ASSAY_RETURN_IF_ERROR(Record(unit, index, attempt));
  return WriteFiles();
}

absl::Status RunRecorder::Keep(const Unit& unit, Attempt attempt) {
  const absl::MutexLock lock(&mutex_);
  KeepCanary(unit, attempt);
  for (size_t i = 0; i < attempt.cells.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(Record(unit, i, attempt));
  }
  remarks_[{unit.model, unit.index}] = std::move(attempt.remarks);
  return attempt.cells.empty() ? absl::OkStatus() : WriteFiles();
}

void RunRecorder::KeepCanary(const Unit& unit, const Attempt& attempt) {
  canaries_[unit.index] = attempt.canary;
  result_.canary.clear();
  for (const auto& [index, canary] : canaries_) {
    result_.canary.insert(result_.canary.end(), canary.begin(), canary.end());
  }
}

// Records a row, unless it is recorded already.
absl::Status RunRecorder::Record(const Unit& unit, size_t index,
                                 const Attempt& attempt) {
  const std::pair<int, size_t> place = {unit.index, index};
  const auto at = std::lower_bound(places_.begin(), places_.end(), place);
  if (at != places_.end() && *at == place) return absl::OkStatus();
  const Cell& cell = attempt.cells[index];
  reports::Row row = cell.row;
  reports::MakePlain(&row);
  if (log_ != nullptr && log_->Find(cell.name) == nullptr) {
    ASSAY_RETURN_IF_ERROR(
        log_->Append(cell.name, row, result_.canary, unit.index));
  }
  if (cell.artifact != nullptr) ASSAY_RETURN_IF_ERROR(KeepArtifact(cell));
  result_.rows.insert(result_.rows.begin() + (at - places_.begin()),
                      std::move(row));
  places_.insert(at, place);
  return absl::OkStatus();
}

absl::Status RunRecorder::KeepArtifact(const Cell& cell) const {
  if (options_.output.keep_artifacts) {
    ASSAY_RETURN_IF_ERROR(
        runtime::ArtifactStore(ArtifactFolder(options_.output.out))
            .Put(*cell.artifact));
  }
  if (!options_.comparison.blessing() || cell.row.emulated ||
      services_.folders.artifacts.empty()) {
    return absl::OkStatus();
  }
  return runtime::ArtifactStore(services_.folders.artifacts)
      .Put(*cell.artifact);
}

absl::Status RunRecorder::WriteFiles() {
  result_.remarks =
      absl::StrSplit(PlainLines(remarks()), '\n', absl::SkipEmpty());
  if (options_.output.out.empty()) return absl::OkStatus();
  constexpr std::pair<const char*, reports::Format> kFiles[] = {
      {"results.json", reports::Format::kJson},
      {"results.csv", reports::Format::kCsv},
      {"results.xml", reports::Format::kJUnit},
      {"summary.md", reports::Format::kMarkdown},
  };
  for (const auto& [name, format] : kFiles) {
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(JoinPath(options_.output.out, name),
                                          reports::Render(result_, format)));
  }
  return absl::OkStatus();
}

void RunRecorder::KeepRemarks(int model, const Remarks& remarks) {
  const absl::MutexLock lock(&mutex_);
  remarks_[{model, kWholeModel}] = remarks;
}

void RunRecorder::Remark(absl::string_view lines) {
  const absl::MutexLock lock(&mutex_);
  absl::StrAppend(&run_remarks_, lines);
}

absl::Status RunRecorder::Finish(absl::string_view remarks) {
  const absl::MutexLock lock(&mutex_);
  last_remarks_ = std::string(remarks);
  ASSAY_RETURN_IF_ERROR(WriteFiles());
  return log_ == nullptr ? absl::OkStatus() : log_->Finish();
}

std::string RunRecorder::remarks() const {
  std::string text = run_remarks_;
  std::set<std::string> printed;
  for (const auto& [unit, remarks] : remarks_) {
    text += remarks.lines;
    for (const std::string& once : remarks.once) {
      if (printed.insert(once).second) text += once;
    }
  }
  return absl::StrCat(text, outputs_remark_, last_remarks_);
}

}  // namespace assay::suites
