// Frame: the state of one run of tir/interpreter. It holds the variables, the
// buffers and the first error. Shadow memory records when each element of a
// buffer was written. Private to tir/interpreter.
#ifndef ASSAY_COMPILER_TIR_INTERPRETER_MEMORY_H_
#define ASSAY_COMPILER_TIR_INTERPRETER_MEMORY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "compiler/expr/expr.h"

namespace assay::tir {

// A scalar value. `i` is valid for integers and bool, `f` for floats.
union Scalar {
  int64_t i;
  double f;
};

Scalar ReadElement(DType type, const uint8_t* data, int64_t index);
void WriteElement(DType type, uint8_t* data, int64_t index, Scalar value);

struct BufferState {
  expr::Buffer buffer;
  uint8_t* data = nullptr;
  // The memory of an allocated buffer. Empty for parameters, whose memory the
  // caller owns.
  std::vector<uint8_t> storage;
  int64_t elements = 0;  // number of elements
  // Time stamp (Frame::now) of the last write of each element, or 0 if the
  // element has not been written.
  std::vector<uint32_t> written;
};

// A parallel or vectorized loop that is being executed. Every iteration starts
// with a new time stamp. Elements that previous iterations wrote have a time
// stamp in [begin, iteration).
struct ConcurrentLoop {
  // Time stamps at which the first and the current iteration started.
  uint32_t begin = 0, iteration = 0;
};

struct Frame {
  std::vector<int64_t> vars;
  std::vector<BufferState> buffers;
  std::vector<ConcurrentLoop> loops;
  uint32_t now = 1;  // current time stamp
  bool check_initialized = true;
  uint64_t seed = 0;
  absl::Status error;

  bool failed() const { return !error.ok(); }
  // Records an Internal error, unless an error has already been recorded.
  void Fail(std::string message);

  // Load and Store access one element of a buffer. `buffer` is an index in
  // `buffers`. `element` is an index in the flat buffer and must be in bounds.
  // Load records an error if the element is unwritten or was written by another
  // iteration of a concurrent loop.

  Scalar Load(int buffer, int64_t element);
  void Store(int buffer, int64_t element, Scalar value);
};

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_INTERPRETER_MEMORY_H_
