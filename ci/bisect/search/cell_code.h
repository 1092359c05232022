// Compares the machine code of one cell at several commits, by the digests of
// its kernels.
#ifndef ASSAY_CI_BISECT_SEARCH_CELL_CODE_H_
#define ASSAY_CI_BISECT_SEARCH_CELL_CODE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "runtime/artifact/artifact.h"

namespace assay::ci {

// A part of a model: kernels that compute the same nodes in two artifacts.
struct CodePart {
  // Names of the nodes, or empty for kernels without nodes, such as
  // transformations of a layout.
  std::vector<std::string> sources;
  // The kind of the kernels (KernelCall::kind) if there are no nodes.
  std::string kind;
};

// Returns the parts of the model whose kernels have different machine code in
// two artifacts, or are called more often in one of them.
std::vector<CodePart> DifferentParts(absl::Span<const runtime::KernelCall> good,
                                     absl::Span<const runtime::KernelCall> bad);

// Returns a text that is equal for two artifacts if and only if the kernels of
// all `parts` have the same machine code in both. Returns nullopt if the digest
// of one of these kernels is unknown.
std::optional<std::string> CodeOf(absl::Span<const CodePart> parts,
                                  absl::Span<const runtime::KernelCall> calls);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SEARCH_CELL_CODE_H_
