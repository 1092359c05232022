// AlignKernels: matches the kernels of two artifacts of one model, so that the
// times of equal parts of the model can be compared. The artifacts are called
// `base` and `run`.
//
// Each kernel call lists the nodes of the source model that it computes. If the
// artifacts are fused differently, the calls do not correspond one to one: two
// calls of one artifact can compute the same nodes as one call of the other
// artifact, or one call can have nodes in common with several calls. Calls that
// have a node in common are therefore put into the same part, so that each node
// belongs to exactly one part. In other words, the parts are the connected
// components of the graph whose vertices are calls and nodes. Some kernels, for
// example layout transformations, compute no node. Among the calls of these
// kernels, the k-th call of a kind (KernelCall::kind) in `base` is matched with
// the k-th call of this kind in `run`.
#ifndef ASSAY_SUITES_COMPARISON_ALIGN_KERNELS_H_
#define ASSAY_SUITES_COMPARISON_ALIGN_KERNELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {

// One part of the model.
struct AlignedKernels {
  // Names of the source nodes, without duplicates, in order of occurrence.
  std::vector<std::string> sources;
  // Indices of the calls of the part in each artifact, ascending. One of the
  // two lists may be empty.
  std::vector<int64_t> base;
  std::vector<int64_t> run;
  // True if both lists have the same length and calls at the same position have
  // the same machine code (KernelCall::code_digest). A difference in time then
  // has another cause than the code of these kernels.
  bool same_code = false;
};

// Returns all parts. Every call is in exactly one part. Parts with calls of
// `base` come first, in the order of their first call of `base`. They are
// followed by the other parts, in the order of their first call of `run`.
std::vector<AlignedKernels> AlignKernels(
    absl::Span<const runtime::KernelCall> base,
    absl::Span<const runtime::KernelCall> run);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_ALIGN_KERNELS_H_
