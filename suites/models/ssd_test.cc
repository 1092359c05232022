#include "suites/models/ssd.h"

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/sha256.h"
#include "suites/models/model_file.h"
#include "suites/models/testing/model_size.h"

namespace assay::suites {
namespace {

// Returns the shape of output number `output`.
Shape OutputShape(const onnx::ModelProto& model, int output) {
  Shape shape;
  for (const auto& dim :
       model.graph().output(output).type().tensor_type().shape().dim()) {
    shape.push_back(dim.dim_value());
  }
  return shape;
}

// Returns the first `count` elements of an initializer.
std::vector<float> Floats(const onnx::ModelProto& model,
                          const std::string& name, size_t count) {
  const std::string& raw = Weights(model).at(name)->raw_data();
  std::vector<float> values(raw.size() / sizeof(float));
  std::memcpy(values.data(), raw.data(), raw.size());
  values.resize(count);
  return values;
}

// Open Model Zoo's page on ssd_mobilenet_v1_coco: 6.807 million parameters with
// BatchNormalization folded, which removes one of its two vectors, and 2.494
// GFLOP including the operators after the convolutions.
TEST(SsdTest, MobileNetV1HasThePublishedSize) {
  const onnx::ModelProto model = BuildSsdMobileNetV1(CatalogOptions());
  constexpr int64_t kNormalised = 10944 + 1728;  // channels
  EXPECT_EQ(CountParameters(model) - kNormalised, 6807167);
  EXPECT_EQ(CountMultiplyAdds(model), 1237129408);
  EXPECT_EQ(OutputShape(model, 0), (Shape{1, 1917, 4}));
  EXPECT_EQ(OutputShape(model, 1), (Shape{1, 90, 1917}));
  std::map<std::string, int> count = CountOperators(model);
  EXPECT_EQ(count["Conv"], 27 + 8 + 12);
  EXPECT_EQ(count["BatchNormalization"], 27 + 8);
  EXPECT_EQ(count["NonMaxSuppression"], 1);
}

// Open Model Zoo's page on ssd300: 26.285 million parameters, 62.815 GFLOP.
TEST(SsdTest, Vgg16HasThePublishedSize) {
  const onnx::ModelProto model = BuildSsdVgg16(CatalogOptions());
  EXPECT_EQ(CountParameters(model), 26285486);
  EXPECT_EQ(CountMultiplyAdds(model), 31373537792);
  EXPECT_EQ(OutputShape(model, 0), (Shape{1, 8732, 4}));
  EXPECT_EQ(OutputShape(model, 1), (Shape{1, 20, 8732}));
  std::map<std::string, int> count = CountOperators(model);
  EXPECT_EQ(count["Conv"], 15 + 8 + 12);
  EXPECT_EQ(count["MaxPool"], 5);
  EXPECT_EQ(count["NonMaxSuppression"], 1);
}

TEST(SsdTest, PriorsHaveExpectedPositions) {
  CatalogOptions options;
  options.multiplier = 0.125;
  const onnx::ModelProto mobilenet = BuildSsdMobileNetV1(options);
  EXPECT_EQ(Floats(mobilenet, "priors.centers", 4),
            (std::vector<float>{0.5f / 19, 0.5f / 19, 0.5f / 19, 0.5f / 19}));
  EXPECT_EQ(Floats(mobilenet, "priors.extents", 2),
            (std::vector<float>{0.1f, 0.1f}));
  const onnx::ModelProto vgg = BuildSsdVgg16(options);
  EXPECT_EQ(Floats(vgg, "priors.centers", 2),
            (std::vector<float>{4.0f / 300, 4.0f / 300}));
  EXPECT_EQ(Floats(vgg, "priors.extents", 2), (std::vector<float>{0.1f, 0.1f}));
}

// Stored results refer to the models by these digests.
TEST(SsdTest, SameBytesOnEveryMachine) {
  EXPECT_EQ(Sha256Hex(SerializeModel(BuildSsdMobileNetV1(CatalogOptions()))),
            "87baebb3f0f54d12ba9bb0ed81c8349b6e04844c513dbf56ba1509f494e20f11");
  EXPECT_EQ(Sha256Hex(SerializeModel(BuildSsdVgg16(CatalogOptions()))),
            "e806fa83316693ccd31a64d763347c162c77ae5957b915a58c6326380ce8964e");
}

}  // namespace
}  // namespace assay::suites
