#include "compiler/driver/isolate_kernel.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::driver {

using graph::Graph;
using graph::Node;
using graph::Value;

absl::StatusOr<std::unique_ptr<Graph>> IsolateKernel(const Node& kernel,
                                                     absl::string_view name) {
  auto alone = std::make_unique<Graph>(name);
  std::vector<Value> operands;
  for (const Value& v : kernel.inputs()) {
    ASSAY_ASSIGN_OR_RETURN(
        Node * input,
        alone->AddInput(absl::StrCat("p", operands.size()), v.type()));
    operands.push_back({input});
  }
  ASSAY_ASSIGN_OR_RETURN(Node * copy,
                         alone->AddNode(graph::OpKind::kKernel, kernel.attrs(),
                                        operands, "kernel"));
  alone->AddOutput("out", {copy});
  for (int i = 1; i < copy->num_outputs(); ++i) {
    alone->AddOutput(absl::StrCat("out", i), {copy, i});
  }
  return alone;
}

}  // namespace assay::driver
