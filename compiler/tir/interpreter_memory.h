// State of one run of tir/interpreter: variables, buffers with shadow memory
// that records when each element was written, and the first error. Private to
// tir/interpreter.
#ifndef ASSAY_COMPILER_TIR_INTERPRETER_MEMORY_H_
#define ASSAY_COMPILER_TIR_INTERPRETER_MEMORY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "compiler/expr/expr.h"

namespace assay::tir {

// A scalar value: `i` for integers and bool, `f` for floats.
union Scalar {
  int64_t i;
  double f;
};

Scalar ReadElement(DType type, const uint8_t* data, int64_t index);
void WriteElement(DType type, uint8_t* data, int64_t index, Scalar value);

struct BufferState {
  expr::Buffer buffer;
  uint8_t* data = nullptr;
  std::vector<uint8_t> storage;  // of an allocation; empty for parameters
  int64_t elements = 0;
  // Time stamp (Frame::now) of the last write of each element; 0: unwritten.
  std::vector<uint32_t> written;
};

// An active parallel or vectorized loop. Every iteration starts at a new time
// stamp, so elements written by other iterations have a stamp in [begin,
// iteration).
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
  // Records the error unless there is one already.
  void Fail(std::string message);

  Scalar Load(int buffer, int64_t element);
  void Store(int buffer, int64_t element, Scalar value);
};

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_INTERPRETER_MEMORY_H_
