// NumTerms: the length of the sums that an operator computes. The errors of
// rounding and the time of an operator grow with it.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_NUM_TERMS_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_NUM_TERMS_H_

#include "compiler/graph/graph.h"

namespace assay::graph {

// Returns the mean number of terms that `node` adds for one element of its
// result; 1 if it computes no sums.
double NumTerms(const Node& node);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_NUM_TERMS_H_
