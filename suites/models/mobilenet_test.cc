#include "suites/models/mobilenet.h"

#include <map>
#include <string>

#include "gtest/gtest.h"
#include "runtime/base/sha256.h"
#include "suites/models/model_file.h"
#include "suites/models/testing/model_size.h"

namespace assay::suites {
namespace {

CatalogOptions Tiny() {
  CatalogOptions options;
  options.size = 32;
  options.multiplier = 0.25;
  return options;
}

// Paper: 4.2 million parameters and 569 million multiply-adds; Keras' summary:
// 4,231,976 trainable parameters.
TEST(MobileNetTest, V1HasThePublishedSize) {
  const onnx::ModelProto model = BuildMobileNetV1(CatalogOptions());
  EXPECT_EQ(CountParameters(model), 4231976);
  EXPECT_EQ(CountMultiplyAdds(model), 568740352);
  const std::map<std::string, int> expected = {
      {"Conv", 27},  {"BatchNormalization", 27}, {"Clip", 27},
      {"Gemm", 1},   {"GlobalAveragePool", 1},   {"Flatten", 1},
      {"Softmax", 1}};
  EXPECT_EQ(CountOperators(model), expected);
}

// torchvision's mobilenet_v2: 3,504,872 parameters, 0.301 GFLOPS; paper: 3.4
// million and 300 million.
TEST(MobileNetTest, V2HasThePublishedSize) {
  const onnx::ModelProto model = BuildMobileNetV2(CatalogOptions());
  EXPECT_EQ(CountParameters(model), 3504872);
  EXPECT_EQ(CountMultiplyAdds(model), 300774272);
  const std::map<std::string, int> expected = {
      {"Conv", 52}, {"BatchNormalization", 52}, {"Clip", 35},  {"Add", 10},
      {"Gemm", 1},  {"GlobalAveragePool", 1},   {"Flatten", 1}};
  EXPECT_EQ(CountOperators(model), expected);
}

// Stored results refer to the models by these digests.
TEST(MobileNetTest, SameBytesOnEveryMachine) {
  EXPECT_EQ(Sha256Hex(SerializeModel(BuildMobileNetV1(CatalogOptions()))),
            "ebc82c5197eb2e65a74cef05b92f42d3ffe2bbe7f8863ef2702ddfb1b53cf2d9");
  EXPECT_EQ(Sha256Hex(SerializeModel(BuildMobileNetV2(CatalogOptions()))),
            "3658e7c4594edbb16851e73aa39fb30320277188fb802c1bab00dcb46684d3ad");
}

TEST(MobileNetTest, DependsOnSeedAndMultiplier) {
  CatalogOptions options = Tiny();
  const std::string a = SerializeModel(BuildMobileNetV2(options));
  options.seed = 1;
  const std::string b = SerializeModel(BuildMobileNetV2(options));
  EXPECT_EQ(a.size(), b.size());
  EXPECT_NE(a, b);
  const int64_t quarter = CountParameters(BuildMobileNetV1(options));
  options.multiplier = 0.5;
  EXPECT_GT(CountParameters(BuildMobileNetV1(options)), 2 * quarter);
}

}  // namespace
}  // namespace assay::suites
