#include "suites/models/catalog.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "suites/models/model_file.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

TEST(CatalogTest, BuildsEveryModelWithReducedChannels) {
  CatalogOptions options;
  options.multiplier = 0.125;
  for (const std::string& name : CatalogNames()) {
    const bool one_size = name.find("_bn_relu") != std::string::npos;
    const auto model =
        BuildFromCatalog(name, one_size ? CatalogOptions() : options);
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_LT(SerializeModel(*model).size(), 8'000'000u) << name;
  }
}

TEST(CatalogTest, RejectsUnknownModelsAndUnsupportedOptions) {
  const auto message = [](const std::string& name,
                          const CatalogOptions& options) {
    return std::string(BuildFromCatalog(name, options).status().message());
  };
  CatalogOptions options;
  EXPECT_THAT(message("resnet19", options),
              HasSubstr("there is no model `resnet19`; there are resnet18, "));
  options.size = 224;
  EXPECT_EQ(message("ssd_vgg16", options),
            "model `ssd_vgg16` is for images of 300, not of 224");
  options = CatalogOptions();
  options.style.opset = 9;
  EXPECT_EQ(message("ssd_mobilenet_v1", options),
            "model `ssd_mobilenet_v1` needs opset 10, not 9");
  options.multiplier = 0;
  EXPECT_THAT(message("resnet18", options), HasSubstr("above 0"));
  options.multiplier = 0.5;
  EXPECT_EQ(message("conv_bn_relu", options),
            "model `conv_bn_relu` has one size");
}

}  // namespace
}  // namespace assay::suites
