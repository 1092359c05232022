#include "reports/store/summary/json_cursor.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::reports {
namespace {

TEST(JsonCursorTest, ReadsWhatItIsAskedFor) {
  JsonCursor c(
      R"( {"a":"x\n\u00e9\ud83d\ude00", "skip":[{"b":[1,"]",null]},true],)"
      R"("n":-1.5e3,"i":-7,"t":true,"none":null,"list":[1,2]} )");
  std::string text;
  double number = 0;
  int64_t integer = 0;
  bool truth = false;
  bool none = false;
  std::vector<double> list;
  c.Object([&](absl::string_view key) {
    if (key == "a") {
      c.String(&text);
    } else if (key == "n") {
      c.Number(&number);
    } else if (key == "i") {
      c.Integer(&integer);
    } else if (key == "t") {
      c.Bool(&truth);
    } else if (key == "none") {
      none = c.Null();
    } else if (key == "list") {
      c.Array([&] { c.Number(&list.emplace_back()); });
    } else {
      c.Skip();
    }
  });
  EXPECT_TRUE(c.AtEnd());
  EXPECT_EQ(text, "x\n\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(number, -1500);
  EXPECT_EQ(integer, -7);
  EXPECT_TRUE(truth);
  EXPECT_TRUE(none);
  EXPECT_EQ(list, (std::vector<double>{1, 2}));
}

bool Skips(const std::string& text) {
  JsonCursor c(text);
  c.Skip();
  return c.AtEnd();
}

TEST(JsonCursorTest, RefusesWhatIsIncomplete) {
  const std::string text =
      R"({"a":["x\"y",-1.5,{"b":null}],"c":true,"d":false})";
  EXPECT_TRUE(Skips(text));
  for (size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(Skips(text.substr(0, size))) << text.substr(0, size);
  }
  EXPECT_FALSE(Skips(text + "}"));
  EXPECT_FALSE(Skips(std::string(100'000, '[')));
}

TEST(JsonCursorTest, RefusesWrongStringsAndNumbers) {
  for (const char* text : {"\"\\u12\"", "\"\\ud800\"", "\"\\ud800 \\udc00\"",
                           "\"\\udc00\"", "\"\\x\"", "\"a", "\"a\nb\"", "7"}) {
    JsonCursor c(text);
    std::string out;
    c.String(&out);
    EXPECT_FALSE(c.ok()) << text;
  }
  for (const char* text : {"nan", "inf", "\"1\"", "", "-", "null"}) {
    JsonCursor c(text);
    double out = 0;
    c.Number(&out);
    EXPECT_FALSE(c.ok()) << text;
  }
  for (const char* text : {"1.5", "1e3", "99999999999999999999", ""}) {
    JsonCursor c(text);
    int64_t out = 0;
    c.Integer(&out);
    EXPECT_FALSE(c.ok()) << text;
  }
}

}  // namespace
}  // namespace assay::reports
