// Scan: tensors whose elements along the first axis, time, depend on elements
// at earlier times: prefix sums, recurrent cells.
//
//   Tensor h = ScanState({steps, n}, DType::Float32(), "h");
//   Tensor next = Compute({steps, n}, "next", [&](const auto& i) {
//     return h(i[0] - 1, i[1]) + x(i);
//   });
//   Tensor sums = Scan("sums", first, next, h);
//
// `init` covers the first time steps, and the result equals it there. At a
// later time t the result is the update at t, which may read the state, an
// alias of the result, at times before t. Updates have the type and shape of
// the state; `init` has fewer time steps. A scan with several states, all of
// one shape, computes all of them at each time step.
//
// Stages that depend on the state are computed inside of the scan's time loop
// and only for times after those of `init`, so they may read elements that do
// not exist for earlier times. A state belongs to one scan, and `init` must not
// depend on it.
#ifndef ASSAY_COMPILER_TE_SCAN_H_
#define ASSAY_COMPILER_TE_SCAN_H_

#include <string>
#include <vector>

#include "compiler/te/tensor.h"

namespace assay::te {

Tensor ScanState(Shape shape, DType dtype, std::string name);

// Returns one result per state, named `name.0`, `name.1`, …
std::vector<Tensor> Scan(std::string name, const std::vector<Tensor>& init,
                         const std::vector<Tensor>& update,
                         const std::vector<Tensor>& states);
Tensor Scan(std::string name, const Tensor& init, const Tensor& update,
            const Tensor& state);

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_SCAN_H_
