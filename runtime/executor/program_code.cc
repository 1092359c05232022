#include "runtime/executor/program_code.h"

#include <algorithm>
#include <utility>

#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

// Returns the symbol in `base` of a kernel with the same code as `symbol` in
// `own`, or an empty string. `own` is null if it is the same code as `base`.
std::string FindEqualKernel(const std::string& symbol, const Module* own,
                            const std::set<std::string>& candidates,
                            const Module& base) {
  if (own == nullptr) return candidates.count(symbol) > 0 ? symbol : "";
  const KernelCode code = own->CodeOf(symbol);
  if (code.bytes.empty()) return "";
  for (const std::string& candidate : candidates) {
    const KernelCode other = base.CodeOf(candidate);
    if (other.bytes == code.bytes && other.entry == code.entry) {
      return candidate;
    }
  }
  return "";
}

}  // namespace

std::vector<const KernelCall*> AllCalls(const Artifact& artifact) {
  std::vector<const KernelCall*> calls;
  for (const KernelCall& call : artifact.setup) calls.push_back(&call);
  for (const KernelCall& call : artifact.calls) calls.push_back(&call);
  return calls;
}

absl::StatusOr<ProgramCode> ProgramCode::Load(const Artifact& artifact,
                                              Device* device, uint64_t seed,
                                              const ProgramCode* beside,
                                              const Artifact* beside_artifact) {
  ProgramCode code;
  const std::vector<const KernelCall*> calls = AllCalls(artifact);
  if (calls.empty()) return code;
  for (const KernelCall* call : calls) {
    if (!call->code_digest.empty()) {
      code.claimed_[call->code_digest].insert(call->symbol);
    }
  }
  const auto all_shared = [&] {
    return std::all_of(calls.begin(), calls.end(), [&](const KernelCall* call) {
      return code.shared_.count(call->symbol) > 0;
    });
  };
  const bool can_share = beside != nullptr && !beside->modules_.empty();
  if (can_share) code.modules_ = beside->modules_;
  if (can_share && beside_artifact != nullptr &&
      beside_artifact->code == artifact.code) {
    code.ShareKernels(artifact, /*own=*/nullptr, *beside);
    if (all_shared()) return code;
  }
  ASSAY_ASSIGN_OR_RETURN(std::shared_ptr<Module> own,
                         device->Load(artifact.code_kind, artifact.code, seed));
  if (can_share) code.ShareKernels(artifact, own.get(), *beside);
  if (!all_shared()) code.modules_.push_back(std::move(own));
  return code;
}

void ProgramCode::ShareKernels(const Artifact& artifact, const Module* own,
                               const ProgramCode& beside) {
  shared_.clear();
  for (const KernelCall* call : AllCalls(artifact)) {
    const auto candidates = beside.claimed_.find(call->code_digest);
    if (candidates == beside.claimed_.end()) continue;
    std::string symbol =
        FindEqualKernel(call->symbol, own, candidates->second, *modules_[0]);
    if (!symbol.empty()) shared_[call->symbol] = std::move(symbol);
  }
}

std::string ProgramCode::SharedSymbol(const std::string& symbol) const {
  const auto found = shared_.find(symbol);
  return found == shared_.end() ? "" : found->second;
}

absl::StatusOr<std::unique_ptr<BoundKernel>> ProgramCode::Bind(
    const std::string& symbol, absl::Span<const BufferView> args) const {
  const std::string shared = SharedSymbol(symbol);
  return shared.empty() ? modules_.back()->Bind(symbol, args)
                        : modules_[0]->Bind(shared, args);
}

}  // namespace assay::runtime
