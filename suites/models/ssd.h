// The two single-shot detectors of the suites as ONNX models with random
// weights (layers.h, multibox.h). The graphs include prior boxes, decoding of
// boxes and NonMaxSuppression. Images are 300 x 300.
//
// SSD-MobileNet v1 follows TensorFlow's model zoo (ssd_mobilenet_v1_coco of
// 2018-01-28): feature maps 11 and 13 of MobileNet v1 and four more, each of
// half the extent, 1x1 predictors, 1917 boxes, 91 classes with background,
// sigmoid scores, at most 100 boxes per class with a score above 0.3 and an
// IoU below 0.6. Published: 6.807 million parameters with BatchNormalization
// folded and 2.494 GFLOP; here 6,807,167 and 1,237,129,408 multiply-adds.
//
// SSD300-VGG16 follows Liu et al. for VOC: VGG-16 up to conv5_3, conv6 with
// dilation 6, conv7, eight more convolutions, L2 normalization of conv4_3 with
// a learned scale, 3x3 predictors, 8732 boxes, 21 classes, softmax scores, at
// most 200 boxes per class with a score above 0.01 and an IoU below 0.45.
// Published: 26.285 million parameters and 62.815 GFLOP; here 26,285,486 and
// 31,373,537,792 multiply-adds.
//
// The logits are shifted so that a few hundred boxes exceed the score
// threshold, as for an image that contains objects.
#ifndef ASSAY_SUITES_MODELS_SSD_H_
#define ASSAY_SUITES_MODELS_SSD_H_

#include <cstdint>

#include "onnx/onnx.pb.h"
#include "suites/models/multibox.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {

struct SsdOptions {
  int64_t batch = 1;
  // Width multiplier of all channels except those of the predictors.
  double multiplier = 1.0;
  uint64_t seed = 0;
  // The opset must be at least 10.
  ExportStyle style;
};

// The models have one input `data` [batch,3,300,300] and the outputs of
// OutputDetections(). CHECK-fails for options that are out of range.
onnx::ModelProto BuildSsdMobileNetV1(const SsdOptions& options);
onnx::ModelProto BuildSsdVgg16(const SsdOptions& options);

Suppression SsdMobileNetV1Suppression();
Suppression SsdVgg16Suppression();

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_SSD_H_
