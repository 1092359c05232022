#include "compiler/frontend/onnx/operators/operator_table.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/frontend/onnx/operators/bounded_operators.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::frontend {
namespace {

TEST(OperatorTableTest, SortedWithoutGapsOrOverlaps) {
  std::pair<std::string, int> last;
  for (const OperatorRow& row : OperatorTable()) {
    const std::pair<std::string, int> key(row.op_type, row.min_opset);
    EXPECT_LT(last, key);
    if (last.first == row.op_type) {
      EXPECT_EQ(last.second + 1, row.min_opset) << row.op_type;
    }
    EXPECT_LE(row.min_opset, row.max_opset) << row.op_type;
    EXPECT_TRUE(row.max_inputs == -1 || row.max_inputs >= row.min_inputs);
    EXPECT_TRUE(row.max_results == -1 || row.max_results >= 1) << row.op_type;
    last = {row.op_type, row.max_opset};
  }
}

TEST(OperatorTableTest, OpsetSelectsTheRow) {
  for (const int opset : {7, 12, 13, 21}) {
    const auto row = FindOperator("Squeeze", opset);
    ASSERT_TRUE(row.ok()) << row.status();
    EXPECT_EQ((*row)->max_inputs, opset < 13 ? 1 : 2);
  }
  EXPECT_EQ(FindOperator("Bernoulli", 15).status().message(),
            "operator `Bernoulli` is not supported in opset 15");
  EXPECT_FALSE(FindOperator("Relu", 22).ok());
}

TEST(OperatorTableTest, BodiesHaveOperatorsThatAreNotInTheTable) {
  EXPECT_TRUE(FindOperator("DynamicQuantizeLSTM", kMaxOpset).ok());
  EXPECT_FALSE(FindOperator("DynamicQuantizeLSTM", kMaxOpset - 1).ok());
  for (const OperatorRow& row : OperatorTable()) {
    EXPECT_STRNE(row.op_type, "DynamicQuantizeLSTM");
  }
}

// The opsets in which the importer reads ordinary models, as documents say.
TEST(OperatorTableTest, DocumentsHaveTheSupportedOpsets) {
  int oldest = kMinOpset;
  while (!FindOperator("Conv", oldest).ok()) ++oldest;
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
    const auto [range, is_new] = opsets.emplace(
        row.op_type, std::make_pair(row.min_opset, row.max_opset));
    range->second.second = std::max(range->second.second, row.max_opset);
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
