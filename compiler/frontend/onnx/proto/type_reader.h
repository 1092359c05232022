// Converts the types that an ONNX file declares to types with known extents.
//
// An extent is a number, a symbol (`N`), or unknown. The caller gives the
// values of symbols by name; an unknown extent is named after its position,
// `data[0]` for the first extent of input `data`.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TYPE_READER_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TYPE_READER_H_

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
  // `dims` maps symbols to extents. No input may need more than is left of
  // `memory`. Both must outlive the object.
  TypeReader(const std::map<std::string, int64_t>& dims,
             const MemoryBudget& memory)
      : dims_(dims), memory_(memory) {}

  // The type of a graph input. Fails if an extent has no value; the error says
  // how to give one.
  absl::StatusOr<graph::TensorType> ReadInput(const onnx::ValueInfoProto& info);

  // Checks that `actual` agrees with everything that `info` declares: element
  // type, rank, numbers and symbols with a value. The extent of axis `bounded`
  // of `actual` is an upper bound, which a declared number must not exceed.
  absl::Status CheckDeclared(const onnx::ValueInfoProto& info,
                             const graph::TensorType& actual,
                             int bounded = -1) const;

  // Checks that every entry of `dims` was used by an input.
  absl::Status CheckDims() const;

 private:
  absl::StatusOr<int64_t> ReadExtent(
      const onnx::TensorShapeProto::Dimension& dim, const std::string& place);

  const std::map<std::string, int64_t>& dims_;
  const MemoryBudget& memory_;
  std::set<std::string> symbols_;
};

// Returns a MemoryError if a tensor of the type needs more than `max_bytes`.
absl::Status CheckSize(const graph::TensorType& type, int64_t max_bytes);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TYPE_READER_H_
