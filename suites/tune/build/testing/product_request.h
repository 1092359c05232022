// ProductRequest: a point for tests.
#ifndef ASSAY_SUITES_TUNE_BUILD_TESTING_PRODUCT_REQUEST_H_
#define ASSAY_SUITES_TUNE_BUILD_TESTING_PRODUCT_REQUEST_H_

#include "suites/tune/build/build_request.h"

namespace assay::suites {

// Returns a request for bytecode of the product of a 24x40 matrix with a matrix
// of `columns` columns, which has the knob `mr` of matmul.blocked. Points with
// another `mr` have other code.
BuildRequest ProductRequest(int mr, int columns = 16);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_BUILD_TESTING_PRODUCT_REQUEST_H_
