// Reads the problems of the kernel suites from the tables gemm_shapes.csv and
// conv_shapes.csv in this folder.
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

// Each of these two functions parses `text`, the content of a table: a CSV file
// with the names of the columns in the first line. Empty lines and lines that
// start with `#` are ignored. Error messages name the line and `path`; the file
// `path` is not read.
absl::StatusOr<std::vector<NamedGemm>> ReadGemmShapes(const std::string& path,
                                                      absl::string_view text);
absl::StatusOr<std::vector<NamedConv>> ReadConvShapes(const std::string& path,
                                                      absl::string_view text);

// Returns the group of problems to which `problem` belongs in summaries of
// results: `3x3 stride 1`, `depthwise` or `other`.
std::string ConvClass(const ConvProblem& problem);

// Formats a problem, for example as `64x56x56-64 k3 s1 p1`. If the dilation or
// the number of groups is not 1, it is appended, for example as ` d6` or
// ` g32`.
std::string ConvText(const ConvProblem& problem);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_SHAPES_H_
