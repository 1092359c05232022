// What single-shot detectors put on top of a network (Liu et al., "SSD: single
// shot multibox detector", 2016): convolutions that say, for each prior box at
// each position of several maps, how far the object's box is from the prior
// and what it is; boxes from that; and suppression of those that overlap.
//
// Boxes have the order y, x, height, width, as fractions of the image. Prior
// boxes are constants of the model: P of them, map after map, row after row,
// those of one position beside one another.
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

// A map, and what is predicted at each of its positions.
struct PredictorLayer {
  Feature map;
  int64_t boxes = 0;  // per position
  std::string box_conv;
  std::string class_conv;
};

struct Predictions {
  std::string offsets;  // [N, P, 4]
  std::string logits;   // [N, P, classes]
};

// `kernel` of the convolutions; `class_shift` is added to the logits, class by
// class. Maps are laid out [N, H, W, C] before they become rows, as exporters
// from both TensorFlow and PyTorch leave it.
Predictions Predict(LayerBuilder& layers,
                    const std::vector<PredictorLayer>& predictors,
                    int64_t batch, int64_t kernel,
                    const std::vector<double>& class_shift);

// Corners y1, x1, y2, x2 of shape [N, P, 4]. Offsets of a centre count in
// tenths of the prior's extents, those of an extent are logarithms in fifths,
// in both SSDs.
std::string DecodeBoxes(OnnxBuilder& onnx, const std::string& offsets,
                        const std::vector<PriorBox>& priors);

struct Suppression {
  int64_t boxes_per_class = 0;
  float overlap = 0;  // of intersection and union, from which on one goes
  float score = 0;    // below it there is no detection
};

// What both detectors end with. `scores` is [N, P, C], background left out;
// opset 10 or later. Three outputs: `boxes` [N, P, 4], `scores` [N, C, P], and
// `detections` [D, 3] of int64, image, class and box of each detection.
void OutputDetections(OnnxBuilder& onnx, const std::string& boxes,
                      const std::string& scores, const Shape& scores_shape,
                      const Suppression& suppression);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_MULTIBOX_H_
