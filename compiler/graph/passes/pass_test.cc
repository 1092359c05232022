#include "compiler/graph/passes/pass.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::graph {
namespace {

// A pass whose rewrite and result are given by the test.
class FakePass : public Pass {
 public:
  FakePass(absl::string_view name,
           std::function<absl::StatusOr<bool>(Graph&)> run)
      : name_(name), run_(std::move(run)) {}
  absl::string_view name() const override { return name_; }
  absl::StatusOr<bool> Run(Graph& graph) override { return run_(graph); }

 private:
  std::string name_;
  std::function<absl::StatusOr<bool>(Graph&)> run_;
};

class RunPassesTest : public testing::Test {
 protected:
  void Add(absl::string_view name,
           std::function<absl::StatusOr<bool>(Graph&)> run) {
    passes_.push_back(std::make_unique<FakePass>(name, std::move(run)));
  }
  absl::Status Run() {
    PassRunOptions options;
    options.verify_changed = true;
    return RunPasses(passes_, *graph_, options);
  }

  std::unique_ptr<Graph> graph_ = GraphFromText(
      "graph g(%x: float32[2]) -> (%1) { %1: float32[2] = relu(%x) }");
  PassList passes_;
};

TEST_F(RunPassesTest, RejectsUnreportedChange) {
  Add("quiet", [](Graph&) { return false; });
  Add("liar", [](Graph& graph) {
    graph.set_name("h");
    return false;
  });
  EXPECT_TRUE(ErrorHas(
      Run(), "pass 1 (liar): claims no change but the graph is another"));
}

TEST_F(RunPassesTest, RejectsReportWithoutChange) {
  Add("boaster", [](Graph&) { return true; });
  EXPECT_TRUE(ErrorHas(
      Run(), "pass 0 (boaster): claims a change but the graph is the same"));
}

TEST_F(RunPassesTest, NamesPassThatLeavesInvalidGraph) {
  Add("breaker", [](Graph& graph) {
    Node* relu = graph.outputs()[0].value.node;
    Node* later = *graph.AddNode(OpKind::kRelu, NoAttrs(),
                                 {{graph.inputs()[0]}}, "later");
    graph.ReplaceInput(relu, 0, {later});
    return true;
  });
  EXPECT_TRUE(ErrorHas(Run(),
                       "pass 0 (breaker): graph `g`: node `%1` "
                       "(relu): operand 0 (`later` (relu)) comes"));
}

TEST_F(RunPassesTest, ErrorsNameThePass) {
  Add("failing", [](Graph&) -> absl::StatusOr<bool> {
    return absl::UnimplementedError("no");
  });
  const absl::Status status = Run();
  EXPECT_TRUE(ErrorHas(status, "pass 0 (failing): no"));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
}

TEST_F(RunPassesTest, FailureHookGetsGraphBeforePass) {
  Add("renames", [](Graph& graph) {
    graph.set_name("h");
    return true;
  });
  Add("fails", [](Graph& graph) -> absl::StatusOr<bool> {
    graph.set_name("half done");
    return absl::InternalError("no");
  });
  PassRunOptions options;
  options.on_failure = [](const PassFailure& failure) {
    return absl::StrCat("pass ", failure.index, " of graph ",
                        failure.before.name());
  };
  const absl::Status status = RunPasses(passes_, *graph_, options);
  EXPECT_TRUE(ErrorHas(status, "pass 1 (fails): no; pass 1 of graph h"));
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
}

using RunPassesDeathTest = RunPassesTest;

TEST_F(RunPassesDeathTest, FailedCheckNamesThePassAndCallsTheHook) {
  Add("renames", [](Graph& graph) {
    graph.set_name("h");
    return true;
  });
  Add("checks", [](Graph& graph) {
    graph.set_name("half done");
    CHECK(false) << "bug";
    return true;
  });
  PassRunOptions options;
  options.on_failure = [](const PassFailure& failure) {
    return absl::StrCat("graph ", failure.before.name(),
                        failure.check_failed ? ", check: " : ", error: ",
                        failure.status.message());
  };
  EXPECT_EXIT((void)RunPasses(passes_, *graph_, options),
              testing::ExitedWithCode(5),
              "bug\n"
              "  in pass `checks`\n"
              "  graph h, check: pass 1 .checks.: .*check failed: .*bug\n$");
}

TEST_F(RunPassesTest, HookSeesEveryPassInOrder) {
  Add("a", [](Graph&) { return false; });
  Add("b", [](Graph& graph) {
    graph.set_name("h");
    return true;
  });
  std::vector<std::string> seen;
  PassRunOptions options;
  options.after_pass = [&](const PassEvent& event) {
    seen.push_back(absl::StrCat(event.index, " ", event.pass, " ",
                                event.changed, " ", event.graph.name()));
    return absl::OkStatus();
  };
  EXPECT_TRUE(RunPasses(passes_, *graph_, options).ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"0 a 0 g", "1 b 1 h"}));
  options.after_pass = [&](const PassEvent&) {
    return absl::DataLossError("disk full");
  };
  EXPECT_TRUE(ErrorHas(RunPasses(passes_, *graph_, options), "disk full"));
}

}  // namespace
}  // namespace assay::graph
