// Tuner: decides which points of a search space are measured.
//
//   const auto tuner = MakeTuner("random", space, seed);
//   while (…) {
//     const std::vector<int64_t> points = tuner->Next(8);
//     if (points.empty()) break;  // all points were measured
//     for (int64_t point : points) tuner->Update({point, Measure(point)});
//   }
//
// A tuner makes plans of several points. The first plan begins with the default
// point. A plan depends only on the seed and on the results of the plans
// before, not on how many points Next() was asked for, nor on the order in
// which the results of one plan came. A tuner that is told the results of an
// interrupted run therefore continues as that run would have.
//
// A tuner knows nothing of devices and compilers. Not thread-safe.
#ifndef ASSAY_COMPILER_TUNE_SEARCH_TUNER_H_
#define ASSAY_COMPILER_TUNE_SEARCH_TUNER_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/tune/space/search_space.h"
#include "runtime/base/random.h"

namespace assay::tune {

// The result of a trial. Without seconds, the trial failed: the kernel could
// not be built, crashed, took too long or was wrong.
struct Measured {
  int64_t point = 0;
  std::optional<double> seconds;
};

class Tuner {
 public:
  virtual ~Tuner() = default;

  // Returns at most `count` points that were not returned before and have no
  // result. Returns fewer at the end of a plan, and none while results of the
  // plan are missing or if all points have results.
  std::vector<int64_t> Next(int count);

  // Tells the result of a point, which may be a point that Next() has not
  // returned, such as one of an earlier run. A second result of a point is
  // ignored.
  void Update(const Measured& result);

  // Returns true if all points of the space have results.
  bool exhausted() const;
  // The fastest point so far; nullopt if all trials failed.
  std::optional<Measured> best() const;
  int64_t num_results() const { return static_cast<int64_t>(results_.size()); }

 protected:
  // `space` must outlive the tuner.
  Tuner(const SearchSpace& space, uint64_t seed) : space_(space), seed_(seed) {}

  // Returns points of the space that are not in `visited`. At least one if
  // there is one. `history` has the results of all earlier plans, in the order
  // of the plans, and `visited` has their points.
  virtual std::vector<int64_t> Plan(const std::vector<Measured>& history,
                                    const PointSet& visited, Rng& rng) = 0;

  const SearchSpace& space() const { return space_; }

 private:
  void Advance();

  const SearchSpace& space_;
  const uint64_t seed_;
  std::vector<int64_t> plan_;
  size_t next_ = 0;  // position in the plan of the next point
  int64_t plans_ = 0;
  std::vector<Measured> history_;
  PointSet visited_;  // points of the history
  // The seconds of all points with a result; absent for failed trials.
  std::map<int64_t, std::optional<double>> results_;
};

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_SEARCH_TUNER_H_
