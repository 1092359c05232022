// LayerBuilder: the layers that the suites' models are made of, with made-up
// weights.
//
// Weights are seeded, belong to a tensor by its name, and are the same bytes
// on every machine. Filters are drawn as He et al. initialise them ("Delving
// deep into rectifiers", 2015). What follows a filter, BatchNormalization or a
// bias, is what training would have made it: it takes the filter's result to a
// mean near zero and a known deviation. The mean and the variance of every
// channel are therefore estimated from layer to layer (Feature), as if values
// were normal and independent. With that activations neither vanish nor
// explode in networks of any depth, and, since what is common to all positions
// is taken away in every layer, the last maps still differ from position to
// position, as those of a trained network do: detectors find something here
// and nothing there.
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

// A value [N, C, H, W] and an estimate of its elements, channel by channel.
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
  int64_t out = 0;   // channels; as many as come in where it is depthwise
  Window window;
  // One filter per channel, which sees this channel only.
  bool depthwise = false;
  // Standard deviation of the result.
  double spread = 1.0;
};

class LayerBuilder {
 public:
  LayerBuilder(absl::string_view graph_name, ExportStyle style, uint64_t seed)
      : onnx_(graph_name, std::move(style)), seed_(seed) {}

  OnnxBuilder& onnx() { return onnx_; }

  // An input uniform in [-1, 1].
  Feature Image(absl::string_view name, const Shape& shape);

  // Conv without bias, then BatchNormalization; folded if the style says
  // so.
  Feature ConvNorm(const ConvLayer& layer, const Feature& x);
  // Conv with bias; `layer.norm` is not read. `shift` is added to the bias,
  // channel by channel, where it is given.
  Feature ConvBias(const ConvLayer& layer, const Feature& x,
                   absl::Span<const double> shift = {});
  Feature Activate(absl::string_view name, Activation activation,
                   const Feature& x);
  // ConvNorm and Activate, the latter named after the former.
  Feature ConvNormActivate(const ConvLayer& layer, Activation activation,
                           const Feature& x);
  Feature Add(absl::string_view name, const Feature& a, const Feature& b);
  Feature MaxPool(absl::string_view name, const Feature& x, Window window);

  // Global average pooling and a dense layer `name` with bias: [N, classes],
  // of the order of one.
  std::string Classifier(absl::string_view pool, absl::string_view flatten,
                         absl::string_view name, const Feature& x,
                         int64_t classes);

  // Values of their own stream, which depends on the seed and the name.
  NDArray Uniform(absl::string_view name, int64_t count, double low,
                  double high) const;
  NDArray Normal(absl::string_view name, const Shape& shape,
                 double deviation) const;

 private:
  OnnxBuilder onnx_;
  const uint64_t seed_;
};

// `channels` times `width`, to the nearest multiple of 8 and at least 8, as
// MobileNet has it.
int64_t ScaledChannels(int64_t channels, double width);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_LAYERS_H_
