#include "suites/tune/search/task_search.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/tune/search/tuners.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/task/tasks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/measure/in_process.h"
#include "suites/correctness/checked_session.h"
#include "suites/tune/build/build_pool.h"
#include "suites/tune/search/acceptance.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Bytecode takes less time to compile than machine code.
target::Target Host() { return *driver::ResolveTarget("bytecode"); }

// A runner whose sessions are lost, or whose second program is wrong, when a
// test says so.
class FaultyRunner : public runtime::Runner {
 public:
  // The sessions that are lost, counted from 0: their first block is Aborted.
  std::set<int> lost_sessions;

  runtime::DeviceFacts facts() const override { return runner_.facts(); }
  absl::StatusOr<std::unique_ptr<runtime::Session>> Load(
      absl::Span<const runtime::Artifact* const> artifacts,
      const runtime::LoadOptions& options) override {
    auto session = runner_.Load(artifacts, options);
    if (!session.ok()) return session.status();
    const bool lost = lost_sessions.count(sessions_++) > 0;
    return std::make_unique<Session>(*std::move(session), lost);
  }
  int sessions() const { return sessions_; }

 private:
  // Does not replace programs, as a leased device.
  class Session : public runtime::Session {
   public:
    Session(std::unique_ptr<runtime::Session> session, bool lost)
        : session_(std::move(session)), lost_(lost) {}
    runtime::DeviceFacts facts() const override { return session_->facts(); }
    int threads() const override { return session_->threads(); }
    absl::Status SetInputs(const runtime::NamedTensors& inputs) override {
      return session_->SetInputs(inputs);
    }
    absl::StatusOr<std::vector<runtime::Sample>> RunBlock(
        const runtime::Block& block) override {
      if (lost_) return absl::AbortedError("the lease was lost");
      return session_->RunBlock(block);
    }

   private:
    const std::unique_ptr<runtime::Session> session_;
    const bool lost_;
  };

  runtime::InProcessRunner runner_;
  int sessions_ = 0;
};

class TaskSearchTest : public ::testing::Test {
 protected:
  TaskSearchTest() {
    const auto model = graph::GraphFromText(
        R"(graph net(%x: float32[4,8]) -> (y=%3) {
  %1: float32[8,16] = constant {fill=0.25}
  %2: float32[4,16] = matmul(%x, %1) "MatMul_0"
  %3: float32[4,16] = relu(%2) "Relu_0"
})");
    auto tasks =
        tune::ExtractTasks(*model, Host(), {}, tune::LayoutChoices::kDefault);
    CHECK(tasks.ok()) << tasks.status();
    for (tune::Task& task : *tasks) {
      if (absl::StrContains(task.workload, "relu")) task_ = std::move(task);
    }
    auto program = MakeKernelProgram(task_, 1 << 10, 1, 1);
    CHECK(program.ok()) << program.status();
    program_ = *std::move(program);
    auto space = tune::SpaceOfKernel(*task_.kernel, Host());
    CHECK(space.ok()) << space.status();
    space_.emplace(*std::move(space));
    header_.task = task_.key;
    header_.tuner = "random";
    header_.seed = 7;
    options_.trial_nanos = 100'000;
    options_.min_sample_nanos = 10'000;
    BuildWith({"suites/tune/build/point_builder"});
  }

  void BuildWith(std::vector<std::string> command, double time_limit_s = 60) {
    builders_.emplace(
        BuildPoolOptions{std::move(command), /*processes=*/2, time_limit_s});
  }
  SearchSetup MakeSetup(TrialRunner* trials) {
    SearchSetup setup = {&*space_, &program_, Host()};
    setup.builders = &*builders_;
    setup.trials = trials;
    setup.ahead = 4;
    setup.append = [this](const TuningRecord& record) {
      if (records_.size() == full_) {
        return absl::ResourceExhaustedError("the disk is full");
      }
      records_.push_back(record);
      return absl::OkStatus();
    };
    return setup;
  }

  // Runs a search for `trials` trials, continuing with the records so far.
  absl::Status Search(int64_t trials, bool overlap = false) {
    const auto tuner = tune::MakeTuner("random", *space_, 7);
    TrialRunner runner(program_, 1, &runner_, options_);
    SearchSetup setup = MakeSetup(&runner);
    setup.overlap = overlap;
    TaskSearch search(std::move(setup), header_, tuner.get());
    const std::vector<TuningRecord> earlier = records_;
    search.Replay(earlier);
    SearchLimits limits;
    limits.trials = trials;
    const absl::Status status = search.Run(limits);
    ranking_ = search.Ranking(3);
    return status;
  }
  std::vector<std::string> Points() const {
    std::vector<std::string> points;
    for (const TuningRecord& record : records_) {
      if (record.status == TrialStatus::kDeviceLost) continue;
      points.push_back(
          absl::StrCat(record.implementation, " ", record.config.ToString()));
    }
    return points;
  }

  tune::Task task_;
  KernelProgram program_;
  std::optional<tune::SearchSpace> space_;
  TuningRecord header_;
  FaultyRunner runner_;
  std::optional<BuildPool> builders_;
  TrialOptions options_;
  std::vector<TuningRecord> records_;
  size_t full_ = 1'000'000;
  std::vector<TaskSearch::RankedPoint> ranking_;
};

TEST_F(TaskSearchTest, MeasuresAsManyPointsAsAllowed) {
  for (const bool overlap : {false, true}) {
    records_.clear();
    ASSERT_TRUE(Search(12, overlap).ok());
    const std::vector<std::string> points = Points();
    EXPECT_THAT(points, SizeIs(12));
    EXPECT_THAT(std::set<std::string>(points.begin(), points.end()),
                SizeIs(12));
    const tune::SearchSpace::Choice usual = space_->At(space_->default_point());
    EXPECT_EQ(points[0],
              absl::StrCat(usual.implementation, " ", usual.config.ToString()));
    EXPECT_EQ(records_[0].task, task_.key);
    EXPECT_EQ(records_[0].seed, 7);
    EXPECT_NE(records_[0].code_digest, "");
    EXPECT_NE(records_[0].time, "");
    ASSERT_THAT(ranking_, SizeIs(3));
    EXPECT_LE(ranking_[0].relative, ranking_[1].relative);
  }
}

// A search that is interrupted after any trial measures the same points as an
// undisturbed one, each of them once.
TEST_F(TaskSearchTest, ContinuesAnInterruptedSearch) {
  ASSERT_TRUE(Search(10).ok());
  const std::vector<std::string> undisturbed = Points();
  for (const size_t cut : {1, 4, 7}) {
    records_.clear();
    full_ = cut;
    EXPECT_FALSE(Search(10).ok());
    EXPECT_THAT(records_, SizeIs(cut));
    full_ = 1'000'000;
    ASSERT_TRUE(Search(10).ok());
    EXPECT_EQ(Points(), undisturbed);
  }
}

// Users of other tuners have this complaint.
TEST_F(TaskSearchTest, APhoneDisconnectsAndHoursOfTuningAreGone) {
  ASSERT_TRUE(Search(9).ok());
  const std::vector<std::string> undisturbed = Points();
  for (const int lost : {0, 1, 4, 8}) {
    records_.clear();
    runner_.lost_sessions = {runner_.sessions() + lost};
    ASSERT_TRUE(Search(9).ok());
    // Only the trial that was interrupted started again.
    EXPECT_EQ(Points(), undisturbed);
    EXPECT_THAT(records_, SizeIs(lost == 0 ? 9 : 10));
  }
  // A device that is always lost ends the search, which can be continued.
  records_.clear();
  for (int i = 3; i < 100; ++i) {
    runner_.lost_sessions.insert(runner_.sessions() + i);
  }
  const absl::Status status = Search(9);
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("the lease was lost"));
  runner_.lost_sessions.clear();
  ASSERT_TRUE(Search(9).ok());
  EXPECT_EQ(Points(), undisturbed);
}

constexpr char kFaulty[] = "suites/tune/build/testing/faulty_builder";

TEST_F(TaskSearchTest, ACrashOfTheCompilerCostsOneTrial) {
  ASSERT_TRUE(Search(10).ok());
  const std::vector<std::string> undisturbed = Points();
  const std::string crash = records_[3].config.ToString();
  const std::string hang = records_[6].config.ToString();
  ASSERT_NE(crash, hang);
  records_.clear();
  BuildWith({kFaulty, "--crash", crash, "--hang", hang}, /*time_limit_s=*/4);
  ASSERT_TRUE(Search(10).ok());
  EXPECT_EQ(Points(), undisturbed);
  const auto status = [this](size_t i) { return records_[i].status; };
  EXPECT_EQ(status(3), TrialStatus::kBuildCrash);
  EXPECT_THAT(records_[3].error, HasSubstr("died of signal 11"));
  EXPECT_EQ(status(6), TrialStatus::kBuildTimeout);
  EXPECT_THAT(records_[6].error, HasSubstr("did not answer within 4 s"));
  for (const size_t i : {0, 1, 2, 4, 5, 7, 8, 9}) {
    EXPECT_EQ(status(i), TrialStatus::kOk) << records_[i].error;
  }
  // An interrupted search does not try them again.
  BuildWith({"suites/tune/build/point_builder"});
  records_.resize(8);
  ASSERT_TRUE(Search(10).ok());
  EXPECT_EQ(Points(), undisturbed);
  EXPECT_EQ(status(3), TrialStatus::kBuildCrash);
  EXPECT_EQ(status(6), TrialStatus::kBuildTimeout);
}

TEST_F(TaskSearchTest, BuildersThatAreKilledCostNoTrial) {
  BuildWith({kFaulty, "--most=2"});
  ASSERT_TRUE(Search(10).ok());
  EXPECT_THAT(records_, SizeIs(10));
  for (const TuningRecord& record : records_) {
    EXPECT_EQ(record.status, TrialStatus::kOk) << record.error;
  }
}

TEST_F(TaskSearchTest, ACrashOnTheDefaultPointEndsTheSearchOfTheTask) {
  const tune::SearchSpace::Choice usual = space_->At(space_->default_point());
  BuildWith({kFaulty, "--crash", usual.config.ToString()});
  const absl::Status status = Search(10);
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("the default point failed: `build_crash`: "));
  ASSERT_THAT(records_, SizeIs(1));
  EXPECT_EQ(records_[0].status, TrialStatus::kBuildCrash);
}

// Points that nobody could try must not be recorded as failures.
TEST_F(TaskSearchTest, WithoutABuilderTheSearchEnds) {
  BuildWith({"suites/tune/build/nosuch"});
  const absl::Status status = Search(10);
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(records_, IsEmpty());
}

TEST_F(TaskSearchTest, PointsWithEqualCodeAreMeasuredOnce) {
  const auto tuner = tune::MakeTuner("grid", *space_, 7);
  TrialRunner runner(program_, 1, &runner_, options_);
  TaskSearch search(MakeSetup(&runner), header_, tuner.get());
  SearchLimits limits;
  limits.trials = 40;
  ASSERT_TRUE(search.Run(limits).ok());
  std::map<std::string, std::vector<double>> samples;  // by code
  size_t equal = 0;
  for (const TuningRecord& record : records_) {
    const auto [first, is_new] =
        samples.try_emplace(record.code_digest, record.samples_ns);
    equal += !is_new;
    EXPECT_EQ(record.samples_ns, first->second);
  }
  EXPECT_GT(equal, 0u);
}

// A machine may have been too busy to build it in time.
TEST_F(TaskSearchTest, AFailedDefaultPointIsTriedAgain) {
  TuningRecord record = header_;
  const auto choice = space_->At(space_->default_point());
  record.implementation = choice.implementation;
  record.config = choice.config;
  record.status = TrialStatus::kBuildTimeout;
  records_ = {record};
  ASSERT_TRUE(Search(3).ok());
  ASSERT_GE(records_.size(), 2u);
  EXPECT_EQ(records_[1].config, choice.config);
  EXPECT_EQ(records_[1].status, TrialStatus::kOk);
  bool ranked = false;
  for (const auto& point : ranking_) {
    ranked |= point.point == space_->default_point();
  }
  EXPECT_TRUE(ranked);
}

TEST_F(TaskSearchTest, OtherSearchesAreIgnored) {
  ASSERT_TRUE(Search(5).ok());
  const auto tuner = tune::MakeTuner("random", *space_, 7);
  TrialRunner runner(program_, 1, &runner_, options_);
  for (TuningRecord& record : records_) record.seed = 8;
  records_[0].seed = 7;
  records_[0].device = "other";
  records_[1].seed = 7;
  records_[1].verdict = TuningVerdict{};
  records_[2].seed = 7;
  TaskSearch search(MakeSetup(&runner), header_, tuner.get());
  EXPECT_EQ(search.Replay(records_), 1);
  EXPECT_EQ(search.num_trials(), 1);
}

TEST_F(TaskSearchTest, PlateausEndTheSearch) {
  const auto tuner = tune::MakeTuner("random", *space_, 7);
  TrialRunner runner(program_, 1, &runner_, options_);
  TaskSearch search(MakeSetup(&runner), header_, tuner.get());
  for (int64_t point = 0; point < 20; ++point) {
    TuningRecord record = search.RecordOf(point);
    record.samples_ns = {100.0 - (point < 5 ? point : 0)};
    record.default_ns = {100};
    EXPECT_EQ(search.Replay({record}), 1);
  }
  SearchLimits limits;
  limits.plateau = 10;
  ASSERT_TRUE(search.Run(limits).ok());
  EXPECT_EQ(search.num_trials(), 21);  // and the default point
  ASSERT_THAT(search.Ranking(1), SizeIs(1));
  EXPECT_EQ(search.Ranking(1)[0].relative, 0.96);
}

TEST_F(TaskSearchTest, TheBestAreCompared) {
  const auto tuner = tune::MakeTuner("random", *space_, 7);
  TrialRunner runner(program_, 1, &runner_, options_);
  TaskSearch search(MakeSetup(&runner), header_, tuner.get());
  SearchLimits limits;
  limits.trials = 8;
  ASSERT_TRUE(search.Run(limits).ok());
  const auto best = search.Ranking(2);
  ASSERT_THAT(best, SizeIs(2));
  const auto built = search.Build({best[0].point, best[1].point});
  ASSERT_TRUE(built.ok()) << built.status();
  ASSERT_THAT(*built, SizeIs(2));
  AcceptanceOptions options;
  options.budget_s = 0.2;
  const std::vector<Example> examples = {{program_.inputs, program_.expected}};
  const auto verdict = CompareWithDefault(
      {examples, &search.default_artifact(), &built->front().artifact, &runner_,
       /*threads=*/1},
      options);
  ASSERT_TRUE(verdict.ok()) << verdict.status();
  EXPECT_GT(verdict->verdict.ratio, 0);
  EXPECT_LE(verdict->verdict.low, verdict->verdict.ratio);
  EXPECT_GE(verdict->verdict.high, verdict->verdict.ratio);
  EXPECT_GT(verdict->point_ns, 0);
  EXPECT_GT(verdict->default_ns, 0);
  EXPECT_FALSE(verdict->loads.empty());
}

// A wrong program is never accepted, however fast it is.
TEST_F(TaskSearchTest, WrongPointsAreNotCompared) {
  const auto right = driver::CompileKernelGraph(*program_.graph, Host());
  ASSERT_TRUE(right.ok()) << right.status();
  KernelProgram other = *MakeKernelProgram(task_, 1 << 10, 1, 1);
  other.expected[0].value.data<float>()[3] += 1;
  const std::vector<Example> examples = {{other.inputs, other.expected}};
  const auto verdict =
      CompareWithDefault({examples, &*right, &*right, &runner_, 1}, {});
  EXPECT_TRUE(absl::IsInternal(verdict.status())) << verdict.status();
}

}  // namespace
}  // namespace assay::suites
