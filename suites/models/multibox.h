// The head of single-shot detectors (Liu et al., "SSD: single shot multibox
// detector", 2016): convolutions that predict, for each prior box at each
// position of several feature maps, the offset of the object's box from the
// prior and the object's class; box decoding; and non-maximum suppression.
//
// Boxes are y, x, height, width, as fractions of the image. The P prior boxes
// are constants of the model, in order of map, row, column and box.
#ifndef ASSAY_SUITES_MODELS_MULTIBOX_H_
#define ASSAY_SUITES_MODELS_MULTIBOX_H_

#include <cstdint>
#include <string>
#include <vector>

#include "suites/models/layers.h"

namespace assay::suites {

struct PriorBox {
  double y = 0;
  double x = 0;
  double height = 0;
  double width = 0;
};

// A feature map and the predictors at each of its positions.
struct PredictorLayer {
  Feature map;
  int64_t boxes = 0;  // prior boxes per position
  std::string box_conv;
  std::string class_conv;
};

struct Predictions {
  std::string offsets;  // [N, P, 4]
  std::string logits;   // [N, P, classes]
};

// `kernel` is the extent of the convolutions; `class_shift` has one value per
// class, which is added to the logits. Maps are transposed to [N, H, W, C]
// before the reshape to rows, as in exports from TensorFlow and PyTorch.
Predictions Predict(LayerBuilder& layers,
                    const std::vector<PredictorLayer>& predictors,
                    int64_t batch, int64_t kernel,
                    const std::vector<double>& class_shift);

// Returns the corners y1, x1, y2, x2 of shape [N, P, 4]. In both SSDs the unit
// of a centre's offset is a tenth of the prior's extent, and the offset of an
// extent is five times the logarithm of its ratio to the prior's.
std::string DecodeBoxes(OnnxBuilder& onnx, const std::string& offsets,
                        const std::vector<PriorBox>& priors);

struct Suppression {
  int64_t boxes_per_class = 0;
  float overlap = 0;  // IoU above which the box of lower score is removed
  float score = 0;    // minimum score of a detection
};

// Adds NonMaxSuppression and the outputs of a detector. `scores` is [N, P, C]
// without the background class. Needs opset 10 or later. The outputs are
// `boxes` [N, P, 4], `scores` [N, C, P] and int64 `detections` [D, 3]: image,
// class and box of each detection.
void OutputDetections(OnnxBuilder& onnx, const std::string& boxes,
                      const std::string& scores, const Shape& scores_shape,
                      const Suppression& suppression);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_MULTIBOX_H_
