// Random small networks for differential tests, the same for the same seed on
// every machine.
#ifndef ASSAY_COMPILER_GRAPH_TESTING_RANDOM_GRAPH_H_
#define ASSAY_COMPILER_GRAPH_TESTING_RANDOM_GRAPH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "compiler/graph/graph.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"

namespace assay::graph {

// Random choices for networks, drawn from Rng of runtime/base.
class TestRandom {
 public:
  explicit TestRandom(uint64_t seed) : rng_(seed) {}
  uint64_t Next() { return rng_.NextU64(); }
  // Uniform in [low, high].
  int64_t In(int64_t low, int64_t high);
  bool OneIn(int64_t n) { return In(1, n) == 1; }
  // Uniform in [-1, 1].
  float Unit();
  NDArray Tensor(const Shape& shape, float scale = 1, float offset = 0);

 private:
  Rng rng_;
};

// A convolutional network of odd sizes: convolutions with and without groups,
// batch normalisation, residual adds, shared weights, per-channel and
// broadcast arithmetic, pooling, occasional data movement, a classifier and
// several outputs. All operators occur except blocked ones and kernels.
std::unique_ptr<Graph> RandomGraph(uint64_t seed);

// Values for the inputs of `graph`; int64 ones are all zero.
std::vector<NDArray> RandomInputs(const Graph& graph, uint64_t seed);

// The structure of torchvision's ResNet-18 (batch 1, `size` pixels square,
// batch_norm not folded, source names "Conv_0", …) with `width` channels in
// the first stage instead of 64 and random weights.
std::unique_ptr<Graph> ResNet18(int64_t size, int64_t width, uint64_t seed);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TESTING_RANDOM_GRAPH_H_
