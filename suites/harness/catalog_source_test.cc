#include "suites/harness/catalog_source.h"

#include <algorithm>
#include <cmath>

#include "gtest/gtest.h"
#include "suites/correctness/oracle.h"

namespace assay::suites {
namespace {

TEST(CatalogSourceTest, NamesSayTheSize) {
  Options options;
  options.size = 32;
  options.multiplier = 0.25;
  const ModelSource source =
      FromCatalog("mobilenet", "v1", "mobilenet_v1", options);
  EXPECT_EQ(source.suite, "mobilenet");
  EXPECT_EQ(source.flags[0].second, "v1");
  const absl::StatusOr<Model> model = source.load();
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_EQ(model->name, "mobilenet_v1_s32_x0.25");
  EXPECT_EQ(model->digest.size(), 64u);
  EXPECT_GT(model->import_ms, 0);
  EXPECT_FALSE(model->detections.has_value());
  EXPECT_FALSE(FromCatalog("ssd", "vgg16", "ssd_vgg16", options).load().ok());
}

// Made-up weights make a network whose answer means something: detectors find
// some boxes in some places, neither none nor everything everywhere.
TEST(CatalogSourceTest, DetectorsFindAFewThings) {
  Options options;
  options.multiplier = 0.125;
  for (const char* variant : {"mobilenet_v1", "vgg16"}) {
    const absl::StatusOr<Model> model =
        FromCatalog("ssd", variant, std::string("ssd_") + variant, options)
            .load();
    ASSERT_TRUE(model.ok()) << model.status();
    ASSERT_TRUE(model->detections.has_value());
    InterpreterOracle oracle("", "");
    const auto outputs =
        oracle.Reference(*model, SeededInputs(*model->graph, 0));
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    ASSERT_EQ(outputs->size(), 3u);
    const int64_t found = (*outputs)[2].value.shape()[0];
    EXPECT_GT(found, 50) << variant;
    EXPECT_LT(found, 3000) << variant;
    const auto scores = (*outputs)[1].value.data<float>();
    const auto passing = std::count_if(
        scores.begin(), scores.end(),
        [&](float score) { return score > model->detections->score; });
    // Some were suppressed.
    EXPECT_GT(passing, found) << variant;
    for (const float corner : (*outputs)[0].value.data<float>()) {
      ASSERT_LT(std::abs(corner), 10) << variant;
    }
  }
}

}  // namespace
}  // namespace assay::suites
