// Long chains of operators that fusion may join, in which operators use values
// several times. They show whether the compiler copies such values: then its
// time and memory grow exponentially with the length of a chain.
//
//   for (const ChainStep& a : ChainSteps()) {
//     for (const ChainStep& b : ChainSteps()) {
//       Compile(*AlternatingChain(a, b, 1000), …);
//     }
//   }
#ifndef ASSAY_COMPILER_GRAPH_TESTING_CHAINS_H_
#define ASSAY_COMPILER_GRAPH_TESTING_CHAINS_H_

#include <memory>

#include "absl/types/span.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

// One to five operators. They compute a value from the last value of the chain
// and the one before. All values are float32 matrices of the same size.
struct ChainStep {
  const char* name;
  Value (*apply)(Graph& graph, Value last, Value before);
};

// Returns steps of all fusable patterns: elementwise, broadcasting and
// injective operators, and reductions.
absl::Span<const ChainStep> ChainSteps();

// Returns a chain in which the steps `a` and `b` alternate. It ends with the
// first step after which there are `operators` operators.
std::unique_ptr<Graph> AlternatingChain(const ChainStep& a, const ChainStep& b,
                                        int operators);

// Returns a chain of gathers from vectors of int64 indices, in which the result
// of each gather is the index of the next one, as when a path is traced back in
// Viterbi's algorithm. If `collect` is true, the output is the concatenation of
// all results, otherwise the last result.
std::unique_ptr<Graph> GatherChain(int operators, bool collect);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TESTING_CHAINS_H_
