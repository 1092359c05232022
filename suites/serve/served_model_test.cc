#include "suites/serve/served_model.h"

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "compiler/graph/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

Model SmallModel() {
  Model model;
  model.name = "net";
  model.digest = "digest";
  model.graph = graph::ParseGraph(
                    "graph net(%x: float32[32,32], %w: float32[32,32]) -> "
                    "(y=%2) {\n"
                    "  %1: float32[32,32] = matmul(%x, %w)\n"
                    "  %2: float32[32,32] = relu(%1)\n}")
                    .value();
  return model;
}

// The interpreter, whose answers a test can spoil.
class TestOracle : public Oracle {
 public:
  absl::StatusOr<runtime::NamedTensors> Outputs(
      const Model& model, const runtime::NamedTensors& inputs,
      uint64_t seed) override {
    auto outputs = interpreter_.Outputs(model, inputs, seed);
    if (outputs.ok() && wrong) (*outputs)[0].value.data<float>()[5] += 100;
    return outputs;
  }
  bool wrong = false;

 private:
  InterpreterOracle interpreter_{"", "test"};
};

absl::StatusOr<std::unique_ptr<ServedModel>> Serve(
    const ServedModelOptions& options, TestOracle& oracle) {
  return ServedModel::Create(SmallModel(), options, oracle,
                             [](absl::string_view) {});
}

TEST(ServedModelTest, InstancesServeAndAreChecked) {
  for (const int instances : {1, 3}) {
    TestOracle oracle;
    ServedModelOptions options;
    options.instances = instances;
    options.check_share = 0.5;
    const auto model = Serve(options, oracle);
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_GT((*model)->batch_s(), 0);
    EXPECT_EQ((*model)->checked(), 0);
    const auto served =
        (*model)->servers().Serve(std::vector<int64_t>(400, 0), LateLimit());
    ASSERT_TRUE(served.ok()) << served.status();
    for (const Service& sample : *served) EXPECT_GT(sample.end, sample.begin);
    EXPECT_GT((*model)->checked(), 120);
    EXPECT_LT((*model)->checked(), 280);
  }
}

TEST(ServedModelTest, WrongProgramsAreNotServed) {
  TestOracle oracle;
  oracle.wrong = true;
  const auto model = Serve({}, oracle);
  EXPECT_TRUE(absl::IsDataLoss(model.status())) << model.status();
  EXPECT_THAT(std::string(model.status().message()), HasSubstr("net: "));
}

}  // namespace
}  // namespace assay::suites
