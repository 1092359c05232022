// Scan: tensors each of whose elements along the first axis, the time, follows
// from elements at earlier times: running sums, recurrent cells.
//
//   Tensor h = ScanState({steps, n}, DType::Float32(), "h");
//   Tensor next = Compute({steps, n}, "next", [&](const auto& i) {
//     return h(i[0] - 1, i[1]) + x(i);
//   });
//   Tensor sums = Scan("sums", first, next, h);
//
// At the times that `init` has, the first ones, the result is `init`; at a
// later time t it is the update at t, which may read the state, that is the
// result, at times before t. Updates have the state's type and shape, `init`
// has fewer times. A scan of several states, which have one shape, computes all
// of them at each time.
//
// What depends on the state is computed inside of the scan, time by time, and
// for times of `init` not at all; so it may read what is not there then. A
// state belongs to one scan, and `init` does not depend on it.
#ifndef ASSAY_COMPILER_TE_SCAN_H_
#define ASSAY_COMPILER_TE_SCAN_H_

#include <string>
#include <vector>

#include "compiler/te/tensor.h"

namespace assay::te {

Tensor ScanState(Shape shape, DType dtype, std::string name);

// One result per state, named `name.0` and so on.
std::vector<Tensor> Scan(std::string name, const std::vector<Tensor>& init,
                         const std::vector<Tensor>& update,
                         const std::vector<Tensor>& states);
Tensor Scan(std::string name, const Tensor& init, const Tensor& update,
            const Tensor& state);

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_SCAN_H_
