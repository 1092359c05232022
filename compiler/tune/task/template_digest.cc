#include "compiler/tune/task/template_digest.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/stages.h"
#include "compiler/ops/config.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/op_instance.h"
#include "compiler/tir/printer.h"
#include "compiler/tune/space/search_space.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::tune {
namespace {

using graph::Node;

constexpr size_t kDigits = 16;

// Returns the loop IR of the kernel.
absl::StatusOr<std::string> LoopsOf(const Node& kernel,
                                    const target::Target& target,
                                    const ops::KernelOptions& options) {
  driver::DumpDir dump("");
  driver::KernelLowering lowering(target, /*verify=*/false, dump,
                                  /*reproducer_dir=*/"");
  ASSAY_RETURN_IF_ERROR(lowering.Add(kernel, options).status());
  return tir::ToString(lowering.functions().front());
}

// Returns the text of the implementation, its space and its loops.
absl::StatusOr<std::string> TextOf(
    const Node& kernel, const target::Target& target,
    const SearchSpace::Implementation& implementation) {
  std::string text = absl::StrCat(implementation.name, "\n");
  for (const auto& knob : implementation.configs.knobs()) {
    absl::StrAppend(&text, knob.name, ":");
    for (const ops::Entity& candidate : knob.candidates) {
      absl::StrAppend(&text, " ", ops::ToString(candidate));
    }
    absl::StrAppend(&text, "\n");
  }
  ops::KernelOptions options;
  options.implementation = implementation.name;
  options.config = implementation.preferred;
  ASSAY_ASSIGN_OR_RETURN(const std::string loops,
                         LoopsOf(kernel, target, options));
  absl::StrAppend(&text, options.config.ToString(), "\n", loops);
  return text;
}

}  // namespace

absl::StatusOr<std::string> TemplateDigest(const graph::Graph& kernel,
                                           const target::Target& target) {
  const Node& node = *kernel.outputs().front().value.node;
  const Node* anchor = ops::AnchorOf(*node.attrs_as<graph::KernelAttrs>().body);
  Sha256 digest;
  digest.Update(absl::StrCat(target.ToString(), "\n"));
  if (anchor == nullptr) {
    ASSAY_ASSIGN_OR_RETURN(const std::string loops, LoopsOf(node, target, {}));
    digest.Update(loops);
  } else {
    ASSAY_ASSIGN_OR_RETURN(const SearchSpace space,
                           SpaceOf(ops::InstanceOf(*anchor), target));
    for (const auto& implementation : space.implementations()) {
      ASSAY_ASSIGN_OR_RETURN(const std::string text,
                             TextOf(node, target, implementation));
      digest.Update(text);
    }
  }
  return HexOf(digest.Finish()).substr(0, kDigits);
}

}  // namespace assay::tune
