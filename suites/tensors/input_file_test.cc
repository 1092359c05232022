#include "suites/tensors/input_file.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

InputFile File(const std::vector<std::string>& names, bool by_position) {
  InputFile file;
  file.label = "`in`";
  file.noun = by_position ? "tensor" : "array";
  file.by_position = by_position;
  for (const std::string& name : names) {
    UnreadTensor tensor;
    tensor.name = name;
    tensor.label = "`in`: " + std::string(file.noun) + " `" + name + "`";
    file.tensors.push_back(tensor);
  }
  return file;
}

std::string ErrorOf(const InputFile& file,
                    const std::vector<std::string>& names) {
  const auto matched = MatchInputs(file, names);
  if (matched.ok()) return "";
  EXPECT_EQ(matched.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(matched.status().message());
}

TEST(InputFileTest, MatchesNames) {
  const InputFile file = File({"a", "b"}, /*by_position=*/false);
  const std::vector<std::string> names = {"b", "a"};
  const auto matched = MatchInputs(file, names);
  ASSERT_TRUE(matched.ok()) << matched.status();
  ASSERT_EQ(matched->size(), 2u);
  EXPECT_EQ((*matched)[0], &file.tensors[1]);
  EXPECT_EQ((*matched)[1], &file.tensors[0]);
}

TEST(InputFileTest, NamesMustBeThoseOfTheModel) {
  const InputFile file = File({"a", "b"}, /*by_position=*/false);
  EXPECT_EQ(ErrorOf(file, {"a", "b", "c"}),
            "`in` has no array for the input `c` of the model; it has `a`, "
            "`b`");
  EXPECT_EQ(ErrorOf(file, {"b"}),
            "`in`: array `a` belongs to no input of the model, whose inputs "
            "are `b`");
  EXPECT_EQ(ErrorOf(file, {}),
            "`in`: array `a` belongs to no input of the model, whose inputs "
            "are none");
  EXPECT_EQ(ErrorOf(File({}, /*by_position=*/false), {"a"}),
            "`in` has no array for the input `a` of the model; it has none");
}

TEST(InputFileTest, ListsAFewNames) {
  const std::vector<std::string> many(100, "x\n");
  const std::string error = ErrorOf(File(many, /*by_position=*/false), {"y"});
  EXPECT_EQ(error.find('\n'), std::string::npos);
  EXPECT_LT(error.size(), 300u);
}

TEST(InputFileTest, MatchesPositions) {
  // Exporters may rename inputs, or leave out the names of tensors.
  const InputFile file = File({"", "renamed", "c"}, /*by_position=*/true);
  const std::vector<std::string> names = {"a", "b", "c"};
  const auto matched = MatchInputs(file, names);
  ASSERT_TRUE(matched.ok()) << matched.status();
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*matched)[i], &file.tensors[i]);
  }
}

TEST(InputFileTest, PositionsMustNotContradictNames) {
  EXPECT_EQ(ErrorOf(File({"b", "a"}, /*by_position=*/true), {"a", "b"}),
            "`in`: tensor `b` is called `b`, but input 0 of the model is `a`; "
            "give the tensors in the order of the model's inputs");
  EXPECT_EQ(ErrorOf(File({"a"}, /*by_position=*/true), {"a", "b"}),
            "`in` has 1 tensor, but the model has 2 inputs: `a`, `b`");
  EXPECT_EQ(ErrorOf(File({"a", "b"}, /*by_position=*/true), {"a"}),
            "`in` has 2 tensors, but the model has 1 input: `a`");
}

}  // namespace
}  // namespace assay::suites
