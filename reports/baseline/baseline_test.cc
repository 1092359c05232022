#include "reports/baseline/baseline.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::reports {
namespace {

using ::testing::HasSubstr;

BaselineRow MakeRow(const std::string& model, bool fusion, int threads,
                    double ms) {
  BaselineRow row;
  row.key = {model, "host", {fusion}, threads};
  row.timing.count = 60;
  row.timing.mean = ms * 1.01;
  row.timing.std = 0.25;
  row.timing.median = ms;
  row.timing.p99 = ms * 1.5;
  row.timing.robust_sigma = 0.125;
  row.model_digest = "aa11";
  row.artifact_digest = "bb22";
  row.state = "governor=performance kernel=6.1";
  row.sample_digest = "cc33";
  row.commit = "dd44";
  row.program_digest = "ee55";
  row.command = "run it";
  row.blessed_at = "2026-01-02T03:04:05Z";
  row.reason = "first, of all";
  return row;
}

constexpr char kGolden[] =
    "# Written by `--bless`; see reports/baseline/baseline.h.\n"
    "model,device,fusion,tuning,threads,samples,mean_ms,std_ms,median_ms,"
    "p99_ms,robust_sigma_ms,model_digest,artifact_digest,state,"
    "sample_digest,commit,program_digest,command,blessed_at,reason\n"
    "resnet18,host,off,none,2,60,20.2,0.25,20,30,0.125,aa11,bb22,"
    "governor=performance kernel=6.1,cc33,dd44,ee55,run it,"
    "2026-01-02T03:04:05Z,\"first, of all\"\n"
    "resnet18,host,on,none,1,60,10.1,0.25,10,15,0.125,aa11,bb22,"
    "governor=performance kernel=6.1,cc33,dd44,ee55,run it,"
    "2026-01-02T03:04:05Z,\"first, of all\"\n"
    "resnet18,host,on,none,2,60,5.05,0.25,5,7.5,0.125,aa11,bb22,"
    "governor=performance kernel=6.1,cc33,dd44,ee55,run it,"
    "2026-01-02T03:04:05Z,\"first, of all\"\n";

TEST(BaselineTest, FormatSortsRows) {
  EXPECT_EQ(FormatBaseline({MakeRow("resnet18", true, 2, 5),
                            MakeRow("resnet18", false, 2, 20),
                            MakeRow("resnet18", true, 1, 10)}),
            kGolden);
}

TEST(BaselineTest, RoundTrips) {
  const absl::StatusOr<Baseline> rows = ParseBaseline(kGolden, "b.csv");
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ(FormatBaseline(*rows), kGolden);
  const BaselineRow* row = FindRow(*rows, {"resnet18", "host", {true}, 1});
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->timing.count, 60);
  EXPECT_EQ(row->timing.mean, 10.1);
  EXPECT_EQ(row->timing.std, 0.25);
  EXPECT_EQ(row->timing.median, 10);
  EXPECT_EQ(row->timing.p99, 15);
  EXPECT_EQ(row->timing.robust_sigma, 0.125);
  EXPECT_EQ(row->model_digest, "aa11");
  EXPECT_EQ(row->artifact_digest, "bb22");
  EXPECT_EQ(row->state, "governor=performance kernel=6.1");
  EXPECT_EQ(row->sample_digest, "cc33");
  EXPECT_EQ(row->program_digest, "ee55");
  EXPECT_EQ(row->command, "run it");
  EXPECT_EQ(row->blessed_at, "2026-01-02T03:04:05Z");
  EXPECT_EQ(row->reason, "first, of all");
  EXPECT_EQ(FindRow(*rows, {"resnet18", "host", {true}, 4}), nullptr);
}

TEST(BaselineTest, RowsOfFilesWithoutTuningAreNotTuned) {
  const absl::StatusOr<Baseline> rows = ParseBaseline(
      absl::StrReplaceAll(kGolden, {{"fusion,tuning,threads", "fusion,threads"},
                                    {",none,", ","}}),
      "b.csv");
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ(FormatBaseline(*rows), kGolden);
}

TEST(BaselineTest, TunedRowsAreOtherRows) {
  BaselineRow tuned = MakeRow("resnet18", true, 1, 4);
  tuned.key.variant.tuned = true;
  const absl::StatusOr<Baseline> rows = ParseBaseline(
      FormatBaseline({tuned, MakeRow("resnet18", true, 1, 5)}), "b.csv");
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_FALSE((*rows)[0].key.variant.tuned);
  EXPECT_EQ(FindRow(*rows, tuned.key)->timing.median, 4);
}

TEST(BaselineTest, SampleDigestDependsOnAllSamples) {
  EXPECT_EQ(SampleDigest({1, 2.5}).size(), 16u);
  EXPECT_EQ(SampleDigest({1, 2.5}), SampleDigest({1, 2.5}));
  EXPECT_NE(SampleDigest({1, 2.5}), SampleDigest({2.5, 1}));
  EXPECT_NE(SampleDigest({1}), SampleDigest({1 + 1e-15}));
}

TEST(BaselineTest, QuotesSpecialCharacters) {
  for (const char* model :
       {"a,b", "say \"so\"", "\"", "#1", " padded ", "", "tab\there"}) {
    const BaselineRow row = MakeRow(model, true, 1, 10);
    const absl::StatusOr<Baseline> rows =
        ParseBaseline(FormatBaseline({row}), "b.csv");
    ASSERT_TRUE(rows.ok()) << rows.status() << " for `" << model << "`";
    ASSERT_EQ(rows->size(), 1u);
    EXPECT_EQ((*rows)[0].key.model, model);
  }
}

TEST(BaselineTest, AcceptsAnyColumnOrderAndLineEnding) {
  const absl::StatusOr<Baseline> rows = ParseBaseline(
      "state,model,device,fusion,threads,samples,mean_ms,std_ms,"
      "median_ms,p99_ms,robust_sigma_ms,artifact_digest,model_digest,reason,"
      "blessed_at,command,program_digest,commit,sample_digest\r\n"
      "# a remark\r\n"
      "quiet,m,host,on,1,6,1,0,1,1,0,art,mod,why,at,run,prog,com,sam\r\n",
      "b.csv");
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ((*rows)[0].state, "quiet");
  EXPECT_EQ((*rows)[0].model_digest, "mod");
  EXPECT_EQ((*rows)[0].reason, "why");
  EXPECT_EQ((*rows)[0].commit, "com");
}

TEST(BaselineTest, ErrorsNameFileLineAndColumn) {
  const struct {
    const char* from;
    const char* to;
    const char* message;
  } kCases[] = {
      {"on,none,1,", "on,none,one,",
       "`b.csv:4`: column `threads`: `one` is not a positive integer"},
      {"on,none,1,", "on,none,0,", "column `threads`: `0` is not"},
      {"on,none,1,", "yes,none,1,",
       "`b.csv:4`: column `fusion`: `yes` is none of `off`, `on`"},
      {"on,none,1,", "on,some,1,",
       "`b.csv:4`: column `tuning`: `some` is none of `none`, `tuned`"},
      {"on,none,1,", "on,,1,",
       "`b.csv:4`: column `tuning`: `` is none of `none`, `tuned`"},
      {",10.1,", ",-10.1,",
       "`b.csv:4`: column `mean_ms`: `-10.1` is not a number above zero"},
      {",10,15,", ",nan,15,", "`b.csv:4`: column `median_ms`: `nan`"},
      {",10,15,", ",10,inf,", "`b.csv:4`: column `p99_ms`: `inf`"},
      {"60,10.1,0.25", "60,10.1,",
       "column `std_ms`: `` is not a number of at least zero"},
      {"none,1,60", "none,1,6e1", "column `samples`: `6e1`"},
      {"none,1,60", "none,1,60,60",
       "`b.csv:4`: there are more columns than in the header"},
      {"none,1,60", "none,1",
       "`b.csv:4`: there are fewer columns than in the header"},
      {"on,none,1,", "off,none,2,",
       "`b.csv:4`: a second row for the same cell"},
      {"resnet18,host,on,none,1", "\"resnet18,host,on,none,1",
       "`b.csv:4`: a quote is not closed"},
      {"p99_ms,", "", "`b.csv`: the header has no column `p99_ms`"},
      {"p99_ms,", "p99_ms,p98_ms,",
       "`b.csv`: the header has the unknown column `p98_ms`"},
  };
  for (const auto& c : kCases) {
    const std::string text = absl::StrReplaceAll(kGolden, {{c.from, c.to}});
    ASSERT_NE(text, kGolden) << c.from;
    EXPECT_THAT(ParseBaseline(text, "b.csv").status().message(),
                HasSubstr(c.message));
  }
  EXPECT_THAT(ParseBaseline("", "b.csv").status().message(),
              HasSubstr("`b.csv`: "));
}

// Whatever happens to a file, reading it gives rows or one error.
TEST(BaselineTest, ErrorsOfMalformedTextNameTheFile) {
  const auto expect_named = [](const std::string& text) {
    const auto baseline = ParseBaseline(text, "b.csv");
    if (baseline.ok()) return;  // e.g. another reason
    EXPECT_THAT(std::string(baseline.status().message()), HasSubstr("b.csv"));
  };
  const std::string golden = kGolden;
  for (size_t i = 0; i < golden.size(); ++i) {
    expect_named(golden.substr(0, i));
    for (const char c : {'\0', '"', ',', '\n', '\xff'}) {
      std::string altered = golden;
      altered[i] = c;
      expect_named(altered);
    }
  }
}

TEST(BaselineTest, UpdateReplacesAndAddsRows) {
  const absl::StatusOr<TempDir> dir = TempDir::Create();
  ASSERT_TRUE(dir.ok()) << dir.status();
  const std::string path = BaselinePath(dir->path(), "resnet18", "x86_64-cpu");
  EXPECT_EQ(path, dir->path() + "/resnet18/x86_64-cpu.csv");
  const absl::StatusOr<Baseline> none = ReadBaseline(path);
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_TRUE(none->empty());

  ASSERT_TRUE(UpdateBaseline(
                  path, {MakeRow("a", true, 1, 10), MakeRow("a", true, 2, 6)})
                  .ok());
  ASSERT_TRUE(
      UpdateBaseline(path, {MakeRow("a", true, 1, 9), MakeRow("b", true, 1, 3)})
          .ok());
  const absl::StatusOr<Baseline> rows = ReadBaseline(path);
  ASSERT_TRUE(rows.ok()) << rows.status();
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ(FindRow(*rows, {"a", "host", {true}, 1})->timing.median, 9);
  EXPECT_EQ(FindRow(*rows, {"a", "host", {true}, 2})->timing.median, 6);
  EXPECT_EQ(FindRow(*rows, {"b", "host", {true}, 1})->timing.median, 3);

  EXPECT_THAT(UpdateBaseline(path, {MakeRow("a\nb", true, 1, 9)}).message(),
              HasSubstr("cannot hold the line break"));
  // A malformed file is not overwritten.
  ASSERT_TRUE(WriteFileAtomic(path, "scribble\n").ok());
  EXPECT_FALSE(UpdateBaseline(path, {MakeRow("a", true, 1, 9)}).ok());
  EXPECT_EQ(*ReadFile(path), "scribble\n");
}

}  // namespace
}  // namespace assay::reports
