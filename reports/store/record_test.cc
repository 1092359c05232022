#include "reports/store/record.h"

#include <string>
#include <utility>

#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reports/result/testing/sample_result.h"
#include "reports/store/checked_line.h"
#include "runtime/base/random.h"
#include "runtime/base/sha256.h"

namespace assay::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

Record OneRow() {
  Record record{"run", "job", "cell", SampleResult()};
  record.result.rows.resize(1);
  return record;
}

TEST(RecordTest, IsOneLineOfJsonWithContentDigest) {
  const std::string line = FormatRecord(OneRow());
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_THAT(line, StartsWith("{\"id\":\"" + std::string(IdOf(line)) +
                               "\",\"run\":\"run\",\"job\":\"job\","
                               "\"cell\":\"cell\",\"place\":0,\"result\":{"));
  const size_t body = line.find("\"run\"");
  EXPECT_EQ(IdOf(line), Sha256Hex(line.substr(body, line.size() - 1 - body)));
}

TEST(RecordTest, AcceptsAnyLineBreak) {
  std::string line = FormatRecord(OneRow());
  for (const char* end : {"", "\n", "\r\n", "\r"}) {
    line.resize(line.find_first_of("\r\n") == std::string::npos
                    ? line.size()
                    : line.find_first_of("\r\n"));
    const auto record = ParseRecord(line + end);
    ASSERT_TRUE(record.ok()) << record.status();
    EXPECT_TRUE(*record == OneRow());
  }
}

TEST(RecordTest, RandomRowsRoundTrip) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Record record{"a \"run\"", "", ",\"result\":{\n\\", RandomResult(seed)};
    record.result.rows.resize(1);
    const auto read = ParseRecord(FormatRecord(record));
    ASSERT_TRUE(read.ok()) << "seed " << seed << ": " << read.status();
    EXPECT_TRUE(*read == record) << "seed " << seed;
  }
  Record end{"run", "job", "", SampleResult()};
  end.result.rows.clear();
  const auto read = ParseRecord(FormatRecord(end));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(*read == end);
}

TEST(RecordTest, ReplacesInvalidUtf8) {
  Record record = OneRow();
  record.run = "\xff";
  record.result.rows[0].cell.model = "\xc3";
  const auto read = ParseRecord(FormatRecord(record));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->run, "\xef\xbf\xbd");
}

TEST(RecordTest, RejectsTruncatedLines) {
  const std::string line = FormatRecord(OneRow());
  for (size_t size = 0; size + 1 < line.size(); ++size) {
    EXPECT_FALSE(ParseRecord(line.substr(0, size)).ok()) << size;
  }
}

TEST(RecordTest, RejectsModifiedBytes) {
  const std::string line = FormatRecord(OneRow());
  Rng rng(1);
  for (size_t at = 0; at + 1 < line.size(); ++at) {
    std::string changed = line;
    changed[at] = static_cast<char>(changed[at] ^ rng.UniformInt(1, 255));
    EXPECT_FALSE(ParseRecord(changed).ok()) << at;
  }
}

TEST(RecordTest, ReadsRecordsFromBeforeThereWereTunedRows) {
  const std::string line = FormatRecord(OneRow());
  const size_t begin = line.find("\"run\"");
  const std::string body =
      absl::StrReplaceAll(line.substr(begin, line.size() - 1 - begin),
                          {{"\"tuning\":\"none\",", ""},
                           {"\"tuning_digest\":\"\",", ""},
                           {"\"speedup_vs_untuned\":null,", ""},
                           {"\"speedup_vs_untuned_lower\":null,", ""},
                           {"\"speedup_vs_untuned_upper\":null,", ""}});
  ASSERT_EQ(body.find("tun"), std::string::npos);
  const auto record =
      ParseRecord("{\"id\":\"" + Sha256Hex(body) + "\"," + body);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_TRUE(*record == OneRow());
}

TEST(RecordTest, ErrorsGiveTheReason) {
  const auto message = [](const std::string& line) {
    const absl::Status status = ParseRecord(line).status();
    return status.ToString();
  };
  EXPECT_THAT(message("once upon a time"), HasSubstr("is not a record"));
  std::string changed = FormatRecord(OneRow());
  changed[changed.size() - 4] ^= 1;
  EXPECT_THAT(message(changed),
              HasSubstr("DATA_LOSS: does not match its checksum"));
  const auto of_body = [](const std::string& body) {
    return "{\"id\":\"" + Sha256Hex(body) + "\"," + body;
  };
  EXPECT_THAT(message(of_body("\"run\":1}")),
              HasSubstr("OUT_OF_RANGE: has no `result`"));
  EXPECT_THAT(message(of_body("\"run\":1,\"result\":{}}")),
              HasSubstr("OUT_OF_RANGE: has no `run`"));
  EXPECT_THAT(message(of_body("hello,\"result\":{}}")),
              HasSubstr("OUT_OF_RANGE: is not JSON"));
  Record record = OneRow();
  record.result.schema_version = 77;
  EXPECT_THAT(message(FormatRecord(record)),
              HasSubstr("OUT_OF_RANGE: `schema_version` is 77"));
  record = OneRow();
  record.cell = "";
  EXPECT_THAT(message(FormatRecord(record)),
              HasSubstr("OUT_OF_RANGE: has 1 rows"));
}

}  // namespace
}  // namespace assay::reports
