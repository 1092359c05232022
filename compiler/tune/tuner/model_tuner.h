// ModelTuner: learns from the points that were measured which others are fast
// (speed_model.h), and measures those.
//
// The first plan has the default point, the points that the cost model prefers
// of each implementation, the points with the smallest modelled times, and, if
// other tasks were measured, those that are predicted to be fast. Each later
// plan has the points with the smallest predictions. A few points of each plan
// are random, because a model that only sees what it likes does not find its
// errors. All points of a small space are predicted; a large one is searched by
// simulated annealing (annealing.h), which begins at the best points so far and
// at random ones.
//
// The anchor's tuner (AutoTVM, Chen et al., "Learning to optimize tensor
// programs", 2018) has plans of 64 points and a loss that ranks them. Small
// plans use what was learned sooner: fitting takes less time than a trial.
#ifndef ASSAY_COMPILER_TUNE_TUNER_MODEL_TUNER_H_
#define ASSAY_COMPILER_TUNE_TUNER_MODEL_TUNER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "compiler/tune/space/search_space.h"
#include "compiler/tune/tuner/examples.h"
#include "compiler/tune/tuner/tuner.h"

namespace assay::tune {

// `others` are results of other tasks or devices. `space` must outlive the
// tuner.
std::unique_ptr<Tuner> MakeModelTuner(const SearchSpace& space, uint64_t seed,
                                      const std::vector<Examples>& others = {});

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_TUNER_MODEL_TUNER_H_
