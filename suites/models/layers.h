// LayerBuilder: builds the layers of the suites' models with random weights.
//
// The weights depend only on the seed and the tensor's name, and have the same
// bytes on every machine. Filters use the initialization of He et al. ("Delving
// deep into rectifiers", 2015). The BatchNormalization or bias after a filter
// resembles a trained one: it normalizes the filter's result to a mean near
// zero and a given standard deviation. For this purpose the mean and variance
// of every channel are propagated through the layers (Feature), under the
// assumption that values are normal and independent. Hence activations neither
// vanish nor explode at any depth. Since every layer removes the component that
// is common to all positions, the last feature maps still vary with the
// position, as in a trained network, and detectors find objects at some
// positions only.
//
//   LayerBuilder layers("net", style, /*seed=*/0);
//   Feature x = layers.Image("data", {1, 3, 224, 224});
//   x = layers.ConvNorm({"conv1", "bn1", /*out=*/64, {7, 2, 3}}, x);
//   x = layers.Activate("relu1", Activation::kRelu, x);
//   layers.onnx().Output("features", x.value, {1, 64, 112, 112});
//   onnx::ModelProto model = layers.onnx().Build();
#ifndef ASSAY_SUITES_MODELS_LAYERS_H_
#define ASSAY_SUITES_MODELS_LAYERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {

// A value [N, C, H, W] with the estimated mean and variance of each channel.
struct Feature {
  std::string value;
  int64_t height = 0;
  int64_t width = 0;
  std::vector<double> mean;
  std::vector<double> variance;

  int64_t channels() const { return static_cast<int64_t>(mean.size()); }
};

enum class Activation { kNone, kRelu, kRelu6 };

struct ConvLayer {
  std::string conv;  // name of the convolution
  std::string norm;  // name of its BatchNormalization
  int64_t out = 0;   // output channels; if depthwise, those of the input
  Window window;
  // One filter per channel, applied to this channel only.
  bool depthwise = false;
  // Standard deviation of the result.
  double spread = 1.0;
};

class LayerBuilder {
 public:
  LayerBuilder(absl::string_view graph_name, ExportStyle style, uint64_t seed)
      : onnx_(graph_name, std::move(style)), seed_(seed) {}

  OnnxBuilder& onnx() { return onnx_; }

  // Adds an input whose elements are assumed uniform in [-1, 1].
  Feature Image(absl::string_view name, const Shape& shape);

  // Conv without bias, then BatchNormalization, which is folded if the style
  // has fold_batch_norm.
  Feature ConvNorm(const ConvLayer& layer, const Feature& x);
  // Conv with bias; ignores `layer.norm`. `shift`, if not empty, has one value
  // per channel, which is added to the bias.
  Feature ConvBias(const ConvLayer& layer, const Feature& x,
                   absl::Span<const double> shift = {});
  Feature Activate(absl::string_view name, Activation activation,
                   const Feature& x);
  // ConvNorm, then Activate with a name derived from `layer.norm`.
  Feature ConvNormActivate(const ConvLayer& layer, Activation activation,
                           const Feature& x);
  Feature Add(absl::string_view name, const Feature& a, const Feature& b);
  Feature MaxPool(absl::string_view name, const Feature& x, Window window);

  // Global average pooling and a dense layer `name` with bias. The result
  // [N, classes] has values of order one.
  std::string Classifier(absl::string_view pool, absl::string_view flatten,
                         absl::string_view name, const Feature& x,
                         int64_t classes);

  // Random values from a stream that depends on the seed and the name.
  NDArray Uniform(absl::string_view name, int64_t count, double low,
                  double high) const;
  NDArray Normal(absl::string_view name, const Shape& shape,
                 double deviation) const;

 private:
  OnnxBuilder onnx_;
  const uint64_t seed_;
};

// Returns `channels` times `width`, rounded to the nearest multiple of 8, at
// least 8, as in MobileNet.
int64_t ScaledChannels(int64_t channels, double width);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_LAYERS_H_
