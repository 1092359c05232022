#include "compiler/frontend/onnx/operators/operator_table.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/frontend/onnx/operators/bounded_axes.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::frontend {
namespace {

// Returns the index of a definition in the history of its operator, or -1.
int IndexOf(const OperatorDefinitions& definitions, int opset) {
  for (int i = 0; definitions.opsets[i] != 0; ++i) {
    if (std::abs(definitions.opsets[i]) == opset) return i;
  }
  return -1;
}

TEST(OperatorTableTest, RowsHaveDefinitionsWithoutGapsOrOverlaps) {
  std::string last;
  int last_index = 0;
  for (const OperatorRow& row : OperatorTable()) {
    EXPECT_LE(last, row.op_type);
    const OperatorDefinitions* definitions = FindDefinitions(row.op_type);
    ASSERT_NE(definitions, nullptr) << row.op_type;
    const int first = IndexOf(*definitions, row.first_definition);
    EXPECT_GE(first, 0) << row.op_type << " " << row.first_definition;
    if (last == row.op_type) EXPECT_EQ(last_index + 1, first) << last;
    last_index = IndexOf(*definitions, row.last_definition);
    EXPECT_GE(last_index, first) << row.op_type << " " << row.last_definition;
    EXPECT_TRUE(row.max_inputs == -1 || row.max_inputs >= row.min_inputs);
    EXPECT_TRUE(row.max_results == -1 || row.max_results >= 1) << row.op_type;
    last = row.op_type;
  }
}

TEST(OperatorTableTest, DefinitionOfTheOpsetSelectsTheRow) {
  for (const int opset : {7, 12, 13, 21, 28}) {
    const auto row = FindOperator("Squeeze", opset);
    ASSERT_TRUE(row.ok()) << row.status();
    EXPECT_EQ((*row)->max_inputs, opset < 13 ? 1 : 2);
  }
}

TEST(OperatorTableTest, OldAndNewOpsetsHaveUnchangedOperators) {
  EXPECT_TRUE(FindOperator("Not", 1).ok());
  EXPECT_TRUE(FindOperator("Flatten", 1).ok());
  EXPECT_TRUE(FindOperator("Relu", 6).ok());
  EXPECT_TRUE(FindOperator("And", 6).ok());
  EXPECT_TRUE(FindOperator("Conv", 28).ok());
  EXPECT_TRUE(FindOperator("LayerNormalization", 28).ok());
}

TEST(OperatorTableTest, OtherOperatorsAreNamed) {
  const auto error = [](const char* op_type, int opset) {
    return FindOperator(op_type, opset).status().ToString();
  };
  EXPECT_EQ(error("Bernoulli", 15),
            "UNIMPLEMENTED: operator `Bernoulli` is not supported");
  EXPECT_EQ(error("Attention", 23),
            "UNIMPLEMENTED: operator `Attention` is not supported");
  EXPECT_EQ(error("Attention", 22),
            "UNIMPLEMENTED: operator `Attention` does not exist in opset "
            "22; opset 23 introduced it");
  EXPECT_EQ(error("Upsample", 10),
            "UNIMPLEMENTED: operator `Upsample` does not exist in opset 10; "
            "opset 10 removed it");
  EXPECT_EQ(error("Add", 5),
            "UNIMPLEMENTED: operator `Add` as opset 1 defines it is not "
            "supported");
  EXPECT_EQ(error("Swash", 28),
            "UNIMPLEMENTED: operator `Swash` is no operator of ONNX up to "
            "opset 28");
}

// A deprecated operator that keeps its meaning can still be imported.
TEST(OperatorTableTest, DeprecatedDefinitionsCanHaveRows) {
  for (const int opset : {18, 20, 21, 28}) {
    EXPECT_TRUE(FindOperator("GroupNormalization", opset).ok()) << opset;
  }
  EXPECT_FALSE(FindOperator("GroupNormalization", 17).ok());
}

TEST(OperatorDefinitionsTest, SortedAndAscending) {
  std::string last;
  for (const OperatorDefinitions& definitions : AllOperatorDefinitions()) {
    EXPECT_LT(last, definitions.op_type);
    last = definitions.op_type;
    int opset = 0;
    for (const int8_t next : definitions.opsets) {
      if (next == 0) break;
      EXPECT_LT(opset, std::abs(next)) << last;
      opset = std::abs(next);
    }
    EXPECT_GE(opset, kMinOpset) << last;
    EXPECT_LE(opset, kMaxOpset) << last;
  }
}

TEST(OperatorDefinitionsTest, DefinitionsLastUntilTheNext) {
  const OperatorDefinitions& squeeze = *FindDefinitions("Squeeze");
  EXPECT_EQ(DefinitionIn(squeeze, 10), 1);
  EXPECT_EQ(DefinitionIn(squeeze, 12), 11);
  EXPECT_EQ(DefinitionIn(squeeze, 28), 25);
  EXPECT_EQ(LastOpsetOf(squeeze, 11), 12);
  EXPECT_EQ(LastOpsetOf(squeeze, 25), kMaxOpset);
  EXPECT_EQ(DefinitionIn(*FindDefinitions("Scatter"), 11), -11);
  EXPECT_EQ(DefinitionIn(*FindDefinitions("Mish"), 17), 0);
}

TEST(OperatorTableTest, BodiesHaveOperatorsThatAreNotInTheTable) {
  EXPECT_TRUE(FindOperator("DynamicQuantizeLSTM", 21).ok());
  EXPECT_FALSE(FindOperator("DynamicQuantizeLSTM", 22).ok());
  for (const OperatorRow& row : OperatorTable()) {
    EXPECT_STRNE(row.op_type, "DynamicQuantizeLSTM");
  }
}

// The opsets in which the importer reads ordinary models, as documents say.
TEST(OperatorTableTest, DocumentsHaveTheSupportedOpsets) {
  int oldest = kMinOpset;
  while (!FindOperator("Add", oldest).ok()) ++oldest;
  const std::string range = absl::StrCat("opsets ", oldest, " to ", kMaxOpset);
  for (const char* path : {"compiler/docs/onnx.md", "README.md",
                           "compiler/frontend/onnx/import.h"}) {
    const auto text = ReadFile(path);
    ASSERT_TRUE(text.ok()) << text.status();
    EXPECT_TRUE(absl::StrContains(*text, range)) << path << ": " << range;
  }
}

// The rows of the document's table: operator and opsets.
TEST(OperatorTableTest, DocumentHasTheSameRows) {
  const auto text = ReadFile("compiler/docs/onnx.md");
  ASSERT_TRUE(text.ok()) << text.status();
  // The next section has a table of its own.
  const size_t end = text->find("\n## Other domains\n");
  ASSERT_NE(end, std::string::npos);
  const auto section = absl::string_view(*text).substr(0, end);
  std::vector<std::string> documented;
  for (const absl::string_view line : absl::StrSplit(section, '\n')) {
    if (!absl::StartsWith(line, "| ") || absl::StartsWith(line, "| Operator")) {
      continue;
    }
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    ASSERT_GE(cells.size(), 2u) << line;
    documented.push_back(absl::StrCat(cells[0].substr(2), " ", cells[1]));
  }
  std::map<std::string, std::pair<int, int>> opsets;
  for (const OperatorRow& row : OperatorTable()) {
    const int last =
        LastOpsetOf(*FindDefinitions(row.op_type), row.last_definition);
    const auto [range, is_new] =
        opsets.emplace(row.op_type, std::make_pair(row.first_definition, last));
    range->second.second = std::max(range->second.second, last);
  }
  std::vector<std::string> expected;
  for (const auto& [op, range] : opsets) {
    expected.push_back(absl::StrCat(op, " ", range.first, "-", range.second));
  }
  EXPECT_EQ(documented, expected);
}

// The list of operators that combine the elements of an axis whose extent is
// known only when the model runs.
TEST(OperatorTableTest, DocumentHasTheCombiningOperators) {
  const auto text = ReadFile("compiler/docs/onnx.md");
  ASSERT_TRUE(text.ok()) << text.status();
  const std::string before = "combine or reorder the elements of such an axis:";
  const size_t begin = text->find(before);
  ASSERT_NE(begin, std::string::npos);
  const size_t end = text->find('.', begin);
  ASSERT_NE(end, std::string::npos);
  const std::string list =
      text->substr(begin + before.size(), end - begin - before.size());
  const std::vector<std::string> documented =
      absl::StrSplit(list, absl::ByAnyChar(", \n"), absl::SkipEmpty());
  std::vector<std::string> expected;
  for (const OperatorRow& row : OperatorTable()) {
    if (!CombinesBoundedAxes(row.op_type)) continue;
    if (expected.empty() || expected.back() != row.op_type) {
      expected.push_back(row.op_type);
    }
  }
  EXPECT_EQ(documented, expected);
}

}  // namespace
}  // namespace assay::frontend
