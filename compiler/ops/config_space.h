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
// A space is the product of its knobs, each a list of candidates. A point has
// an index in mixed radix over the knobs in the order of their definition, with
// the first one least significant. Defining a name twice, or a knob without
// candidates, is a bug in the template.
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

// The numbers that can be factors of a split.
enum class SplitPolicy : uint8_t {
  kFactors,    // divisors of the extent
  kPower2,     // powers of two up to the extent
  kVerbose,    // both
  kCandidate,  // `candidates` lists the whole splits
};

struct SplitOptions {
  SplitPolicy policy = SplitPolicy::kFactors;
  int num_outputs = 2;
  int64_t max_factor = std::numeric_limits<int64_t>::max();
  // If true, only splits whose factors divide the extent are kept; if false,
  // also splits with a tail whose product is below the extent. By default true
  // for kFactors and false otherwise.
  std::optional<bool> no_tail;
  // Called with all sizes, including the -1; false drops the split.
  std::function<bool(absl::Span<const int64_t>)> filter;
  // For kCandidate: each is -1 followed by num_outputs-1 factors.
  std::vector<std::vector<int64_t>> candidates;
};

enum class ReorderPolicy : uint8_t {
  kIdentity,
  kAll,          // every permutation
  kIntervalAll,  // every permutation of [begin, end), the others stay
  kCandidate,    // `candidates`
  // `spatial` and `reduce` are lists of chains of axes that keep their order.
  // Each list is merged into one chain by repeatedly taking from the chain with
  // the most axes left; the candidates are all interleavings of the two.
  kInterleave,
};

struct ReorderOptions {
  ReorderPolicy policy = ReorderPolicy::kAll;
  std::pair<int, int> interval = {0, 0};
  std::vector<std::vector<int64_t>> candidates;
  std::vector<std::vector<int64_t>> spatial, reduce;
};

enum class AnnotatePolicy : uint8_t {
  kUnroll,        // every loop is unrolled
  kVec,           // exactly one loop is vectorized
  kTryUnroll,     // each loop is unrolled or not
  kTryVec,        // at most one loop is vectorized
  kTryUnrollVec,  // each is unrolled or not, and at most one vectorized
};

class ConfigSpace {
 public:
  struct KnobSpace {
    std::string name;
    std::vector<Entity> candidates;
  };

  void DefineSplit(absl::string_view name, int64_t extent,
                   const SplitOptions& options = {});
  void DefineReorder(absl::string_view name, int axes,
                     const ReorderOptions& options = {});
  void DefineAnnotate(absl::string_view name, int axes, AnnotatePolicy policy);
  void DefineKnob(absl::string_view name, const std::vector<int64_t>& values);

  const std::vector<KnobSpace>& knobs() const { return knobs_; }
  // The number of points; 1 if nothing is defined.
  int64_t size() const;

  // 0 <= index < size().
  Config At(int64_t index) const;
  // NotFound, naming the entry, if one is missing, unknown or not a candidate.
  absl::StatusOr<int64_t> IndexOf(const Config& config) const;
  // `base` with the entries of `changes` replaced; an error if the result is
  // not a point of the space.
  absl::StatusOr<Config> Override(const Config& base,
                                  const Config& changes) const;

  // The digits of an index, one per knob, and back.
  std::vector<int64_t> Digits(int64_t index) const;
  int64_t FromDigits(absl::Span<const int64_t> digits) const;

  // A uniformly distributed point.
  Config Sample(Rng& rng) const;

  // `tile_ow: 14 splits, unroll_kw: 2 values`, or `nothing to choose`.
  std::string Summary() const;

 private:
  void Add(absl::string_view name, std::vector<Entity> candidates);

  std::vector<KnobSpace> knobs_;
};

// The config with the lowest cost; the first one on a tie. `configs` is not
// empty.
Config Cheapest(const std::vector<Config>& configs,
                const std::function<double(const Config&)>& cost);

// The largest divisor of n that is at most `limit`, at least 1.
int64_t LargestDivisor(int64_t n, int64_t limit);

// A split of `extent` without a tail: from the innermost factor outwards, each
// is the largest divisor of the remaining extent within its limit. `limits` has
// one number per output, the first unused: 49 with {-1, 8, 4} gives [-1,7,1].
std::vector<int64_t> LargestSplit(int64_t extent,
                                  absl::Span<const int64_t> limits);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONFIG_SPACE_H_
