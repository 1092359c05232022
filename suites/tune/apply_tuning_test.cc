#include "suites/tune/apply_tuning.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/random_graph.h"
#include "compiler/tune/task/current_task.h"
#include "compiler/tune/task/tasks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/measure/in_process.h"
#include "suites/correctness/accuracy.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kDevice[] = "x86_64-epyc-2c-1a2b3c4d";

target::Target TestTarget() {
  return driver::ResolveTarget("llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3")
      ->WithCores(1);
}

// conv2d, relu, conv2d, with random weights.
std::unique_ptr<Graph> Network() {
  graph::TestRandom random(3);
  auto model = std::make_unique<Graph>("net");
  Node* x = *model->AddInput("x", {DType::Float32(), {1, 64, 20, 20}});
  graph::Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  for (const char* name : {"Conv_0", "Conv_1"}) {
    if (x->kind() != OpKind::kInput) {
      x = *model->AddNode(OpKind::kRelu, graph::NoAttrs(), {{x}}, "Relu_0");
    }
    Node* weights = model->AddConstant(random.Tensor({64, 64, 3, 3}, 0.1f));
    x = *model->AddNode(OpKind::kConv2d, attrs, {{x}, {weights}}, name);
  }
  model->AddOutput("y", {x});
  return model;
}

bool IsConv2d(const tune::Task& task) {
  return absl::StrContains(task.anchor, "conv2d(");
}

class ApplyTuningTest : public ::testing::Test {
 protected:
  ApplyTuningTest() {
    log_.path = "tuning.jsonl";
    auto tasks =
        tune::ExtractTasks(*model_, target_, {}, tune::LayoutChoices::kAll);
    CHECK(tasks.ok()) << tasks.status();
    tasks_ = *std::move(tasks);
  }

  // A record of the default point.
  TuningRecord Record(const tune::Task& task, double nanos) const {
    const auto current = tune::CurrentTaskOf(*task.kernel, target_);
    CHECK(current.ok()) << current.status();
    TuningRecord record;
    record.task = task.key;
    record.workload = task.workload;
    record.anchor = task.anchor;
    record.flops = task.flops;
    record.target = target_.ToString();
    record.device = kDevice;
    record.threads = 1;
    record.implementation = current->default_point.implementation;
    record.config = current->default_point.config;
    record.template_digest = current->template_digest;
    record.samples_ns = {nanos};
    return record;
  }

  // The same point with a tile that is never the default, as the winner.
  static TuningRecord Winner(TuningRecord record) {
    const char* knob = record.config.Find("tile_p") != nullptr ? "tile_p" : "";
    if (*knob != '\0') {
      record.config.SetKnob("tile_p", 1);
    } else {
      record.config.SetSplit("tile_ow", {-1, 1});
    }
    record.verdict = TuningVerdict{stats::Verdict::kImproved, 0.7, 0.6, 0.8};
    return record;
  }

  absl::StatusOr<TuningSummary> Apply(int threads = 1) {
    options_ = {};
    return ApplyTuning(log_, *model_, target_, kDevice, threads, &options_);
  }

  // The anchors of the convolutions that are compiled, with their calls.
  std::map<std::string, int> Convolutions() const {
    const auto tasks = tune::ExtractTasks(*model_, target_, options_,
                                          tune::LayoutChoices::kDefault);
    CHECK(tasks.ok()) << tasks.status();
    std::map<std::string, int> anchors;
    for (const tune::Task& task : *tasks) {
      if (IsConv2d(task)) anchors[task.anchor] += task.calls;
    }
    return anchors;
  }

  // Compiles with options_, and returns an empty text if the outputs are
  // correct.
  std::string Problem(std::string* code) const {
    const auto artifact = driver::Compile(*model_, target_, options_);
    if (!artifact.ok()) return std::string(artifact.status().message());
    *code = artifact->code;
    const std::vector<NDArray> inputs = graph::RandomInputs(*model_, 1);
    runtime::InProcessRunner runner;
    auto session = runner.Load({&*artifact}, {1});
    if (!session.ok()) return std::string(session.status().message());
    CHECK((*session)->SetInputs({{"x", inputs[0]}}).ok());
    const auto sample = runtime::RunOnce(**session);
    if (!sample.ok()) return std::string(sample.status().message());
    const auto expected = graph::Evaluate(*model_, inputs);
    CHECK(expected.ok()) << expected.status();
    return CheckOutputs(sample->outputs, {{"y", expected->at(0)}}).problem;
  }

  const std::unique_ptr<Graph> model_ = Network();
  const target::Target target_ = TestTarget();
  std::vector<tune::Task> tasks_;
  Log log_;
  driver::CompileOptions options_;
};

TEST_F(ApplyTuningTest, AcceptedPointsAreCompiled) {
  int accepted = 0;
  driver::CompileOptions by_hand;
  for (const tune::Task& task : tasks_) {
    if (task.calls == 0) continue;
    log_.records.push_back(Record(task, 1000));
    if (!IsConv2d(task)) continue;
    const TuningRecord winner = Winner(log_.records.back());
    log_.records.push_back(winner);
    by_hand.tuned[task.key] = {winner.implementation, winner.config};
    ++accepted;
  }
  ASSERT_GT(accepted, 0);
  const auto summary = Apply();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_LT(summary->tasks.size(), tasks_.size());
  EXPECT_GE(summary->best.tasks.size(), options_.tuned.size());
  EXPECT_THAT(options_.tuned, SizeIs(accepted));
  EXPECT_FALSE(summary->measured_encodings);  // there are no other layouts
  EXPECT_EQ(options_.encoding_times.conv2d, nullptr);
  EXPECT_THAT(summary->remarks, IsEmpty());

  std::string tuned, expected, usual;
  EXPECT_EQ(Problem(&tuned), "");
  options_ = by_hand;
  EXPECT_EQ(Problem(&expected), "");
  options_ = {};
  EXPECT_EQ(Problem(&usual), "");
  EXPECT_EQ(tuned, expected);
  EXPECT_NE(tuned, usual);
}

// The log says that convolutions are fast in one layout, whichever it is.
TEST_F(ApplyTuningTest, LayoutsFollowTheLog) {
  std::vector<std::string> blocks = {"@filters(in=8,out=8)",
                                     "@filters(in=16,out=16)",
                                     "@winograd(m=2,block=16)"};
  for (const std::string& fast : blocks) {
    log_.records.clear();
    int in_fast_layout = 0;
    for (const tune::Task& task : tasks_) {
      const bool is_fast = absl::StrContains(task.anchor, fast);
      log_.records.push_back(Record(task, !IsConv2d(task) ? 1000
                                          : is_fast       ? 10'000
                                                          : 100'000));
      if (!is_fast) continue;
      log_.records.push_back(Winner(log_.records.back()));
      ++in_fast_layout;
    }
    if (in_fast_layout == 0) continue;  // no layout of this machine
    const auto summary = Apply();
    ASSERT_TRUE(summary.ok()) << summary.status();
    EXPECT_TRUE(summary->measured_encodings);
    EXPECT_THAT(options_.tuned, SizeIs(in_fast_layout));
    const auto convolutions = Convolutions();
    EXPECT_EQ(convolutions.size(), 1u);
    EXPECT_THAT(convolutions.begin()->first, HasSubstr(fast));
    EXPECT_EQ(convolutions.begin()->second, 2);
    std::string code;
    EXPECT_EQ(Problem(&code), "") << fast;
  }
}

TEST_F(ApplyTuningTest, RecordsOfOlderTemplatesAreIgnored) {
  for (const tune::Task& task : tasks_) {
    if (!IsConv2d(task)) continue;
    log_.records.push_back(Winner(Record(task, 1000)));
    log_.records.back().template_digest = "0123456789abcdef";
  }
  log_.damaged.push_back({7, "the line is not JSON"});
  const auto summary = Apply();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_THAT(summary->best.tasks, IsEmpty());
  EXPECT_THAT(options_.tuned, IsEmpty());
  EXPECT_THAT(summary->remarks,
              ElementsAre(AllOf(StartsWith(absl::StrCat(log_.records.size())),
                                HasSubstr("records of older templates")),
                          "1 line of the log `tuning.jsonl` is no record"));
}

TEST_F(ApplyTuningTest, RecordsOfOtherModelsAreIgnored) {
  log_.records.push_back(Record(tasks_[0], 1000));
  log_.records.push_back(Record(tasks_[0], 1000));
  log_.records.back().task = "0123456789abcdef";
  const auto summary = Apply();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_THAT(summary->best.tasks, SizeIs(1));
  EXPECT_THAT(summary->remarks,
              ElementsAre("1 record of other kernels is not used"));
}

TEST_F(ApplyTuningTest, RecordsOfOtherPlacesAreIgnored) {
  for (const tune::Task& task : tasks_) {
    log_.records.push_back(Record(task, 1000));
    if (!IsConv2d(task)) continue;
    log_.records.push_back(Winner(log_.records.back()));
    log_.records.back().device = "rpi3b";
    log_.records.push_back(Winner(Record(task, 1000)));
    log_.records.back().threads = 2;
  }
  const auto summary = Apply();
  ASSERT_TRUE(summary.ok()) << summary.status();
  EXPECT_THAT(options_.tuned, IsEmpty());
  EXPECT_THAT(summary->remarks, IsEmpty());
  ASSERT_TRUE(Apply(/*threads=*/2).ok());
  EXPECT_FALSE(options_.tuned.empty());
}

TEST_F(ApplyTuningTest, ALogWithoutRecordsOfThePlaceIsRejected) {
  EXPECT_DEATH((void)Apply(), "no records of device x86_64-epyc");
}

}  // namespace
}  // namespace assay::suites
