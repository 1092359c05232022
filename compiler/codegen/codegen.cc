#include "compiler/codegen/codegen.h"

#include <algorithm>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/codegen/bytecode/codegen_bytecode.h"
#include "compiler/codegen/llvm/codegen_llvm.h"
#include "compiler/codegen/llvm/host_target.h"
#include "runtime/base/check.h"
#include "runtime/base/check_context.h"
#include "runtime/base/status_macros.h"

namespace assay::codegen {
namespace {

constexpr Backend kBackends[] = {
    {target::TargetKind::kLlvm, GenerateLlvm, HostTarget},
    {target::TargetKind::kBytecode, GenerateBytecode, nullptr},
};

constexpr char kNative[] = "-mcpu=native";

const Backend& BackendOf(target::TargetKind kind) {
  const auto* backend = std::find_if(
      std::begin(kBackends), std::end(kBackends),
      [&](const Backend& candidate) { return candidate.kind == kind; });
  CHECK(backend != std::end(kBackends)) << target::RowOf(kind).name;
  return *backend;
}

}  // namespace

absl::StatusOr<CodeModule> Generate(const std::vector<tir::Function>& kernels,
                                    const target::Target& target,
                                    const Options& options) {
  std::set<absl::string_view> names;
  for (const tir::Function& kernel : kernels) {
    if (!names.insert(kernel.name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("there are two kernels `", kernel.name, "`"));
    }
  }
  const ScopedCheckContext context("for target",
                                   [&] { return target.ToString(); });
  return BackendOf(target.kind()).generate(kernels, target, options);
}

absl::StatusOr<target::Target> ResolveTarget(absl::string_view text) {
  const std::vector<absl::string_view> words =
      absl::StrSplit(text, ' ', absl::SkipEmpty());
  if (std::find(words.begin(), words.end(), kNative) == words.end()) {
    return target::Target::Parse(text);
  }
  ASSAY_ASSIGN_OR_RETURN(const target::TargetKind kind,
                         target::ParseTargetKind(words[0]));
  const Backend& backend = BackendOf(kind);
  if (backend.host_target == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a target of kind `", words[0], "` does not have `", kNative, "`"));
  }
  ASSAY_ASSIGN_OR_RETURN(const target::Target host, backend.host_target());
  std::string resolved = host.ToString();
  for (absl::string_view word : words) {
    if (word == kNative || word == words[0]) continue;
    if (!absl::StartsWith(word, "-num-cores=")) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", word, "` cannot be combined with `", kNative,
                       "`, which sets everything about the machine"));
    }
    absl::StrAppend(&resolved, " ", word);
  }
  return target::Target::Parse(resolved);
}

}  // namespace assay::codegen
