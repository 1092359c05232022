// LayerBuilder: builds the layers of the suites' models with random weights.
//
// The weights depend only on the architecture, the seed and the names of the
// tensors. They have the same bytes on every machine. Filters are initialized
// as in He et al., "Delving deep into rectifiers", 2015.
//
// The normalization (BatchNormalization or bias) after a filter is similar to
// the normalization in a trained network: it transforms the result of the
// filter to a mean near zero and a given standard deviation. For this purpose,
// LayerBuilder estimates the mean and the variance of every channel after each
// layer (Feature). The estimates assume that values are normally distributed
// and independent.
//
// With this normalization, activations neither vanish nor explode in deep
// networks. The last feature maps vary with the position, as in a trained
// network, so detectors find objects at some positions only.
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

// The options of the models in the catalog (catalog.h).
struct CatalogOptions {
  int64_t batch = 1;  // at least 1
  // Height and width of the image; 0 selects the default of the model.
  int64_t size = 0;
  // Width multiplier: factor for the number of channels of every layer, rounded
  // by ScaledChannels(). Must be positive.
  double multiplier = 1.0;
  uint64_t seed = 0;
  ExportStyle style;
};

// A value [N, C, H, W] with the estimated mean and variance of each channel.
struct Feature {
  std::string value;  // its name
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
  // Number of output channels. For a depthwise convolution, it must be equal to
  // the number of input channels.
  int64_t out = 0;
  Window window;
  // True if each channel is convolved separately with its own filter.
  bool depthwise = false;
  // Approximate standard deviation of the normalized result.
  double spread = 1.0;
};

class LayerBuilder {
 public:
  LayerBuilder(absl::string_view graph_name, ExportStyle style, uint64_t seed)
      : onnx_(graph_name, std::move(style)), seed_(seed) {}

  OnnxBuilder& onnx() { return onnx_; }

  // Adds an input [N, C, H, W]. The estimates assume that its elements are
  // uniformly distributed in [-1, 1].
  Feature Image(absl::string_view name, const Shape& shape);

  // Adds a Conv without bias and a BatchNormalization. If
  // ExportStyle::fold_batch_norm is set, adds a Conv with bias instead, into
  // which the BatchNormalization is folded.
  Feature ConvNorm(const ConvLayer& layer, const Feature& x);
  // Adds a Conv with bias. Ignores `layer.norm`. If `shift` is not empty, it
  // must have one value per channel, which is added to the bias.
  Feature ConvBias(const ConvLayer& layer, const Feature& x,
                   absl::Span<const double> shift = {});
  // Adds an activation. Returns `x` for Activation::kNone.
  Feature Activate(absl::string_view name, Activation activation,
                   const Feature& x);
  // Adds the nodes of ConvNorm() and Activate(). The name of the activation is
  // derived from `layer.norm`.
  Feature ConvNormActivate(const ConvLayer& layer, Activation activation,
                           const Feature& x);
  Feature Add(absl::string_view name, const Feature& a, const Feature& b);
  Feature MaxPool(absl::string_view name, const Feature& x, Window window);

  // Adds a global average pooling `pool`, OnnxBuilder::Flatten() with the name
  // `flatten`, and a dense layer `name` with bias. Returns the name of the
  // result [N, classes], whose values are of the order of 1.
  std::string Classifier(absl::string_view pool, absl::string_view flatten,
                         absl::string_view name, const Feature& x,
                         int64_t classes);

  // Returns random values that are uniformly distributed in [low, high]. They
  // depend only on the seed of this builder and on the arguments.
  NDArray Uniform(absl::string_view name, int64_t count, double low,
                  double high) const;
  // Returns random values that are normally distributed with mean 0 and
  // standard deviation `deviation`. They depend only on the seed of this
  // builder and on the arguments.
  NDArray Normal(absl::string_view name, const Shape& shape,
                 double deviation) const;

 private:
  OnnxBuilder onnx_;
  const uint64_t seed_;
};

// Returns `channels * width`, rounded to the nearest multiple of 8, but at
// least 8, as in MobileNet.
int64_t ScaledChannels(int64_t channels, double width);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_LAYERS_H_
