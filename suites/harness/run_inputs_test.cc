// Tests runs with --inputs, --input_value and --outputs.
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "suites/harness/run.h"
#include "suites/harness/testing/suite_fixture.h"
#include "suites/tensors/tensor_files.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;
using stats::Verdict;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kMemory = 1 << 20;
// Graphs with a second input, a sampling rate.
constexpr char kWithRate[] =
    "graph net(%x: float32[1], %rate: int64[1]) -> (y=%1) {\n"
    "  %1: float32[1] = sigmoid(%x)\n}";
constexpr char kWithRateAndIds[] =
    "graph net(%x: float32[1], %rate: int64[1], %ids: int64[2]) -> (y=%1) {\n"
    "  %1: float32[1] = sigmoid(%x)\n}";

constexpr char kOfIds[] =
    "graph net(%ids: int64[100]) -> (y=%4) {\n"
    "  %1: float32[100] = cast(%ids) {dtype=float32}\n"
    "  %2: float32[] = reduce_mean(%1) {axes=[0]}\n"
    "  %3: float32[1] = reshape(%2) {shape=[1]}\n"
    "  %4: float32[1] = sigmoid(%3)\n}";

class RunInputsTest : public SuiteFixture {
 protected:
  // Writes a file with arrays for --inputs. The first input of the model is
  // `x`, float32[1].
  void GiveInputs(const NamedTensors& arrays) {
    const std::string path = JoinPath(dir_.path(), "in.npz");
    ASSERT_TRUE(WriteOutputs(path, arrays).ok());
    options_.model.inputs = {path};
  }
  void GiveInputs(const std::string& name, const NDArray& value) {
    GiveInputs(NamedTensors{{name, value}});
  }
  void GiveInputs(float value) {
    GiveInputs("x", NDArray::FromVector<float>({1}, {value}));
  }

  // Returns the values of the calls of SetInputs().
  std::vector<float> InputsOfRun() const {
    std::vector<float> values;
    for (const NamedTensors& inputs : script_.inputs) {
      values.push_back(inputs.at(0).value.data<float>()[0]);
    }
    return values;
  }

  // Returns the first elements of the second input, an int64, of the calls of
  // SetInputs().
  std::vector<int64_t> RatesOfRun() const {
    std::vector<int64_t> values;
    for (const NamedTensors& inputs : script_.inputs) {
      values.push_back(inputs.at(1).value.data<int64_t>()[0]);
    }
    return values;
  }

  std::string OutputPath() const { return JoinPath(dir_.path(), "out.npz"); }

  // Returns the output in the file of --outputs, which must be called `y`.
  float WrittenOutput() const {
    const auto file = OpenInputs({OutputPath()}, kMemory);
    if (!file.ok()) {
      ADD_FAILURE() << file.status();
      return 0;
    }
    EXPECT_EQ(file->tensors.at(0).name, "y");
    return file->tensors.at(0).read()->data<float>()[0];
  }
};

TEST_F(RunInputsTest, MeasuresWithGivenInputsOnly) {
  GiveInputs(5);
  EXPECT_EQ(Run(), 0) << message_;
  // The second input is checked only. The last input but one is late. Both
  // resemble the given one.
  const std::vector<float> values = InputsOfRun();
  ASSERT_EQ(values.size(), 5u);
  EXPECT_EQ(values[0], 5);
  EXPECT_NE(values[1], 5);
  EXPECT_NEAR(values[1], 5, 5.0 / 64);
  EXPECT_EQ(values[2], 5);
  EXPECT_NE(values[3], 5);
  EXPECT_NEAR(values[3], 5, 5.0 / 64);
  EXPECT_EQ(values[4], 5);
  EXPECT_THAT(result_.rows.at(0).reproduce, HasSubstr(" --inputs=/"));
  EXPECT_THAT(out_, AllOf(HasSubstr("net: measured with the inputs of `/"),
                          Not(HasSubstr("`--bless` stores these times"))));
}

TEST_F(RunInputsTest, BaselineIsNotCompared) {
  BlessOnce();
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kPass);
  GiveInputs(5);
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  EXPECT_EQ(result_.rows[0].reason,
            "the baseline was measured with other inputs");
}

TEST_F(RunInputsTest, WrongInputsAreUsageErrors) {
  GiveInputs("x", NDArray::FromVector<float>({2}, {1, 2}));
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("in.npz`: array `x` is float32[2], but the "
                                  "model needs float32[1]"));
  GiveInputs("z", NDArray::FromVector<float>({1}, {1}));
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("in.npz` has no array for the input `x` of "
                                  "the model; it has `z`"));
  options_.model.inputs = {"/no/such.npz"};
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("/no/such.npz"));
  // Nothing was compiled.
  EXPECT_TRUE(script_.log.empty());
}

TEST_F(RunInputsTest, InputValueIsTheSameInAllExamples) {
  graph_ = kWithRate;
  options_.model.input_values["rate"] = "16000";
  EXPECT_EQ(Run(), 0) << message_;
  EXPECT_THAT(RatesOfRun(), Each(16000));
  // Two examples and a late one have other values of the other input.
  const std::vector<float> values = InputsOfRun();
  EXPECT_GE(std::set<float>(values.begin(), values.end()).size(), 3u);
  EXPECT_THAT(result_.rows.at(0).reproduce,
              HasSubstr(" --input_value=rate=16000 "));
  EXPECT_THAT(out_, AllOf(HasSubstr("net: every element of the input `rate` is "
                                    "16000\n"),
                          Not(HasSubstr("all its inputs are settings")),
                          Not(HasSubstr("`--bless` stores these times"))));
}

TEST_F(RunInputsTest, BaselineIsNotComparedWithInputValues) {
  BlessOnce();
  options_.model.input_values["x"] = "0.5";
  EXPECT_EQ(Run(), 0);
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  EXPECT_EQ(result_.rows[0].reason,
            "the baseline was measured with other inputs");
}

TEST_F(RunInputsTest, SaysIfAllInputsAreSettings) {
  options_.model.input_values["x"] = "0.5";
  EXPECT_EQ(Run(), 0) << message_;
  EXPECT_THAT(InputsOfRun(), Each(0.5f));
  EXPECT_THAT(out_, HasSubstr("net: all its inputs are settings, so it was not "
                              "checked that timed runs compute the answer\n"));
}

TEST_F(RunInputsTest, WrongInputValuesAreUsageErrors) {
  graph_ = kWithRate;
  options_.model.input_values["rate"] = "1.5";
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("`--input_value` for `rate` is `1.5`, which "
                                  "is not a value of int64"));
  options_.model.input_values.clear();
  options_.model.input_values["sr"] = "16000";
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_,
              HasSubstr("`--input_value` is for `sr`, which is no input of the "
                        "model; its inputs are `x`, `rate`"));
  // Nothing was compiled.
  EXPECT_TRUE(script_.log.empty());
}

// They may be lengths, offsets, indices or settings.
TEST_F(RunInputsTest, GivenIntegersStayInAllExamples) {
  graph_ = kWithRateAndIds;
  GiveInputs({{"x", NDArray::FromVector<float>({1}, {5})},
              {"rate", NDArray::FromVector<int64_t>({1}, {16000})},
              {"ids", NDArray::FromVector<int64_t>({2}, {1000, 1001})}});
  EXPECT_EQ(Run(), 0) << message_;
  EXPECT_THAT(RatesOfRun(), Each(16000));
  std::set<float> values;
  for (const NamedTensors& inputs : script_.inputs) {
    values.insert(inputs.at(0).value.data<float>()[0]);
    EXPECT_EQ(inputs.at(2).value.data<int64_t>()[0], 1000);
    EXPECT_EQ(inputs.at(2).value.data<int64_t>()[1], 1001);
  }
  EXPECT_GE(values.size(), 3u);
}

TEST_F(RunInputsTest, NamedIntegersVary) {
  graph_ = kOfIds;
  std::vector<int64_t> ids(100);
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int64_t>(i);
  GiveInputs("ids", NDArray::FromVector<int64_t>({100}, ids));
  EXPECT_EQ(Run(), 0) << message_;
  EXPECT_THAT(out_, HasSubstr("net: none of its inputs varies (--vary names "
                              "those that may), so it was not checked that "
                              "timed runs compute the answer"));
  options_.model.varying = {"ids"};
  EXPECT_EQ(Run(), 0) << message_;
  std::set<int64_t> first;
  for (const NamedTensors& inputs : script_.inputs) {
    first.insert(inputs.at(0).value.data<int64_t>()[0]);
  }
  EXPECT_GE(first.size(), 2u);
  EXPECT_THAT(out_, Not(HasSubstr("none of its inputs varies")));
  EXPECT_THAT(result_.rows.at(0).reproduce, HasSubstr(" --vary=ids "));
  options_.model.varying = {"tokens"};
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("`--vary` is for `tokens`, which is no input "
                                  "of the model; its inputs are `ids`"));
}

TEST_F(RunInputsTest, InputsThatWereMadeUpMayBeRefused) {
  GiveInputs(5);
  script_.refuse = [](const NamedTensors& inputs) {
    return inputs[0].value.data<float>()[0] == 5
               ? absl::OkStatus()
               : absl::OutOfRangeError("index 7 is out of range");
  };
  EXPECT_EQ(Run(), 0) << message_;
  EXPECT_EQ(OnlyVerdict(), Verdict::kNoBaseline);
  EXPECT_THAT(InputsOfRun(), Each(5));
  EXPECT_THAT(out_, HasSubstr("net: not checked on a second input, because the "
                              "interpreter refuses what was made up: index 7 "
                              "is out of range\n"));
  EXPECT_THAT(out_, HasSubstr("net: not checked on an input that was not "
                              "timed, because"));
}

TEST_F(RunInputsTest, RefusedFirstInputsAreUsageErrors) {
  script_.refuse = [](const NamedTensors&) {
    return absl::OutOfRangeError("index 7 is out of range");
  };
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(message_,
            "the interpreter refuses the inputs that are made up from --seed; "
            "give others by `--inputs`: index 7 is out of range");
  GiveInputs(5);
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(message_,
            "the interpreter refuses the inputs of `--inputs`: index 7 is out "
            "of range");
}

TEST_F(RunInputsTest, EmulatedDeviceRunsGivenInputsOnly) {
  GiveInputs(5);
  options_.matrix.devices = {"board"};
  EXPECT_EQ(Run(), 0) << message_;
  EXPECT_EQ(InputsOfRun(), std::vector<float>{5});
}

TEST_F(RunInputsTest, ReferenceHasGivenInputs) {
  GiveInputs(5);
  options_.comparison.reference = "onnxruntime";
  AddOtherRuntime();
  EXPECT_EQ(Run(), 0) << message_;
  ASSERT_FALSE(other_.inputs.empty());
  for (const NamedTensors& inputs : other_.inputs) {
    EXPECT_EQ(inputs.at(0).value.data<float>()[0], 5);
  }
  EXPECT_EQ(result_.rows.at(0).comparison.parity.at("ours").at("inputs"),
            result_.rows.at(0).comparison.parity.at("other 1.0").at("inputs"));
}

TEST_F(RunInputsTest, FirstRowWritesOutputs) {
  GiveInputs(5);
  options_.matrix.fusion = {true, false};
  options_.output.outputs = OutputPath();
  EXPECT_EQ(Run(), 0) << message_;
  EXPECT_EQ(WrittenOutput(), 1);
  EXPECT_THAT(out_, HasSubstr("net on host, fusion on, 2 threads: outputs "
                              "were written to `"));
  EXPECT_THAT(out_, Not(HasSubstr("fusion off, 2 threads: outputs were")));
}

TEST_F(RunInputsTest, WrongOutputsAreWrittenWithAWarning) {
  options_.output.outputs = OutputPath();
  script_.output = 2;
  EXPECT_EQ(Run(), 4);
  EXPECT_EQ(OnlyVerdict(), Verdict::kWrongOutput);
  EXPECT_EQ(WrittenOutput(), 2);
  EXPECT_THAT(out_, HasSubstr("warning: wrong outputs were written to `"));
}

TEST_F(RunInputsTest, SaysIfNoOutputsWereWritten) {
  options_.output.outputs = OutputPath();
  script_.evaluate = absl::InternalError("lost");
  EXPECT_EQ(Run(), 5);
  EXPECT_FALSE(FileExists(OutputPath()));
  EXPECT_THAT(out_, HasSubstr("no outputs were written to `"));
}

TEST_F(RunInputsTest, OutputsAreOfOneModel) {
  options_.output.outputs = OutputPath();
  models_ = {"first", "second"};
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("`--outputs` is for the outputs of one "
                                  "model, but the run has 2"));
  models_ = {"net"};
  options_.output.outputs = JoinPath(dir_.path(), "out.pb");
  EXPECT_EQ(Run(), 2);
  EXPECT_THAT(message_, HasSubstr("it must be a .npz file, or a folder"));
  EXPECT_TRUE(script_.log.empty());
}

TEST_F(RunInputsTest, ResumesOnlyWithTheSameInputs) {
  options_.output.store = JoinPath(dir_.path(), "store");
  options_.output.resume = true;
  options_.matrix.devices = {"host", "board"};
  script_.fail_on_board = true;  // ends the run after the row of the host
  const auto samples = [this] {
    return std::count(script_.log.begin(), script_.log.end(), "measure 1");
  };
  GiveInputs(5);
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(samples(), 8);
  GiveInputs(6);
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(samples(), 8);
  EXPECT_EQ(Run(), 2);
  EXPECT_EQ(samples(), 0);
}

}  // namespace
}  // namespace assay::suites
