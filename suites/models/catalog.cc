#include "suites/models/catalog.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "suites/models/fused_operators.h"
#include "suites/models/layers.h"
#include "suites/models/mobilenet.h"
#include "suites/models/resnet.h"
#include "suites/models/ssd.h"

namespace assay::suites {
namespace {

absl::StatusOr<onnx::ModelProto> ResNet(ResNetOptions options,
                                        const CatalogOptions& common) {
  options.batch = common.batch;
  if (common.size > 0) options.height = options.width = common.size;
  options.channels = ScaledChannels(options.channels, common.multiplier);
  options.seed = common.seed;
  options.style = common.style;
  return BuildResNet(options);
}

absl::StatusOr<onnx::ModelProto> MobileNet(
    onnx::ModelProto (*build)(const MobileNetOptions&),
    const CatalogOptions& common) {
  MobileNetOptions options;
  options.batch = common.batch;
  if (common.size > 0) options.size = common.size;
  options.multiplier = common.multiplier;
  options.seed = common.seed;
  options.style = common.style;
  return build(options);
}

absl::StatusOr<onnx::ModelProto> Ssd(
    const std::string& name, onnx::ModelProto (*build)(const SsdOptions&),
    const CatalogOptions& common) {
  if (common.size != 0 && common.size != 300) {
    return absl::InvalidArgumentError(absl::StrCat(
        "model `", name, "` is for images of 300, not of ", common.size));
  }
  if (common.style.opset < 10) {
    return absl::InvalidArgumentError(absl::StrCat(
        "model `", name, "` needs opset 10, not ", common.style.opset));
  }
  SsdOptions options;
  options.batch = common.batch;
  options.multiplier = common.multiplier;
  options.seed = common.seed;
  options.style = common.style;
  return build(options);
}

absl::StatusOr<onnx::ModelProto> FusedOperator(const std::string& name,
                                               bool depthwise,
                                               const CatalogOptions& common) {
  if (common.size != 0 || common.multiplier != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("model `", name, "` has one size"));
  }
  FusedOperatorOptions options;
  options.batch = common.batch;
  options.depthwise = depthwise;
  options.seed = common.seed;
  options.style = common.style;
  return BuildConvNormRelu(options);
}

using Name = const std::string&;
using Common = const CatalogOptions&;
constexpr CatalogEntry kCatalog[] = {
    {"resnet18", "resnet18", "",
     [](Name, Common c) { return ResNet(ResNetOptions(), c); }},
    {"resnet34", "resnet", "34",
     [](Name, Common c) { return ResNet(ResNet34Options(), c); }},
    {"resnet50", "resnet", "50",
     [](Name, Common c) { return ResNet(ResNet50Options(), c); }},
    {"resnet_tiny", "", "",
     [](Name, Common c) { return ResNet(TinyResNetOptions(), c); }},
    {"mobilenet_v1", "mobilenet", "v1",
     [](Name, Common c) { return MobileNet(BuildMobileNetV1, c); }},
    {"mobilenet_v2", "mobilenet", "v2",
     [](Name, Common c) { return MobileNet(BuildMobileNetV2, c); }},
    {"ssd_mobilenet_v1", "ssd", "mobilenet_v1",
     [](Name name, Common c) { return Ssd(name, BuildSsdMobileNetV1, c); }},
    {"ssd_vgg16", "ssd", "vgg16",
     [](Name name, Common c) { return Ssd(name, BuildSsdVgg16, c); }},
    {"conv_bn_relu", "fusion", "conv_bn_relu",
     [](Name name, Common c) {
       return FusedOperator(name, /*depthwise=*/false, c);
     }},
    {"depthwise_bn_relu", "fusion", "depthwise_bn_relu",
     [](Name name, Common c) {
       return FusedOperator(name, /*depthwise=*/true, c);
     }},
};

}  // namespace

absl::Span<const CatalogEntry> Catalog() { return kCatalog; }

std::vector<std::string> CatalogNames() {
  std::vector<std::string> names;
  for (const CatalogEntry& entry : kCatalog) names.push_back(entry.name);
  return names;
}

absl::StatusOr<onnx::ModelProto> BuildFromCatalog(
    const std::string& name, const CatalogOptions& options) {
  if (!(options.multiplier > 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a model's channels cannot be multiplied by ",
                     options.multiplier, "; give a number above 0"));
  }
  for (const CatalogEntry& entry : kCatalog) {
    if (name == entry.name) return entry.build(name, options);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no model `", name, "`; there are ",
                   absl::StrJoin(CatalogNames(), ", ")));
}

}  // namespace assay::suites
