#include "runtime/measure/block_text.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Parses the text of a block and serializes the result.
std::string RoundTrip(const std::string& text) {
  const absl::StatusOr<BlockRequest> request = ParseBlock(text, /*programs=*/2);
  if (!request.ok()) return std::string(request.status().message());
  return SerializeBlock(request->block, request->outputs_folder);
}

// Returns the error for a block with this text.
std::string Error(const std::string& text, int programs = 2) {
  const absl::Status status = ParseBlock(text, programs).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << text << ": " << status;
  return std::string(status.message());
}
// Returns the error for a block that has one more field.
std::string FieldError(const std::string& field) {
  return Error(absl::StrCat(R"({"samples":[],)", field, "}"));
}
// Returns the error for a block with one sample.
std::string SampleError(const std::string& sample, int programs = 2) {
  return Error(absl::StrCat(R"({"samples":[[0,1,0,0],)", sample, "]}"),
               programs);
}

TEST(BlockTextTest, AllFieldsSurvive) {
  Block block;
  block.samples = {{0, 5, 1, 1000000}, {1, kMaxSampleRuns, kMaxSampleRuns}};
  block.min_sample_nanos = 2;
  block.cooldown_nanos = kMaxBlockNanos;
  block.flush_cache_bytes = kMaxFlushBytes;
  block.read_outputs = true;
  block.checked_run_seed = 7;
  block.time_calls = true;
  const std::string text = SerializeBlock(block, "/dev/shm/\"x");
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const absl::StatusOr<BlockRequest> request = ParseBlock(text, 2);
  ASSERT_TRUE(request.ok()) << request.status();
  EXPECT_EQ(request->outputs_folder, "/dev/shm/\"x");
  const Block& parsed = request->block;
  ASSERT_EQ(parsed.samples.size(), 2u);
  EXPECT_EQ(parsed.samples[0].program, 0);
  EXPECT_EQ(parsed.samples[0].number, 5);
  EXPECT_EQ(parsed.samples[0].warmup_runs, 1);
  EXPECT_EQ(parsed.samples[0].warmup_nanos, 1000000);
  EXPECT_EQ(parsed.samples[1].program, 1);
  EXPECT_EQ(parsed.samples[1].number, kMaxSampleRuns);
  EXPECT_EQ(parsed.samples[1].warmup_runs, kMaxSampleRuns);
  EXPECT_EQ(parsed.samples[1].warmup_nanos, 0);
  EXPECT_EQ(parsed.min_sample_nanos, 2);
  EXPECT_EQ(parsed.cooldown_nanos, kMaxBlockNanos);
  EXPECT_EQ(parsed.flush_cache_bytes, kMaxFlushBytes);
  EXPECT_TRUE(parsed.read_outputs);
  EXPECT_EQ(parsed.checked_run_seed, 7u);
  EXPECT_TRUE(parsed.time_calls);
}

TEST(BlockTextTest, OmitsDefaultValues) {
  EXPECT_EQ(SerializeBlock(Block(), "/tmp"), R"({"samples":[]})");
  Block block;
  block.samples = {{}, {1, 3}};
  EXPECT_EQ(SerializeBlock(block, "/tmp"),
            R"({"samples":[[0,1,0,0],[1,3,0,0]]})");
  EXPECT_EQ(RoundTrip(R"({"samples":[],"read_outputs":false,)"
                      R"("min_sample_nanos":0,"checked_run_seed":"0"})"),
            R"({"samples":[]})");
}

TEST(BlockTextTest, SeedsKeepAllBits) {
  for (const uint64_t seed :
       {uint64_t{1}, (uint64_t{1} << 53) + 1, (uint64_t{1} << 63) + 1,
        std::numeric_limits<uint64_t>::max()}) {
    Block block;
    block.checked_run_seed = seed;
    const auto request = ParseBlock(SerializeBlock(block, ""), 1);
    ASSERT_TRUE(request.ok()) << request.status();
    EXPECT_EQ(request->block.checked_run_seed, seed);
  }
  for (const char* seed :
       {"7", "\"\"", "\"x\"", "\"-1\"", "\"18446744073709551616\"", "null"}) {
    EXPECT_EQ(FieldError(absl::StrCat(R"("checked_run_seed":)", seed)),
              "block: `checked_run_seed` is not a string of the digits of a "
              "64-bit number")
        << seed;
  }
}

TEST(BlockTextTest, TextsThatAreNoObjectAreErrors) {
  for (const char* text : {"", " ", "7", "[]", "null", "{", "{} {}", "{]",
                           "\"samples\"", "{\"samples\":[[0,1,0,0]}"}) {
    EXPECT_EQ(Error(text), "block: the text is not a JSON object") << text;
  }
  EXPECT_EQ(Error("{}"), "block: `samples` is missing");
}

TEST(BlockTextTest, UnknownFieldsAreErrors) {
  EXPECT_EQ(FieldError(R"("dance":1)"),
            "block: `dance` is not a field of a block");
  EXPECT_EQ(FieldError(R"("":1)"), "block: `` is not a field of a block");
  EXPECT_LT(
      FieldError(absl::StrCat("\"", std::string(5000, 'x'), "\":1")).size(),
      200u);
}

TEST(BlockTextTest, FieldsOfAnotherTypeAreErrors) {
  for (const char* name : {"min_sample_nanos", "cooldown_nanos"}) {
    for (const char* value :
         {"-1", "1.5", "1e3", "\"1\"", "true", "null", "[1]", "3600000000001",
          "9223372036854775808", "18446744073709551616"}) {
      EXPECT_EQ(FieldError(absl::StrCat("\"", name, "\":", value)),
                absl::StrCat("block: `", name,
                             "` is not a whole number from 0 to 3600000000000"))
          << value;
    }
  }
  EXPECT_EQ(FieldError(R"("flush_cache_bytes":4294967297)"),
            "block: `flush_cache_bytes` is not a whole number from 0 to "
            "4294967296");
  for (const char* name : {"read_outputs", "time_calls"}) {
    for (const char* value : {"0", "1", "\"true\"", "null"}) {
      EXPECT_EQ(FieldError(absl::StrCat("\"", name, "\":", value)),
                absl::StrCat("block: `", name, "` is not true or false"))
          << value;
    }
  }
}

TEST(BlockTextTest, OutputsNeedAFolder) {
  EXPECT_EQ(FieldError(R"("read_outputs":true)"),
            "block: `outputs_folder` is missing, but `read_outputs` is true");
  EXPECT_EQ(FieldError(R"("outputs_folder":"/tmp")"),
            "block: `outputs_folder` is given, but `read_outputs` is false");
  for (const char* value : {"7", "\"\"", "null"}) {
    EXPECT_EQ(FieldError(absl::StrCat(
                  R"("read_outputs":true,"outputs_folder":)", value)),
              "block: `outputs_folder` is not the path of a folder")
        << value;
  }
  EXPECT_EQ(OutputsPath("/tmp", 12), "/tmp/outputs-12");
}

TEST(BlockTextTest, MalformedSamplesAreErrors) {
  for (const char* value : {"1", "null", "{}", "\"x\""}) {
    EXPECT_EQ(Error(absl::StrCat(R"({"samples":)", value, "}")),
              "block: `samples` is not an array")
        << value;
  }
  for (const char* sample : {"1", "{}", "[]", "[0,1,0]", "[0,1,0,0,0]"}) {
    EXPECT_EQ(SampleError(sample),
              "block: `samples[1]` is not an array of program, number, "
              "warmup_runs and warmup_nanos")
        << sample;
  }
}

TEST(BlockTextTest, ValuesOfSamplesHaveLimits) {
  for (const char* program : {"-1", "2", "0.5", "\"0\"", "4294967296"}) {
    EXPECT_EQ(SampleError(absl::StrCat("[", program, ",1,0,0]")),
              "block: `samples[1].program` is not a whole number from 0 to 1")
        << program;
  }
  EXPECT_EQ(SampleError("[1,1,0,0]", /*programs=*/1),
            "block: `samples[1].program` is not a whole number from 0 to 0");
  for (const char* number : {"0", "-5", "4294967297", "null"}) {
    EXPECT_EQ(SampleError(absl::StrCat("[0,", number, ",0,0]")),
              "block: `samples[1].number` is not a whole number from 1 to "
              "4294967296")
        << number;
  }
  EXPECT_THAT(SampleError("[0,1,-1,0]"), HasSubstr("samples[1].warmup_runs"));
  EXPECT_THAT(SampleError("[0,1,4294967297,0]"),
              HasSubstr("samples[1].warmup_runs"));
  EXPECT_THAT(SampleError("[0,1,0,-1]"), HasSubstr("samples[1].warmup_nanos"));
  EXPECT_THAT(SampleError("[0,1,0,3600000000001]"),
              HasSubstr("samples[1].warmup_nanos"));
}

TEST(BlockTextTest, NumberOfSamplesHasALimit) {
  const auto parse = [](size_t count) {
    std::string text = R"({"samples":[[0,1,0,0])";
    for (size_t i = 1; i < count; ++i) text += ",[0,1,0,0]";
    return ParseBlock(text + "]}", 1);
  };
  const absl::StatusOr<BlockRequest> most = parse(kMaxBlockSamples);
  ASSERT_TRUE(most.ok()) << most.status();
  EXPECT_EQ(most->block.samples.size(), kMaxBlockSamples);
  EXPECT_EQ(parse(kMaxBlockSamples + 1).status().message(),
            "block: `samples` has 1000001 elements, more than the limit of "
            "1000000");
  EXPECT_EQ(Error(std::string(kMaxBlockBytes + 1, ' ')),
            "block: the text has 67108865 bytes, more than the limit of "
            "67108864");
}

TEST(BlockTextTest, SamplesSurvive) {
  Sample sample;
  sample.nanos = 1234567890123;
  sample.number = 7;
  EXPECT_EQ(SerializeSample(sample), "sample 1234567890123 7");
  sample.call_nanos = {5, 0, 6};
  EXPECT_EQ(SerializeSample(sample), "sample 1234567890123 7 5 0 6");
  const absl::StatusOr<Sample> parsed = ParseSample(SerializeSample(sample));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->nanos, 1234567890123);
  EXPECT_EQ(parsed->number, 7);
  EXPECT_THAT(parsed->call_nanos, ElementsAre(5, 0, 6));
  EXPECT_TRUE(ParseSample("sample 1 1")->call_nanos.empty());
}

TEST(BlockTextTest, LinesThatAreNoSampleAreErrors) {
  for (const char* line :
       {"", "ok", "sample", "sample 1", "sample 0 1", "sample 1 0",
        "sample -1 1", "sample 1 1 -1", "sample 1 1 x", "sample 1  1",
        "sample 1 9223372036854775808", "samples 1 1"}) {
    const absl::Status status = ParseSample(line).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << line;
    EXPECT_THAT(std::string(status.message()), HasSubstr("is not a sample"));
  }
}

TEST(BlockTextTest, ErrorsKeepTheirCode) {
  EXPECT_EQ(SerializeFailure(absl::FailedPreconditionError("too\nfast")),
            "fail FAILED_PRECONDITION too fast");
  for (int i = 1; i <= 16; ++i) {
    const absl::Status error(static_cast<absl::StatusCode>(i), "a b");
    EXPECT_EQ(ParseFailure(SerializeFailure(error)), error);
  }
  EXPECT_EQ(ParseFailure("fail DANCE a b"), absl::InternalError("DANCE a b"));
  EXPECT_EQ(ParseFailure("fail NOT_FOUND"), absl::NotFoundError(""));
  EXPECT_EQ(ParseFailure("ok"), std::nullopt);
  EXPECT_EQ(ParseFailure("failure"), std::nullopt);
  EXPECT_EQ(ParseFailure("error x"), std::nullopt);
}

TEST(BlockTextTest, MessagesHaveNoControlCharacters) {
  EXPECT_EQ(ParseSample("sample \x1b[2J\n1").status().message(),
            "`sample ?[2J?1` is not a sample");
  EXPECT_EQ(ParseFailure("fail INTERNAL \x1b[2J\r")->message(), "?[2J?");
  EXPECT_EQ(ParseFailure("fail WHAT\a")->message(), "WHAT?");
}

}  // namespace
}  // namespace assay::runtime
