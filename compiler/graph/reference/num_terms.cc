#include "compiler/graph/reference/num_terms.h"

#include <algorithm>

namespace assay::graph {

double NumTerms(const Node& node) {
  const auto elements = [](const TensorType& type) {
    return static_cast<double>(std::max<int64_t>(type.num_elements(), 1));
  };
  switch (node.kind()) {
    case OpKind::kConv2d:
    case OpKind::kConv2dTranspose:
      return elements(node.input(1).type()) /
             static_cast<double>(node.input(1).type().shape[0]);
    case OpKind::kDense:
    case OpKind::kMatmul:
      return static_cast<double>(node.input(0).type().shape.back());
    case OpKind::kSoftmax:
    case OpKind::kLogSoftmax:
    case OpKind::kLayerNorm:
      return static_cast<double>(node.type().shape.back());
    default:
      return OpPattern(node.kind()) == PatternKind::kCommReduce ||
                     node.kind() == OpKind::kGlobalAvgPool2d
                 ? elements(node.input(0).type()) / elements(node.type())
                 : 1;
  }
}

}  // namespace assay::graph
