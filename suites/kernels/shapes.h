// The problems of the kernel suites, read from tables beside this file.
#ifndef ASSAY_SUITES_KERNELS_SHAPES_H_
#define ASSAY_SUITES_KERNELS_SHAPES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "suites/references/problem.h"

namespace assay::suites {

struct NamedGemm {
  std::string name;
  GemmProblem problem;
};

struct NamedConv {
  std::string network;
  std::string layer;
  ConvProblem problem;
};

// Parse the content of a table. `path` is used in error messages only.
absl::StatusOr<std::vector<NamedGemm>> ReadGemmShapes(absl::string_view path,
                                                      absl::string_view text);
absl::StatusOr<std::vector<NamedConv>> ReadConvShapes(absl::string_view path,
                                                      absl::string_view text);

// Returns the group in which results are summarized: for example
// `3x3 stride 1`, `depthwise` or `other`.
std::string ConvClass(const ConvProblem& problem);

// Returns for example `64x56x56-64 k3 s1 p1`, followed by dilation (` d6`) and
// groups (` g32`) if they are not 1.
std::string ConvText(const ConvProblem& problem);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_SHAPES_H_
