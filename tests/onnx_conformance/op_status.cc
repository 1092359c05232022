#include "tests/onnx_conformance/op_status.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tests/onnx_conformance/bound_inputs.h"
#include "tests/onnx_conformance/case.h"
#include "tests/onnx_conformance/run_case.h"

namespace assay::conformance {
namespace {

constexpr char kHeader[] = R"(# How much of ONNX works

Counted over the official test cases of ONNX 1.12 (opsets 1 to 17) by
`//tests/onnx_conformance`, which imports, compiles and runs each of them on this machine and compares the results.
Written by its `--update`; a test keeps this page as it should be. The cases that do not pass stand in
`tests/onnx_conformance/exceptions`, each with its reason.

)";

constexpr char kOperators[] = R"(
## Operators

A case counts for every operator in its model. *Bound* are passing cases in which operands that ONNX passes when the
model runs, but which decide extents or modes, are given to the importer instead (`ImportOptions::bound_inputs`),
because it refuses the model without. What is supported of operators and opsets beyond the cases: [onnx.md](onnx.md).

| Operator | Passed | Listed | Bound |
|---|---|---|---|
)";

struct Count {
  int passed = 0;
  int listed = 0;
  int bound = 0;
};

void Add(const CaseStatus& status, Count* count) {
  ++(status.listed ? count->listed : count->passed);
  if (!status.bound.empty()) ++count->bound;
}

void AddOperators(const onnx::GraphProto& graph, std::set<std::string>* names) {
  for (const onnx::NodeProto& node : graph.node()) {
    names->insert(node.domain().empty()
                      ? node.op_type()
                      : absl::StrCat(node.domain(), ".", node.op_type()));
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) AddOperators(attribute.g(), names);
    }
  }
}

std::string Number(int n) { return n == 0 ? "" : absl::StrCat(n); }

std::string Cells(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) {
    absl::StrAppend(&row, cell.empty() ? " |" : absl::StrCat(" ", cell, " |"));
  }
  return row + "\n";
}

}  // namespace

std::set<std::string> OperatorsOf(const onnx::ModelProto& model) {
  std::set<std::string> names;
  AddOperators(model.graph(), &names);
  return names;
}

std::vector<CaseStatus> CollectStatus(const std::string& root,
                                      const Exceptions& exceptions) {
  std::vector<CaseStatus> cases;
  for (const std::string& name : FindCases(root)) {
    CaseStatus status;
    status.name = name;
    status.listed = exceptions.count(name) > 0;
    if (const auto model = ReadModel(root, name); model.ok()) {
      status.operators = OperatorsOf(*model);
      if (!status.listed && !InputsToBind(*model).empty()) {
        const auto data = ReadDataSets(root, name, *model);
        if (data.ok()) {
          auto imported = ImportCase(*model, data->front());
          if (imported.ok()) status.bound = std::move(imported->bound);
        }
      }
    }
    cases.push_back(std::move(status));
  }
  return cases;
}

std::string PrintOpStatus(const std::vector<CaseStatus>& cases) {
  std::map<std::string, Count> folders, operators;
  for (const CaseStatus& status : cases) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(status.name, absl::MaxSplits('/', 1));
    Add(status, &folders[parts.first]);
    for (const std::string& name : status.operators) {
      Add(status, &operators[name]);
    }
  }
  std::string text = kHeader;
  absl::StrAppend(&text, "| Folder | Cases | Passed | Listed |\n",
                  "|---|---|---|---|\n");
  for (const auto& [name, count] : folders) {
    absl::StrAppend(&text,
                    Cells({absl::StrCat("`", name, "`"),
                           absl::StrCat(count.passed + count.listed),
                           absl::StrCat(count.passed), Number(count.listed)}));
  }
  absl::StrAppend(&text, kOperators);
  for (const auto& [name, count] : operators) {
    absl::StrAppend(&text, Cells({name, Number(count.passed),
                                  Number(count.listed), Number(count.bound)}));
  }
  return text;
}

}  // namespace assay::conformance
