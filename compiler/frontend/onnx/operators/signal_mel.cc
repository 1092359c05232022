// MelWeightMatrix: the weights with which a spectrum of evenly spaced
// frequencies is summed to bands that are evenly spaced on the mel scale,
// mel(f) = 2595 * log10(1 + f / 700). All operands are known, so the matrix is
// a constant.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

// The operands of MelWeightMatrix.
struct MelBands {
  int64_t count = 0;       // number of bands
  int64_t dft_length = 0;  // of the transform that computes the spectrum
  int64_t sample_rate = 0;
  double lowest = 0, highest = 0;  // frequencies in hertz

  int64_t rows() const { return dft_length / 2 + 1; }
  // Returns count + 2 rows of the spectrum: band i rises from row i to row
  // i + 1 of the list, its centre, and falls to row i + 2. The distance of two
  // neighbours is the interval of the mel scale divided by count + 2, the
  // number of limits, as in the test case of ONNX.
  std::vector<int64_t> Limits() const;
};

double Mel(double frequency) { return 2595 * std::log10(1 + frequency / 700); }

std::vector<int64_t> MelBands::Limits() const {
  const double step =
      (Mel(highest) - Mel(lowest)) / static_cast<double>(count + 2);
  const double rows_per_hertz =
      (static_cast<double>(dft_length) + 1) / static_cast<double>(sample_rate);
  std::vector<int64_t> limits;
  for (int64_t i = 0; i < count + 2; ++i) {
    const double mel = Mel(lowest) + static_cast<double>(i) * step;
    const double frequency = 700 * (std::pow(10, mel / 2595) - 1);
    // Rounding must not give a row outside the spectrum.
    const auto row =
        static_cast<int64_t>(std::floor(frequency * rows_per_hertz));
    limits.push_back(std::clamp<int64_t>(row, 0, rows() - 1));
  }
  return limits;
}

absl::StatusOr<int64_t> ReadCount(const OpImport& op, int i,
                                  absl::string_view name) {
  const std::string what = absl::StrCat("input ", i, " (", name, ")");
  ASSAY_ASSIGN_OR_RETURN(const int64_t value,
                         KnownInteger(op, op.Input(i), what));
  if (value >= 1) return value;
  return Malformed(what, " is ", value, " but 1 or more is needed");
}

absl::StatusOr<double> ReadFrequency(const OpImport& op, int i,
                                     absl::string_view name) {
  const NDArray* array = op.KnownInput(i);
  if (array == nullptr) {
    return Unsupported("input ", i, " (", name,
                       ") is computed when the model runs; only constants are "
                       "supported");
  }
  if (array->num_elements() != 1 || !array->dtype().is_float()) {
    return Malformed("input ", i, " (", name, ") is ",
                     op.InputType(i).ToString(), " but one float is needed");
  }
  return LoadFloat(*array, 0);
}

absl::StatusOr<MelBands> ReadBands(const OpImport& op) {
  MelBands bands;
  ASSAY_ASSIGN_OR_RETURN(bands.count, ReadCount(op, 0, "num_mel_bins"));
  ASSAY_ASSIGN_OR_RETURN(bands.dft_length, ReadCount(op, 1, "dft_length"));
  ASSAY_ASSIGN_OR_RETURN(bands.sample_rate, ReadCount(op, 2, "sample_rate"));
  ASSAY_ASSIGN_OR_RETURN(bands.lowest,
                         ReadFrequency(op, 3, "lower_edge_hertz"));
  ASSAY_ASSIGN_OR_RETURN(bands.highest,
                         ReadFrequency(op, 4, "upper_edge_hertz"));
  const double nyquist = static_cast<double>(bands.sample_rate) / 2;
  if (bands.lowest >= 0 && bands.lowest < bands.highest &&
      bands.highest <= nyquist) {
    return bands;
  }
  return Malformed("the frequencies from ", bands.lowest, " to ", bands.highest,
                   " do not lie between 0 and ", nyquist,
                   ", half of the sample rate");
}

absl::Status ImportMelWeightMatrix(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const MelBands bands, ReadBands(op));
  ASSAY_ASSIGN_OR_RETURN(const int64_t code,
                         op.attributes().Int("output_datatype", 1));
  graph::TensorType type;
  ASSAY_ASSIGN_OR_RETURN(type.dtype,
                         ElementType(code, "attribute `output_datatype`"));
  if (!type.dtype.is_float()) {
    return Unsupported("weights of ", type.dtype.ToString(),
                       " are not supported; floats are");
  }
  type.shape = {bands.rows(), bands.count};
  ASSAY_RETURN_IF_ERROR(CheckSize(type, op.max_bytes()));
  NDArray weights(type.dtype, type.shape);
  const std::vector<int64_t> limits = bands.Limits();
  for (int64_t band = 0; band < bands.count; ++band) {
    const auto at = static_cast<size_t>(band);
    const int64_t low = limits[at], centre = limits[at + 1],
                  high = limits[at + 2];
    for (int64_t row = low; row < high || row == centre; ++row) {
      const bool rises = row <= centre;
      const int64_t width = rises ? centre - low : high - centre;
      const int64_t part = rises ? row - low : high - row;
      const double weight =
          width == 0 ? 1
                     : static_cast<double>(part) / static_cast<double>(width);
      StoreFloat(weights, row * bands.count + band, weight);
    }
  }
  return op.SetResult(op.AddConstant(std::move(weights)));
}

constexpr OperatorRow kOperators[] = {
    {"MelWeightMatrix", 17, 17, 5, 5, 1, ImportMelWeightMatrix},
};

}  // namespace

absl::Span<const OperatorRow> SignalMelOperators() { return kOperators; }

}  // namespace assay::frontend
