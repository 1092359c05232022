#include "suites/models/resnet.h"

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/sha256.h"
#include "suites/models/model_file.h"
#include "suites/models/testing/model_size.h"

namespace assay::suites {
namespace {

// Published for torchvision's resnet18: 11,689,512 parameters, 1.814 GFLOPS
// (multiply-adds at 224 x 224).
TEST(ResNetTest, ResNet18HasThePublishedSize) {
  const onnx::ModelProto model = BuildResNet(ResNetOptions());
  EXPECT_EQ(CountParameters(model), 11689512);
  EXPECT_EQ(CountMultiplyAdds(model), 1814073344);
  const std::map<std::string, int> expected = {
      {"Conv", 20},   {"BatchNormalization", 20}, {"Relu", 17},   {"Add", 8},
      {"MaxPool", 1}, {"GlobalAveragePool", 1},   {"Flatten", 1}, {"Gemm", 1}};
  EXPECT_EQ(CountOperators(model), expected);
}

// torchvision's resnet34: 21,797,672 parameters and 3.664 GFLOPS.
TEST(ResNetTest, ResNet34HasThePublishedSize) {
  const onnx::ModelProto model = BuildResNet(ResNet34Options());
  EXPECT_EQ(CountParameters(model), 21797672);
  EXPECT_EQ(CountMultiplyAdds(model), 3663761408);
}

// torchvision's resnet50: 25,557,032 parameters and 4.089 GFLOPS.
TEST(ResNetTest, ResNet50HasThePublishedSize) {
  const onnx::ModelProto model = BuildResNet(ResNet50Options());
  EXPECT_EQ(CountParameters(model), 25557032);
  EXPECT_EQ(CountMultiplyAdds(model), 4089184256);
  EXPECT_EQ(CountOperators(model)["Conv"], 53);
}

// Stored results refer to the models by these digests.
TEST(ResNetTest, SameBytesOnEveryMachine) {
  EXPECT_EQ(Sha256Hex(SerializeModel(BuildResNet(TinyResNetOptions()))),
            "bdd2d1cfc834fc6d4285c77ff80c617d14015ad21857bb26112950ac2ae123a0");
  EXPECT_EQ(Sha256Hex(SerializeModel(BuildResNet(ResNetOptions()))),
            "658cc5794b16898dbfdce36b508f52591c83766e24f9c17570e92eb6f715a7aa");
}

TEST(ResNetTest, SeedChangesTheWeights) {
  ResNetOptions options = TinyResNetOptions();
  const std::string a = SerializeModel(BuildResNet(options));
  options.seed = 1;
  const std::string b = SerializeModel(BuildResNet(options));
  EXPECT_EQ(a.size(), b.size());
  EXPECT_NE(a, b);
}

TEST(ResNetTest, ExportStylesShareTheWeights) {
  ResNetOptions options = TinyResNetOptions();
  const onnx::ModelProto plain = BuildResNet(options);
  options.style.prefix = "other/";
  options.style.opset = 7;
  options.style.auto_pad = true;
  options.style.flatten = FlattenStyle::kShapeArithmetic;
  const onnx::ModelProto other = BuildResNet(options);
  const auto other_weights = Weights(other);
  for (const auto& [name, tensor] : Weights(plain)) {
    const auto found = other_weights.find(absl::StrCat("other/", name));
    ASSERT_NE(found, other_weights.end()) << name;
    EXPECT_EQ(found->second->raw_data(), tensor->raw_data()) << name;
  }
}

TEST(ResNetTest, FoldingReplacesBatchNormByBiases) {
  ResNetOptions options = TinyResNetOptions();
  options.style.fold_batch_norm = true;
  const onnx::ModelProto model = BuildResNet(options);
  EXPECT_EQ(CountOperators(model).count("BatchNormalization"), 0u);
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (node.op_type() == "Conv") EXPECT_EQ(node.input_size(), 3);
  }
}

}  // namespace
}  // namespace assay::suites
