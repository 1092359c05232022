#include "rpc/client/block/block_reader.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"

namespace assay::rpc {
namespace {

using runtime::Location;

RunBlockAnswer Sample(int64_t nanos, int64_t number, int64_t outputs_size = 0,
                      const std::vector<int64_t>& calls = {}) {
  RunBlockAnswer answer;
  answer.mutable_sample()->set_nanos(nanos);
  answer.mutable_sample()->set_number(number);
  answer.mutable_sample()->set_outputs_size(outputs_size);
  for (const int64_t call : calls) {
    answer.mutable_sample()->add_call_nanos(call);
  }
  return answer;
}

RunBlockAnswer Outputs(const std::string& bytes) {
  RunBlockAnswer answer;
  answer.set_outputs(bytes);
  return answer;
}

RunBlockAnswer State(double mhz) {
  RunBlockAnswer answer;
  answer.mutable_state()->set_frequency_mhz(mhz);
  return answer;
}

std::string Tensors(float value) {
  return runtime::SerializeTensors(
      {{"y", NDArray::FromVector<float>({1}, {value})}});
}

// A program with one kernel call and one output.
runtime::Artifact Program() {
  runtime::Artifact artifact;
  artifact.tensors = {{"x", DType::Float32(), {1}, Location::kInput, 0},
                      {"y", DType::Float32(), {1}, Location::kOutput, 0}};
  artifact.calls.resize(1);
  return artifact;
}

class BlockReaderTest : public testing::Test {
 protected:
  BlockReaderTest() { block_.samples = {{0, 5}, {0, 7}}; }

  absl::StatusOr<BlockResult> Read(const std::vector<RunBlockAnswer>& answers) {
    BlockReader reader(block_, {LimitsOf(Program())});
    for (const RunBlockAnswer& answer : answers) {
      const absl::Status status = reader.Read(answer);
      if (!status.ok()) return status;
    }
    return reader.Finish();
  }

  // Expects an error of the device that contains `text`.
  void ExpectRejected(const std::vector<RunBlockAnswer>& answers,
                      const std::string& text) {
    const absl::Status status = Read(answers).status();
    EXPECT_TRUE(absl::IsInternal(status)) << text << ": " << status;
    EXPECT_TRUE(absl::StrContains(status.message(), text)) << status;
  }

  runtime::Block block_;
};

TEST_F(BlockReaderTest, CollectsSamplesAndStates) {
  const auto result =
      Read({State(1000), Sample(50, 5), Sample(77, 8), State(900)});
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->samples.size(), 2u);
  EXPECT_EQ(result->samples[0].nanos, 50);
  EXPECT_EQ(result->samples[0].number, 5);
  EXPECT_EQ(result->samples[1].number, 8);
  EXPECT_EQ(result->before.frequency_mhz(), 1000);
  EXPECT_EQ(result->after.frequency_mhz(), 900);
  EXPECT_FALSE(result->after.has_throttled());
}

TEST_F(BlockReaderTest, StatesMayBeMissing) {
  EXPECT_TRUE(Read({Sample(50, 5), Sample(77, 7)}).ok());
}

TEST_F(BlockReaderTest, JoinsTheChunksOfOutputs) {
  block_.read_outputs = true;
  const std::string first = Tensors(1), second = Tensors(2);
  const auto size = static_cast<int64_t>(first.size());
  const auto result =
      Read({Sample(50, 5, size), Outputs(first.substr(0, 3)),
            Outputs(first.substr(3)), Sample(77, 7, size), Outputs(second)});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->samples[0].outputs[0].value.data<float>()[0], 1);
  EXPECT_EQ(result->samples[1].outputs[0].value.data<float>()[0], 2);
}

TEST_F(BlockReaderTest, ReadsTheTimesOfKernelCalls) {
  block_.time_calls = true;
  const auto result = Read({Sample(50, 5, 0, {49}), Sample(77, 7)});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->samples[0].call_nanos, std::vector<int64_t>{49});
  EXPECT_TRUE(result->samples[1].call_nanos.empty());
}

TEST_F(BlockReaderTest, RejectsOtherNumbersOfSamples) {
  ExpectRejected({}, "0 samples of 2");
  ExpectRejected({State(1), Sample(50, 5), State(1)}, "1 samples of 2");
  ExpectRejected({Sample(50, 5), Sample(50, 7), Sample(50, 7)},
                 "too many samples");
  ExpectRejected({RunBlockAnswer()}, "a message without content");
}

TEST_F(BlockReaderTest, RejectsTimesAndNumbersOutOfRange) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  for (const int64_t nanos : {int64_t{0}, int64_t{-1}, most}) {
    ExpectRejected({Sample(nanos, 5)}, "a sample of");
  }
  for (const int64_t number : {int64_t{4}, int64_t{0}, int64_t{-5}, most}) {
    ExpectRejected({Sample(50, number)}, "a sample of");
  }
  block_.time_calls = true;
  ExpectRejected({Sample(50, 5, 0, {-1})}, "a kernel call of -1 ns");
  ExpectRejected({Sample(50, 5, 0, {most})}, "a kernel call of");
}

TEST_F(BlockReaderTest, RejectsTimesOfOtherKernelCalls) {
  ExpectRejected({Sample(50, 5, 0, {49})}, "the times of 1 kernel calls");
  block_.time_calls = true;
  ExpectRejected({Sample(50, 5, 0, {20, 29})}, "the times of 2 kernel calls");
}

TEST_F(BlockReaderTest, RejectsOutputsThatWereNotRequested) {
  ExpectRejected({Sample(50, 5, 100)}, "outputs of 100 bytes");
  ExpectRejected({Outputs("x")}, "outputs of another size");
  ExpectRejected({Sample(50, 5), Outputs("x")}, "outputs of another size");
}

TEST_F(BlockReaderTest, RejectsOutputsOfOtherSizes) {
  block_.read_outputs = true;
  for (const int64_t size : {int64_t{0}, int64_t{-1}, int64_t{1} << 30,
                             std::numeric_limits<int64_t>::max()}) {
    ExpectRejected({Sample(50, 5, size)}, "outputs of");
  }
  ExpectRejected({Sample(50, 5, 10), Outputs("12345678901")},
                 "outputs of another size");
  ExpectRejected({Sample(50, 5, 10), Outputs("")}, "outputs of another size");
  ExpectRejected({Sample(50, 5, 10), Outputs("1"), Sample(50, 7, 10)},
                 "outputs that are cut");
  ExpectRejected({Sample(50, 5, 10), Outputs("1")}, "outputs that are cut");
}

TEST_F(BlockReaderTest, RejectsOutputsThatAreNoTensors) {
  block_.read_outputs = true;
  ExpectRejected({Sample(50, 5, 10), Outputs("1234567890")},
                 "unexpected answer to a block: ");
}

}  // namespace
}  // namespace assay::rpc
