#include "suites/harness/run.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/baseline/baseline.h"
#include "reports/render/results_json.h"
#include "runtime/base/file.h"
#include "suites/harness/environment.h"

namespace assay::suites {
namespace {

using stats::Verdict;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kHost[] = R"pb(
  name: "host"
  title: "host"
  target: "llvm"
  in_process {}
  default_threads: 2
  timing { number: 1 repeat: 8 })pb";
constexpr char kBoard[] = R"pb(
  name: "board"
  title: "board"
  target: "llvm"
  emulator { program: "qemu-aarch64" cpu: "cortex-a53" timeout_s: 5 }
  default_threads: 4
  timing { number: 1 repeat: 1 })pb";

// What the fakes do, and a record of what they were asked.
struct Script {
  absl::Status load_model;
  absl::Status compile;
  bool fail_on_board = false;
  absl::Status reference;
  absl::Status load;
  absl::Status evaluate;
  absl::Status measure;
  float output = 1;
  float output_after = 1;
  std::vector<double> samples = {10, 10.01, 9.99, 10, 10.02, 9.98};

  std::vector<std::string> log;
};

runtime::NamedTensors Value(float value) {
  return {{"y", NDArray::FromVector<float>({1}, {value})}};
}

class FakeCompiler : public Compiler {
 public:
  explicit FakeCompiler(Script* script) : script_(script) {}
  absl::StatusOr<runtime::Artifact> Compile(const Model&,
                                            const devices::Device& device,
                                            bool fusion, int, int64_t,
                                            const std::string&) override {
    script_->log.push_back("compile " + device.name() +
                           (fusion ? " on" : " off"));
    if (!script_->compile.ok()) return script_->compile;
    if (script_->fail_on_board && device.name() == "board") {
      return absl::InvalidArgumentError("a model too odd");
    }
    runtime::Artifact artifact;
    artifact.calls.resize(fusion ? 1 : 2);
    for (runtime::KernelCall& call : artifact.calls) call.flops = 500;
    return artifact;
  }

 private:
  Script* script_;
};

class FakeOracle : public Oracle {
 public:
  explicit FakeOracle(Script* script) : script_(script) {}
  absl::StatusOr<runtime::NamedTensors> Reference(
      const Model&, const runtime::NamedTensors&) override {
    script_->log.push_back("reference");
    if (!script_->reference.ok()) return script_->reference;
    return Value(1);
  }

 private:
  Script* script_;
};

class FakeSession : public Session {
 public:
  FakeSession(Script* script, int threads)
      : script_(script), threads_(threads == 0 ? 8 : threads) {}
  int threads() const override { return threads_; }
  absl::StatusOr<runtime::NamedTensors> Evaluate() override {
    script_->log.push_back("evaluate");
    if (!script_->evaluate.ok()) return script_->evaluate;
    return Value(script_->output);
  }
  absl::StatusOr<Measurement> Measure(
      const devices::TimingPolicy& timing) override {
    script_->log.push_back("measure " + std::to_string(timing.repeat()));
    if (!script_->measure.ok()) return script_->measure;
    return Measurement{script_->samples, Value(script_->output_after)};
  }
  absl::StatusOr<Profile> ProfileCalls(const devices::TimingPolicy&) override {
    return Profile{{0.5}, 0.75};
  }

 private:
  Script* script_;
  int threads_;
};

class FakeRunner : public Runner {
 public:
  explicit FakeRunner(Script* script) : script_(script) {}
  absl::StatusOr<std::unique_ptr<Session>> Load(const runtime::Artifact&,
                                                const runtime::NamedTensors&,
                                                int threads) override {
    if (!script_->load.ok()) return script_->load;
    return std::make_unique<FakeSession>(script_, threads);
  }

 private:
  Script* script_;
};

class RunTest : public ::testing::Test {
 protected:
  RunTest() : dir_(TempDir::Create().value()) {
    devices_ = JoinPath(dir_.path(), "devices");
    baselines_ = JoinPath(dir_.path(), "baselines");
    EXPECT_TRUE(MakeDirs(devices_).ok());
    EXPECT_TRUE(
        WriteFileAtomic(JoinPath(devices_, "host.textproto"), kHost).ok());
    EXPECT_TRUE(
        WriteFileAtomic(JoinPath(devices_, "board.textproto"), kBoard).ok());
    environment_.fingerprint = "x86_64-fake-2c-00000000";
    environment_.state["kernel"] = "6.1";
    options_.devices = {"host"};
    options_.fusion = {true};
  }

  absl::StatusOr<Model> LoadModel(const std::string& name) {
    if (!script_.load_model.ok()) return script_.load_model;
    auto graph = graph::ParseGraph(
        "graph net(%x: float32[1]) -> (y=%1) {\n"
        "  %1: float32[1] = relu(%x)\n}");
    if (!graph.ok()) return graph.status();
    Model model;
    model.name = name;
    model.digest = "digest";
    model.graph = std::move(*graph);
    return model;
  }

  std::vector<ModelSource> Sources() {
    std::vector<ModelSource> sources;
    for (const std::string& name : models_) {
      sources.push_back({name, name, {}, [this, name] {
                           return name == "broken"
                                      ? absl::UnimplementedError("no such op")
                                      : LoadModel(name);
                         }});
    }
    return sources;
  }

  // The exit code; message_, out_ and result_ have the rest.
  int Run() {
    FakeCompiler compiler(&script_);
    FakeOracle oracle(&script_);
    FakeClock clock;
    Progress progress(nullptr, &clock);
    std::ostringstream out;
    Services services;
    services.models = [this](const Options&) { return Sources(); };
    services.compiler = &compiler;
    services.oracle = &oracle;
    services.make_runner =
        [this](
            const devices::Device&) -> absl::StatusOr<std::unique_ptr<Runner>> {
      return std::make_unique<FakeRunner>(&script_);
    };
    services.reference = reference_;
    services.environment = environment_;
    services.devices_folder = devices_;
    services.baseline_folder = baselines_;
    services.out = &out;
    services.progress = &progress;
    script_.log.clear();
    const absl::StatusOr<Outcome> outcome = RunSuite(options_, services);
    out_ = out.str();
    if (!outcome.ok()) {
      message_ = std::string(outcome.status().message());
      result_ = reports::RunResult();
      return static_cast<int>(ExitCodeOf(outcome.status()));
    }
    result_ = outcome->result;
    return static_cast<int>(outcome->exit_code);
  }

  Verdict OnlyVerdict() {
    EXPECT_EQ(result_.rows.size(), 1u);
    return result_.rows.at(0).verdict;
  }

  // Stores a baseline whose samples are the script's.
  void BlessOnce() {
    options_.bless = true;
    ASSERT_EQ(Run(), 0);
    options_.bless = false;
  }

  TempDir dir_;
  std::string devices_;
  std::string baselines_;
  reports::Environment environment_;
  Options options_;
  absl::StatusOr<ReferenceRuntime> reference_ =
      absl::NotFoundError("it could not be fetched");
  // What the other runtime does.
  Script other_;
  Script script_;
  std::vector<std::string> models_ = {"net"};

  std::string message_;
  std::string out_;
  reports::RunResult result_;
};

TEST_F(RunTest, ASoundRunWithoutABaselineExitsWith0AndSaysSo) {
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  EXPECT_THAT(script_.log, ElementsAre("compile host on", "reference",
                                       "evaluate", "measure 8"));
  EXPECT_THAT(out_, AllOf(HasSubstr("no_baseline"),
                          HasSubstr("x86_64-fake-2c-00000000"),
                          HasSubstr("`--bless` stores these times")));
  const reports::Row& row = result_.rows[0];
  EXPECT_EQ(row.kernels, 1);
  EXPECT_EQ(row.flops, 500);
  EXPECT_EQ(row.threads, 2);
  EXPECT_EQ(row.max_abs_error, 0);
  EXPECT_NEAR(row.max_abs_error_bound.value(), 1.1e-4, 1e-9);
  EXPECT_EQ(row.artifact_digest.size(), 64u);
  EXPECT_EQ(row.model_digest, "digest");
  EXPECT_THAT(row.reproduce,
              HasSubstr("//suites:net -- --device=host --fusion=on "
                        "--threads=2 --warmup=0 --number=1 --repeat=8"));
}

TEST_F(RunTest, AReferenceIsCheckedAndMeasuredInTurns) {
  options_.reference = "onnxruntime";
  reference_ = ReferenceRuntime{
      "other 1.0",
      [this](const Model&, const runtime::NamedTensors&,
             int threads) -> absl::StatusOr<std::unique_ptr<Session>> {
        return std::make_unique<FakeSession>(&other_, threads);
      },
      nullptr};
  script_.samples = {10};
  other_.samples = {15};
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows[0].samples_ms, std::vector<double>(8, 10));
  EXPECT_EQ(result_.rows[0].speedup_vs_reference, 1.5);
  EXPECT_EQ(other_.log.size(), 9u);  // once to be checked, then eight samples
  EXPECT_THAT(out_, HasSubstr("the interpreter and other 1.0 agree"));
  EXPECT_THAT(out_, HasSubstr("net on host, fusion on, 2 threads: 1.500 times "
                              "as fast as other 1.0 by medians"));
  EXPECT_THAT(result_.rows[0].reproduce, HasSubstr("--reference=onnxruntime"));

  other_.log.clear();
  other_.output = 2;
  EXPECT_EQ(Run(), 4);
  EXPECT_EQ(OnlyVerdict(), Verdict::kWrongOutput);
  EXPECT_TRUE(result_.rows[0].samples_ms.empty());
  EXPECT_THAT(other_.log, ElementsAre("evaluate"));
  EXPECT_THAT(result_.rows[0].reason,
              HasSubstr("other 1.0 gives another answer"));
}

TEST_F(RunTest, AReferenceThatCannotBeHadIsSaidAndTheRestRuns) {
  options_.reference = "onnxruntime";
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(result_.rows[0].samples_ms.size(), 6u);
  EXPECT_FALSE(result_.rows[0].speedup_vs_reference.has_value());
  EXPECT_THAT(out_, HasSubstr("not compared with onnxruntime: it could not be "
                              "fetched"));
}

TEST_F(RunTest, BlessThenPassThenRegressThenImprove) {
  BlessOnce();
  EXPECT_THAT(out_, HasSubstr("blessed 1 of 1 rows"));
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kPass);
  EXPECT_NEAR(result_.rows[0].delta.value(), 0, 1e-6);

  for (double& sample : script_.samples) sample *= 1.5;
  EXPECT_EQ(Run(), 1);
  EXPECT_EQ(OnlyVerdict(), Verdict::kRegressed);
  EXPECT_NEAR(result_.rows[0].delta.value(), 0.5, 1e-6);
  EXPECT_THAT(out_, AllOf(HasSubstr("50.0 % slower"), HasSubstr("again: ")));

  for (double& sample : script_.samples) sample /= 2;
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kImproved);
}

TEST_F(RunTest, WhatTheUserGotWrongExitsWith2BeforeAnythingRuns) {
  options_.devices = {"nosuch"};
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("there is no device `nosuch`"));
  EXPECT_THAT(script_.log, ElementsAre());

  options_.devices = {"host"};
  script_.load_model = absl::UnimplementedError("node `a`: operator `Foo`");
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(message_, "node `a`: operator `Foo`");
  script_.load_model = absl::OkStatus();

  script_.compile = absl::UnimplementedError("no schedule for `a`");
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(script_.log, ElementsAre("compile host on"));
  script_.compile = absl::OkStatus();

  const std::string path =
      reports::BaselinePath(baselines_, "net", environment_.fingerprint);
  ASSERT_TRUE(MakeDirs(JoinPath(baselines_, "net")).ok());
  ASSERT_TRUE(WriteFileAtomic(path, "model,nonsense\n").ok());
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr(path));
  EXPECT_THAT(script_.log, ElementsAre());

  options_.out = "/proc/no/such/folder";
  EXPECT_EQ(Run(), 2);
}

TEST_F(RunTest, NothingConclusiveExitsWith3) {
  options_.require_baseline = true;
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  options_.require_baseline = false;

  const std::vector<double> samples = script_.samples;
  script_.samples.resize(5);
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInconclusive);
  EXPECT_THAT(out_, HasSubstr("the run has 5 samples; at least 6"));
  options_.bless = true;
  EXPECT_EQ(Run(), 3);
  EXPECT_THAT(out_, HasSubstr("nothing to bless"));
  script_.samples = samples;

  BlessOnce();
  script_.samples = {4, 8, 12, 16, 4, 20};
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kInconclusive);

  script_.samples = {20, 20, 20, 20, 20, 20};
  environment_.state["kernel"] = "6.2";
  EXPECT_EQ(Run(), 3);
  EXPECT_EQ(OnlyVerdict(), Verdict::kEnvironmentChanged);
}

TEST_F(RunTest, AWrongAnswerExitsWith4AndIsNeverTimed) {
  script_.output = 1.5;
  EXPECT_EQ(Run(), 4);
  EXPECT_EQ(OnlyVerdict(), Verdict::kWrongOutput);
  EXPECT_THAT(script_.log,
              ElementsAre("compile host on", "reference", "evaluate"));
  EXPECT_TRUE(result_.rows[0].samples_ms.empty());
  EXPECT_EQ(result_.rows[0].max_abs_error, 0.5);
  EXPECT_THAT(out_, HasSubstr("element 0 of output `y` is 1.5"));
  options_.bless = true;
  EXPECT_EQ(Run(), 4);
}

TEST_F(RunTest, AnAnswerThatChangesWhileItIsTimedIsWrongToo) {
  // Within the bound, yet not the same bits.
  script_.output_after = 1.00001f;
  EXPECT_EQ(Run(), 4);
  EXPECT_EQ(OnlyVerdict(), Verdict::kWrongOutput);
  EXPECT_TRUE(result_.rows[0].samples_ms.empty());
}

TEST_F(RunTest, AFailingMachineExitsWith5) {
  const std::pair<const char*, absl::Status*> kSteps[] = {
      {"compile", &script_.compile}, {"reference", &script_.reference},
      {"load", &script_.load},       {"evaluate", &script_.evaluate},
      {"measure", &script_.measure},
  };
  for (const auto& [name, status] : kSteps) {
    *status = absl::InternalError("the disk is on fire");
    EXPECT_EQ(Run(), 5) << name;
    EXPECT_EQ(OnlyVerdict(), Verdict::kInfrastructure) << name;
    EXPECT_THAT(out_, HasSubstr("the disk is on fire")) << name;
    EXPECT_TRUE(result_.rows[0].samples_ms.empty()) << name;
    *status = absl::OkStatus();
  }
  script_.samples.clear();
  EXPECT_EQ(Run(), 5);
}

TEST_F(RunTest, TheMatrixIsDevicesByThreadsByFusion) {
  options_.devices = {"host", "board"};
  options_.fusion = {true, false};
  options_.threads = {1, 0};
  EXPECT_EQ(Run(), 0);
  ASSERT_EQ(result_.rows.size(), 8u);
  std::vector<std::string> cells;
  for (const reports::Row& row : result_.rows) {
    cells.push_back(row.device + (row.fusion ? " on " : " off ") +
                    std::to_string(row.threads));
  }
  EXPECT_THAT(cells, ElementsAre("host on 1", "host off 1", "host on 8",
                                 "host off 8", "board on 1", "board off 1",
                                 "board on 8", "board off 8"));
  // Compiled once per device, fusion and number of threads, interpreted once.
  EXPECT_EQ(std::count(script_.log.begin(), script_.log.end(), "reference"), 1);
  EXPECT_EQ(
      std::count(script_.log.begin(), script_.log.end(), "compile board off"),
      2);
}

TEST_F(RunTest, WithAndWithoutFusionTakeTurns) {
  options_.fusion = {true, false};
  script_.samples = {10};
  EXPECT_EQ(Run(), 0);
  ASSERT_EQ(result_.rows.size(), 2u);
  // Both are checked before either is timed, one sample at a time.
  EXPECT_THAT(
      std::vector<std::string>(script_.log.begin(), script_.log.begin() + 7),
      ElementsAre("compile host on", "reference", "evaluate",
                  "compile host off", "evaluate", "measure 1", "measure 1"));
  EXPECT_EQ(script_.log.size(), 5u + 2 * 8);
  EXPECT_EQ(result_.rows[0].speedup_vs_unfused, 1);
  EXPECT_FALSE(result_.rows[1].speedup_vs_unfused.has_value());
}

TEST_F(RunTest, SeveralModelsAreMeasuredEvenIfOneCannotBe) {
  models_ = {"first", "broken", "second"};
  EXPECT_EQ(Run(), 2);
  ASSERT_EQ(result_.rows.size(), 2u);
  EXPECT_EQ(result_.rows[0].suite, "first");
  EXPECT_EQ(result_.rows[1].suite, "second");
  EXPECT_THAT(out_, HasSubstr("error: broken: no such op\n"));
  options_.bless = true;
  models_ = {"first", "second"};
  EXPECT_EQ(Run(), 0);
  for (const std::string& name : models_) {
    EXPECT_TRUE(FileExists(
        reports::BaselinePath(baselines_, name, environment_.fingerprint)));
  }
}

TEST_F(RunTest, PerOperatorTimesAreOfTheSession) {
  options_.per_op = true;
  EXPECT_EQ(Run(), 0);
  ASSERT_EQ(result_.rows[0].operators.size(), 1u);
  EXPECT_EQ(result_.rows[0].operators[0].ms, 0.5);
  EXPECT_EQ(result_.rows[0].operators[0].flops, 500);
  EXPECT_EQ(result_.rows[0].operators_whole_ms, 0.75);
  EXPECT_THAT(out_, HasSubstr("1 kernel calls"));
  EXPECT_THAT(result_.rows[0].reproduce, HasSubstr(" --per_op"));
}

TEST_F(RunTest, EmulatedRowsMeetNoBaseline) {
  BlessOnce();
  options_.devices = {"board"};
  options_.threads = {2};
  script_.samples = {999};
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kEmulated);
  EXPECT_FALSE(result_.rows[0].baseline_ms.has_value());
  EXPECT_THAT(result_.rows[0].fingerprint, HasSubstr("emulated-board-"));
  EXPECT_THAT(out_, HasSubstr("board (emulated)"));

  options_.require_baseline = true;
  EXPECT_EQ(Run(), 3);
  options_.require_baseline = false;

  options_.bless = true;
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("an emulator's times are no baseline"));

  // Beside a real device, only the real one is stored.
  options_.devices = {"host", "board"};
  script_.samples = {10, 10, 10, 10, 10, 10};
  EXPECT_EQ(Run(), 0);
  EXPECT_THAT(out_, HasSubstr("blessed 1 of 2 rows"));
  const auto stored = ReadFile(
      reports::BaselinePath(baselines_, "net", environment_.fingerprint));
  ASSERT_TRUE(stored.ok());
  EXPECT_THAT(*stored, Not(HasSubstr("board")));
}

TEST_F(RunTest, AnotherModelOfTheSameNameHasNoBaseline) {
  BlessOnce();
  const std::string path =
      reports::BaselinePath(baselines_, "net", environment_.fingerprint);
  reports::Baseline rows = *reports::ReadBaseline(path);
  rows[0].model_digest = "another";
  ASSERT_TRUE(reports::UpdateBaseline(path, rows).ok());
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  EXPECT_THAT(result_.rows[0].reason, HasSubstr("another model"));
}

TEST_F(RunTest, ResultsAreOnDiskAfterEveryRow) {
  options_.out = JoinPath(dir_.path(), "a/b");
  options_.fusion = {true, false};
  EXPECT_EQ(Run(), 0);
  const auto text = ReadFile(JoinPath(options_.out, "results.json"));
  ASSERT_TRUE(text.ok()) << text.status();
  const auto parsed = reports::ParseResultsJson(*text);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_TRUE(*parsed == result_);
  EXPECT_TRUE(FileExists(JoinPath(options_.out, "results.csv")));

  // An error of the second device ends the run; the rows of the first are
  // there all the same.
  options_.devices = {"host", "board"};
  script_.fail_on_board = true;
  EXPECT_EQ(Run(), 2);
  const auto partial = reports::ParseResultsJson(
      *ReadFile(JoinPath(options_.out, "results.json")));
  ASSERT_TRUE(partial.ok()) << partial.status();
  ASSERT_EQ(partial->rows.size(), 2u);
  EXPECT_EQ(partial->rows[0].device, "host");
  EXPECT_FALSE(partial->rows[1].samples_ms.empty());
}

TEST_F(RunTest, OneFailingRowDoesNotStopTheOthers) {
  options_.fusion = {true, false};
  script_.measure = absl::UnavailableError("the board is gone");
  EXPECT_EQ(Run(), 5);
  EXPECT_EQ(result_.rows.size(), 2u);
}

TEST_F(RunTest, BlessingNeedsToKnowWhere) {
  options_.bless = true;
  baselines_ = "";
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("give `--baseline`"));
  options_.baseline = JoinPath(dir_.path(), "mine");
  EXPECT_EQ(Run(), 0);
  EXPECT_TRUE(FileExists(reports::BaselinePath(options_.baseline, "net",
                                               environment_.fingerprint)));
}

}  // namespace
}  // namespace assay::suites
