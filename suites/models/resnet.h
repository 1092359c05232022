// Builds ResNet (He, Zhang, Ren and Sun, "Deep residual learning for image
// recognition", 2015) as an ONNX model with random weights (layers.h).
//
// The default options select ResNet-18 with the structure of torchvision's
// resnet18:
//   - a 7x7 convolution with stride 2, and 3x3 max pooling with stride 2;
//   - four stages of two basic blocks each. In each of the stages 2 to 4, the
//     first block has stride 2, and its shortcut contains a 1x1 convolution
//     with stride 2;
//   - global average pooling, and a classifier with bias.
// Convolutions have no bias; a BatchNormalization follows each convolution.
//
// ResNet-34 has more blocks. ResNet-50 has bottleneck blocks, which consist of
// 1x1, 3x3 and 1x1 convolutions; the stride belongs to the 3x3 convolution, as
// in torchvision. The networks have these sizes for images of 224 x 224 pixels:
//
//              parameters   multiply-adds
//   ResNet-18  11,689,512   1.814e9
//   ResNet-34  21,797,672   3.664e9
//   ResNet-50  25,557,032   4.089e9
//
// The models of all export styles compute the same function, except for
// rounding errors of folded weights.
//
//   ResNetOptions options;
//   options.style.opset = 17;
//   onnx::ModelProto model = BuildResNet(options);
#ifndef ASSAY_SUITES_MODELS_RESNET_H_
#define ASSAY_SUITES_MODELS_RESNET_H_

#include <cstdint>
#include <vector>

#include "onnx/onnx.pb.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {

struct ResNetOptions {
  int64_t batch = 1;
  // Height and width of the image, each at least 1.
  int64_t height = 224;
  int64_t width = 224;
  int64_t classes = 1000;
  // Number of channels of the first stage. Each later stage has twice the
  // number of the stage before it.
  int64_t channels = 64;
  // Number of blocks of each stage.
  std::vector<int64_t> blocks = {2, 2, 2, 2};
  // If true, the network consists of bottleneck blocks, whose output has four
  // times the number of channels of the stage.
  bool bottlenecks = false;
  uint64_t seed = 0;
  ExportStyle style;
};

ResNetOptions ResNet34Options();
ResNetOptions ResNet50Options();

// Returns the options of a small network for tests. It has images of 32 x 32,
// three stages of one block each with 8, 16 and 32 channels, and 10 classes.
ResNetOptions TinyResNetOptions();

// Returns the model. It has one input `data` [batch,3,height,width] and one
// output `logits` [batch,classes], both float32. CHECK-fails if an option is
// out of range.
onnx::ModelProto BuildResNet(const ResNetOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_RESNET_H_
