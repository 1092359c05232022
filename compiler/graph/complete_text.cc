#include "compiler/graph/complete_text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "compiler/graph/constant_text.h"
#include "compiler/graph/digest.h"
#include "compiler/graph/parser.h"
#include "compiler/graph/printer.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

constexpr char kConstants[] = "constants:\n";

// Returns `float32[4,3] <base64>` for each constant that the text omits.
std::string ConstantLines(const Graph& graph) {
  std::vector<std::string> lines;
  for (const auto& [digest, value] : CollectConstants(graph)) {
    const ConstantAttrs constant = {value, digest};
    if (!absl::StrContains(ConstantToString(constant), "digest=")) continue;
    const absl::string_view bytes(static_cast<const char*>(value.raw()),
                                  value.num_bytes());
    lines.push_back(
        absl::StrCat(TensorType{value.dtype(), value.shape()}.ToString(), " ",
                     absl::Base64Escape(bytes), "\n"));
  }
  std::sort(lines.begin(), lines.end());
  return absl::StrJoin(lines, "");
}

absl::StatusOr<NDArray> ParseConstantLine(absl::string_view line) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(line, absl::MaxSplits(' ', 1));
  ASSAY_ASSIGN_OR_RETURN(TensorType type, TensorType::Parse(parts.first));
  std::string bytes;
  if (!absl::Base64Unescape(parts.second, &bytes) ||
      static_cast<int64_t>(bytes.size()) != type.num_bytes()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the bytes of a constant of type `", parts.first,
                     "` are not as many as its elements need"));
  }
  NDArray value(type.dtype, std::move(type.shape));
  if (!bytes.empty()) std::memcpy(value.raw(), bytes.data(), bytes.size());
  return value;
}

}  // namespace

std::string ToCompleteText(const Graph& graph) {
  return absl::StrCat(ToString(graph), kConstants, ConstantLines(graph));
}

absl::StatusOr<std::unique_ptr<Graph>> ParseCompleteText(
    absl::string_view text) {
  const size_t end = text.rfind(absl::StrCat("\n", kConstants));
  if (end == absl::string_view::npos) {
    return absl::InvalidArgumentError(
        "the text of the graph has no `constants:`");
  }
  ConstantStore store;
  const absl::string_view lines =
      text.substr(end + 1 + absl::string_view(kConstants).size());
  for (const absl::string_view line :
       absl::StrSplit(lines, '\n', absl::SkipEmpty())) {
    ASSAY_ASSIGN_OR_RETURN(NDArray value, ParseConstantLine(line));
    store.emplace(DigestOf(value), std::move(value));
  }
  return ParseGraph(text.substr(0, end + 1), &store);
}

}  // namespace assay::graph
