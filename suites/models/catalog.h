// The models of the suites by their names.
#ifndef ASSAY_SUITES_MODELS_CATALOG_H_
#define ASSAY_SUITES_MODELS_CATALOG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {

struct CatalogOptions {
  int64_t batch = 1;
  // Height and width of the image; 0 for the model's own.
  int64_t size = 0;
  // All channels are multiplied by it.
  double multiplier = 1.0;
  uint64_t seed = 0;
  Spelling spelling;
};

// resnet18, resnet34, resnet50, resnet_tiny, mobilenet_v1, mobilenet_v2,
// ssd_mobilenet_v1, ssd_vgg16, conv_bn_relu, depthwise_bn_relu.
std::vector<std::string> CatalogNames();

// InvalidArgument where there is no such model, or it cannot be had with these
// options: detectors have one image size and need opset 10, single operators
// have one size.
absl::StatusOr<onnx::ModelProto> BuildFromCatalog(
    const std::string& name, const CatalogOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_CATALOG_H_
