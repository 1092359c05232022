// The kernels of runtime/device/testdata/test_kernels.c as bytecode.
#ifndef ASSAY_RUNTIME_DEVICE_INTERPRETER_TESTING_TEST_PROGRAM_H_
#define ASSAY_RUNTIME_DEVICE_INTERPRETER_TESTING_TEST_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/dtype.h"
#include "runtime/device/interpreter/program.h"

namespace assay::runtime {

// Returns the kernels `test_add`, `test_scale`, `test_fail`,
// `test_parallel_fail` and `test_greedy`.
Program TestProgram();

Instruction Make(Op op, DType type, int32_t dst = 0, int32_t a = 0,
                 int32_t b = 0, int32_t c = 0);

// Returns a kernel that computes element r2 of its last parameter for each r2
// in [0, count) with `body`, which has constants 0 in r0 and 2.0 in r3. The
// parameters have kTestCount floats.
BytecodeKernel Loop(const std::string& name, int parameters, int64_t count,
                    const std::vector<Instruction>& body);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_INTERPRETER_TESTING_TEST_PROGRAM_H_
