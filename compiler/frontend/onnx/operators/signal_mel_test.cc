// MelWeightMatrix, compared with the test case of ONNX and with triangles.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "compiler/frontend/onnx/testing/run_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

template <typename T>
NDArray Scalar(T value) {
  return NDArray::FromVector<T>({}, {value});
}

OneNode Mel(int64_t bands, int64_t dft_length, int64_t sample_rate,
            float lowest, float highest) {
  return OneNode("MelWeightMatrix", 17)
      .Constant(Scalar(bands))
      .Constant(Scalar(dft_length))
      .Constant(Scalar(sample_rate))
      .Constant(Scalar(lowest))
      .Constant(Scalar(highest));
}

TEST(MelWeightMatrixTest, NarrowBands) {
  const auto weights = RunNode(Mel(8, 16, 8192, 0, 4096), {});
  ASSERT_EQ(weights.size(), 1u);
  ASSERT_EQ(weights[0].shape(), (Shape{9, 8}));
  // The row of the spectrum on which each band is centred.
  const int64_t centres[] = {0, 0, 1, 1, 2, 3, 4, 5};
  for (int64_t row = 0; row < 9; ++row) {
    for (int64_t band = 0; band < 8; ++band) {
      EXPECT_EQ(weights[0].data<float>()[row * 8 + band],
                row == centres[band] ? 1 : 0)
          << row << " " << band;
    }
  }
}

TEST(MelWeightMatrixTest, WideBandsAreTriangles) {
  constexpr int64_t kBands = 3, kLength = 512, kRate = 16000;
  constexpr int64_t kRows = kLength / 2 + 1;
  constexpr float kLowest = 100, kHighest = 7000;
  const auto weights =
      RunNode(Mel(kBands, kLength, kRate, kLowest, kHighest), {});
  ASSERT_EQ(weights.size(), 1u);
  ASSERT_EQ(weights[0].shape(), (Shape{kRows, kBands}));
  const auto mel = [](double f) { return 2595 * std::log10(1 + f / 700); };
  std::vector<double> limits;
  for (int64_t i = 0; i < kBands + 2; ++i) {
    const double at = mel(kLowest) + static_cast<double>(i) *
                                         (mel(kHighest) - mel(kLowest)) /
                                         static_cast<double>(kBands + 2);
    const double frequency = 700 * (std::pow(10, at / 2595) - 1);
    limits.push_back(std::floor(frequency * (kLength + 1) / kRate));
  }
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t band = 0; band < kBands; ++band) {
      const double low = limits[static_cast<size_t>(band)];
      const double centre = limits[static_cast<size_t>(band) + 1];
      const double high = limits[static_cast<size_t>(band) + 2];
      const auto at = static_cast<double>(row);
      const double expected = std::max(
          0.0,
          std::min((at - low) / (centre - low), (high - at) / (high - centre)));
      EXPECT_NEAR(weights[0].data<float>()[row * kBands + band], expected, 1e-6)
          << row << " " << band;
    }
  }
}

TEST(MelWeightMatrixTest, Errors) {
  EXPECT_EQ(Mel(8, 16, 8192, 0, 5000).Text(),
            "error: node `n` (MelWeightMatrix): the frequencies from 0 to 5000 "
            "do not lie between 0 and 4096, half of the sample rate");
  EXPECT_EQ(Mel(0, 16, 8192, 0, 4000).Text(),
            "error: node `n` (MelWeightMatrix): input 0 (num_mel_bins) is 0 "
            "but 1 or more is needed");
  EXPECT_EQ(OneNode("MelWeightMatrix", 17)
                .Constant(Scalar<int64_t>(8))
                .Constant(Scalar<int64_t>(16))
                .Constant(Scalar<int64_t>(8192))
                .Constant(Scalar(0.0f))
                .Data({})
                .Text(),
            "error: node `n` (MelWeightMatrix): input 4 (upper_edge_hertz) is "
            "computed when the model runs; only constants are supported");
}

}  // namespace
}  // namespace assay::frontend
