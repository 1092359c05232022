// Compares the history of the operators that the importer has
// (compiler/frontend/onnx/operators/operator_definitions.h) with that of the
// newest package `onnx`.
#include "compiler/frontend/onnx/operators/operator_definitions.h"

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::conformance {
namespace {

constexpr char kFile[] = "tests/onnx_conformance/operator_definitions";

// Maps operators to the opsets that define them.
using History = std::map<std::string, std::vector<std::string>>;

TEST(OperatorDefinitionsTest, AreThoseOfTheNewestPackage) {
  const auto note = ReadFile(std::string(kFile) + ".note");
  ASSERT_TRUE(note.ok()) << note.status();
  if (!note->empty()) GTEST_SKIP() << *note;
  const auto text = ReadFile(std::string(kFile) + ".txt");
  ASSERT_TRUE(text.ok()) << text.status();
  History newest;
  for (const absl::string_view line :
       absl::StrSplit(*text, '\n', absl::SkipEmpty())) {
    std::vector<std::string> words = absl::StrSplit(line, ' ');
    const std::string name = words[0];
    words.erase(words.begin());
    newest[name] = words;
  }
  EXPECT_GT(newest.size(), 150u);
  History ours;
  for (const frontend::OperatorDefinitions& definitions :
       frontend::AllOperatorDefinitions()) {
    std::vector<std::string>& opsets = ours[definitions.op_type];
    for (const int8_t opset : definitions.opsets) {
      if (opset != 0) opsets.push_back(std::to_string(opset));
    }
  }
  for (const auto& [name, opsets] : newest) {
    EXPECT_EQ(ours[name], opsets) << name;
  }
  EXPECT_EQ(ours.size(), newest.size());
}

}  // namespace
}  // namespace assay::conformance
