// RoundingSensitivity: says how much the rounding of float arithmetic alone
// changes the outputs of a model for some inputs.
//
// Some models amplify rounding errors for some inputs, for example by the
// difference of two nearly equal sums. Their correct outputs are then known
// with less precision than CheckOutputs() demands by default. The interpreter
// is therefore run again with noise: every sum, every approximated function and
// every product that is added is moved at random by the usual error of its
// float arithmetic (Monte Carlo arithmetic,
// compiler/graph/reference/rounding_noise.h). The outputs then change about as
// much as if the same operations were done in another order. These changes
// widen the tolerance of the outputs (tolerance.h). The program under test has
// no influence on them.
//
// Other models make decisions that rounding can change. Their outputs are
// compared with those of all runs, as near_ties.h describes. If a decision
// changes in a run, rows of the outputs (row_matching.h) move, and the
// differences of elements do not say how precisely their values are known. Rows
// count as moved if, in an output with rows, the shape or an integer changes,
// or a float changes by more than kMaxNoise times its bound. In such a run, the
// noise of outputs with rows is therefore the change between matched rows: each
// row of the outputs without noise is matched with the nearest row of the run
// that has the same integers and whose floats differ by at most kMaxNoise times
// their bounds (NearestPlaces()). Rows without a match say nothing, because a
// decision removed or added them.
//
// A match can be wrong: if the partner of a row is missing, a similar row may
// be taken for it. Two rules keep such a match from hiding wrong rows:
//   - The noise of an output in a run is not the largest change of a row, but
//     the change that kMatchedShare of the matched rows do not exceed. A few
//     wrong matches do not affect it, and the factor kNoiseFactor of the bound
//     leaves room for the rows with larger changes. The change of a row is that
//     of the float that changes most. Rows without any change do not count:
//     they are often padding, which may be most of an output.
//   - Matched rows widen the bound of an output to at most kMaxNoise times the
//     default, that is, to 0.1 % of the largest element for float32. Rows that
//     change more are not matched, so matched rows are no evidence of larger
//     changes. Without this limit, kNoiseFactor (tolerance.h) would widen
//     the bound to 80 times the default. A row that differs from every row of
//     the interpreter's outputs by more than kMaxNoise times the default is
//     wrong, regardless of the changes of matched rows. Integers must be equal
//     in any case.
// Runs in which no row moves are not limited in this way: they compare elements
// at the same place, which belong together without a search for partners.
//
// Only as many runs are made as callers ask for, and each is made once.
// Thread-safe; a second thread waits for the runs.
#ifndef ASSAY_SUITES_CORRECTNESS_ROUNDING_SENSITIVITY_H_
#define ASSAY_SUITES_CORRECTNESS_ROUNDING_SENSITIVITY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "compiler/graph/graph.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/rounding.h"
#include "suites/correctness/row_matching.h"
#include "suites/correctness/tolerance.h"

namespace assay::suites {

// Number of runs with noise that widen bounds.
constexpr size_t kNoiseRuns = 3;
// Maximum number of runs with noise for near ties. A program can differ in
// several near ties. A run decides a tie in the other way with a probability of
// about one half if the compared numbers are almost equal, and one quarter if
// they differ by the usual rounding error.
constexpr size_t kMaxNoiseRuns = 12;
// Rows whose floats change by at most this number of tolerances can be matched.
// Matched rows widen bounds at most by this factor.
constexpr double kMaxNoise = 10;
// Share of the matched and changed rows whose change is at most the noise of a
// run.
constexpr double kMatchedShare = 0.9;

class RoundingSensitivity {
 public:
  // Returns the outputs of the interpreter for the inputs, without noise if
  // `seed` is 0, otherwise with the noise of this seed.
  using Interpret =
      std::function<absl::StatusOr<runtime::NamedTensors>(uint64_t seed)>;

  // `graph` is the graph that `interpret` interprets.
  RoundingSensitivity(const graph::Graph& graph, Interpret interpret)
      : row_axes_(FindRowAxes(graph)), interpret_(std::move(interpret)) {}

  const RowAxes& row_axes() const { return row_axes_; }

  // Returns the outputs of the interpreter without noise, followed by those of
  // `runs` runs with noise. Returns the errors of `interpret`.
  absl::StatusOr<std::vector<runtime::NamedTensors>> Answers(size_t runs);

  // Returns the noise of each data output in kNoiseRuns runs. If rows move,
  // each change is that of matched rows. The noise is empty for an output that
  // is of an integer type other than int8 and uint8.
  absl::StatusOr<std::vector<OutputNoise>> Measure();

 private:
  const RowAxes row_axes_;
  const Interpret interpret_;
  absl::Mutex mutex_;
  std::vector<runtime::NamedTensors> answers_;  // of all runs so far
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ROUNDING_SENSITIVITY_H_
