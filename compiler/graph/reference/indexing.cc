#include <algorithm>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/reference/max_min.h"
#include "compiler/graph/reference/rules.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::reference {
namespace {

// `index` counted from the front.
absl::StatusOr<int64_t> Wrapped(int64_t index, int64_t extent) {
  if (index >= -extent && index < extent) {
    return index < 0 ? index + extent : index;
  }
  return absl::OutOfRangeError(absl::StrCat(
      "index ", index, " is outside an axis of ", extent, " elements"));
}

// The element of `data` that index number `i` of `indices` selects: the
// position of the index, except on `axis`. `strides` are those of `data`.
absl::StatusOr<int64_t> ElementAt(const NDArray& data, const Shape& strides,
                                  const NDArray& indices, int64_t axis,
                                  int64_t i) {
  ASSAY_ASSIGN_OR_RETURN(
      const int64_t index,
      Wrapped(indices.data<int64_t>()[i], data.shape()[axis]));
  int64_t element = index * strides[axis];
  for (int64_t d = static_cast<int64_t>(strides.size()) - 1; d >= 0; --d) {
    const int64_t extent = indices.shape()[d];
    if (d != axis) element += i % extent * strides[d];
    i /= extent;
  }
  return element;
}

// The slice of `data` that index tuple number `i` selects: position of its
// first element, and number of elements.
struct Part {
  int64_t begin = 0;
  int64_t count = 0;
};

absl::StatusOr<Part> PartAt(const NDArray& data, const Shape& strides,
                            const NDArray& indices, int64_t batch_dims,
                            int64_t i) {
  const int64_t tuple = indices.shape().back();
  Part part;
  part.count = strides[batch_dims + tuple - 1];
  int64_t tuples_per_batch = 1;
  for (size_t d = batch_dims; d + 1 < indices.shape().size(); ++d) {
    tuples_per_batch *= indices.shape()[d];
  }
  if (batch_dims > 0) {
    part.begin = i / tuples_per_batch * strides[batch_dims - 1];
  }
  for (int64_t k = 0; k < tuple; ++k) {
    const int64_t axis = batch_dims + k;
    ASSAY_ASSIGN_OR_RETURN(
        const int64_t index,
        Wrapped(indices.data<int64_t>()[i * tuple + k], data.shape()[axis]));
    part.begin += index * strides[axis];
  }
  return part;
}

template <typename T>
T Combined(ScatterReduction reduction, T old, T update) {
  switch (reduction) {
    case ScatterReduction::kNone:
      return update;
    case ScatterReduction::kAdd:
      return old + update;
    case ScatterReduction::kMultiply:
      return old * update;
    case ScatterReduction::kMaximum:
      return std::max(old, update);
    case ScatterReduction::kMinimum:
      return std::min(old, update);
  }
  return update;
}

int64_t Product(const Shape& shape, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i) product *= shape[i];
  return product;
}

// Combines element `i` of `updates` with element `k` of `result`.
void Update(ScatterReduction reduction, const NDArray& updates, int64_t i,
            NDArray& result, int64_t k) {
  if (result.dtype().is_float()) {
    const double old = LoadFloat(result, k), update = LoadFloat(updates, i);
    const double value = reduction == ScatterReduction::kMaximum
                             ? LargerOf(old, update)
                         : reduction == ScatterReduction::kMinimum
                             ? SmallerOf(old, update)
                             : Combined(reduction, old, update);
    StoreFloat(result, k, value);
  } else if (result.dtype().is_uint()) {
    StoreInt(result, k,
             static_cast<int64_t>(Combined<uint64_t>(
                 reduction, LoadInt(result, k), LoadInt(updates, i))));
  } else if (reduction <= ScatterReduction::kMultiply) {
    StoreInt(result, k,
             static_cast<int64_t>(Combined<uint64_t>(
                 reduction, LoadInt(result, k), LoadInt(updates, i))));
  } else {
    StoreInt(result, k,
             Combined(reduction, LoadInt(result, k), LoadInt(updates, i)));
  }
}

}  // namespace

Result Gather(const Node& node, Operands in) {
  const int64_t axis = node.attrs_as<GatherAttrs>().axis;
  const NDArray& data = in[0];
  const NDArray& indices = in[1];
  const TensorType& type = node.type();
  NDArray result(type.dtype, type.shape);
  const Shape& shape = data.shape();
  const int64_t extent = shape[axis];
  const int64_t outer = Product(shape, 0, axis);
  const size_t bytes =
      Product(shape, axis + 1, shape.size()) * type.dtype.bytes();
  char* out = static_cast<char*>(result.raw());
  for (int64_t index : indices.data<int64_t>()) {
    if (index < -extent || index >= extent) {
      return absl::OutOfRangeError(absl::StrCat("index ", index,
                                                " is outside axis ", axis,
                                                " of ", ShapeToString(shape)));
    }
  }
  if (result.num_bytes() == 0) return result;
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t index : indices.data<int64_t>()) {
      const int64_t wrapped = index < 0 ? index + extent : index;
      std::memcpy(
          out,
          static_cast<const char*>(data.raw()) + (i * extent + wrapped) * bytes,
          bytes);
      out += bytes;
    }
  }
  return result;
}

Result GatherElements(const Node& node, Operands in) {
  const int64_t axis = node.attrs_as<GatherAttrs>().axis;
  const NDArray& data = in[0];
  const NDArray& indices = in[1];
  const TensorType& type = node.type();
  NDArray result(type.dtype, type.shape);
  const Shape strides = RowMajorStrides(data.shape());
  for (int64_t i = 0; i < result.num_elements(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t element,
                           ElementAt(data, strides, indices, axis, i));
    CopyElements(data, element, result, i, 1);
  }
  return result;
}

Result GatherNd(const Node& node, Operands in) {
  const int64_t batch_dims = node.attrs_as<GatherNdAttrs>().batch_dims;
  const NDArray& data = in[0];
  const NDArray& indices = in[1];
  const TensorType& type = node.type();
  NDArray result(type.dtype, type.shape);
  const Shape strides = RowMajorStrides(data.shape());
  const int64_t tuples = indices.num_elements() / indices.shape().back();
  for (int64_t i = 0; i < tuples; ++i) {
    ASSAY_ASSIGN_OR_RETURN(const Part part,
                           PartAt(data, strides, indices, batch_dims, i));
    CopyElements(data, part.begin, result, i * part.count, part.count);
  }
  return result;
}

Result ScatterElements(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<ScatterElementsAttrs>();
  const NDArray& data = in[0];
  const NDArray& indices = in[1];
  const NDArray& updates = in[2];
  NDArray result = data.Clone();
  const Shape strides = RowMajorStrides(data.shape());
  for (int64_t i = 0; i < indices.num_elements(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t element,
                           ElementAt(data, strides, indices, attrs.axis, i));
    Update(attrs.reduction, updates, i, result, element);
  }
  return result;
}

Result ScatterNd(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<ScatterNdAttrs>();
  const NDArray& data = in[0];
  const NDArray& indices = in[1];
  const NDArray& updates = in[2];
  NDArray result = data.Clone();
  const Shape strides = RowMajorStrides(data.shape());
  const int64_t tuples = indices.num_elements() / indices.shape().back();
  for (int64_t i = 0; i < tuples; ++i) {
    ASSAY_ASSIGN_OR_RETURN(const Part part,
                           PartAt(data, strides, indices, 0, i));
    for (int64_t k = 0; k < part.count; ++k) {
      Update(attrs.reduction, updates, i * part.count + k, result,
             part.begin + k);
    }
  }
  return result;
}

Results NonZero(const Node& node, Operands in) {
  const NDArray& x = in[0];
  const auto& types = node.types();
  NDArray indices(types[0].dtype, types[0].shape);
  NDArray count(types[1].dtype, types[1].shape);
  int64_t& total = count.data<int64_t>()[0];
  const Shape strides = RowMajorStrides(x.shape());
  const int64_t bound = types[0].shape[1];
  for (int64_t i = 0; i < x.num_elements(); ++i) {
    const bool is_zero =
        x.dtype().is_float() ? LoadFloat(x, i) == 0 : LoadInt(x, i) == 0;
    if (is_zero) continue;
    for (size_t d = 0; d < strides.size(); ++d) {
      indices.data<int64_t>()[static_cast<int64_t>(d) * bound + total] =
          i / strides[d] % x.shape()[d];
    }
    ++total;
  }
  return std::vector<NDArray>{indices, count};
}

}  // namespace assay::graph::reference
