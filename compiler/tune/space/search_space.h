// SearchSpace: all points of a task, numbered from 0 to size() - 1.
//
// A space joins the configuration spaces (ops/config_space.h) of several
// implementations. A point stands for an implementation and one of its
// configurations. The points of the first implementation come first.
//
//   const SearchSpace space = SpaceOf(op, target);
//   for (int64_t point : space.Sample(10, visited, rng)) {
//     const SearchSpace::Choice choice = space.At(point);
//     …
//   }
//
// A space can have more points than fit into memory; nothing here enumerates
// them.
#ifndef ASSAY_COMPILER_TUNE_SPACE_SEARCH_SPACE_H_
#define ASSAY_COMPILER_TUNE_SPACE_SEARCH_SPACE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/driver/tuning_table.h"
#include "compiler/graph/graph.h"
#include "compiler/ops/config.h"
#include "compiler/ops/config_space.h"
#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"
#include "runtime/base/random.h"

namespace assay::tune {

// Features with their names.
using NamedFeatures = std::vector<std::pair<std::string, float>>;

using PointSet = absl::flat_hash_set<int64_t>;

class SearchSpace {
 public:
  struct Implementation {
    std::string name;  // such as `conv2d.direct_nchwc`
    ops::ConfigSpace configs;
    // The configuration that the analytical cost model prefers.
    ops::Config preferred;
    // Returns the time of a configuration according to the analytical model;
    // positive. It can be called by several threads at the same time.
    std::function<double(const ops::Config&)> seconds;
  };
  using Choice = driver::TunedKernel;

  // The first implementation is that of the default point. `workload` describes
  // the task. CHECK-fails if there is no implementation, if two have the same
  // name, if a preferred configuration is not in its space, if an
  // implementation has no function for its time, or if there are 2^62 points or
  // more.
  explicit SearchSpace(std::vector<Implementation> implementations,
                       NamedFeatures workload = {});

  int64_t size() const { return size_; }
  const std::vector<Implementation>& implementations() const {
    return implementations_;
  }

  // Returns what the point stands for. `point` must be in [0, size()).
  Choice At(int64_t point) const;
  // The inverse of At(). Returns NotFound, with the name of the implementation,
  // knob or entry, if the choice is not in the space.
  absl::StatusOr<int64_t> IndexOf(absl::string_view implementation,
                                  const ops::Config& config) const;

  // The point that the compiler uses without tuning.
  int64_t default_point() const { return PreferredPoint(0); }
  // The points that the cost model prefers, one for each implementation.
  std::vector<int64_t> PreferredPoints() const;
  // Returns the time of a point according to the analytical cost model. The
  // times of points can be compared with each other, but not with measured
  // ones.
  double ModelledSeconds(int64_t point) const;

  // Returns a uniformly distributed point.
  int64_t RandomPoint(Rng& rng) const;
  // Returns a point that differs in one knob. If there are several
  // implementations, it has another implementation, with its preferred
  // configuration, with the probability of one knob more. Returns `point` if
  // the space has no other point.
  int64_t Neighbor(int64_t point, Rng& rng) const;
  // Returns a point that has the first knobs of `a`, up to a random position,
  // and the other knobs of `b`. Returns `a` if `b` is of another
  // implementation.
  int64_t Cross(int64_t a, int64_t b, Rng& rng) const;
  // Returns the number of knobs of the implementation of `point`.
  int NumKnobs(int64_t point) const;
  // Returns `count` different random points that are not in `visited`; fewer if
  // there are not as many.
  std::vector<int64_t> Sample(int64_t count, const PointSet& visited,
                              Rng& rng) const;

  // Features of a point for a cost model that is learned: one number for each
  // name in feature_names(). Equal names mean the same in all spaces.
  //   - One number for each implementation is 1 for that of the point and 0 for
  //     others.
  //   - `modelled` is the logarithm, to base 2, of the modelled time divided by
  //     that of the default point.
  //   - The features of the workload are equal for all points of a space.
  //     SpaceOf() has these, all to base 2 and with 1 added: `flops` and
  //     `bytes` of the operator, and their difference `intensity`; `out.0`, …,
  //     `in0.0`, … and `in1.0`, …, the dimensions of the result and of the
  //     first two operands; `vector_bits`, `vector_registers`, `cores`, `l1`,
  //     `l2` and `l3` of the target.
  //   - The knobs of the implementation: the logarithm of each factor of a
  //     split to base 2, and the value of an integer. The features of knobs of
  //     other implementations are NaN.
  const std::vector<std::string>& feature_names() const {
    return feature_names_;
  }
  std::vector<float> Features(int64_t point) const;

 private:
  // The implementation of a point, and the index in its configuration space.
  struct Place {
    size_t implementation = 0;
    int64_t config = 0;
  };

  Place PlaceOf(int64_t point) const;
  int64_t PreferredPoint(size_t implementation) const;

  std::vector<Implementation> implementations_;
  std::vector<int64_t> first_;         // point of each implementation
  std::vector<size_t> first_feature_;  // of the knobs of each implementation
  std::vector<int64_t> preferred_;     // points
  NamedFeatures workload_;
  double default_seconds_ = 0;  // modelled
  std::vector<std::string> feature_names_;
  int64_t size_ = 0;
};

// Returns the space of an operator: its implementations that apply, by
// increasing modelled time. Returns NotFound if no implementation applies.
absl::StatusOr<SearchSpace> SpaceOf(const ops::OpInstance& op,
                                    const target::Target& target);
// Returns the space of the anchor of a kernel. `kernel` consists of one kernel,
// as Task::kernel (task/tasks.h). Returns NotFound if the kernel is
// elementwise: there is nothing to choose.
absl::StatusOr<SearchSpace> SpaceOfKernel(const graph::Graph& kernel,
                                          const target::Target& target);

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_SPACE_SEARCH_SPACE_H_
