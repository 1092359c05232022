// AlignKernels: which kernels of two artifacts of one model do the same.
//
// A kernel says which nodes of the source model it computes. Where fusion
// differs, a node of one kernel here may be computed by another there along
// with others, so kernels are put together until no node is in two pieces: the
// connected parts of the graph whose edges are "computes this node". A kernel
// of no node (a change of layout) is alike to one of the same kind, the first
// of that kind to the first, and so on.
//
// A piece whose kernels are the same machine code in both, one by one, is
// marked: what it takes longer comes from elsewhere.
#ifndef ASSAY_SUITES_COMPARISON_ALIGN_KERNELS_H_
#define ASSAY_SUITES_COMPARISON_ALIGN_KERNELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {

struct AlignedKernels {
  std::vector<std::string> sources;  // each once, in the order met
  // Indices into the calls of each artifact, ascending; one may be empty.
  std::vector<int64_t> base;
  std::vector<int64_t> run;
  bool same_code = false;
};

// Every call is in one of the pieces, which are in the order of their first
// call, those of `base` first.
std::vector<AlignedKernels> AlignKernels(
    absl::Span<const runtime::KernelCall> base,
    absl::Span<const runtime::KernelCall> run);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_ALIGN_KERNELS_H_
