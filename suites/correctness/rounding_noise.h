// RoundingNoise: says how much the rounding of float arithmetic alone changes
// the outputs of a model for some inputs, and compares outputs accordingly.
//
// Some models amplify rounding errors for some inputs, for example by the
// difference of two nearly equal sums. Their correct outputs are then known
// with less precision than CheckOutputs() demands by default. The interpreter
// is therefore run again with every result of an operator moved at random by
// the usual error of its float arithmetic (Monte Carlo arithmetic). The change
// of the outputs is of the size that another order of the same operations has.
// It widens the bounds of the outputs (CheckRule::noise).
//
// Other models make decisions that rounding can change. Their outputs are
// compared with those of all runs, as near_ties.h describes. If a decision
// changes in a run, rows of the outputs move, and the differences of elements
// do not say how precisely their values are known. A run therefore does not
// widen the bounds of outputs with rows if, in one of these outputs, an integer
// changes or a float changes by more than kMaxNoise times its bound.
//
// Nothing is run before outputs disagree with an answer, and only as many runs
// are made as are necessary.
#ifndef ASSAY_SUITES_CORRECTNESS_ROUNDING_NOISE_H_
#define ASSAY_SUITES_CORRECTNESS_ROUNDING_NOISE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/near_ties.h"

namespace assay::suites {

// Number of runs with noise that widen bounds.
constexpr size_t kNoiseRuns = 3;
// Maximum number of runs with noise for near ties. A program can differ in
// several near ties, and a run shows each decision with a probability of about
// one half if the tie is close, and one quarter if the numbers differ by the
// usual rounding error.
constexpr size_t kMaxNoiseRuns = 12;
constexpr double kMaxNoise = 10;

class RoundingNoise {
 public:
  // Returns the outputs of the interpreter for the inputs, without noise if
  // `seed` is 0, otherwise with the noise of this seed.
  using Interpret =
      std::function<absl::StatusOr<runtime::NamedTensors>(uint64_t seed)>;

  // `graph` is the graph that `interpret` interprets.
  RoundingNoise(const graph::Graph& graph, Interpret interpret)
      : row_axes_(FindRowAxes(graph)), interpret_(std::move(interpret)) {}

  // Returns for each data output the largest change of an element in kNoiseRuns
  // runs. Returns 0 for outputs that are no floats.
  absl::StatusOr<std::vector<double>> Measure();

  // Compares `outputs` with `answer` by CheckOutputs(). If they disagree,
  // widens the bounds of `rule`. If they still disagree and the model makes
  // decisions, compares them by CheckNearTies(), unless `rule` demands a
  // comparison of detections or in steps. The remark of the result says what
  // was necessary to accept the outputs. Returns the errors of `interpret`.
  absl::StatusOr<Accuracy> Check(const runtime::NamedTensors& outputs,
                                 const runtime::NamedTensors& answer,
                                 CheckRule rule);

 private:
  // Makes the missing ones of `runs` runs with noise, and that without noise.
  absl::Status Run(size_t runs);
  absl::StatusOr<Accuracy> CheckDecisions(const runtime::NamedTensors& outputs,
                                          const runtime::NamedTensors& answer,
                                          const CheckRule& rule);

  const RowAxes row_axes_;
  const Interpret interpret_;
  // The outputs of the run without noise, followed by those with noise.
  std::vector<runtime::NamedTensors> answers_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ROUNDING_NOISE_H_
