// Random small networks for differential tests. A seed gives the same network
// on every machine.
#ifndef ASSAY_COMPILER_GRAPH_TESTING_RANDOM_GRAPH_H_
#define ASSAY_COMPILER_GRAPH_TESTING_RANDOM_GRAPH_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "compiler/graph/graph.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"

namespace assay::graph {

// A source of random choices for networks, based on Rng
// (runtime/base/random.h).
class TestRandom {
 public:
  explicit TestRandom(uint64_t seed) : rng_(seed) {}
  uint64_t Next() { return rng_.NextU64(); }
  // Returns a uniformly distributed integer in [low, high].
  int64_t In(int64_t low, int64_t high);
  // Returns true with probability 1 / n.
  bool OneIn(int64_t n) { return In(1, n) == 1; }
  // Returns a uniformly distributed number in [-1, 1].
  float Unit();
  // Returns a float32 tensor whose elements are scale * Unit() + offset.
  NDArray Tensor(const Shape& shape, float scale = 1, float offset = 0);

 private:
  Rng rng_;
};

// Returns a random convolutional network with irregular extents. It may contain
// convolutions with and without groups, batch normalisation, relu, residual
// additions, shared weights, additions and multiplications with broadcasting,
// maximum pooling, transpose, reshape, concat, gather, a classifier and two
// outputs. It contains no blocked operators and no kernels.
std::unique_ptr<Graph> RandomGraph(uint64_t seed);

// Returns values for the inputs of `graph`: random values for float32 inputs,
// and zeros for inputs of other element types.
std::vector<NDArray> RandomInputs(const Graph& graph, uint64_t seed);

// Returns a network with the structure of torchvision's ResNet-18 and random
// weights. The input is one image of `size` x `size` pixels. The first
// convolution has `width` filters instead of 64, and the other numbers of
// channels are scaled in proportion. The batch_norm operators are not folded
// into the convolutions.
std::unique_ptr<Graph> ResNet18(int64_t size, int64_t width, uint64_t seed);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TESTING_RANDOM_GRAPH_H_
