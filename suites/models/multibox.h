// Builds the head of single-shot detectors (Liu et al., "SSD: single shot
// multibox detector", 2016). Each position of several feature maps has a few
// prior boxes. The head consists of three parts:
//   - Predict(): convolutions that predict, for each prior box, the class of an
//     object and the offset of the object's box from the prior box;
//   - DecodeBoxes(): converts offsets to boxes;
//   - OutputDetections(): non-maximum suppression.
//
// P is the total number of prior boxes. The prior boxes are constants of the
// model, ordered by feature map, row, column, and index at the position.
#ifndef ASSAY_SUITES_MODELS_MULTIBOX_H_
#define ASSAY_SUITES_MODELS_MULTIBOX_H_

#include <cstdint>
#include <string>
#include <vector>

#include "suites/models/layers.h"

namespace assay::suites {

// A prior box: the center (y, x) and the extents, as fractions of the extents
// of the image.
struct PriorBox {
  double y = 0;
  double x = 0;
  double height = 0;
  double width = 0;
};

// A feature map, and the convolutions that predict boxes and classes from it.
struct PredictorLayer {
  Feature map;
  int64_t boxes = 0;       // number of prior boxes per position
  std::string box_conv;    // name of the convolution that predicts offsets
  std::string class_conv;  // name of the convolution that predicts classes
};

struct Predictions {
  std::string offsets;  // [N, P, 4]
  std::string logits;   // [N, P, classes]
};

// Adds the predictors. The windows of the convolutions are `kernel` x `kernel`.
// `class_shift` must have one value per class. Each value is added to the
// logits of its class. The results of the convolutions are transposed to
// [N, H, W, C] before they are reshaped, as in exports from TensorFlow and
// PyTorch.
Predictions Predict(LayerBuilder& layers,
                    const std::vector<PredictorLayer>& predictors,
                    int64_t batch, int64_t kernel,
                    const std::vector<double>& class_shift);

// Adds the nodes that convert offsets to boxes. Returns the name of their
// result, [N, P, 4]. The last axis of the result contains the corners of a box
// in the order y1, x1, y2, x2. The last axis of `offsets` has the order y, x,
// height, width. A box is computed from its offsets and its prior box by
//   center = prior center + 0.1 * offset * prior extent
//   extent = prior extent * exp(0.2 * offset)
std::string DecodeBoxes(OnnxBuilder& onnx, const std::string& offsets,
                        const std::vector<PriorBox>& priors);

// Parameters of the non-maximum suppression.
struct Suppression {
  // Maximum number of detections per image and class.
  int64_t boxes_per_class = 0;
  // If the intersection over union (IoU) of two boxes is greater than
  // `overlap`, the box with the lower score is removed.
  float overlap = 0;
  // Minimum score of a detection.
  float score = 0;
};

// Adds NonMaxSuppression and the outputs of a detector. `scores` has the shape
// `scores_shape` = [N, P, C + 1]; its first class is the background, which is
// left out. CHECK-fails if the opset is less than 10. The outputs are `boxes`
// [N, P, 4], `scores` [N, C, P], and `detections` [D, 3], an int64 tensor whose
// rows are the indices of image, class and box of the D detections.
void OutputDetections(OnnxBuilder& onnx, const std::string& boxes,
                      const std::string& scores, const Shape& scores_shape,
                      const Suppression& suppression);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_MULTIBOX_H_
