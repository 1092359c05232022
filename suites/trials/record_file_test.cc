#include "suites/trials/record_file.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/stats/ratio.h"
#include "reports/stats/verdict.h"
#include "runtime/base/file.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

struct Sample {
  static constexpr char kKind[] = "a sample";
  static constexpr char kColumns[] =
      "name,seconds,good,verdict,bytes,ratio,lower,upper";
  template <typename Self>
  static auto Fields(Self& self) {
    return std::tie(self.name, self.seconds, self.good, self.verdict,
                    self.bytes, self.ratio);
  }

  std::string name;
  double seconds = 0;
  bool good = false;
  stats::Verdict verdict = stats::Verdict::kPass;
  std::optional<int64_t> bytes = std::nullopt;
  std::optional<stats::Ratio> ratio = std::nullopt;
};

bool SameParameters(const Sample& a, const Sample& b) {
  return a.name == b.name;
}

const Sample kFull = {"a, \"b\"",     0.25, true, stats::Verdict::kRegressed, 7,
                      stats::Ratio{2}};
constexpr char kHeader[] =
    "name,seconds,good,verdict,bytes,ratio,lower,upper\n";
constexpr char kFullLine[] = "\"a, \"\"b\"\"\",0.25,1,regressed,7,2,0,inf\n";

class RecordFileTest : public ::testing::Test {
 protected:
  std::string ParseError(const std::string& line) const {
    EXPECT_TRUE(WriteFileAtomic(path_, kHeader + line + "\n").ok());
    return std::string(RecordFile<Sample>::Open(path_).status().message());
  }

  TempDir dir_ = TempDir::Create().value();
  const std::string path_ = JoinPath(dir_.path(), "samples");
};

TEST_F(RecordFileTest, KeepsAllFields) {
  {
    auto file = RecordFile<Sample>::Open(path_);
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE(file->Append(kFull).ok());
    ASSERT_TRUE(file->Append({"c", 1.0 / 3}).ok());
    // The file has six digits.
    EXPECT_EQ(file->records()[1].seconds, 0.333333);
  }
  EXPECT_EQ(ReadFile(path_).value(),
            std::string(kHeader) + kFullLine + "c,0.333333,0,pass,,,,\n");
  const auto file = RecordFile<Sample>::Open(path_);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->records().size(), 2u);
  EXPECT_EQ(RecordLine(file->records()[0]), kFullLine);
  EXPECT_EQ(file->records()[0].ratio->upper,
            std::numeric_limits<double>::infinity());
  EXPECT_FALSE(file->records()[1].bytes.has_value());
  EXPECT_FALSE(file->records()[1].ratio.has_value());
  EXPECT_TRUE(file->Has({"c"}));
  EXPECT_FALSE(file->Has({"d"}));
}

TEST_F(RecordFileTest, ContinuesAfterTheLastCompleteLine) {
  ASSERT_TRUE(
      WriteFileAtomic(path_, std::string(kHeader) + kFullLine + "c,0.3").ok());
  auto file = RecordFile<Sample>::Open(path_);
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->Append({"d"}).ok());
  EXPECT_EQ(ReadFile(path_).value(),
            std::string(kHeader) + kFullLine + "d,0,0,pass,,,,\n");
}

TEST_F(RecordFileTest, ErrorsNameTheFileAndTheLine) {
  EXPECT_THAT(ParseError("bad"), HasSubstr("samples`: line 2 is not a sample: "
                                           "`bad`"));
  for (const char* line :
       {"a,1,1,pass,,,,,", "a,1,1,pass,,,", "a,x,1,pass,,,,", "a,1,1,odd,,,,",
        "a,nan,1,pass,,,,", "a,1,1,pass,,1,nan,1", "a,1,1,pass,x,,,",
        "a,1,1,pass,,x,,", "a,1,1,pass,,0,0,1"}) {
    EXPECT_THAT(ParseError(line), HasSubstr("line 2 is not a sample")) << line;
  }
}

TEST_F(RecordFileTest, ARecordIsOneLine) {
  {
    auto file = RecordFile<Sample>::Open(path_);
    ASSERT_TRUE(file.ok()) << file.status();
    ASSERT_TRUE(file->Append({"two\nlines, or more\n"}).ok());
  }
  EXPECT_EQ(ReadFile(path_).value(),
            std::string(kHeader) + "\"two lines, or more \",0,0,pass,,,,\n");
  const auto file = RecordFile<Sample>::Open(path_);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->records()[0].name, "two lines, or more ");
}

struct Unequal {
  static constexpr char kKind[] = "an unequal record";
  static constexpr char kColumns[] = "name,seconds";
  template <typename Self>
  static auto Fields(Self& self) {
    return std::tie(self.name);
  }

  std::string name;
};

TEST(RecordFileDeathTest, ARecordMustHaveAFieldForEachColumn) {
  EXPECT_DEATH(RecordLine(Unequal{"a"}),
               "fields and columns of an unequal record");
}

TEST_F(RecordFileTest, WithoutAFileRecordsAreInMemory) {
  auto file = RecordFile<Sample>::Open("");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->Append({"c"}).ok());
  EXPECT_TRUE(file->Has({"c"}));
}

}  // namespace
}  // namespace assay::suites
