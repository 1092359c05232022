// PlanEncodings: chooses the encodings of all images (tensors of rank 4) and of
// all constant weights of a graph so that the total time of operators and of
// conversions is small.
//
// Operators for which the target has choices (TargetCosts::Choices) take the
// encodings of one of them. Operators that work on images in any blocks of
// channels (elementwise operators, pooling, concat, slice, …) may keep them
// plain, or in blocks of a size that occurs in a choice and divides the number
// of their channels. All other operators get plain operands. If the encoding of
// an operand differs from that of its producer, it is converted, which takes
// TargetCosts::ConversionSeconds. The encodings of all operators are chosen
// together by solving a PBQP (pbqp.h).
//
// If a conversion costs the same at two places, the later place is chosen, so
// that the operators after a convolution have the encoding of its result and
// can become its epilogue.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_ENCODING_PLAN_H_
#define ASSAY_COMPILER_GRAPH_PASSES_ENCODING_PLAN_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "compiler/graph/graph.h"
#include "compiler/graph/target_costs.h"

namespace assay::graph {

// The choice for each node that does not work on plain tensors only. Of an
// operator without choices of its own, the operands that are images have the
// encoding of the result, and the others are plain.
using EncodingPlan = absl::flat_hash_map<const Node*, EncodingChoice>;

EncodingPlan PlanEncodings(const Graph& graph, const TargetCosts& costs);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_ENCODING_PLAN_H_
