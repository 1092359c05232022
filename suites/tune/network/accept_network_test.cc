#include "suites/tune/network/accept_network.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/testing/random_graph.h"
#include "compiler/tune/space/search_space.h"
#include "compiler/tune/task/current_task.h"
#include "compiler/tune/task/tasks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "suites/comparison/paired_loads.h"

namespace assay::suites {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;
using stats::Verdict;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kDevice[] = "x86_64-epyc-2c-1a2b3c4d";

// Three products of matrices, each with a relu.
std::unique_ptr<Graph> Products() {
  graph::TestRandom random(3);
  auto model = std::make_unique<Graph>("net");
  Node* x = *model->AddInput("x", {DType::Float32(), {8, 32}});
  const std::vector<int64_t> extents = {32, 48, 40, 24};
  for (size_t i = 0; i < 3; ++i) {
    Node* weights =
        model->AddConstant(random.Tensor({extents[i], extents[i + 1]}, 0.1f));
    x = *model->AddNode(OpKind::kMatmul, graph::NoAttrs(), {{x}, {weights}},
                        absl::StrCat("MatMul_", i));
    x = *model->AddNode(OpKind::kRelu, graph::NoAttrs(), {{x}},
                        absl::StrCat("Relu_", i));
  }
  model->AddOutput("y", {x});
  return model;
}

// A convolution with 3x3 filters.
std::unique_ptr<Graph> Convolution() {
  graph::TestRandom random(3);
  auto model = std::make_unique<Graph>("net");
  Node* x = *model->AddInput("x", {DType::Float32(), {1, 64, 20, 20}});
  graph::Conv2dAttrs attrs;
  attrs.padding = {1, 1, 1, 1};
  Node* weights = model->AddConstant(random.Tensor({64, 64, 3, 3}, 0.1f));
  x = *model->AddNode(OpKind::kConv2d, attrs, {{x}, {weights}}, "Conv_0");
  model->AddOutput("y", {x});
  return model;
}

// Programs are not run. Kernels of the tuned program with a node in `bad` are
// slower than those of the untuned program, unless they are the same.
struct FakeJudge {
  std::set<std::string> bad = {};
  bool times_calls = true;
  Verdict good = Verdict::kImproved;
  double ratio = 0.9;  // without a bad kernel
  int comparisons = 0;

  TunedComparison Compare(const runtime::Artifact& untuned,
                          const runtime::Artifact& tuned) {
    ++comparisons;
    TunedComparison comparison;
    comparison.verdict = {good, ratio, ratio - 0.01, ratio + 0.01};
    PairedLoads::Load& load = comparison.loads.emplace_back();
    for (size_t i = 0; i < tuned.calls.size(); ++i) {
      const runtime::KernelCall& call = tuned.calls[i];
      const bool same = i < untuned.calls.size() &&
                        call.code_digest == untuned.calls[i].code_digest;
      const bool slower =
          !same && !call.sources.empty() && bad.count(call.sources[0]) > 0;
      if (slower) comparison.verdict = {Verdict::kRegressed, 1.1, 1.05, 1.15};
      if (!times_calls) continue;
      load.base.call_ns.push_back(100);
      load.run.call_ns.push_back(slower ? 120 : same ? 100 : 80);
    }
    return comparison;
  }
};

class AcceptNetworkTest : public ::testing::Test {
 protected:
  void Use(std::unique_ptr<Graph> graph, const std::string& target) {
    model_.name = "net";
    model_.digest = "5d41";
    model_.graph = std::move(graph);
    target_ = driver::ResolveTarget(target)->WithCores(2);
    header_.network = model_.name;
    header_.model = model_.digest;
    header_.target = target_->ToString();
    header_.device = kDevice;
    header_.threads = 2;
    log_.path = "log";
    auto tasks = tune::ExtractTasks(*model_.graph, *target_, {},
                                    tune::LayoutChoices::kAll);
    CHECK(tasks.ok()) << tasks.status();
    tasks_ = *std::move(tasks);
  }

  // The default point of the task, which takes `nanos`.
  TuningRecord Record(const tune::Task& task, double nanos) const {
    const auto current = tune::CurrentTaskOf(*task.kernel, *target_);
    CHECK(current.ok()) << current.status();
    TuningRecord record;
    record.task = task.key;
    record.workload = task.workload;
    record.anchor = task.anchor;
    record.target = target_->ToString();
    record.device = kDevice;
    record.threads = 2;
    record.implementation = current->default_point.implementation;
    record.config = current->default_point.config;
    record.template_digest = current->template_digest;
    record.samples_ns = {nanos};
    return record;
  }

  // Adds a comparison of another point of the task, with other machine code.
  void AddAccepted(const tune::Task& task, double high) {
    const auto space = tune::SpaceOfKernel(*task.kernel, *target_);
    CHECK(space.ok()) << space.status();
    const auto usual = driver::Compile(*model_.graph, *target_);
    for (int64_t point = 0; point < space->size(); ++point) {
      const auto choice = space->At(point);
      driver::CompileOptions options;
      options.tuned[task.key] = {choice.implementation, choice.config};
      const auto tuned = driver::Compile(*model_.graph, *target_, options);
      if (!tuned.ok() || tuned->code == usual->code) continue;
      TuningRecord record = Record(task, 100);
      record.implementation = choice.implementation;
      record.config = choice.config;
      record.verdict =
          TuningVerdict{Verdict::kImproved, high - 0.1, high - 0.2, high};
      log_.records.push_back(record);
      return;
    }
    FAIL() << "all points have the same code";
  }

  // Adds an accepted point for each product; the first gains least.
  void TuneProducts() {
    Use(Products(), "bytecode");
    double high = 0.95;
    for (const tune::Task& task : tasks_) {
      if (task.anchor.empty()) continue;
      AddAccepted(task, high);
      high -= 0.1;
    }
    ASSERT_THAT(log_.records, SizeIs(3));
  }

  AcceptedNetwork Accept() {
    NetworkTools tools;
    tools.compare = [this](const runtime::Artifact& untuned,
                           const runtime::Artifact& tuned) {
      return judge_.Compare(untuned, tuned);
    };
    tools.append = [this](const NetworkRecord& record) {
      appended_.push_back(record);
      return absl::OkStatus();
    };
    judge_.comparisons = 0;
    appended_.clear();
    const auto accepted = AcceptNetwork(model_, *target_, header_, log_, tools);
    CHECK(accepted.ok()) << accepted.status();
    return *accepted;
  }

  Model model_;
  std::optional<target::Target> target_;
  NetworkRecord header_;
  std::vector<tune::Task> tasks_;
  Log log_;
  FakeJudge judge_;
  std::vector<NetworkRecord> appended_;
};

TEST_F(AcceptNetworkTest, KeepsThePointsOfAFasterNetwork) {
  TuneProducts();
  const AcceptedNetwork accepted = Accept();
  EXPECT_EQ(accepted.kept, 3);
  EXPECT_EQ(accepted.dropped, 0);
  EXPECT_EQ(Describe(header_, accepted),
            "net, 2 threads: 0.90 [0.89, 0.91] of the untuned time, improved; "
            "3 points kept, 0 dropped");
  ASSERT_THAT(appended_, SizeIs(1));
  const NetworkRecord& record = appended_[0];
  EXPECT_EQ(record.network, "net");
  EXPECT_EQ(record.model, "5d41");
  EXPECT_EQ(record.target, target_->ToString());
  EXPECT_EQ(record.device, kDevice);
  EXPECT_EQ(record.threads, 2);
  EXPECT_NE(record.untuned, record.tuned);
  EXPECT_THAT(record.dropped, IsEmpty());
}

TEST_F(AcceptNetworkTest, DropsPointsThatAreSlowerInTheNetwork) {
  TuneProducts();
  judge_.bad = {"MatMul_1"};
  const AcceptedNetwork accepted = Accept();
  EXPECT_EQ(accepted.kept, 2);
  EXPECT_EQ(accepted.dropped, 1);
  EXPECT_EQ(accepted.comparison->verdict.verdict, Verdict::kImproved);
  ASSERT_THAT(appended_, SizeIs(2));
  EXPECT_EQ(appended_[0].verdict.verdict, Verdict::kRegressed);
  ASSERT_THAT(appended_[0].dropped, SizeIs(1));
  EXPECT_EQ(appended_[0].dropped[0].task, log_.records[1].task);
  EXPECT_EQ(appended_[0].dropped[0].config, log_.records[1].config);
}

// The first product gains least, and the second less than the third.
TEST_F(AcceptNetworkTest, WithoutTimesOfKernelsDropsHalf) {
  TuneProducts();
  judge_.bad = {"MatMul_0"};
  judge_.times_calls = false;
  const AcceptedNetwork accepted = Accept();
  EXPECT_EQ(accepted.kept, 1);
  ASSERT_THAT(appended_, SizeIs(2));
  ASSERT_THAT(appended_[0].dropped, SizeIs(2));
  EXPECT_EQ(appended_[0].dropped[0].task, log_.records[0].task);
  EXPECT_EQ(appended_[0].dropped[1].task, log_.records[1].task);
}

TEST_F(AcceptNetworkTest, TheNextPointOfATaskIsComparedToo) {
  Use(Products(), "bytecode");
  const tune::Task& task =
      *std::find_if(tasks_.begin(), tasks_.end(),
                    [](const tune::Task& t) { return !t.anchor.empty(); });
  AddAccepted(task, 0.8);
  TuningRecord next = Record(task, 100);
  next.verdict = TuningVerdict{Verdict::kImproved, 0.9, 0.85, 0.95};
  log_.records.push_back(next);
  judge_.bad = {"MatMul_0"};
  const AcceptedNetwork accepted = Accept();
  // The other point is the default one here.
  EXPECT_FALSE(accepted.comparison.has_value());
  EXPECT_EQ(judge_.comparisons, 1);
  EXPECT_EQ(accepted.dropped, 1);
}

TEST_F(AcceptNetworkTest, AKillCostsOneComparison) {
  TuneProducts();
  judge_.bad = {"MatMul_0", "MatMul_2"};
  judge_.times_calls = false;
  Accept();
  const std::vector<NetworkRecord> all = appended_;
  const int comparisons = judge_.comparisons;
  ASSERT_GT(comparisons, 1);
  for (size_t kept = 0; kept <= all.size(); ++kept) {
    log_.networks.assign(all.begin(), all.begin() + static_cast<int>(kept));
    const AcceptedNetwork accepted = Accept();
    EXPECT_EQ(judge_.comparisons, comparisons - static_cast<int>(kept));
    EXPECT_THAT(appended_, SizeIs(all.size() - kept));
    EXPECT_EQ(accepted.dropped, 3);
  }
}

TEST_F(AcceptNetworkTest, AnUndecidedNetworkMustNotSeemSlower) {
  TuneProducts();
  judge_.good = Verdict::kInconclusive;
  judge_.ratio = 1.005;
  EXPECT_EQ(Accept().kept, 3);
  EXPECT_EQ(judge_.comparisons, 1);
  judge_.ratio = 1.02;
  const AcceptedNetwork accepted = Accept();
  EXPECT_EQ(accepted.kept, 0);
  EXPECT_EQ(accepted.dropped, 3);
  EXPECT_LE(judge_.comparisons, kMaxNetworkComparisons);
  EXPECT_EQ(Describe(header_, accepted),
            "net, 2 threads: the same program as untuned; 0 points kept, "
            "3 dropped");
}

TEST_F(AcceptNetworkTest, WithoutAcceptedPointsNothingIsCompared) {
  Use(Products(), "bytecode");
  EXPECT_FALSE(Accept().comparison.has_value());  // no records
  log_.records.push_back(Record(tasks_[0], 100));
  EXPECT_FALSE(Accept().comparison.has_value());
  EXPECT_EQ(judge_.comparisons, 0);
  EXPECT_THAT(appended_, IsEmpty());
}

// The log says that the convolution is fast in other layouts. In the network,
// it is not.
TEST_F(AcceptNetworkTest, DropsLayouts) {
  Use(Convolution(), "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4");
  for (const tune::Task& task : tasks_) {
    const bool is_conv = absl::StrContains(task.anchor, "conv2d(");
    log_.records.push_back(
        Record(task, is_conv && task.calls > 0 ? 100'000 : 1000));
  }
  for (const bool times_calls : {true, false}) {
    judge_.times_calls = times_calls;
    judge_.bad = {};
    AcceptedNetwork accepted = Accept();
    EXPECT_EQ(judge_.comparisons, 1);
    EXPECT_GT(accepted.kept, 0);

    judge_.bad = {"Conv_0"};
    accepted = Accept();
    EXPECT_FALSE(accepted.comparison.has_value());
    EXPECT_GT(accepted.dropped, 0);
    // Each drops one layout, and the last one all others.
    EXPECT_EQ(judge_.comparisons, kMaxNetworkComparisons);
    EXPECT_THAT(appended_.front().dropped, SizeIs(1));
    EXPECT_GT(appended_.back().dropped.size(), 1u);
  }
}

}  // namespace
}  // namespace assay::suites
