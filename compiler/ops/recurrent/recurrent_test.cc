// Compares recurrent operators with the reference.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

struct Case {
  std::string cell = "lstm";
  std::string functions = "sigmoid,tanh,tanh";  // of one direction
  std::string attrs;                            // further ones
  std::string reverse = "0";
  std::string type = "float32";
  int steps = 3, batch = 2, hidden = 5, units = 4;

  int gates() const { return cell == "rnn" ? 1 : cell == "gru" ? 3 : 4; }
  int directions() const { return reverse == "0" || reverse == "1" ? 1 : 2; }
};

bool Has(const Case& c, const char* attr) {
  return c.attrs.find(attr) != std::string::npos;
}

std::string WeightsOf(const Case& c, int panels) {
  const bool is_quantized = Has(c, "quantized");
  return absl::StrCat(
      "%w: ", is_quantized ? "int32" : c.type, "[",
      absl::StrJoin({c.directions(), panels, c.gates(),
                     is_quantized ? (c.hidden + 3) / 4 : c.hidden, c.units},
                    ","),
      "]");
}

std::string GraphOf(const Case& c) {
  const int panels = (c.hidden + c.units - 1) / c.units;
  const int directions = c.directions();
  const auto tensor = [&](const std::vector<int>& shape) {
    return absl::StrCat(c.type, "[", absl::StrJoin(shape, ","), "]");
  };
  const std::string state = tensor({directions, c.batch, c.hidden});
  std::vector<std::string> inputs = {
      absl::StrCat("%x: ", tensor({c.steps, c.batch, directions, panels,
                                   c.gates(), c.units})),
      WeightsOf(c, panels),
      absl::StrCat("%b: ", tensor({directions, panels, c.gates(), c.units})),
      absl::StrCat("%h: ", state)};
  std::string operands = "%x, %w, %b, %h";
  const bool is_lstm = c.cell == "lstm";
  if (is_lstm) {
    inputs.push_back(absl::StrCat("%c: ", state));
    operands += ", %c";
  }
  if (Has(c, "quantized")) {
    for (const char* name : {"%s", "%t"}) {
      inputs.push_back(absl::StrCat(
          name, ": ", tensor({directions, panels, c.gates(), c.units})));
      absl::StrAppend(&operands, ", ", name);
    }
  }
  if (Has(c, "peepholes")) {
    inputs.push_back(
        absl::StrCat("%p: ", tensor({directions, panels, 3, c.units})));
    operands += ", %p";
  }
  if (Has(c, "lengths")) {
    inputs.push_back(absl::StrCat("%n: int64[", c.batch, "]"));
    operands += ", %n";
  }
  std::vector<std::string> types = {
      tensor({c.steps, directions, c.batch, c.hidden}), state};
  if (is_lstm) types.push_back(state);
  std::vector<std::string> functions(directions, c.functions);
  return absl::StrCat(
      "graph g(", absl::StrJoin(inputs, ", "), ") -> (%1, %1.1",
      is_lstm ? ", %1.2" : "", ") {\n  %1: (", absl::StrJoin(types, ", "),
      ") = recurrent(", operands, ") {cell=", c.cell, ", reverse=[", c.reverse,
      "], functions=[", absl::StrJoin(functions, ","), "]", c.attrs, "}\n}");
}

// Checks both ways to use threads.
std::string Check(const Case& c, CheckOptions options = {}) {
  for (const int share : {0, 1}) {
    options.kernel.config = Config();
    options.kernel.config.SetKnob("share", share);
    const std::string error = CheckText(GraphOf(c), options);
    if (!error.empty()) return absl::StrCat("share ", share, ": ", error);
  }
  return "";
}

Case Of(const std::string& cell) {
  Case c;
  c.cell = cell;
  if (cell == "rnn") c.functions = "tanh";
  if (cell == "gru") c.functions = "sigmoid,tanh";
  return c;
}

TEST(RecurrentTest, ComputesCellsInAllDirections) {
  for (const char* cell : {"rnn", "gru", "lstm"}) {
    for (const char* reverse : {"0", "1", "0,1", "1,0", "1,1"}) {
      Case c = Of(cell);
      c.reverse = reverse;
      EXPECT_EQ(Check(c), "") << cell << " " << reverse;
    }
  }
}

TEST(RecurrentTest, ComputesOptions) {
  Case c = Of("gru");
  c.attrs = ", linear_before_reset=true, clip=0.25";
  EXPECT_EQ(Check(c), "");
  c = Of("lstm");
  c.attrs = ", input_forget=true, peepholes=true, clip=0.25";
  EXPECT_EQ(Check(c), "");
  c.type = "float64";
  EXPECT_EQ(Check(c), "");
}

TEST(RecurrentTest, KeepsTheStateOfSequencesThatEnd) {
  CheckOptions options;
  options.low = -2;  // lengths of -2 to 4 for 3 steps
  options.high = 4;
  for (const char* cell : {"rnn", "gru", "lstm"}) {
    for (const char* reverse : {"0", "0,1"}) {
      Case c = Of(cell);
      c.batch = 7;
      c.reverse = reverse;
      c.attrs = ", lengths=true";
      EXPECT_EQ(Check(c, options), "") << cell << " " << reverse;
    }
  }
}

TEST(RecurrentTest, ComputesFunctions) {
  for (const char* function :
       {"sigmoid", "tanh", "relu", "softsign", "softplus", "leaky_relu", "elu",
        "hard_sigmoid", "affine", "scaled_tanh", "thresholded_relu"}) {
    Case c = Of("rnn");
    c.functions = function;
    c.reverse = "0,1";
    c.attrs = ", alphas=[0.25,0.5], betas=[0.5,1.5]";
    EXPECT_EQ(Check(c), "") << function;
  }
}

// Full and partial tiles of sequences and of units, and depths that are not
// multiples of the unrolled loop.
TEST(RecurrentTest, ComputesTilesOfAllSizes) {
  for (const char* cell : {"rnn", "gru", "lstm"}) {
    for (const auto& [batch, hidden] :
         {std::pair(1, 33), {3, 15}, {5, 1}, {13, 16}, {27, 5}}) {
      Case c = Of(cell);
      c.steps = 2;
      c.batch = batch;
      c.hidden = hidden;
      c.units = 16;
      EXPECT_EQ(Check(c), "") << cell << " " << batch << " " << hidden;
    }
  }
}

TEST(RecurrentTest, MultipliesBytes) {
  for (const auto& [batch, hidden] : {std::pair(2, 3), {2, 16}, {9, 21}}) {
    Case c = Of("lstm");
    c.batch = batch;
    c.hidden = hidden;
    c.units = 16;
    c.reverse = "0,1";
    c.attrs = ", quantized=true, peepholes=true, lengths=true";
    CheckOptions options;
    // A state may be rounded to the next byte.
    options.absolute = 0.01;
    EXPECT_EQ(Check(c, options), "") << batch << " " << hidden;
  }
}

}  // namespace
}  // namespace assay::ops
