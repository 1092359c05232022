// From the types that an ONNX file declares to types with known extents.
//
// An extent may be a number, a symbol (`N`), or not given. Symbols get their
// values from the caller, by name; an extent that is not given is named after
// its place, `data[0]` for the first extent of input `data`.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_TYPE_READER_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_TYPE_READER_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/graph/op/tensor_type.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/memory_limit.h"

namespace assay::frontend {

class TypeReader {
 public:
  // `dims` maps symbols to extents; it and `memory`, of which no input may need
  // more than is left, must outlive the object.
  TypeReader(const std::map<std::string, int64_t>& dims,
             const MemoryBudget& memory)
      : dims_(dims), memory_(memory) {}

  // The type of a graph input. Fails where an extent has no value, the hint
  // saying how to give it one.
  absl::StatusOr<graph::TensorType> ReadInput(const onnx::ValueInfoProto& info);

  // That `actual` agrees with what `info` declares, as far as it declares
  // anything: element type, rank, numbers and symbols with a value. Axis
  // `bounded` of `actual` is a bound, which a declared number must not exceed.
  absl::Status CheckDeclared(const onnx::ValueInfoProto& info,
                             const graph::TensorType& actual,
                             int bounded = -1) const;

  // That every value in `dims` was used by an input.
  absl::Status CheckDims() const;

 private:
  absl::StatusOr<int64_t> ReadExtent(
      const onnx::TensorShapeProto::Dimension& dim, const std::string& place);

  const std::map<std::string, int64_t>& dims_;
  const MemoryBudget& memory_;
  std::set<std::string> symbols_;
};

// A MemoryError where a tensor of the type needs more than `max_bytes`.
absl::Status CheckSize(const graph::TensorType& type, int64_t max_bytes);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_TYPE_READER_H_
