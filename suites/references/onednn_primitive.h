// PrepareOneDnnPrimitive: prepares a problem that one primitive of oneDNN
// computes.
//
// The descriptor of the primitive states the layouts of the operands and of the
// result, or leaves them to the library. If the primitive does not use the
// plain layout, operands are reordered before the measurement, and the result
// is reordered after it, so the time includes no reordering.
#ifndef ASSAY_SUITES_REFERENCES_ONEDNN_PRIMITIVE_H_
#define ASSAY_SUITES_REFERENCES_ONEDNN_PRIMITIVE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"
#include "suites/references/onednn_library.h"
#include "suites/references/parity.h"
#include "suites/references/reference.h"

namespace assay::suites {

// A memory descriptor: type, extents and layout of a tensor. It is destroyed
// with the function of the library that created it.
using OneDnnDesc =
    std::unique_ptr<dnnl::MemoryDesc, int (*)(dnnl::MemoryDesc*)>;

// Creates a descriptor with the row-major layout.
absl::StatusOr<OneDnnDesc> PlainDesc(const OneDnnLibrary& library, DType type,
                                     const Shape& shape);
// Creates a descriptor whose layout the library chooses.
absl::StatusOr<OneDnnDesc> AnyDesc(const OneDnnLibrary& library, DType type,
                                   const Shape& shape);

struct OneDnnOperand {
  int argument = 0;  // for example dnnl::kSource
  NDArray value;     // in the plain layout
};

struct OneDnnProblem {
  std::vector<OneDnnOperand> operands;
  DType result_type;
  Shape result_shape;
  // The layout that is stated with the runs.
  TensorLayout layout = TensorLayout::kPlain;
  // Element types, for Parity::precision.
  std::string precision;
  // Creates the descriptor of the primitive. The caller destroys it.
  std::function<absl::StatusOr<dnnl::PrimitiveDesc*>()> describe;
};

// Loads `problem`, to compute it on `threads` threads. `library` must outlive
// the session.
absl::StatusOr<PreparedReference> PrepareOneDnnPrimitive(
    const OneDnnLibrary& library, OneDnnProblem problem, int threads);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONEDNN_PRIMITIVE_H_
