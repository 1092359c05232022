#include "suites/models/resnet.h"

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/sha256.h"
#include "suites/models/model_file.h"

namespace assay::suites {
namespace {

int64_t Elements(const onnx::TensorProto& tensor) {
  int64_t n = 1;
  for (int64_t extent : tensor.dims()) n *= extent;
  return n;
}

std::map<std::string, const onnx::TensorProto*> Weights(
    const onnx::ModelProto& model) {
  std::map<std::string, const onnx::TensorProto*> weights;
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    weights[tensor.name()] = &tensor;
  }
  return weights;
}

std::map<std::string, int> CountOps(const onnx::ModelProto& model) {
  std::map<std::string, int> count;
  for (const onnx::NodeProto& node : model.graph().node()) {
    ++count[node.op_type()];
  }
  return count;
}

// Learned values: all but the running statistics.
int64_t CountParameters(const onnx::ModelProto& model) {
  int64_t n = 0;
  for (const auto& [name, tensor] : Weights(model)) {
    if (name.find("running_") == std::string::npos) n += Elements(*tensor);
  }
  return n;
}

const onnx::AttributeProto& Attribute(const onnx::NodeProto& node,
                                      const std::string& name) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.name() == name) return attribute;
  }
  ADD_FAILURE() << node.name() << " has no " << name;
  return onnx::AttributeProto::default_instance();
}

// Multiply-adds of convolutions and the classifier, for square images.
int64_t CountMultiplyAdds(const onnx::ModelProto& model, int64_t size) {
  const auto weights = Weights(model);
  std::map<std::string, int64_t> extent = {{"data", size}};
  int64_t total = 0;
  for (const onnx::NodeProto& node : model.graph().node()) {
    int64_t out = extent[node.input(0)];
    if (node.op_type() == "Conv" || node.op_type() == "MaxPool") {
      const int64_t pad = Attribute(node, "pads").ints(0);
      const int64_t kernel = Attribute(node, "kernel_shape").ints(0);
      const int64_t stride = Attribute(node, "strides").ints(0);
      out = (out + 2 * pad - kernel) / stride + 1;
    }
    if (node.op_type() == "Conv") {
      total += out * out * Elements(*weights.at(node.input(1)));
    }
    if (node.op_type() == "Gemm") {
      total += Elements(*weights.at(node.input(1)));
    }
    extent[node.output(0)] = out;
  }
  return total;
}

// Published for torchvision's resnet18: 11,689,512 parameters, 1.814 GFLOPS
// (multiply-adds at 224 x 224).
TEST(ResNetTest, ResNet18HasThePublishedSize) {
  const onnx::ModelProto model = BuildResNet(ResNetOptions());
  EXPECT_EQ(CountParameters(model), 11689512);
  EXPECT_EQ(CountMultiplyAdds(model, 224), 1814073344);
  const std::map<std::string, int> expected = {
      {"Conv", 20},   {"BatchNormalization", 20}, {"Relu", 17},   {"Add", 8},
      {"MaxPool", 1}, {"GlobalAveragePool", 1},   {"Flatten", 1}, {"Gemm", 1}};
  EXPECT_EQ(CountOps(model), expected);
}

// ResNet-34: 21,797,672 parameters and 3.664 GFLOPS.
TEST(ResNetTest, DeeperNetworkHasThePublishedSize) {
  ResNetOptions options;
  options.blocks = {3, 4, 6, 3};
  const onnx::ModelProto model = BuildResNet(options);
  EXPECT_EQ(CountParameters(model), 21797672);
  EXPECT_EQ(CountMultiplyAdds(model, 224) / 1000000, 3663);
}

// A change of these digests changes what every stored result refers to.
TEST(ResNetTest, SameBytesOnEveryMachine) {
  EXPECT_EQ(Sha256Hex(SerializeModel(BuildResNet(TinyResNetOptions()))),
            "36de9ba76d9b5846dc59f270fbbbb379e8f775697fd317a65b28484dc01d5468");
  EXPECT_EQ(Sha256Hex(SerializeModel(BuildResNet(ResNetOptions()))),
            "af733cf938ac865d84a28d39541921ef854d6caf08db745699c5f0249f576acf");
}

TEST(ResNetTest, SeedChangesTheWeights) {
  ResNetOptions options = TinyResNetOptions();
  const std::string a = SerializeModel(BuildResNet(options));
  options.seed = 1;
  const std::string b = SerializeModel(BuildResNet(options));
  EXPECT_EQ(a.size(), b.size());
  EXPECT_NE(a, b);
}

TEST(ResNetTest, SpellingsShareTheWeights) {
  ResNetOptions options = TinyResNetOptions();
  const onnx::ModelProto plain = BuildResNet(options);
  options.spelling.prefix = "other/";
  options.spelling.opset = 7;
  options.spelling.auto_pad = true;
  options.spelling.flatten = FlattenSpelling::kShapeArithmetic;
  const onnx::ModelProto other = BuildResNet(options);
  const auto other_weights = Weights(other);
  for (const auto& [name, tensor] : Weights(plain)) {
    const auto found = other_weights.find(absl::StrCat("other/", name));
    ASSERT_NE(found, other_weights.end()) << name;
    EXPECT_EQ(found->second->raw_data(), tensor->raw_data()) << name;
  }
}

TEST(ResNetTest, FoldedHasBiasesInsteadOfBatchNorm) {
  ResNetOptions options = TinyResNetOptions();
  options.spelling.fold_batch_norm = true;
  const onnx::ModelProto model = BuildResNet(options);
  EXPECT_EQ(CountOps(model).count("BatchNormalization"), 0u);
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (node.op_type() == "Conv") EXPECT_EQ(node.input_size(), 3);
  }
}

}  // namespace
}  // namespace assay::suites
