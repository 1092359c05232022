#include "suites/kernels/shapes.h"

#include <libfccp/csv.h>

#include <exception>

#include "absl/strings/str_cat.h"

namespace assay::suites {
namespace {

template <unsigned kColumns>
using Reader = io::CSVReader<kColumns, io::trim_chars<' ', '\t'>,
                             io::no_quote_escape<','>, io::throw_on_overflow,
                             io::single_and_empty_line_comment<'#'>>;

absl::Status Invalid(const std::string& path, unsigned line,
                     absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("`", path, ":", line, "`: this is no ", what));
}

bool IsConvolution(const ConvProblem& p) {
  return p.stride >= 1 && p.dilation >= 1 && p.groups >= 1 && p.kernel >= 1 &&
         p.padding >= 0 && p.in_channels >= 1 && p.out_channels >= 1 &&
         p.in_channels % p.groups == 0 && p.out_channels % p.groups == 0 &&
         p.height >= 1 && p.width >= 1 && p.out_height() >= 1 &&
         p.out_width() >= 1;
}

}  // namespace

absl::StatusOr<std::vector<NamedGemm>> ReadGemmShapes(const std::string& path,
                                                      absl::string_view text) {
  std::vector<NamedGemm> gemms;
  NamedGemm gemm;
  GemmProblem& p = gemm.problem;
  try {
    Reader<4> csv(path, text.data(), text.data() + text.size());
    csv.read_header(io::ignore_no_column, "name", "m", "n", "k");
    while (csv.read_row(gemm.name, p.m, p.n, p.k)) {
      if (p.m < 1 || p.n < 1 || p.k < 1) {
        return Invalid(path, csv.get_file_line(), "matrix product");
      }
      gemms.push_back(gemm);
    }
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
  return gemms;
}

absl::StatusOr<std::vector<NamedConv>> ReadConvShapes(const std::string& path,
                                                      absl::string_view text) {
  std::vector<NamedConv> convs;
  NamedConv conv;
  ConvProblem& p = conv.problem;
  int64_t count = 0;
  try {
    Reader<12> csv(path, text.data(), text.data() + text.size());
    csv.read_header(io::ignore_no_column, "network", "layer", "count",
                    "in_channels", "height", "width", "out_channels", "kernel",
                    "stride", "padding", "dilation", "groups");
    while (csv.read_row(conv.network, conv.layer, count, p.in_channels,
                        p.height, p.width, p.out_channels, p.kernel, p.stride,
                        p.padding, p.dilation, p.groups)) {
      if (!IsConvolution(p)) {
        return Invalid(path, csv.get_file_line(), "convolution");
      }
      convs.push_back(conv);
    }
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(error.what());
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
