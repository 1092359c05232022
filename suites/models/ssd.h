// The two single-shot detectors of the suites as ONNX models with made-up
// weights (layers.h, multibox.h), whole: prior boxes, decoding of boxes and
// NonMaxSuppression are in the graph. Images are 300 x 300.
//
// SSD-MobileNet v1 is the one of TensorFlow's model zoo (ssd_mobilenet_v1_coco
// of 2018-01-28): maps 11 and 13 of MobileNet v1 and four more of half the
// extent each, 1x1 predictors, 1917 boxes, 91 classes with background, sigmoid
// scores, at most 100 boxes per class with a score above 0.3 and an overlap
// below 0.6. Published: 6.807 million parameters with BatchNormalization folded
// and 2.494 GFLOP; here 6,807,167 and 1,237,129,408 multiply-adds.
//
// SSD300-VGG16 is Liu et al.'s for VOC: VGG-16 up to conv5_3, conv6 with
// dilation 6, conv7, eight more convolutions, conv4_3 scaled to a learned
// length, 3x3 predictors, 8732 boxes, 21 classes, softmax scores, at most 200
// boxes per class with a score above 0.01 and an overlap below 0.45. Published:
// 26.285 million parameters and 62.815 GFLOP; here 26,285,486 and
// 31,373,537,792 multiply-adds.
//
// The logits are shifted so that a few hundred boxes pass the score's
// threshold, as in a picture with something in it.
#ifndef ASSAY_SUITES_MODELS_SSD_H_
#define ASSAY_SUITES_MODELS_SSD_H_

#include <cstdint>

#include "onnx/onnx.pb.h"
#include "suites/models/multibox.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {

struct SsdOptions {
  int64_t batch = 1;
  // All channels but those of the predictors are multiplied by it.
  double multiplier = 1.0;
  uint64_t seed = 0;
  // Opset 10 or later.
  ExportStyle style;
};

// One input `data` [batch,3,300,300], outputs as OutputDetections() says.
// CHECK-fails for options that are out of range.
onnx::ModelProto BuildSsdMobileNetV1(const SsdOptions& options);
onnx::ModelProto BuildSsdVgg16(const SsdOptions& options);

Suppression SsdMobileNetV1Suppression();
Suppression SsdVgg16Suppression();

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_SSD_H_
