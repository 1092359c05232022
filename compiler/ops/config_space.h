// ConfigSpace: the choices that a schedule template offers to a tuner.
//
//   ConfigSpace space;
//   SplitOptions row;
//   row.policy = SplitPolicy::kVerbose;
//   row.max_factor = 64;
//   space.DefineSplit("tile_ow", 56, row);
//   space.DefineKnob("unroll_kw", {0, 1});
//   Config config = space.At(17);
//
// A space has named knobs of two kinds: splits and integers. (In config.h,
// `knob` means only the last of these kinds.) Each knob has a list of
// candidates, and a point of the space is a choice of one candidate per knob.
// Points are numbered from 0 to size() - 1. The index of a point is a number in
// mixed radix, with one digit per knob: the position of the chosen candidate.
// The knob that was defined first is the least significant digit.
//
// The Define functions CHECK-fail if the name is already defined or if the knob
// would have no candidates.
#ifndef ASSAY_COMPILER_OPS_CONFIG_SPACE_H_
#define ASSAY_COMPILER_OPS_CONFIG_SPACE_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/ops/config.h"
#include "runtime/base/random.h"

namespace assay::ops {

// Selects the numbers that can be factors of a split.
enum class SplitPolicy : uint8_t {
  kFactors,    // divisors of the extent
  kPower2,     // powers of two up to the extent
  kVerbose,    // divisors of the extent and powers of two up to the extent
  kCandidate,  // the splits are those in SplitOptions::candidates
};

struct SplitOptions {
  SplitPolicy policy = SplitPolicy::kFactors;
  int num_outputs = 2;  // number of axes that result from the split
  // The largest factor of a split. Not used for kCandidate.
  int64_t max_factor = std::numeric_limits<int64_t>::max();
  // If true, a split is a candidate only if the product of its factors divides
  // the extent. If false, the product may also be a smaller number that does
  // not divide the extent. The default is true for kFactors and false
  // otherwise. Not used for kCandidate.
  std::optional<bool> no_tail;
  // If not null, this function is called with the sizes of each split,
  // including the leading -1; splits for which it returns false are dropped.
  // Not used for kCandidate.
  std::function<bool(absl::Span<const int64_t>)> filter;
  // For kCandidate: each element is -1 followed by num_outputs - 1 factors.
  std::vector<std::vector<int64_t>> candidates;
};

class ConfigSpace {
 public:
  struct KnobSpace {
    std::string name;
    std::vector<Entity> candidates;
  };

  void DefineSplit(absl::string_view name, int64_t extent,
                   const SplitOptions& options = {});
  void DefineKnob(absl::string_view name, const std::vector<int64_t>& values);

  const std::vector<KnobSpace>& knobs() const { return knobs_; }
  // Returns the number of points, which is 1 if no knob is defined.
  int64_t size() const;

  // Returns the point with index `index`, which must be in [0, size()).
  Config At(int64_t index) const;
  // Returns the index of `config`. Returns NotFound, with the name of the knob
  // or entry, if
  //   - `config` has no entry for a knob of the space;
  //   - `config` has an entry for which the space has no knob; or
  //   - the value of an entry is not a candidate of the knob.
  absl::StatusOr<int64_t> IndexOf(const Config& config) const;
  // Returns a copy of `base` to which the entries of `changes` are added. An
  // entry of `base` is replaced if `changes` has an entry with the same name.
  // Returns NotFound if the result is not a point of the space.
  absl::StatusOr<Config> Override(const Config& base,
                                  const Config& changes) const;

  // Digits() returns the digits of the index of a point, one per knob in the
  // order of definition. FromDigits() returns the index that has these digits.
  std::vector<int64_t> Digits(int64_t index) const;
  int64_t FromDigits(absl::Span<const int64_t> digits) const;

  // Returns a uniformly distributed random point.
  Config Sample(Rng& rng) const;

  // Returns a text such as `tile_ow: 14 splits, unroll_kw: 2 values`, or
  // `nothing to choose` if no knob is defined.
  std::string Summary() const;

 private:
  void Add(absl::string_view name, std::vector<Entity> candidates);

  std::vector<KnobSpace> knobs_;
};

// Returns the config with the lowest cost, or the first of them on a tie.
// `configs` must not be empty.
Config Cheapest(const std::vector<Config>& configs,
                const std::function<double(const Config&)>& cost);

// Returns the largest divisor of `n` that is at most `limit`, or 1 if there is
// none.
int64_t LargestDivisor(int64_t n, int64_t limit);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONFIG_SPACE_H_
