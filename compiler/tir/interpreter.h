// Interpret: executes a program, before or after any pass, and detects errors
// that are only visible at run time. It is the reference in the differential
// tests of lowering, passes and code generation.
//
//   NDArray y = (*Interpret(function, {x, weights}))[0];
//
// Every access is checked. The run ends with an Internal error that names
// function, buffer and index after an out-of-bounds access, a load of an
// element that was never written, a load of an element that another iteration
// of the same parallel or vectorized loop wrote (a data race), or a division by
// zero. An output with unwritten elements is an error, too.
//
// Arithmetic follows expr/numeric.h: float32 results are rounded after every
// operation; exp, log, tanh and sigmoid are computed by the C library in double
// and rounded; round is to nearest even. Not for production: about 10^7
// operations per second.
#ifndef ASSAY_COMPILER_TIR_INTERPRETER_H_
#define ASSAY_COMPILER_TIR_INTERPRETER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/tir/stmt.h"
#include "runtime/base/ndarray.h"

namespace assay::tir {

struct InterpretOptions {
  // If not 0, iterations of parallel and vectorized loops run in an order
  // shuffled with this seed, which exposes dependences between iterations.
  uint64_t seed = 0;
  // If set, loads of unwritten elements and unwritten outputs are errors.
  bool check_initialized = true;
};

// Returns one array per output. Returns InvalidArgument if number, types or
// shapes of the inputs do not match the function, and the error of Verify if
// the function is invalid.
absl::StatusOr<std::vector<NDArray>> Interpret(
    const Function& f, const std::vector<NDArray>& inputs,
    const InterpretOptions& options = {});

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_INTERPRETER_H_
