#include "compiler/graph/reference/lines.h"
#include "compiler/graph/reference/rules.h"
#include "runtime/base/element.h"

namespace assay::graph::reference {

Result CumSum(const Node& node, Operands in) {
  const auto& attrs = node.attrs_as<CumSumAttrs>();
  const NDArray& x = in[0];
  NDArray result(x.dtype(), x.shape());
  const Lines lines(x.shape(), attrs.axis);
  const bool is_float = x.dtype().is_float();
  for (int64_t line = 0; line < lines.count; ++line) {
    double sum = 0;
    uint64_t whole = 0;
    const auto store = [&](int64_t i) {
      if (is_float) return StoreFloat(result, i, sum);
      StoreInt(result, i, static_cast<int64_t>(whole));
    };
    for (int64_t k = 0; k < lines.extent; ++k) {
      const int64_t at = attrs.reverse ? lines.extent - 1 - k : k;
      const int64_t i = lines.Begin(line) + at * lines.stride;
      if (attrs.exclusive) store(i);
      if (is_float) {
        sum += LoadFloat(x, i);
      } else {
        whole += static_cast<uint64_t>(LoadInt(x, i));
      }
      if (!attrs.exclusive) store(i);
    }
  }
  return result;
}

}  // namespace assay::graph::reference
