// Scan: computes tensors in which an element may depend on elements of the same
// tensors at earlier times. The first axis of the tensors is time. Examples are
// prefix sums and recurrent cells.
//
//   Tensor h = ScanState({steps, n}, DType::Float32(), "h");
//   Tensor next = Compute({steps, n}, "next", [&](const auto& i) {
//     return h(i[0] - 1, i[1]) + x(i);
//   });
//   Tensor sums = Scan("sums", first, next, h);
//
// The arguments of Scan are `init` (here `first`), `update` (here `next`) and
// the state (here `h`). `init` defines the result at the first time steps. At
// every later time t, the result is equal to `update` at t. To compute its
// elements at time t, `update` may read the state at times before t. The state
// is an alias of the result.
//
// `update` must have the type and shape of the state. `init` must have the same
// type, and the same shape except that it may have fewer time steps (at least
// one). A scan can have several states, which must have equal shapes; it
// computes all of them at each time step. Each state must belong to exactly one
// scan, and `init` must not depend on the state.
//
// Stages that depend on the state are computed inside the time loop of the
// scan, and only for times after those of `init`. Therefore they may read
// h(i[0] - 1, …), as above, although this element does not exist for i[0] = 0.
#ifndef ASSAY_COMPILER_TE_SCAN_H_
#define ASSAY_COMPILER_TE_SCAN_H_

#include <string>
#include <vector>

#include "compiler/te/tensor.h"

namespace assay::te {

Tensor ScanState(Shape shape, DType dtype, std::string name);

// Returns one result per state. The results are named `name.0`, `name.1`, …, or
// `name` if there is only one.
std::vector<Tensor> Scan(std::string name, const std::vector<Tensor>& init,
                         const std::vector<Tensor>& update,
                         const std::vector<Tensor>& states);
Tensor Scan(std::string name, const Tensor& init, const Tensor& update,
            const Tensor& state);

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_SCAN_H_
