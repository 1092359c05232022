// TypeReader: converts the types that an ONNX file declares to types whose
// extents are numbers.
//
// In the file, an extent is a number, a symbol such as `N`, or not specified;
// some exporters write -1 for the latter.
// The caller provides the values of symbols. An extent that is not specified is
// also given a symbol, which consists of the name of the input and the index of
// the axis. For example, `data[0]` is the first extent of the input `data`. If
// the file declares no shape for an input, the symbols `data[0]`, `data[1]` and
// so on that have values are its extents, and `data[]` stands for a scalar.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TYPE_READER_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TYPE_READER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/builder/check_size.h"
#include "compiler/graph/op/tensor_type.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/memory_limit.h"

namespace assay::frontend {

using graph::CheckSize;

class TypeReader {
 public:
  // `dims` maps symbols to extents. An input must not need more bytes than
  // memory.left(). `dims` and `memory` must outlive this object.
  TypeReader(const std::map<std::string, int64_t>& dims,
             const MemoryBudget& memory)
      : dims_(dims), memory_(memory) {}

  // Returns the type of the graph input `info`. A symbol that is not in `dims`
  // has the extent 0, and CheckDims() returns an error. Returns a MemoryError
  // (runtime/base/memory_limit.h) if the input is too large.
  absl::StatusOr<graph::TensorType> ReadInput(const onnx::ValueInfoProto& info);

  // Returns InvalidArgument if `actual` does not have the element type that
  // `info` declares.
  absl::Status CheckElementType(const onnx::ValueInfoProto& info,
                                const graph::TensorType& actual) const;
  // Returns InvalidArgument if `actual` does not agree with the rank or the
  // extents that `info` declares. Symbols that are not in `dims` agree with
  // every extent. The extents of the axes `bounded` of `actual` are upper
  // bounds. If `info` declares a number for such an axis, the number agrees if
  // it does not exceed the bound.
  absl::Status CheckShape(const onnx::ValueInfoProto& info,
                          const graph::TensorType& actual,
                          absl::Span<const int> bounded = {}) const;
  // CheckElementType() and CheckShape().
  absl::Status CheckDeclared(const onnx::ValueInfoProto& info,
                             const graph::TensorType& actual) const;

  // Must be called after ReadInput() for all inputs. Returns InvalidArgument if
  // an entry of `dims` was not used, which is named first because it may be
  // mistyped, or if a symbol of an input is not in `dims`. The message then
  // names all symbols that lack an extent, where each is, and the flag that
  // sets their extents.
  absl::Status CheckDims() const;

 private:
  // A symbol that is not in `dims`, and an axis that has it.
  struct OpenExtent {
    std::string symbol;
    std::string input;
    size_t axis = 0;
  };

  absl::StatusOr<int64_t> ReadExtent(
      const onnx::TensorShapeProto::Dimension& dim, const std::string& input,
      size_t axis);
  // Returns the shape of an input for which the file declares none.
  absl::StatusOr<Shape> GivenShape(const std::string& input);
  absl::Status OpenExtentsError() const;

  const std::map<std::string, int64_t>& dims_;
  const MemoryBudget& memory_;
  std::set<std::string> symbols_;
  // The first axis of each symbol, in the order of the inputs.
  std::vector<OpenExtent> open_;
};

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TYPE_READER_H_
