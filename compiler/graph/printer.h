// The text form of graphs, which parser.h parses.
//
//   graph net(%data: float32[1,3,8,8]) -> (%3) {
//     %1: float32[4,3,3,3] = constant {elements=108, digest=00c5…}
//     %2: float32[1,4,6,6] = conv2d(%data, %1) {strides=[1,1], …} "Conv_0"
//     %3: float32[1,4,6,6] = relu(%2) "Relu_1" from ["Relu_1", "Id_2"]
//   }
//
// Each operator has a line of its own, which begins with the id of the node and
// the types of its results. A pass therefore changes only the lines of the
// nodes that it modifies. The attributes are followed by the name of the node
// and by the list of its sources (Node::sources() in graph.h). The list is
// omitted if its only element is the name of the node. Result k > 0 of node 5
// is printed as `%5.k`. If a node has several results, their types are in
// parentheses.
//
// A constant is printed in one of three forms:
//   - `{fill=0}` if it has at least two elements and all of them are equal;
//   - `{value=[1,2]}` if the first form does not apply and it has at most 16
//     elements;
//   - `{elements=108, digest=00c5…}` if neither of these forms applies, or if
//     decimal text cannot represent an element exactly (float16, NaNs with a
//     payload).
// The body of a kernel is printed in braces after the operands of the kernel.
#ifndef ASSAY_COMPILER_GRAPH_PRINTER_H_
#define ASSAY_COMPILER_GRAPH_PRINTER_H_

#include <ostream>
#include <string>

#include "compiler/graph/graph.h"

namespace assay::graph {

std::string ToString(const Graph& graph);
// Returns the line of the node, without indentation and without a line break at
// the end. For a kernel, returns several lines.
std::string ToString(const Node& node);
// Returns the name of a value, such as `%data`, `%3` or `%5.1`.
std::string ToString(Value value);

std::ostream& operator<<(std::ostream& os, const Graph& graph);
std::ostream& operator<<(std::ostream& os, const Node& node);
std::ostream& operator<<(std::ostream& os, Value value);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PRINTER_H_
