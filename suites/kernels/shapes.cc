#include "suites/kernels/shapes.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "suites/kernels/csv_table.h"

namespace assay::suites {

absl::StatusOr<std::vector<NamedGemm>> ReadGemmShapes(absl::string_view path,
                                                      absl::string_view text) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<CsvRow> rows,
                         ReadCsvTable(path, text, {"name", "m", "n", "k"}));
  std::vector<NamedGemm> gemms;
  for (const CsvRow& row : rows) {
    ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> n,
                           WholeNumbers(path, row, 1, 1));
    gemms.push_back({row.fields[0], {n[0], n[1], n[2]}});
  }
  return gemms;
}

absl::StatusOr<std::vector<NamedConv>> ReadConvShapes(absl::string_view path,
                                                      absl::string_view text) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::vector<CsvRow> rows,
      ReadCsvTable(path, text,
                   {"network", "layer", "count", "in_channels", "height",
                    "width", "out_channels", "kernel", "stride", "padding",
                    "dilation", "groups"}));
  std::vector<NamedConv> convs;
  for (const CsvRow& row : rows) {
    ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> n,
                           WholeNumbers(path, row, 2, 0));
    NamedConv conv;
    conv.network = row.fields[0];
    conv.layer = row.fields[1];
    ConvProblem& p = conv.problem;
    p.in_channels = n[1];
    p.height = n[2];
    p.width = n[3];
    p.out_channels = n[4];
    p.kernel = n[5];
    p.stride = n[6];
    p.padding = n[7];
    p.dilation = n[8];
    p.groups = n[9];
    if (p.stride < 1 || p.dilation < 1 || p.groups < 1 || p.kernel < 1 ||
        p.in_channels % p.groups != 0 || p.out_channels % p.groups != 0 ||
        p.out_height() < 1 || p.out_width() < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", path, ":", row.line, "`: this is no convolution"));
    }
    convs.push_back(std::move(conv));
  }
  return convs;
}

std::string ConvClass(const ConvProblem& problem) {
  if (problem.depthwise()) return "depthwise";
  if (problem.kernel == 3 && problem.stride == 1 && problem.groups == 1 &&
      problem.dilation == 1) {
    return "3x3 stride 1";
  }
  return "other";
}

std::string ConvText(const ConvProblem& p) {
  std::string text = absl::StrCat(p.in_channels, "x", p.height, "x", p.width,
                                  "-", p.out_channels, " k", p.kernel, " s",
                                  p.stride, " p", p.padding);
  if (p.dilation != 1) absl::StrAppend(&text, " d", p.dilation);
  if (p.groups != 1) absl::StrAppend(&text, " g", p.groups);
  return text;
}

}  // namespace assay::suites
