// WithoutMatrixUnit: for tests of algorithms that the compiler does not choose
// on a processor with a matrix unit.
#ifndef ASSAY_COMPILER_TARGET_TESTING_WITHOUT_MATRIX_UNIT_H_
#define ASSAY_COMPILER_TARGET_TESTING_WITHOUT_MATRIX_UNIT_H_

#include "compiler/target/target.h"

namespace assay::target {

// Returns `target` with its matrix unit disabled, or `target` itself if it has
// none.
Target WithoutMatrixUnit(const Target& target);

}  // namespace assay::target

#endif  // ASSAY_COMPILER_TARGET_TESTING_WITHOUT_MATRIX_UNIT_H_
