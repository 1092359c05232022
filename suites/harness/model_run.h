// ModelRun: the rows of one model, as run.h says.
#ifndef ASSAY_SUITES_HARNESS_MODEL_RUN_H_
#define ASSAY_SUITES_HARNESS_MODEL_RUN_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reports/baseline/baseline.h"
#include "reports/render/run_result.h"
#include "reports/store/run_log.h"
#include "runtime/artifact/artifact.h"
#include "suites/correctness/checked_session.h"
#include "suites/harness/options.h"
#include "suites/harness/run.h"
#include "suites/harness/services.h"

namespace assay::suites {

// A device of the matrix and what is known of it before anything runs.
struct DevicePlan {
  std::string flag;  // as given for --device
  devices::Device device;
  std::unique_ptr<Runner> runner;
  std::vector<int> threads;
};

class ModelRun {
 public:
  // All arguments outlive the run. `canary` is what was found before, or will
  // be; `budget_left_s` what rows before this left of their budgets. `against`
  // holds the rows of --against, `log` those of --resume; it may be null.
  // `keep` takes each row as it is finished, with the name of its cell in the
  // log, and what it was compiled to or null. `cells` is how many rows the
  // whole run has. One of several models has its dumps in a folder of its name.
  ModelRun(const Options& options, Services& services,
           const ModelSource& source, const reports::Baseline& baseline,
           const reports::RunResult& against, const reports::RunLog* log,
           int64_t cells, bool one_of_several,
           std::optional<reports::Canary>* canary, double* budget_left_s,
           std::function<absl::Status(const std::string& cell, reports::Row,
                                      const runtime::Artifact*)>
               keep)
      : options_(options),
        services_(services),
        source_(source),
        baseline_(baseline),
        against_(against),
        log_(log),
        cells_(cells),
        one_of_several_(one_of_several),
        canary_(canary),
        budget_left_s_(budget_left_s),
        keep_(std::move(keep)) {}

  absl::Status Load();
  // The rows of one device. An error is one of the model or of `keep`.
  absl::Status RunOn(const DevicePlan& plan);

  // Lines about other runtimes, for below the table.
  const std::string& remarks() const { return remarks_; }

 private:
  struct Compiled {
    absl::StatusOr<runtime::Artifact> artifact;
    double ms = 0;
  };
  // A row with what it takes to measure it. Without session there is nothing
  // to be measured, and the row says why.
  struct Cell {
    std::string name;  // in the log
    reports::Row row;
    const runtime::Artifact* artifact = nullptr;
    std::unique_ptr<CheckedSession> session;
  };

  absl::Status FindAnswers(const DevicePlan& plan);
  absl::StatusOr<runtime::NamedTensors> FindAnswer(
      const runtime::NamedTensors& inputs);
  absl::Status AskReference();
  absl::Span<Example> ExamplesFor(const DevicePlan& plan);

  const Compiled& Compile(const DevicePlan& plan, bool fusion, int threads);
  // Of one compilation, within the folder of --dump_dir of some run.
  std::string DumpFolder(const std::string& folder, const DevicePlan& plan,
                         bool fusion) const;
  reports::Row NewRow(const DevicePlan& plan, bool fusion, int threads) const;
  absl::Status RunThreads(const DevicePlan& plan, int threads);
  absl::StatusOr<Cell> NewCell(const DevicePlan& plan, bool fusion,
                               int threads);
  absl::Status Check(const DevicePlan& plan, int threads, Cell* cell);
  void MeasureAll(const DevicePlan& plan, std::vector<Cell>* cells);
  absl::Status TryMeasure(const DevicePlan& plan,
                          const std::vector<Cell*>& sound);
  std::unique_ptr<Session> LoadReference(const DevicePlan& plan,
                                         const Cell& cell);
  void CompareWithReference(const std::vector<double>& theirs, Cell* cell);
  void Finish(const DevicePlan& plan, Cell* cell);
  void CompareFusion(const std::vector<Cell*>& sound) const;
  void Judge(reports::Row* row) const;
  void Confirm(const DevicePlan& plan, Cell* cell);
  absl::Status AskCanary();
  absl::Status MakeRuntimes(std::unique_ptr<Runner>* base,
                            std::unique_ptr<Runner>* run) const;
  void ShowDifference(const DevicePlan& plan, const reports::Row& row);
  std::string HowToConfirm(const reports::Row& row) const;
  absl::StatusOr<runtime::Artifact> OtherArtifact(
      const reports::Row& row) const;

  const Options& options_;
  Services& services_;
  const ModelSource& source_;
  const reports::Baseline& baseline_;
  const reports::RunResult& against_;
  const reports::RunLog* const log_;
  const int64_t cells_;
  const bool one_of_several_;
  std::optional<reports::Canary>* const canary_;
  double* const budget_left_s_;
  const std::function<absl::Status(const std::string&, reports::Row,
                                   const runtime::Artifact*)>
      keep_;

  Model model_;
  // Those with an answer come first. An emulator is asked the first alone.
  std::vector<Example> examples_;
  // Whether another runtime was asked, how its answer is wrong, and whether it
  // may be asked for more.
  bool asked_reference_ = false;
  std::string contradiction_;
  bool reference_agrees_ = false;
  // By fusion and threads, for the device whose turn it is.
  std::map<std::pair<bool, int>, Compiled> compiled_;
  std::string remarks_;
};

reports::BaselineKey KeyOf(const reports::Row& row);

// Where a run that wrote to `results_folder` keeps its artifacts.
std::string ArtifactFolder(const std::string& results_folder);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_MODEL_RUN_H_
