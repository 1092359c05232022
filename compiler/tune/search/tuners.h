// The tuners (tuner.h), by function and by name, as --tuner selects them.
//
//   random   random points: the baseline with which others are compared
//   grid     all points in order, after the default point, to measure a small
//            space completely
//   genetic  breeds points from the fastest ones so far
//   xgb      learns from the points that were measured which others are fast
//
// The genetic tuner: the parents are the 32 fastest points so far. One is drawn
// with a probability proportional to the fourth power of its speed, because the
// speeds of good points differ little. A child has the first knobs of one
// parent and the other knobs of a second one (SearchSpace::Cross); each knob
// then mutates with a probability of 0.1. A child that was measured before
// mutates until it is new, so no trial is repeated. The first plan is random.
// AutoTVM's tuner has the same operators, but a larger population that is
// replaced by its children, and probabilities proportional to the speed. On
// functions like the times of kernels (tuner_test.cc), it needs more trials.
//
// The tuner `xgb`: the first plan has the default point, the points that the
// cost model prefers of each implementation, the points with the smallest
// modelled times, and, if other tasks were measured, those that are predicted
// to be fast. Each later plan has the points with the smallest predictions of a
// SpeedModel (speed_model.h). A few points of each plan are random, because a
// model that only sees what it likes does not find its errors. All points of a
// small space are predicted; a large one is searched by simulated annealing
// (annealing.h), which begins at the best points so far and at random ones. The
// anchor's tuner (AutoTVM, Chen et al., "Learning to optimize tensor programs",
// 2018) has plans of 64 points and a loss that ranks them. Small plans use what
// was learned sooner: fitting takes less time than a trial.
#ifndef ASSAY_COMPILER_TUNE_SEARCH_TUNERS_H_
#define ASSAY_COMPILER_TUNE_SEARCH_TUNERS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/tune/search/speed_model.h"
#include "compiler/tune/search/tuner.h"
#include "compiler/tune/space/search_space.h"

namespace assay::tune {

// `space` must outlive the tuner.
std::unique_ptr<Tuner> MakeGeneticTuner(const SearchSpace& space,
                                        uint64_t seed);
// `others` are results of other tasks or devices.
std::unique_ptr<Tuner> MakeModelTuner(const SearchSpace& space, uint64_t seed,
                                      const std::vector<Examples>& others = {});

// Returns `random`, `grid`, `genetic` and `xgb`.
std::vector<std::string> TunerNames();

// Requires one of these names. Only `xgb` learns from `others`.
std::unique_ptr<Tuner> MakeTuner(absl::string_view name,
                                 const SearchSpace& space, uint64_t seed,
                                 const std::vector<Examples>& others = {});

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_SEARCH_TUNERS_H_
