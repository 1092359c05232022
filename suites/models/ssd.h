// Builds the two single-shot detectors of the suites as ONNX models with random
// weights (layers.h, multibox.h). The models include prior boxes, the decoding
// of boxes, and NonMaxSuppression. Images are 300 x 300.
//
// SSD-MobileNet v1 has the structure of ssd_mobilenet_v1_coco (2018-01-28) in
// TensorFlow's model zoo:
//   - six feature maps: the results of the 11th and the 13th pair of
//     convolutions of MobileNet v1 (mobilenet.h), and four more maps, each with
//     half the extent of the map before it, rounded up;
//   - 1x1 predictors for 1917 prior boxes and 91 classes, including background;
//   - sigmoid scores;
//   - at most 100 detections per class, with scores above 0.3 and a pairwise
//     intersection over union (IoU) of at most 0.6.
// The model has 6,807,167 parameters, if BatchNormalization is folded, and
// 1,237,129,408 multiply-adds. The published numbers are 6.807 million
// parameters and 2.494 GFLOP.
//
// SSD300-VGG16 has the structure of the model of Liu et al. for the data set
// VOC:
//   - VGG-16 up to conv5_3, conv6 with dilation 6, conv7, and eight more
//     convolutions;
//   - L2 normalization of conv4_3 with a learned scale;
//   - 3x3 predictors for 8732 prior boxes and 21 classes, including background;
//   - softmax scores;
//   - at most 200 detections per class, with scores above 0.01 and a pairwise
//     IoU of at most 0.45.
// The model has 26,285,486 parameters and 31,373,537,792 multiply-adds. The
// published numbers are 26.285 million parameters and 62.815 GFLOP.
//
// The logits are shifted by constants so that a few hundred boxes exceed the
// score threshold, as they do for an image that contains objects.
#ifndef ASSAY_SUITES_MODELS_SSD_H_
#define ASSAY_SUITES_MODELS_SSD_H_

#include <cstdint>

#include "onnx/onnx.pb.h"
#include "suites/models/layers.h"
#include "suites/models/multibox.h"

namespace assay::suites {

// Height and width of the images.
constexpr int64_t kSsdImage = 300;
// The opset with the first NonMaxSuppression.
constexpr int kSsdOpset = 10;

// Returns SSD-MobileNet v1 with one input `data` [batch,3,300,300] and the
// outputs of OutputDetections(). CatalogOptions::multiplier does not apply to
// the predictors. CHECK-fails if the batch size is less than 1 or the opset is
// less than kSsdOpset.
onnx::ModelProto BuildSsdMobileNetV1(const CatalogOptions& options);
// Like BuildSsdMobileNetV1(), but returns SSD300-VGG16.
onnx::ModelProto BuildSsdVgg16(const CatalogOptions& options);

// Returns the parameters of the non-maximum suppression of SSD-MobileNet v1.
Suppression SsdMobileNetV1Suppression();
// Returns the parameters of the non-maximum suppression of SSD300-VGG16.
Suppression SsdVgg16Suppression();

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_SSD_H_
