#include "suites/model_zoo/model_list.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kList[] =
    "name,sha256,dims,input_values,origin,description\n"
    "alexnet,11,,,export,\"classifier, 2012\"\n"
    "bert_base,22,batch=1 sequence=128,,export,encoder\n"
    "bert_mini,33,batch=1 sequence=128,scale=0.5 n=2,export,encoder\n";

std::vector<std::string> Names(const std::vector<ZooModel>& models) {
  std::vector<std::string> names;
  for (const ZooModel& model : models) names.push_back(model.name);
  return names;
}

// The names that a pattern selects from kList.
std::vector<std::string> Selected(const std::string& pattern) {
  return Names(SelectModels(ParseModelList(kList).value(), pattern).value());
}

std::string ParseError(const std::string& text) {
  return std::string(ParseModelList(text).status().message());
}

TEST(ModelListTest, ReadsAllFields) {
  const auto models = ParseModelList(kList);
  ASSERT_TRUE(models.ok()) << models.status();
  ASSERT_EQ(models->size(), 3u);
  const ZooModel& first = models->front();
  EXPECT_EQ(first.name, "alexnet");
  EXPECT_EQ(first.sha256, "11");
  EXPECT_THAT(first.dims, IsEmpty());
  EXPECT_THAT(first.input_values, IsEmpty());
  EXPECT_EQ(first.origin, "export");
  EXPECT_EQ(first.description, "classifier, 2012");
  EXPECT_THAT((*models)[2].dims, ElementsAre("batch=1", "sequence=128"));
  EXPECT_THAT((*models)[2].input_values, ElementsAre("scale=0.5", "n=2"));
}

TEST(ModelListTest, ErrorNamesTheLine) {
  EXPECT_THAT(ParseError("name,sha256\n"), HasSubstr("line 1: the columns"));
  EXPECT_THAT(ParseError(absl::StrCat(kList, "a,b,c\n")),
              HasSubstr("line 5: there are 3 fields for 6 columns"));
  EXPECT_THAT(ParseError(absl::StrCat(kList, ",b,c,,d,e\n")),
              HasSubstr("line 5: the model has no name"));
  EXPECT_THAT(ParseError(absl::StrCat(kList, "alexnet,b,c,,d,e\n")),
              HasSubstr("line 5: `alexnet` is in the list twice"));
}

TEST(ModelListTest, PatternMatchesPartsOfNames) {
  EXPECT_THAT(Selected(""), ElementsAre("alexnet", "bert_base", "bert_mini"));
  EXPECT_THAT(Selected("bert"), ElementsAre("bert_base", "bert_mini"));
  EXPECT_THAT(Selected("^alex|mini$"), ElementsAre("alexnet", "bert_mini"));
}

TEST(ModelListTest, PatternThatSelectsNothingIsAnError) {
  const std::vector<ZooModel> models = ParseModelList(kList).value();
  EXPECT_THAT(std::string(SelectModels(models, "gpt").status().message()),
              HasSubstr("`gpt`, which matches no model"));
  const absl::Status invalid = SelectModels(models, "bert(").status();
  EXPECT_EQ(invalid.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(invalid.message()),
              HasSubstr("`--models`: `bert(` is no regular expression: "));
}

}  // namespace
}  // namespace assay::suites
