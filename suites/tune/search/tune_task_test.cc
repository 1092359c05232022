#include "suites/tune/search/tune_task.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/complete_text.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/measure/in_process.h"
#include "suites/tune/search/kernel_program.h"
#include "suites/tune/search/point_selection.h"

namespace assay::suites {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr int kPoints = 6;
constexpr int64_t kDefaultNanos = 1'000'000;

// What a test says about a program.
struct Script {
  int64_t nanos = kDefaultNanos;  // of a run
  // The error of the runs after the program was loaded this many times before.
  std::function<absl::Status(int load)> fault = [](int) {
    return absl::OkStatus();
  };
  // The load since which the outputs are wrong.
  int wrong_from = std::numeric_limits<int>::max();
  int loads = 0;  // so far
};

// Runs programs, and says that they take the time of their scripts, on a clock
// that shows this time.
class ScriptedRunner : public runtime::Runner {
 public:
  explicit ScriptedRunner(FakeClock* clock) : clock_(*clock) {}

  std::map<std::string, Script> scripts;  // by the digest of the artifact

  runtime::DeviceFacts facts() const override { return runner_.facts(); }
  absl::StatusOr<std::unique_ptr<runtime::Session>> Load(
      absl::Span<const runtime::Artifact* const> artifacts,
      const runtime::LoadOptions& options) override {
    auto session = runner_.Load(artifacts, options);
    if (!session.ok()) return session.status();
    std::vector<Loaded> programs;
    for (const runtime::Artifact* artifact : artifacts) {
      Script& script = scripts.at(runtime::Digest(*artifact));
      programs.push_back({&script, script.loads++});
    }
    return std::make_unique<Session>(*std::move(session), programs, &clock_);
  }

 private:
  struct Loaded {
    const Script* script = nullptr;
    int load = 0;
  };

  class Session : public runtime::Session {
   public:
    Session(std::unique_ptr<runtime::Session> session,
            std::vector<Loaded> programs, FakeClock* clock)
        : session_(std::move(session)),
          programs_(std::move(programs)),
          clock_(*clock) {}
    runtime::DeviceFacts facts() const override { return session_->facts(); }
    int threads() const override { return session_->threads(); }
    absl::Status SetInputs(const runtime::NamedTensors& inputs) override {
      return session_->SetInputs(inputs);
    }
    absl::StatusOr<std::vector<runtime::Sample>> RunBlock(
        const runtime::Block& block) override {
      auto samples = session_->RunBlock(block);
      CHECK(samples.ok()) << samples.status();
      for (size_t i = 0; i < samples->size(); ++i) {
        const Loaded& program =
            programs_.at(static_cast<size_t>(block.samples[i].program));
        const absl::Status status = program.script->fault(program.load);
        if (!status.ok()) return status;
        runtime::Sample& sample = samples->at(i);
        sample.number = block.samples[i].number;
        sample.nanos = program.script->nanos * sample.number;
        sample.call_nanos.clear();
        clock_.Advance(sample.nanos);
        if (program.load >= program.script->wrong_from &&
            !sample.outputs.empty()) {
          sample.outputs[0].value.data<float>()[3] += 1;
        }
      }
      return samples;
    }

   private:
    const std::unique_ptr<runtime::Session> session_;
    const std::vector<Loaded> programs_;
    FakeClock& clock_;
  };

  FakeClock& clock_;
  runtime::InProcessRunner runner_;
};

class TuneTaskTest : public testing::Test {
 protected:
  TuneTaskTest()
      // Bytecode takes less time to compile than machine code.
      : device_({*driver::ResolveTarget("bytecode"), /*threads=*/1}) {
    BuildWith({"suites/tune/build/point_builder"});
    const auto model = graph::GraphFromText(
        R"(graph net(%x: float32[4,8]) -> (y=%3) {
  %1: float32[8,16] = constant {fill=0.25}
  %2: float32[4,16] = matmul(%x, %1) "MatMul_0"
  %3: float32[4,16] = relu(%2) "Relu_0"
})");
    auto tasks = tune::ExtractTasks(*model, device_.target, {},
                                    tune::LayoutChoices::kDefault);
    CHECK(tasks.ok()) << tasks.status();
    for (tune::Task& task : *tasks) {
      if (absl::StrContains(task.workload, "relu")) task_ = std::move(task);
    }
    auto space = tune::SpaceOfKernel(*task_.kernel, device_.target);
    CHECK(space.ok()) << space.status();
    space_.emplace(*std::move(space));
    device_.trials = device_.judge = &runner_;
    options_.tuner = "grid";
    options_.limits.trials = kPoints;
    options_.acceptance.budget_s = 1;
    options_.acceptance.clock = &clock_;
    ChoosePoints();
  }

  void BuildWith(std::vector<std::string> command) {
    builders_.emplace(BuildPoolOptions{std::move(command), /*processes=*/2});
  }

  std::string DigestOf(int64_t point, const KernelProgram& program) {
    auto built = builders_
                     ->Build({task_.key, device_.target, space_->At(point),
                              graph::ToCompleteText(*program.graph)})
                     .get();
    CHECK(built.ok()) << built.status();
    CHECK(built->status == TrialStatus::kOk) << built->error;
    return runtime::Digest(built->artifact);
  }

  // Chooses points of different code.
  void ChoosePoints() {
    const auto program = MakeKernelProgram(task_, options_.weights_bytes,
                                           device_.threads, options_.seed);
    CHECK(program.ok()) << program.status();
    runner_.scripts[DigestOf(space_->default_point(), *program)] = {};
    for (int64_t point = 0; digests_.size() < kPoints; ++point) {
      CHECK(point < space_->size());
      const std::string digest = DigestOf(point, *program);
      if (!runner_.scripts.try_emplace(digest).second) continue;
      points_.push_back(point);
      digests_.push_back(digest);
    }
  }

  Script& ScriptOf(size_t i) { return runner_.scripts.at(digests_[i]); }

  // The record of a trial of points_[i], as if a run had been interrupted after
  // it.
  TuningRecord Trial(size_t i, double relative) const {
    const auto header = HeaderOf(task_, device_, options_);
    CHECK(header.ok()) << header.status();
    TuningRecord record = *header;
    const auto choice = space_->At(points_[i]);
    record.implementation = choice.implementation;
    record.config = choice.config;
    record.code_digest = absl::StrCat("code ", i);
    record.samples_ns = {100 * relative};
    record.default_ns = {100};
    return record;
  }

  // Adds trials to the log. The last four points seem to be the fastest, and
  // the fourth of all points is.
  void AddTrials() {
    for (size_t i = 0; i < kPoints; ++i) {
      log_.push_back(Trial(i, 0.90 - 0.01 * static_cast<double>(i)));
      ScriptOf(i).nanos = kDefaultNanos * 9 / 10;
    }
    ScriptOf(3).nanos = kDefaultNanos * 7 / 10;
    ScriptOf(4).nanos = kDefaultNanos * 8 / 10;
    ScriptOf(5).nanos = kDefaultNanos * 17 / 20;
  }

  absl::Status TryToRun() {
    TuningLog log;
    const std::vector<TuningRecord> earlier = log_;
    log.earlier = &earlier;
    added_.clear();
    log.append = [&](const TuningRecord& record) {
      if (added_.size() == full_) {
        return absl::ResourceExhaustedError("the disk is full");
      }
      added_.push_back(record);
      if (on_append_ != nullptr) on_append_(record);
      return absl::OkStatus();
    };
    const absl::Status status =
        TuneTask(task_, *space_, device_, options_, &*builders_, log);
    log_.insert(log_.end(), added_.begin(), added_.end());
    return status;
  }

  // Returns the records of a run that continues the log, and adds them to it.
  std::vector<TuningRecord> Run() {
    const absl::Status status = TryToRun();
    EXPECT_TRUE(status.ok()) << status;
    return added_;
  }

  // The position in points_ of the point of a record.
  int IndexOf(const TuningRecord& record) const {
    const auto point = space_->IndexOf(record.implementation, record.config);
    for (size_t i = 0; i < points_.size(); ++i) {
      if (point.ok() && points_[i] == *point) return static_cast<int>(i);
    }
    return -1;
  }

  using Predicate = std::function<bool(const TuningRecord&)>;
  std::vector<int> Where(const std::vector<TuningRecord>& records,
                         const Predicate& predicate) const {
    std::vector<int> indices;
    for (const TuningRecord& record : records) {
      if (predicate(record)) indices.push_back(IndexOf(record));
    }
    return indices;
  }
  // These return positions in points_, in the order of the records.
  std::vector<int> Finalists(const std::vector<TuningRecord>& records) const {
    return Where(records, [](const auto& r) { return r.loads > 0; });
  }
  std::vector<int> Compared(const std::vector<TuningRecord>& records) const {
    return Where(records, [](const auto& r) { return r.verdict.has_value(); });
  }
  std::vector<int> Ended(const std::vector<TuningRecord>& records,
                         TrialStatus status) const {
    return Where(records, [&](const auto& r) { return r.status == status; });
  }

  FakeClock clock_;
  ScriptedRunner runner_{&clock_};
  TuningDevice device_;
  std::optional<BuildPool> builders_;
  tune::Task task_;
  std::optional<tune::SearchSpace> space_;
  TuningOptions options_;
  std::vector<int64_t> points_;
  std::vector<std::string> digests_;  // of their artifacts
  std::vector<TuningRecord> log_, added_;
  size_t full_ = 1'000'000;
  std::function<void(const TuningRecord&)> on_append_;
};

TEST_F(TuneTaskTest, TheBestTrialsAreMeasuredInSeveralLoads) {
  AddTrials();
  const std::vector<TuningRecord> added = Run();
  EXPECT_THAT(Finalists(added), ElementsAre(3, 4, 5, 2));
  for (const TuningRecord& record : added) {
    if (record.loads == 0) continue;
    EXPECT_EQ(record.status, TrialStatus::kOk) << record.error;
    EXPECT_GE(record.loads, 2);
    EXPECT_THAT(record.samples_ns, SizeIs(record.loads));
    EXPECT_THAT(record.default_ns, SizeIs(record.loads));
    EXPECT_TRUE(absl::StartsWith(record.code_digest, "code "));
    EXPECT_NE(record.time, "");
    EXPECT_EQ(record.time, added[1].time);
  }
  // The default point was measured too.
  ASSERT_THAT(added, SizeIs(1 + 4 + 1));
  // The best one was measured in most loads.
  EXPECT_GT(added[1].loads, added[4].loads);
  EXPECT_DOUBLE_EQ(RelativeTime(added[1]), 0.7);
  EXPECT_DOUBLE_EQ(RelativeTime(added[2]), 0.8);
  // It alone is compared, because it turns out to be faster.
  EXPECT_THAT(Compared(added), ElementsAre(3));
  EXPECT_EQ(added.back().verdict->verdict, stats::Verdict::kImproved);
}

TEST_F(TuneTaskTest, AContinuedRunRepeatsNothing) {
  AddTrials();
  ASSERT_THAT(Finalists(Run()), SizeIs(kMinFinalists));
  EXPECT_THAT(Run(), IsEmpty());
}

TEST_F(TuneTaskTest, ANewFinalistIsMeasuredNextToTheOthers) {
  AddTrials();
  Run();
  // This point is no finalist.
  log_.push_back(Trial(1, 0.95));
  EXPECT_THAT(Run(), IsEmpty());
  // The median of its trials decides.
  log_.insert(log_.end(), 2, Trial(0, 0.5));
  ScriptOf(0).nanos = kDefaultNanos / 2;
  const std::vector<TuningRecord> added = Run();
  EXPECT_THAT(Finalists(added), ElementsAre(0, 3, 4, 5));
  EXPECT_THAT(Compared(added), ElementsAre(0));
  EXPECT_THAT(Run(), IsEmpty());
}

TEST_F(TuneTaskTest, FinalistsOfDifferentRunsAreMeasuredAgain) {
  AddTrials();
  full_ = 3;  // the default point and two finalists
  EXPECT_FALSE(TryToRun().ok());
  EXPECT_THAT(Finalists(added_), ElementsAre(3, 4));
  full_ = 1'000'000;
  EXPECT_THAT(Finalists(Run()), ElementsAre(3, 4, 5, 2));
  EXPECT_THAT(Run(), IsEmpty());
  // The last record of a finalist may be that of another run.
  log_.push_back(log_[kPoints + 1]);
  ASSERT_GT(log_.back().loads, 0);
  log_.back().time = "2001-01-01T00:00:00Z";
  EXPECT_THAT(Finalists(Run()), ElementsAre(3, 4, 5, 2));
}

TEST_F(TuneTaskTest, ALostDeviceCostsALoad) {
  for (const int lost : {0, 1, 3}) {
    log_.clear();
    AddTrials();
    const int first = ScriptOf(4).loads;
    ScriptOf(4).fault = [&](int load) {
      return load == first + lost ? absl::AbortedError("the lease was lost")
                                  : absl::OkStatus();
    };
    const std::vector<TuningRecord> added = Run();
    EXPECT_THAT(Ended(added, TrialStatus::kDeviceLost), ElementsAre(4));
    EXPECT_THAT(Finalists(added), ElementsAre(3, 4, 5, 2));
    EXPECT_THAT(Compared(added), ElementsAre(3));
    EXPECT_THAT(Run(), IsEmpty());
  }
}

TEST_F(TuneTaskTest, ADeviceThatIsAlwaysLostEndsTheRun) {
  AddTrials();
  ScriptOf(4).fault = [](int load) {
    return load >= 3 ? absl::AbortedError("the lease was lost")
                     : absl::OkStatus();
  };
  const absl::Status status = TryToRun();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("the lease was lost"));
  const std::vector<int> lost = Ended(added_, TrialStatus::kDeviceLost);
  EXPECT_THAT(lost, SizeIs(kMaxDevicesLost));
  EXPECT_THAT(lost, Each(4));
  // The run can be continued.
  ScriptOf(4).fault = [](int) { return absl::OkStatus(); };
  EXPECT_THAT(Finalists(Run()), ElementsAre(3, 4, 5, 2));
}

TEST_F(TuneTaskTest, AFinalistThatFailsDoesNotLoseTheOthers) {
  const std::map<TrialStatus, absl::Status> errors = {
      {TrialStatus::kRunError, absl::InternalError("it crashed")},
      {TrialStatus::kTimeout, absl::DeadlineExceededError("it hangs")}};
  for (const auto& [ending, error] : errors) {
    for (const int failing : {0, 1, 3}) {
      log_.clear();
      AddTrials();
      const int first = ScriptOf(3).loads;
      ScriptOf(3).fault = [&, error = error](int load) {
        return load >= first + failing ? error : absl::OkStatus();
      };
      const std::vector<TuningRecord> added = Run();
      EXPECT_THAT(Ended(added, ending), ElementsAre(3));
      EXPECT_THAT(Finalists(added), ElementsAre(4, 5, 2));
      EXPECT_THAT(Compared(added), ElementsAre(4));
      EXPECT_EQ(ScriptOf(3).loads, first + failing + 1);
      EXPECT_THAT(Run(), IsEmpty());
    }
  }
}

TEST_F(TuneTaskTest, AFinalistThatCannotBeBuiltDoesNotLoseTheOthers) {
  AddTrials();
  BuildWith({"suites/tune/build/testing/faulty_builder", "--crash",
             space_->At(points_[3]).config.ToString()});
  const std::vector<TuningRecord> added = Run();
  EXPECT_THAT(Ended(added, TrialStatus::kBuildCrash), ElementsAre(3));
  EXPECT_THAT(Finalists(added), ElementsAre(4, 5, 2));
  EXPECT_THAT(Compared(added), ElementsAre(4));
  BuildWith({"suites/tune/build/point_builder"});
  EXPECT_THAT(Run(), IsEmpty());
}

// A point whose outputs become wrong loses, and is not loaded any more.
TEST_F(TuneTaskTest, AWrongFinalistLoses) {
  for (const int wrong : {0, 2, 3}) {
    log_.clear();
    AddTrials();
    const int first = ScriptOf(3).loads;
    ScriptOf(3).wrong_from = first + wrong;
    const std::vector<TuningRecord> added = Run();
    EXPECT_THAT(Ended(added, TrialStatus::kWrong), ElementsAre(3));
    EXPECT_THAT(Finalists(added), ElementsAre(4, 5, 2));
    EXPECT_THAT(Compared(added), ElementsAre(4));
    EXPECT_EQ(ScriptOf(3).loads, first + wrong + 1);
    EXPECT_THAT(Run(), IsEmpty());
  }
}

// As a point that overwrites memory now and then.
TEST_F(TuneTaskTest, APointThatIsWrongInItsComparisonIsNotTriedAgain) {
  AddTrials();
  on_append_ = [this](const TuningRecord& record) {
    if (record.loads > 0) ScriptOf(3).wrong_from = 0;
  };
  const std::vector<TuningRecord> added = Run();
  EXPECT_THAT(Finalists(added), ElementsAre(3, 4, 5, 2));
  EXPECT_THAT(Ended(added, TrialStatus::kWrong), ElementsAre(3));
  EXPECT_THAT(Compared(added), ElementsAre(4));
  EXPECT_THAT(Run(), IsEmpty());
}

TEST_F(TuneTaskTest, PointsThatAreKnownToBeWrongAreNoFinalists) {
  AddTrials();
  TuningRecord wrong = Trial(3, 1);
  wrong.status = TrialStatus::kWrong;
  wrong.samples_ns.clear();
  wrong.default_ns.clear();
  log_.push_back(wrong);
  // This one has the same code as the fifth point.
  wrong = Trial(0, 1);
  wrong.status = TrialStatus::kWrong;
  wrong.code_digest = "code 4";
  wrong.samples_ns.clear();
  wrong.default_ns.clear();
  log_[0] = wrong;
  const std::vector<TuningRecord> added = Run();
  EXPECT_THAT(Finalists(added), UnorderedElementsAre(2, 5));
  EXPECT_THAT(Ended(added, TrialStatus::kWrong), IsEmpty());
}

// As with an emulator, whose times mean nothing.
TEST_F(TuneTaskTest, WithoutAJudgeNothingIsCompared) {
  AddTrials();
  device_.judge = nullptr;
  const std::vector<TuningRecord> added = Run();
  EXPECT_THAT(Finalists(added), IsEmpty());
  EXPECT_THAT(Compared(added), IsEmpty());
}

}  // namespace
}  // namespace assay::suites
