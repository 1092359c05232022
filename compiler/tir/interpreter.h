// Interpret: runs a program, before or after any pass, and finds the bugs that
// only running shows. The oracle of the differential tests of lowering, passes
// and code generation.
//
//   NDArray y = (*Interpret(function, {x, weights}))[0];
//
// Every access is checked. An access out of bounds, a load of an element that
// nothing has written, a load of what another iteration of the same parallel or
// vectorized loop wrote, and a division by zero end the run with an Internal
// error that names function, buffer and index. Outputs that are not wholly
// written are an error too.
//
// Arithmetic follows expr/numeric.h: float32 results are rounded after every
// operation; exp, log, tanh and sigmoid are the C library's in double, rounded;
// round goes to even. Not for production: about 10^7 operations a second.
#ifndef ASSAY_COMPILER_TIR_INTERPRETER_H_
#define ASSAY_COMPILER_TIR_INTERPRETER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/tir/stmt.h"
#include "runtime/base/ndarray.h"

namespace assay::tir {

struct InterpretOptions {
  // Not 0: iterations of parallel and vectorized loops run in an order shuffled
  // by this seed, which exposes those that depend on one another.
  uint64_t seed = 0;
  // Whether loads of unwritten elements and unwritten outputs are errors.
  bool check_initialized = true;
};

// One array per output. InvalidArgument where the inputs do not have the
// number, types and shapes that the function asks for; Verify's error where the
// function is not valid.
absl::StatusOr<std::vector<NDArray>> Interpret(
    const Function& f, const std::vector<NDArray>& inputs,
    const InterpretOptions& options = {});

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_INTERPRETER_H_
