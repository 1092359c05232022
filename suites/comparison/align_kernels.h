// AlignKernels: finds the kernels of two artifacts of one model that compute
// the same part of it.
//
// Each kernel lists the nodes of the source model that it computes. If the
// artifacts are fused differently, one node may be computed together with
// different nodes in each, so kernels are merged until no node is in two parts:
// the parts are the connected components of the graph of kernels and nodes. A
// kernel without nodes (a layout transformation) is matched with one of the
// same kind, in order.
//
// A part is marked if its kernels have the same machine code in both artifacts,
// pairwise: a difference in its time then has another cause.
#ifndef ASSAY_SUITES_COMPARISON_ALIGN_KERNELS_H_
#define ASSAY_SUITES_COMPARISON_ALIGN_KERNELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"

namespace assay::suites {

struct AlignedKernels {
  std::vector<std::string> sources;  // unique, in order of occurrence
  // Indices into the calls of each artifact, ascending; one may be empty.
  std::vector<int64_t> base;
  std::vector<int64_t> run;
  bool same_code = false;
};

// Returns the parts in the order of their first call, those of `base` first.
// Every call is in exactly one part.
std::vector<AlignedKernels> AlignKernels(
    absl::Span<const runtime::KernelCall> base,
    absl::Span<const runtime::KernelCall> run);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_COMPARISON_ALIGN_KERNELS_H_
