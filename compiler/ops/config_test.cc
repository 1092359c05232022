#include "compiler/ops/config.h"

#include <string>

#include "gtest/gtest.h"

namespace assay::ops {
namespace {

constexpr const char* kText = "tile_ow=[-1,7] unroll_kw=1";
constexpr const char* kJson =
    R"([["tile_ow","sp",[-1,7]],["unroll_kw","ot",1]])";

TEST(ConfigTest, TextAndJsonParseBack) {
  const auto config = Config::Parse(kText);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->ToString(), kText);
  EXPECT_EQ(config->ToJson(), kJson);
  const auto again = Config::FromJson(kJson);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(*again, *config);
  EXPECT_EQ(Config::Parse("")->ToJson(), "[]");
}

TEST(ConfigTest, TemplatesReadEntries) {
  const auto config = Config::Parse(kText);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->Split("tile_ow"), (std::vector<int64_t>{-1, 7}));
  EXPECT_EQ(config->Knob("unroll_kw"), 1);
  EXPECT_EQ(config->Find("tile_oh"), nullptr);
  EXPECT_DEATH(config->Knob("tile_ow"), "tile_ow");
  EXPECT_DEATH(config->Knob("tile_oh"), "no `tile_oh`");
}

TEST(ConfigTest, SetReplacesInPlace) {
  Config config;
  config.SetSplit("a", {-1, 2}).SetKnob("b", 3).SetSplit("a", {-1, 4});
  EXPECT_EQ(config.ToString(), "a=[-1,4] b=3");
}

TEST(ConfigTest, TextErrorsNameTheEntry) {
  const std::pair<const char*, const char*> cases[] = {
      {"tile", "`tile` is not of the form name=value"},
      {"t-1=3", "`t-1` is not a name"},
      {"a=1 a=2", "`a` is given twice"},
      {"a=x", "configuration entry `a`: `x` is no split"},
      {"a=[-1,x]", "`a`: `[-1,x]` holds `x`, which is not an integer"},
      {"a=[2,2]", "`a`: `[2,2]` is not a split"},
      {"a=[-1]", "`a`: `[-1]` is not a split"},
      {"a=[-1,0]", "`a`: `[-1,0]` has a factor that is not positive"},
  };
  for (const auto& [text, error] : cases) {
    const auto config = Config::Parse(text);
    EXPECT_NE(config.status().ToString().find(error), std::string::npos)
        << text << ": " << config.status();
  }
}

TEST(ConfigTest, JsonErrorsNameTheEntry) {
  const std::pair<const char*, const char*> cases[] = {
      {"{", "is not a JSON array"},
      {"{}", "is not a JSON array"},
      {"[1]", "`1` is not of the form [name, kind, value]"},
      {R"([["a","sp",1]])", "`a`: `1` does not fit the kind `sp`"},
      {R"([["a","zz",1]])", "`a`: `1` does not fit the kind `zz`"},
      {R"([["a","sp",[-1,2.5]]])", "`a`: `[-1,2.5]` does not fit"},
      {R"([["a","re",[1,0]]])", "`a`: `[1,0]` does not fit the kind `re`"},
      {R"([["a","ot",1],["a","ot",1]])", "`a` is given twice"},
  };
  for (const auto& [text, error] : cases) {
    const auto config = Config::FromJson(text);
    EXPECT_NE(config.status().ToString().find(error), std::string::npos)
        << text << ": " << config.status();
  }
}

}  // namespace
}  // namespace assay::ops
