#include "suites/models/layers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

constexpr float kEpsilon = 1e-5f;

// The weights of a convolution and the estimated moments of its result.
struct Filtered {
  NDArray weight;
  std::vector<double> mean;
  std::vector<double> variance;
};

// Draws the weights as He et al. do. Computes in double, so that the values
// rounded to float32 in the end do not depend on whether the machine contracts
// multiply-adds.
Filtered Filter(const LayerBuilder& layers, const ConvLayer& layer,
                const Feature& x) {
  const int64_t k = layer.window.kernel, area = k * k;
  const int64_t inputs = layer.depthwise ? 1 : x.channels();
  const auto fan_in = static_cast<double>(inputs * area);
  Filtered result{
      layers.Normal(absl::StrCat(layer.conv, ".weight"),
                    {layer.out, inputs, k, k}, std::sqrt(2.0 / fan_in)),
      {},
      {}};
  const auto values = result.weight.data<float>();
  for (int64_t o = 0; o < layer.out; ++o) {
    double mean = 0;
    double variance = 0;
    for (int64_t i = 0; i < inputs; ++i) {
      const int64_t channel = layer.depthwise ? o : i;
      for (int64_t p = 0; p < area; ++p) {
        const double w = values[(o * inputs + i) * area + p];
        mean += w * x.mean[channel];
        variance += w * w * x.variance[channel];
      }
    }
    result.mean.push_back(mean);
    result.variance.push_back(variance);
  }
  return result;
}

// The parameters of a BatchNormalization, one value per channel.
struct Norm {
  NDArray scale, bias, mean, variance;

  double Factor(int64_t c) const {
    const double v = variance.data<float>()[c];
    return scale.data<float>()[c] /
           std::sqrt(v + static_cast<double>(kEpsilon));
  }
  // Bias of the convolution after folding.
  double Shift(int64_t c) const {
    return bias.data<float>()[c] - mean.data<float>()[c] * Factor(c);
  }
};

std::pair<NDArray, NDArray> Fold(const NDArray& weight, const Norm& norm) {
  NDArray folded(DType::Float32(), weight.shape());
  NDArray bias(DType::Float32(), norm.bias.shape());
  const int64_t channels = bias.num_elements();
  const int64_t per_channel = weight.num_elements() / channels;
  for (int64_t c = 0; c < channels; ++c) {
    const double factor = norm.Factor(c);
    for (int64_t i = c * per_channel; i < (c + 1) * per_channel; ++i) {
      folded.data<float>()[i] =
          static_cast<float>(weight.data<float>()[i] * factor);
    }
    bias.data<float>()[c] = static_cast<float>(norm.Shift(c));
  }
  return {folded, bias};
}

// Deviates at random from the estimated moments, as training does.
Norm MakeNorm(const LayerBuilder& layers, absl::string_view name,
              const Filtered& filtered, double spread) {
  const auto draw = [&](absl::string_view part, double low, double high) {
    return layers.Uniform(absl::StrCat(name, ".", part),
                          static_cast<int64_t>(filtered.mean.size()), low,
                          high);
  };
  Norm norm;
  norm.scale = draw("weight", 0.7 * spread, 1.3 * spread);
  norm.bias = draw("bias", -0.2 * spread, 0.2 * spread);
  norm.mean = draw("running_mean", -0.1, 0.1);
  norm.variance = draw("running_var", 0.8, 1.25);
  for (size_t c = 0; c < filtered.mean.size(); ++c) {
    const double variance = filtered.variance[c];
    float& mean = norm.mean.data<float>()[c];
    mean = static_cast<float>(filtered.mean[c] + mean * std::sqrt(variance));
    float& learned = norm.variance.data<float>()[c];
    learned = static_cast<float>(learned * variance);
  }
  return norm;
}

Feature WithMoments(const Feature& x, const ConvLayer& layer,
                    const Filtered& filtered, const Norm& norm) {
  Feature y;
  y.height = OutputExtent(layer.window, x.height);
  y.width = OutputExtent(layer.window, x.width);
  for (int64_t c = 0; c < layer.out; ++c) {
    const double factor = norm.Factor(c);
    y.mean.push_back(filtered.mean[c] * factor + norm.Shift(c));
    y.variance.push_back(filtered.variance[c] * factor * factor);
  }
  return y;
}

}  // namespace

NDArray LayerBuilder::Uniform(absl::string_view name, int64_t count, double low,
                              double high) const {
  NDArray array(DType::Float32(), {count});
  Rng(SeedFor(seed_, name))
      .FillUniform(array, static_cast<float>(low), static_cast<float>(high));
  return array;
}

NDArray LayerBuilder::Normal(absl::string_view name, const Shape& shape,
                             double deviation) const {
  NDArray array(DType::Float32(), shape);
  Rng(SeedFor(seed_, name))
      .FillNormal(array, 0.0f, static_cast<float>(deviation));
  return array;
}

Feature LayerBuilder::Image(absl::string_view name, const Shape& shape) {
  CHECK_EQ(shape.size(), 4u);
  Feature x;
  x.value = onnx_.Input(name, shape);
  x.height = shape[2];
  x.width = shape[3];
  x.mean.assign(shape[1], 0.0);
  x.variance.assign(shape[1], 1.0 / 3);
  return x;
}

Feature LayerBuilder::ConvNorm(const ConvLayer& layer, const Feature& x) {
  if (layer.depthwise) CHECK_EQ(layer.out, x.channels());
  const Filtered filtered = Filter(*this, layer, x);
  const Norm norm = MakeNorm(*this, layer.norm, filtered, layer.spread);
  Feature y = WithMoments(x, layer, filtered, norm);
  const int64_t groups = layer.depthwise ? layer.out : 1;
  const std::string weight_name = absl::StrCat(layer.conv, ".weight");
  if (onnx_.style().fold_batch_norm) {
    auto [folded, bias] = Fold(filtered.weight, norm);
    const std::string w = onnx_.Weight(weight_name, folded);
    const std::string b = onnx_.Weight(absl::StrCat(layer.conv, ".bias"), bias);
    y.value = onnx_.Conv(layer.conv, x.value, w, b, layer.window, groups);
    return y;
  }
  const std::string w = onnx_.Weight(weight_name, filtered.weight);
  const std::string conv =
      onnx_.Conv(layer.conv, x.value, w, "", layer.window, groups);
  const auto parameter = [&](absl::string_view part, const NDArray& value) {
    return onnx_.Weight(absl::StrCat(layer.norm, ".", part), value);
  };
  const std::string scale = parameter("weight", norm.scale);
  const std::string bias = parameter("bias", norm.bias);
  const std::string mean = parameter("running_mean", norm.mean);
  const std::string variance = parameter("running_var", norm.variance);
  y.value =
      onnx_.BatchNorm(layer.norm, conv, scale, bias, mean, variance, kEpsilon);
  return y;
}

Feature LayerBuilder::ConvBias(const ConvLayer& layer, const Feature& x,
                               absl::Span<const double> shift) {
  // The filter includes a folded normalization.
  const Filtered filtered = Filter(*this, layer, x);
  Norm norm = MakeNorm(*this, layer.conv, filtered, layer.spread);
  for (size_t c = 0; c < shift.size(); ++c) {
    norm.bias.data<float>()[c] += static_cast<float>(shift[c]);
  }
  Feature y = WithMoments(x, layer, filtered, norm);
  auto [folded, bias] = Fold(filtered.weight, norm);
  const std::string w =
      onnx_.Weight(absl::StrCat(layer.conv, ".weight"), folded);
  const std::string b = onnx_.Weight(absl::StrCat(layer.conv, ".bias"), bias);
  y.value = onnx_.Conv(layer.conv, x.value, w, b, layer.window,
                       layer.depthwise ? layer.out : 1);
  return y;
}

Feature LayerBuilder::Activate(absl::string_view name, Activation activation,
                               const Feature& x) {
  if (activation == Activation::kNone) return x;
  Feature y = x;
  y.value = activation == Activation::kRelu
                ? onnx_.Relu(name, x.value)
                : onnx_.Clip(name, x.value, 0.0f, 6.0f);
  // Approximate moments of max(x, 0) for normal x. Values and slopes are exact
  // at mean zero, values also far from it. Clipping at 6 is neglected.
  constexpr double kTwoByPi = 0.6366197723675814;
  for (int64_t c = 0; c < x.channels(); ++c) {
    const double m = x.mean[c];
    const double v = x.variance[c];
    const double mean = (m + std::sqrt(m * m + kTwoByPi * v)) / 2;
    const double square =
        (m * m + v) / 2 + m / 2 * std::sqrt(m * m + 4 * kTwoByPi * v);
    y.mean[c] = mean;
    y.variance[c] = std::max(square - mean * mean, 0.05 * v);
  }
  return y;
}

Feature LayerBuilder::ConvNormActivate(const ConvLayer& layer,
                                       Activation activation,
                                       const Feature& x) {
  return Activate(absl::StrCat(layer.norm, "_activation"), activation,
                  ConvNorm(layer, x));
}

Feature LayerBuilder::Add(absl::string_view name, const Feature& a,
                          const Feature& b) {
  CHECK_EQ(a.channels(), b.channels());
  Feature sum = a;
  sum.value = onnx_.Add(name, a.value, b.value);
  for (int64_t c = 0; c < a.channels(); ++c) {
    sum.mean[c] += b.mean[c];
    sum.variance[c] += b.variance[c];
  }
  return sum;
}

Feature LayerBuilder::MaxPool(absl::string_view name, const Feature& x,
                              Window window) {
  Feature y = x;
  y.value = onnx_.MaxPool(name, x.value, window);
  y.height = OutputExtent(window, x.height);
  y.width = OutputExtent(window, x.width);
  // The maximum of four or nine correlated, rectified values.
  const double rise = window.kernel > 2 ? 1.7 : 1.0;
  for (int64_t c = 0; c < x.channels(); ++c) {
    y.mean[c] += rise * std::sqrt(x.variance[c]);
    y.variance[c] *= 1.4;
  }
  return y;
}

std::string LayerBuilder::Classifier(absl::string_view pool,
                                     absl::string_view flatten,
                                     absl::string_view name, const Feature& x,
                                     int64_t classes) {
  // The average over a map is close to the channel's mean.
  double square = 0;
  for (const double mean : x.mean) square += mean * mean;
  const NDArray weight = Normal(absl::StrCat(name, ".weight"),
                                {classes, x.channels()}, 1 / std::sqrt(square));
  const NDArray bias = Uniform(absl::StrCat(name, ".bias"), classes, -0.1, 0.1);
  const std::string pooled = onnx_.GlobalAveragePool(pool, x.value);
  const std::string rows = onnx_.Flatten(flatten, pooled);
  const std::string w = onnx_.Weight(absl::StrCat(name, ".weight"), weight);
  const std::string b = onnx_.Weight(absl::StrCat(name, ".bias"), bias);
  return onnx_.Dense(name, rows, w, b);
}

int64_t ScaledChannels(int64_t channels, double width) {
  const double scaled = static_cast<double>(channels) * width;
  return std::max<int64_t>(8, static_cast<int64_t>(scaled / 8 + 0.5) * 8);
}

}  // namespace assay::suites
