#include "tests/fuzz/mutation_run.h"

#include <cstdio>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/status_macros.h"

namespace assay::fuzz {

using runtime::ProcessResult;

MutationRun::MutationRun(MutationOptions options, std::vector<Subject> subjects,
                         std::ostream* out, suites::Progress* progress)
    : options_(std::move(options)),
      subjects_(std::move(subjects)),
      out_(out),
      progress_(progress),
      tallies_(subjects_.size()) {
  for (size_t i = 0; i < subjects_.size(); ++i) {
    tallies_[i].name = subjects_[i].name;
  }
}

size_t MutationRun::NumRuns() const {
  return subjects_.size() * static_cast<size_t>(options_.mutations);
}

absl::Status MutationRun::Run() {
  if (!options_.keep.empty()) {
    ASSAY_RETURN_IF_ERROR(MakeDirs(options_.keep));
  }
  std::vector<TempDir> folders;
  for (int i = 0; i < options_.jobs; ++i) {
    ASSAY_ASSIGN_OR_RETURN(TempDir folder, TempDir::CreateInMemory("mutate"));
    folders.push_back(std::move(folder));
  }
  progress_->Start(static_cast<int>(subjects_.size() + NumRuns()));
  for (const Subject& subject : subjects_) {
    progress_->NextRow(subject.name);
    progress_->Step("running on the file as it is");
    ASSAY_RETURN_IF_ERROR(CheckSubject(subject, folders[0].path()));
  }
  std::vector<std::thread> workers;
  for (const TempDir& folder : folders) {
    workers.emplace_back([this, &folder] { Work(folder.path()); });
  }
  for (std::thread& worker : workers) worker.join();
  progress_->Clear();
  return status_;
}

// Runs the program on a file with these bytes. The returned error is not about
// the program, whose end is stored in `*ended`.
absl::Status MutationRun::RunOn(const Subject& subject, absl::string_view bytes,
                                const std::string& folder,
                                absl::StatusOr<ProcessResult>* ended) const {
  const std::string file = JoinPath(folder, subject.name + ".onnx");
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(file, bytes));
  *ended =
      runtime::RunProcess(options_.command(subject, file), options_.process);
  std::remove(file.c_str());
  return absl::OkStatus();
}

absl::Status MutationRun::CheckSubject(const Subject& subject,
                                       const std::string& folder) const {
  absl::StatusOr<ProcessResult> ended;
  ASSAY_RETURN_IF_ERROR(RunOn(subject, subject.bytes, folder, &ended));
  std::string problem = ProblemOf(ended);
  if (problem.empty() &&
      ended->exit_code == static_cast<int>(ExitCode::kUsage)) {
    problem = absl::StrCat("declined it: ", runtime::LastLines(ended->err));
  }
  if (problem.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("mutations of `", subject.name,
                   "` prove nothing, because the program does not accept the "
                   "file as it is: ",
                   problem));
}

void MutationRun::Work(const std::string& folder) {
  for (size_t run = next_++; run < NumRuns(); run = next_++) {
    const absl::Status status = Mutate(run, folder);
    if (status.ok()) continue;
    const std::lock_guard<std::mutex> lock(mutex_);
    status_.Update(status);
    next_ = NumRuns();
  }
}

absl::Status MutationRun::Mutate(size_t run, const std::string& folder) {
  const size_t mutations = static_cast<size_t>(options_.mutations);
  const Subject& subject = subjects_[run / mutations];
  const uint64_t seed = options_.first_seed + run % mutations;
  const MutatedFile mutated = MutateFile(subject.bytes, seed);
  absl::StatusOr<ProcessResult> ended;
  ASSAY_RETURN_IF_ERROR(RunOn(subject, mutated.bytes, folder, &ended));
  const std::string problem = ProblemOf(ended);

  const std::lock_guard<std::mutex> lock(mutex_);
  Tally& tally = tallies_[run / mutations];
  ++tally.runs;
  absl::Status status;
  if (problem.empty()) {
    ++tally.codes[ended->exit_code];
  } else {
    ++tally.failures;
    progress_->Clear();
    status = Report(subject, seed, mutated, problem, ended);
  }
  progress_->NextRow(subject.name);
  progress_->Step(absl::StrCat(tally.failures, " failures"));
  return status;
}

absl::Status MutationRun::Report(const Subject& subject, uint64_t seed,
                                 const MutatedFile& mutated,
                                 const std::string& problem,
                                 const absl::StatusOr<ProcessResult>& ended) {
  const std::string line = absl::StrCat(subject.name, ", seed ", seed, ", ",
                                        mutated.what, ": ", problem, "\n");
  *out_ << line << std::flush;
  if (options_.keep.empty()) return absl::OkStatus();
  const std::string stem =
      JoinPath(options_.keep, absl::StrCat(subject.name, "_", seed));
  const std::string file = stem + ".onnx";
  std::string text = absl::StrCat(
      line, "\n", absl::StrJoin(options_.command(subject, file), " "), "\n");
  if (ended.ok()) {
    absl::StrAppend(&text, "\nstandard output:\n", ended->out,
                    "\nstandard error:\n", ended->err);
  }
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(file, mutated.bytes));
  return WriteFileAtomic(stem + ".txt", text);
}

}  // namespace assay::fuzz
