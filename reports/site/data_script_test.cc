#include "reports/site/data_script.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/strip.h"
#include "gtest/gtest.h"

namespace assay::reports {
namespace {

std::string Text(double value) {
  std::string text;
  AppendRounded(value, &text);
  return text;
}

TEST(DataScriptTest, HostileTextCannotLeaveItsString) {
  const std::string hostile[] = {
      "</script><script>alert(1)</script>",
      "<!--",
      "]]>",
      "\"});evil();//",
      "\\u003c/script",
      "line\nbreak\r\tand\0zero",
      "\xe2\x80\xa8 and \xe2\x80\xa9",  // U+2028, U+2029
      "\xff\xfe\x80",                   // not UTF-8
      "\xed\xa0\x80",                   // a lone surrogate
      "\xf0\x9f\x98",                   // incomplete
      "\xf0\x9f\x98\x80 \xc3\xa9",
  };
  for (const std::string& text : hostile) {
    DataScript script("cell");
    script.Json("name", text);
    script.Json("list",
                SiteJson::array({{{"key", text}}, SiteJson::array({text})}));
    script.Pairs("pairs", {{"", text}, {text, "b"}});
    const std::string file = std::move(script).Finish();
    for (const char c : file) {
      EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7f)) << file;
      EXPECT_TRUE(c != '<' && c != '>' && c != '&') << file;
    }
    absl::string_view json = file;
    ASSERT_TRUE(absl::ConsumePrefix(&json, "assay.load(\"cell\","));
    ASSERT_TRUE(absl::ConsumeSuffix(&json, ");\n"));
    const SiteJson parsed =
        SiteJson::parse(json.begin(), json.end(), nullptr, false);
    ASSERT_TRUE(parsed.is_object()) << file;
    EXPECT_EQ(parsed["list"][0]["key"], parsed["name"]);
    EXPECT_EQ(parsed["pairs"],
              SiteJson::array({{"", parsed["name"]}, {parsed["name"], "b"}}));
  }
  EXPECT_EQ(ScriptJson("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
  EXPECT_EQ(ScriptJson("a\xe2\x80\xa8</b>"), "\"a\\u2028\\u003c/b\\u003e\"");
}

TEST(DataScriptTest, KeysOfObjectsAreText) {
  SiteJson json = SiteJson::object();
  json["</script>"] = 1;
  EXPECT_EQ(ScriptJson(json), "{\"\\u003c/script\\u003e\":1}");
}

TEST(DataScriptTest, RoundsToFourDigits) {
  EXPECT_EQ(Text(0), "0");
  EXPECT_EQ(Text(1), "1");
  EXPECT_EQ(Text(10), "10");
  EXPECT_EQ(Text(12.344), "12.34");
  EXPECT_EQ(Text(12.346), "12.35");
  EXPECT_EQ(Text(9.99996), "10");
  EXPECT_EQ(Text(99999), "100000");
  EXPECT_EQ(Text(123456), "123500");
  EXPECT_EQ(Text(0.05), "0.05");
  EXPECT_EQ(Text(-0.0012345), "-0.001235");
  EXPECT_EQ(Text(0.00099996), "0.001");
  EXPECT_EQ(Text(1234.5), "1235");
  EXPECT_EQ(Text(std::nan("")), "null");
  EXPECT_EQ(Text(-std::numeric_limits<double>::infinity()), "null");
  EXPECT_TRUE(Rounded(std::nan("")).is_null());
  EXPECT_EQ(Rounded(0.1234567).dump(), "0.1235");
}

TEST(DataScriptTest, RoundedNumbersAreNear) {
  double value = 1.2345678e-9;
  for (int i = 0; i < 2000; ++i, value *= 1.037) {
    for (const double v : {value, -value}) {
      const double back = std::stod(Text(v));
      EXPECT_NEAR(back / v, 1, 5.1e-4) << v << " " << Text(v);
      EXPECT_LE(Text(v).size(), 11u) << v;
    }
  }
}

TEST(DataScriptTest, OpensAndCloses) {
  DataScript script("front");
  script.Integers("empty", {});
  script.Open("cells");
  script.Numbers("ms", std::vector<float>{1.5f, NAN});
  script.Bytes("spark", absl::string_view("\0\xff\x10", 3));
  script.Close();
  script.OpenArray("list");
  script.OpenElement();
  script.Integers("a", std::vector<int64_t>{1, -2});
  script.Close();
  script.OpenElement();
  script.Close();
  script.Close();
  EXPECT_EQ(std::move(script).Finish(),
            "assay.load(\"front\",{\n\"empty\":[],\n\"cells\":{\n"
            "\"ms\":[1.5,null],\n\"spark\":\"AP8Q\"},\n\"list\":[\n{\n"
            "\"a\":[1,-2]},\n{}]});\n");
}

}  // namespace
}  // namespace assay::reports
