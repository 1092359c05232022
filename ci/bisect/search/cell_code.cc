#include "ci/bisect/search/cell_code.h"

#include <cstdint>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "suites/comparison/align_kernels.h"

namespace assay::ci {
namespace {

bool IsIn(const runtime::KernelCall& call, const CodePart& part) {
  if (part.sources.empty()) {
    return call.sources.empty() && call.kind == part.kind;
  }
  return absl::c_any_of(call.sources, [&](const std::string& source) {
    return absl::c_linear_search(part.sources, source);
  });
}

}  // namespace

std::vector<CodePart> DifferentParts(
    absl::Span<const runtime::KernelCall> good,
    absl::Span<const runtime::KernelCall> bad) {
  std::vector<CodePart> parts;
  std::set<std::string> kinds;
  for (const suites::AlignedKernels& aligned :
       suites::AlignKernels(good, bad)) {
    if (aligned.same_code) continue;
    if (!aligned.sources.empty()) {
      parts.push_back({aligned.sources, ""});
      continue;
    }
    const std::string& kind =
        aligned.base.empty() ? bad[static_cast<size_t>(aligned.run[0])].kind
                             : good[static_cast<size_t>(aligned.base[0])].kind;
    if (kinds.insert(kind).second) parts.push_back({{}, kind});
  }
  return parts;
}

std::optional<std::string> CodeOf(absl::Span<const CodePart> parts,
                                  absl::Span<const runtime::KernelCall> calls) {
  std::string code;
  for (const CodePart& part : parts) {
    for (const runtime::KernelCall& call : calls) {
      if (!IsIn(call, part)) continue;
      if (call.code_digest.empty()) return std::nullopt;
      absl::StrAppend(&code, call.code_digest, " ");
    }
    code += '\n';
  }
  return code;
}

}  // namespace assay::ci
