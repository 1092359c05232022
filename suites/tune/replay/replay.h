// Replay: repeats a search on times that were measured before, to learn how
// many trials a tuner needs.
#ifndef ASSAY_SUITES_TUNE_REPLAY_REPLAY_H_
#define ASSAY_SUITES_TUNE_REPLAY_REPLAY_H_

#include <cstdint>
#include <optional>

#include "compiler/tune/search/tuner.h"
#include "suites/tune/replay/log_spaces.h"

namespace assay::suites {

// A point is good if its speed is at least kGoodShare times the speed of the
// best point.
constexpr double kGoodShare = 0.95;

struct ReplayResult {
  // The number of trials after which the point with the fastest trial so far
  // was good for the first time; absent if that never happened.
  std::optional<int64_t> trials;
  // The speed of the point with the fastest trial of all, divided by the speed
  // of the best point; 0 if all trials failed.
  double share = 0;
  double tuner_seconds = 0;  // that the tuner took to choose points
};

// Lets `tuner` choose up to `trials` points of measured.space(), one after the
// other, and passes it the result of each trial (MeasuredSpace::Trial). At
// least one point must have a time. `seed` decides which record of a point a
// trial repeats.
ReplayResult Replay(const MeasuredSpace& measured, int64_t trials,
                    uint64_t seed, tune::Tuner* tuner);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_REPLAY_REPLAY_H_
