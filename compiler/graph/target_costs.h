// TargetCosts: what graph passes ask about a target. The passes know what
// operators compute; how fast a target is at it, and in which encodings, only
// the implementations of the operators know (compiler/ops).
//
// Times are seconds. They are compared with each other only, so a nominal
// machine may be modelled. The functions of this class describe a target on
// which nothing pays: all tensors stay plain, and no operator is changed.
#ifndef ASSAY_COMPILER_GRAPH_TARGET_COSTS_H_
#define ASSAY_COMPILER_GRAPH_TARGET_COSTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "compiler/graph/encoding/encoding.h"
#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/op.h"
#include "compiler/graph/op/tensor_type.h"

namespace assay::graph {

// The encodings of the operands and of the result with which a target computes
// an operator, and the time that it takes.
struct EncodingChoice {
  std::vector<Encoding> operands;
  Encoding result;
  double seconds = 0;
};

class TargetCosts {
 public:
  virtual ~TargetCosts() = default;

  // Returns the choices for an operator with constant weights whose operands
  // have these plain types, the preferred one first. If there is none, the
  // operator takes and gives plain tensors.
  virtual std::vector<EncodingChoice> Choices(
      OpKind, const Attrs&, absl::Span<const TensorType> /*operands*/) const {
    return {};
  }
  // Returns the time to store an image of this plain type in another way.
  virtual double ConversionSeconds(const TensorType&) const { return 0; }

  // Returns whether a dilated convolution is faster as `batch`, one of several
  // images.
  virtual bool RunsAsBatch(const Conv2dAttrs& /*dilated*/,
                           const TensorType& /*data*/,
                           const Conv2dAttrs& /*batch*/,
                           const TensorType& /*images*/,
                           const TensorType& /*weights*/) const {
    return false;
  }

  // Returns whether operators of one kind with the same attributes and the same
  // data are faster as one, whose filters are those of all.
  virtual bool Combines(OpKind, const Attrs&, const TensorType& /*data*/,
                        absl::Span<const TensorType> /*weights*/) const {
    return false;
  }

  // Returns the number of channels to which data of a convolution should be
  // padded, at least `channels`. The padding copies the data, unless its
  // encoding is changed in any case.
  virtual int64_t PaddedChannels(DType, int64_t channels) const {
    return channels;
  }
  // Returns the number of filters to which a convolution should be padded, at
  // least `filters`. If `sliced`, the results of the added filters must be
  // removed again by a copy of the image.
  virtual int64_t PaddedFilters(DType, int64_t filters, bool /*sliced*/) const {
    return filters;
  }

  // Returns true if the target multiplies uint8 by int8, but not int8 by int8.
  virtual bool MultipliesUnsignedOnly() const { return false; }
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_TARGET_COSTS_H_
