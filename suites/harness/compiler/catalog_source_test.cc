#include "suites/harness/compiler/catalog_source.h"

#include <algorithm>
#include <cmath>

#include "gtest/gtest.h"
#include "suites/correctness/oracle.h"
#include "suites/models/ssd.h"

namespace assay::suites {
namespace {

TEST(CatalogSourceTest, NameContainsSizeAndMultiplier) {
  Options options;
  options.model.size = 32;
  options.model.multiplier = 0.25;
  options.model.variants = {"v1"};
  const std::vector<ModelSource> sources = ModelsOf("mobilenet", options);
  ASSERT_EQ(sources.size(), 1u);
  const ModelSource& source = sources[0];
  EXPECT_EQ(source.suite, "mobilenet");
  EXPECT_EQ(source.flags[0].second, "v1");
  const absl::StatusOr<Model> model = source.load();
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->name, "mobilenet_v1_s32_x0.25");
  EXPECT_EQ(model->digest.size(), 64u);
  EXPECT_GT(model->import_ms, 0);
  options.model.variants = {"vgg16"};
  EXPECT_FALSE(ModelsOf("ssd", options)[0].load().ok());
}

// The output must be meaningful despite synthetic weights: a detector finds
// some boxes, but not all of them.
TEST(CatalogSourceTest, DetectorsWithSyntheticWeightsFindSomeBoxes) {
  Options options;
  options.model.multiplier = 0.125;
  for (const std::string& variant : VariantsOf("ssd")) {
    options.model.variants = {variant};
    const absl::StatusOr<Model> model = ModelsOf("ssd", options)[0].load();
    ASSERT_TRUE(model.ok()) << model.status();
    const Suppression suppression = variant == "vgg16"
                                        ? SsdVgg16Suppression()
                                        : SsdMobileNetV1Suppression();
    InterpreterOracle oracle("", "");
    const auto outputs =
        oracle.Reference(*model, SeededInputs(*model->graph, 0));
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    ASSERT_EQ(outputs->size(), 3u);
    const int64_t found = (*outputs)[2].value.shape()[0];
    EXPECT_GT(found, 50) << variant;
    EXPECT_LT(found, 3000) << variant;
    const auto scores = (*outputs)[1].value.data<float>();
    const auto passing =
        std::count_if(scores.begin(), scores.end(),
                      [&](float score) { return score > suppression.score; });
    // Suppression removed some boxes.
    EXPECT_GT(passing, found) << variant;
    for (const float corner : (*outputs)[0].value.data<float>()) {
      ASSERT_LT(std::abs(corner), 10) << variant;
    }
  }
}

TEST(CatalogSourceTest, KeepsOrderOfVariants) {
  EXPECT_TRUE(VariantsOf("resnet18").empty());
  EXPECT_EQ(ModelsOf("resnet18", Options()).size(), 1u);
  Options options;
  options.model.variants = {"50", "34"};
  const std::vector<ModelSource> sources = ModelsOf("resnet", options);
  ASSERT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources[0].flags[0].second, "50");
  EXPECT_EQ(sources[1].flags[0].second, "34");
}

}  // namespace
}  // namespace assay::suites
