// ResNet (He, Zhang, Ren and Sun, "Deep residual learning for image
// recognition", 2015) as an ONNX model with random weights (layers.h).
//
// The defaults are ResNet-18 with the structure of torchvision's resnet18:
// 7x7/2 convolution, 3x3/2 max pooling, four stages of two basic blocks, the
// first block of stages 2 to 4 with stride 2 and a 1x1/2 convolution on the
// shortcut, global average pooling, a classifier with bias. Convolutions have
// no bias and are followed by BatchNormalization. 11,689,512 parameters and
// 1.814e9 multiply-adds at 224 x 224. ResNet-34 has more blocks (21,797,672 and
// 3.664e9), ResNet-50 has bottlenecks of 1x1, 3x3 and 1x1 convolutions with the
// stride in the 3x3, as in torchvision (25,557,032 and 4.089e9).
//
// All styles of a network compute the same function, up to the rounding of
// folded weights.
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
  // Extents of the image, at least 1.
  int64_t height = 224;
  int64_t width = 224;
  int64_t classes = 1000;
  // Channels of the first stage; each later stage has twice as many.
  int64_t channels = 64;
  // Number of blocks of each stage.
  std::vector<int64_t> blocks = {2, 2, 2, 2};
  // Bottleneck blocks, with four times the channels of their stage as output.
  bool bottlenecks = false;
  uint64_t seed = 0;
  ExportStyle style;
};

ResNetOptions ResNet34Options();
ResNetOptions ResNet50Options();

// A small network for tests: 32 x 32 images, three stages of one block each
// with 8, 16 and 32 channels, 10 classes.
ResNetOptions TinyResNetOptions();

// The model has one input `data` [batch,3,height,width] and one output `logits`
// [batch,classes], both float32. CHECK-fails for options that are out of range.
onnx::ModelProto BuildResNet(const ResNetOptions& options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_RESNET_H_
