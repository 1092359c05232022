#ifndef ASSAY_COMPILER_GRAPH_ENCODING_SPLIT_FILTERS_H_
#define ASSAY_COMPILER_GRAPH_ENCODING_SPLIT_FILTERS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/graph/attrs/attr_field.h"
#include "compiler/graph/encoding/encoding_step.h"

namespace assay::graph {

// SplitFilters: the float32 weights of a convolution, each the sum of two
// bfloat16, as tiles of a matrix unit that multiplies bfloat16.
//
// [O,C,KH,KW] is stored as [O/16,T,KH,KW,2,16,16,2], where T is the number of
// tiles of 32 channels: part p of the weight of filter o and channel c is
// element [o/16,c/32,kh,kw,p,c%32/2,o%16,c%2]. Channels beyond C are 0. If
// there are few channels, most of a tile would be 0. With `columns` = KW, the
// weights are therefore stored like those of filters with KW*C channels and one
// column, of which channel j*C+c is channel c of column j.
struct SplitFilters {
  int64_t columns = 0;

  static constexpr char kName[] = "split_filters";
  static constexpr auto Fields() {
    return FieldList(Optional("columns", &SplitFilters::columns));
  }
  absl::StatusOr<std::vector<EncodingStep>> Steps(const ArrayType& plain) const;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ENCODING_SPLIT_FILTERS_H_
