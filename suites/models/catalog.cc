#include "suites/models/catalog.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "suites/models/layers.h"
#include "suites/models/mobilenet.h"
#include "suites/models/resnet.h"
#include "suites/models/ssd.h"

namespace assay::suites {
namespace {

onnx::ModelProto ResNet(ResNetOptions options, const CatalogOptions& common) {
  options.batch = common.batch;
  if (common.size > 0) options.height = options.width = common.size;
  options.channels = ScaledChannels(options.channels, common.multiplier);
  options.seed = common.seed;
  options.style = common.style;
  return BuildResNet(options);
}

// Builds a model that shows the benefit of fusion: a convolution that keeps the
// extent of its input, with BatchNormalization and ReLU. Source: figure 4 of
// Chen et al., "TVM: an automated end-to-end optimizing compiler for deep
// learning", OSDI 2018.
onnx::ModelProto ConvNormRelu(const char* name, int64_t in, int64_t extent,
                              const ConvLayer& layer,
                              const CatalogOptions& options) {
  CHECK_GE(options.batch, 1);
  LayerBuilder layers(name, options.style, options.seed);
  const Feature x = layers.Image("data", {options.batch, in, extent, extent});
  const Feature y = layers.ConvNormActivate(layer, Activation::kRelu, x);
  layers.onnx().Output("result", y.value,
                       {options.batch, layer.out, extent, extent});
  return layers.onnx().Build();
}

onnx::ModelProto ConvBnRelu(const CatalogOptions& options) {
  return ConvNormRelu("conv_bn_relu", 128, 28, {"conv", "bn", 256, {1, 1, 0}},
                      options);
}

onnx::ModelProto DepthwiseBnRelu(const CatalogOptions& options) {
  return ConvNormRelu("depthwise_bn_relu", 512, 14,
                      {"conv", "bn", 512, {3, 1, 1}, /*depthwise=*/true},
                      options);
}

using Common = const CatalogOptions&;
constexpr CatalogEntry kCatalog[] = {
    {"resnet18", "resnet18", "",
     [](Common c) { return ResNet(ResNetOptions(), c); }},
    {"resnet34", "resnet", "34",
     [](Common c) { return ResNet(ResNet34Options(), c); }},
    {"resnet50", "resnet", "50",
     [](Common c) { return ResNet(ResNet50Options(), c); }},
    {"resnet_tiny", "", "",
     [](Common c) { return ResNet(TinyResNetOptions(), c); }},
    {"mobilenet_v1", "mobilenet", "v1", BuildMobileNetV1},
    {"mobilenet_v2", "mobilenet", "v2", BuildMobileNetV2},
    {"ssd_mobilenet_v1", "ssd", "mobilenet_v1", BuildSsdMobileNetV1,
     ModelKind::kDetector},
    {"ssd_vgg16", "ssd", "vgg16", BuildSsdVgg16, ModelKind::kDetector},
    {"conv_bn_relu", "fusion", "conv_bn_relu", ConvBnRelu,
     ModelKind::kOneOperator},
    {"depthwise_bn_relu", "fusion", "depthwise_bn_relu", DepthwiseBnRelu,
     ModelKind::kOneOperator},
};

absl::Status CheckOptions(const CatalogEntry& entry,
                          const CatalogOptions& options) {
  const std::string model = absl::StrCat("model `", entry.name, "` ");
  const bool is_detector = entry.kind == ModelKind::kDetector;
  if (is_detector && options.size != 0 && options.size != kSsdImage) {
    return absl::InvalidArgumentError(absl::StrCat(
        model, "is for images of ", kSsdImage, ", not of ", options.size));
  }
  if (is_detector && options.style.opset < kSsdOpset) {
    return absl::InvalidArgumentError(absl::StrCat(
        model, "needs opset ", kSsdOpset, ", not ", options.style.opset));
  }
  if (entry.kind == ModelKind::kOneOperator &&
      (options.size != 0 || options.multiplier != 1)) {
    return absl::InvalidArgumentError(absl::StrCat(model, "has one size"));
  }
  return absl::OkStatus();
}

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
    if (name != entry.name) continue;
    ASSAY_RETURN_IF_ERROR(CheckOptions(entry, options));
    return entry.build(options);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no model `", name, "`; there are ",
                   absl::StrJoin(CatalogNames(), ", ")));
}

}  // namespace assay::suites
