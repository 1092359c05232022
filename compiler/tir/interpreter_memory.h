// The state of one run of tir/interpreter: variables, buffers with a shadow
// that knows who wrote each element, and the first error. Private to it.
#ifndef ASSAY_COMPILER_TIR_INTERPRETER_MEMORY_H_
#define ASSAY_COMPILER_TIR_INTERPRETER_MEMORY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "compiler/expr/expr.h"

namespace assay::tir {

// One scalar: `i` for integers and bool, `f` for floats.
union Scalar {
  int64_t i;
  double f;
};

Scalar ReadElement(DType type, const uint8_t* data, int64_t index);
void WriteElement(DType type, uint8_t* data, int64_t index, Scalar value);

struct BufferState {
  expr::Buffer buffer;
  uint8_t* data = nullptr;
  std::vector<uint8_t> storage;  // of allocations; parameters have their own
  int64_t elements = 0;
  // When each element was written last, as a time stamp of Frame; 0: never.
  std::vector<uint32_t> written;
};

// A parallel or vectorized loop that is being run. Every iteration begins at
// a new time stamp, so what others wrote carries one in [begin, iteration).
struct ConcurrentLoop {
  uint32_t begin = 0, iteration = 0;
};

struct Frame {
  std::vector<int64_t> vars;
  std::vector<BufferState> buffers;
  std::vector<ConcurrentLoop> loops;
  uint32_t now = 1;
  bool check_initialized = true;
  uint64_t seed = 0;
  absl::Status error;

  bool failed() const { return !error.ok(); }
  // Keeps the first error.
  void Fail(std::string message);

  Scalar Load(int buffer, int64_t element);
  void Store(int buffer, int64_t element, Scalar value);
};

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_INTERPRETER_MEMORY_H_
