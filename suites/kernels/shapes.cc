#include "suites/kernels/shapes.h"

#include <libfccp/csv.h>

#include <array>
#include <cstddef>
#include <exception>
#include <tuple>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "runtime/base/status_macros.h"

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

// Sets `counts` to the numbers in `fields`. CSVReader must read the fields as
// strings, because as a number it would read an empty field as 0.
absl::Status ParseCounts(const std::string& path, unsigned line,
                         absl::Span<const std::string> fields,
                         absl::Span<int64_t* const> counts) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (!absl::SimpleAtoi(fields[i], counts[i]) || *counts[i] < 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`", path, ":", line, "`: `", fields[i], "` is no count"));
    }
  }
  return absl::OkStatus();
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
  const std::array<int64_t*, 3> counts = {&p.m, &p.n, &p.k};
  std::array<std::string, 3> fields;
  try {
    Reader<4> csv(path, text.data(), text.data() + text.size());
    csv.read_header(io::ignore_no_column, "name", "m", "n", "k");
    while (csv.read_row(gemm.name, fields[0], fields[1], fields[2])) {
      ASSAY_RETURN_IF_ERROR(
          ParseCounts(path, csv.get_file_line(), fields, counts));
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
  int64_t count = 0;  // of the layers with this problem; nothing uses it
  const std::array<int64_t*, 10> counts = {
      &count,    &p.in_channels, &p.height,  &p.width,    &p.out_channels,
      &p.kernel, &p.stride,      &p.padding, &p.dilation, &p.groups};
  std::array<std::string, 10> fields;
  const auto read_row = [&](auto& csv) {
    return std::apply(
        [&](auto&... field) {
          return csv.read_row(conv.network, conv.layer, field...);
        },
        fields);
  };
  try {
    Reader<12> csv(path, text.data(), text.data() + text.size());
    csv.read_header(io::ignore_no_column, "network", "layer", "count",
                    "in_channels", "height", "width", "out_channels", "kernel",
                    "stride", "padding", "dilation", "groups");
    while (read_row(csv)) {
      ASSAY_RETURN_IF_ERROR(
          ParseCounts(path, csv.get_file_line(), fields, counts));
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
