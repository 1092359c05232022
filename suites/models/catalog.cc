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

onnx::ModelProto ResNet(ResNetOptions options, const CatalogOptions& common) {
  options.batch = common.batch;
  if (common.size > 0) options.height = options.width = common.size;
  options.channels = ScaledChannels(options.channels, common.multiplier);
  options.seed = common.seed;
  options.spelling = common.spelling;
  return BuildResNet(options);
}

onnx::ModelProto MobileNet(onnx::ModelProto (*build)(const MobileNetOptions&),
                           const CatalogOptions& common) {
  MobileNetOptions options;
  options.batch = common.batch;
  if (common.size > 0) options.size = common.size;
  options.multiplier = common.multiplier;
  options.seed = common.seed;
  options.spelling = common.spelling;
  return build(options);
}

absl::StatusOr<onnx::ModelProto> Ssd(
    const std::string& name, onnx::ModelProto (*build)(const SsdOptions&),
    const CatalogOptions& common) {
  if (common.size != 0 && common.size != 300) {
    return absl::InvalidArgumentError(absl::StrCat(
        "model `", name, "` is for images of 300, not of ", common.size));
  }
  if (common.spelling.opset < 10) {
    return absl::InvalidArgumentError(absl::StrCat(
        "model `", name, "` needs opset 10, not ", common.spelling.opset));
  }
  SsdOptions options;
  options.batch = common.batch;
  options.multiplier = common.multiplier;
  options.seed = common.seed;
  options.spelling = common.spelling;
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
  options.spelling = common.spelling;
  return BuildConvNormRelu(options);
}

}  // namespace

std::vector<std::string> CatalogNames() {
  return {"resnet18",     "resnet34",         "resnet50",         "resnet_tiny",
          "mobilenet_v1", "mobilenet_v2",     "ssd_mobilenet_v1", "ssd_vgg16",
          "conv_bn_relu", "depthwise_bn_relu"};
}

absl::StatusOr<onnx::ModelProto> BuildFromCatalog(
    const std::string& name, const CatalogOptions& options) {
  if (!(options.multiplier > 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a model's channels cannot be multiplied by ",
                     options.multiplier, "; give a number above 0"));
  }
  if (name == "resnet18") return ResNet(ResNetOptions(), options);
  if (name == "resnet34") return ResNet(ResNet34Options(), options);
  if (name == "resnet50") return ResNet(ResNet50Options(), options);
  if (name == "resnet_tiny") return ResNet(TinyResNetOptions(), options);
  if (name == "mobilenet_v1") return MobileNet(BuildMobileNetV1, options);
  if (name == "mobilenet_v2") return MobileNet(BuildMobileNetV2, options);
  if (name == "ssd_mobilenet_v1") {
    return Ssd(name, BuildSsdMobileNetV1, options);
  }
  if (name == "ssd_vgg16") return Ssd(name, BuildSsdVgg16, options);
  if (name == "conv_bn_relu") return FusedOperator(name, false, options);
  if (name == "depthwise_bn_relu") return FusedOperator(name, true, options);
  return absl::InvalidArgumentError(
      absl::StrCat("there is no model `", name, "`; there are ",
                   absl::StrJoin(CatalogNames(), ", ")));
}

}  // namespace assay::suites
