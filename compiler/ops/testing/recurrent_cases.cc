#include "compiler/ops/testing/recurrent_cases.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace assay::ops {

std::vector<OperatorCase> RecurrentCases() {
  std::vector<OperatorCase> cases;
  OperatorCase c;
  const auto add = [&](const std::string& name, int gates, int results,
                       const std::string& operands, const std::string& attrs) {
    c.name = name;
    const std::string states = results == 3 ? ", %c: float32[2,3,21]" : "";
    const std::string type =
        absl::StrCat("(float32[5,2,3,21], float32[2,3,21]",
                     results == 3 ? ", float32[2,3,21])" : ")");
    c.graph = absl::StrCat(
        "graph g(%x: float32[5,3,2,2,", gates, ",16], %w: float32[2,2,", gates,
        ",21,16], %b: float32[2,2,", gates, ",16], %h: float32[2,3,21]", states,
        operands, ") -> (%1, %1.1", results == 3 ? ", %1.2" : "",
        ") {\n  %1: ", type, " = recurrent(%x, %w, %b, %h",
        results == 3 ? ", %c" : "", operands.empty() ? "" : ", %p",
        ") {reverse=[0,1], ", attrs, "}\n}");
    cases.push_back(c);
  };
  add("rnn", 1, 2, "", "cell=rnn, functions=[tanh,relu]");
  add("gru", 3, 2, "", "cell=gru, functions=[sigmoid,tanh,sigmoid,tanh]");
  add("gru_linear", 3, 2, "",
      "cell=gru, functions=[sigmoid,tanh,sigmoid,tanh], "
      "linear_before_reset=true");
  add("lstm", 4, 3, ", %p: float32[2,2,3,16]",
      "cell=lstm, functions=[sigmoid,tanh,tanh,sigmoid,tanh,tanh], "
      "peepholes=true");
  return cases;
}

}  // namespace assay::ops
