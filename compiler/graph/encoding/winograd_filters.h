#ifndef ASSAY_COMPILER_GRAPH_ENCODING_WINOGRAD_FILTERS_H_
#define ASSAY_COMPILER_GRAPH_ENCODING_WINOGRAD_FILTERS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/attrs/attr_field.h"
#include "compiler/graph/encoding/encoding_step.h"

namespace assay::graph {

// WinogradFilters: float32 weights [O,C,3,3], transformed for Winograd's
// algorithm (winograd.h) with output tiles of m x m elements, in blocks of
// filters: [m+2,m+2,O/block,C,block]. They take (m+2)^2/9 times the memory of
// the plain weights.
struct WinogradFilters {
  int64_t m = 0;
  int64_t block = 0;

  static constexpr char kName[] = "winograd";
  static constexpr auto Fields() {
    using E = WinogradFilters;
    return FieldList(Required("m", &E::m), Required("block", &E::block));
  }
  absl::StatusOr<std::vector<EncodingStep>> Steps(const ArrayType& plain) const;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ENCODING_WINOGRAD_FILTERS_H_
