// The text form of graphs, which parser.h reads back.
//
//   graph net(%data: float32[1,3,8,8]) -> (%3) {
//     %1: float32[4,3,3,3] = constant {elements=108, digest=00c5…}
//     %2: float32[1,4,6,6] = conv2d(%data, %1) {strides=[1,1], …} "Conv_0"
//     %3: float32[1,4,6,6] = relu(%2) "Relu_1" from ["Relu_1", "Id_2"]
//   }
//
// One operator per line, a type on every value, and the node ids of the graph,
// so that a pass changes only the lines of nodes it modified. After the
// attributes come the node's name and, unless they are just the name, its
// sources. Result k > 0 of a node is `%5.k`; the types of several results are
// in parentheses.
//
// A constant is printed in full (`{value=[1,2]}`) up to 16 elements,
// as `{fill=0}` if all elements are equal, and otherwise only by its digest, as
// are values that decimal text cannot represent (float16, NaNs with a payload).
// A kernel's body is printed in braces after its operands.
#ifndef ASSAY_COMPILER_GRAPH_PRINTER_H_
#define ASSAY_COMPILER_GRAPH_PRINTER_H_

#include <ostream>
#include <string>

#include "compiler/graph/graph.h"

namespace assay::graph {

std::string ToString(const Graph& graph);
// The line of the node without indentation and line end; a kernel has several.
std::string ToString(const Node& node);
// `%data`, `%3`, `%5.1`.
std::string ToString(Value value);

std::ostream& operator<<(std::ostream& os, const Graph& graph);
std::ostream& operator<<(std::ostream& os, const Node& node);
std::ostream& operator<<(std::ostream& os, Value value);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PRINTER_H_
