#include "suites/tune/log/task_name.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/shape.h"

namespace assay::suites {
namespace {

using graph::TensorType;

// An operator with its types, as ops::InstanceText writes it.
struct Instance {
  std::string op;
  std::vector<TensorType> operands;
  TensorType result;
  absl::string_view attrs;  // `{strides=[1,1], …}`, or empty
};

bool IsWord(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  });
}

std::optional<Instance> ParseInstance(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> sides =
      absl::StrSplit(text, absl::MaxSplits(") -> ", 1));
  const std::pair<absl::string_view, absl::string_view> left =
      absl::StrSplit(sides.first, absl::MaxSplits('(', 1));
  const std::pair<absl::string_view, absl::string_view> right =
      absl::StrSplit(sides.second, absl::MaxSplits(' ', 1));
  Instance instance;
  instance.op = std::string(left.first);
  for (const absl::string_view operand :
       absl::StrSplit(left.second, ", ", absl::SkipEmpty())) {
    absl::StatusOr<TensorType> type = TensorType::Parse(operand);
    if (!type.ok()) return std::nullopt;
    instance.operands.push_back(*std::move(type));
  }
  absl::StatusOr<TensorType> result = TensorType::Parse(right.first);
  if (!IsWord(instance.op) || !result.ok()) return std::nullopt;
  instance.result = *std::move(result);
  instance.attrs = right.second;
  return instance;
}

// Returns the integers of the attribute `name`; none if it is absent.
std::vector<int64_t> IntegersOf(const Instance& instance,
                                absl::string_view name) {
  for (const char* before : {"{", " "}) {
    const std::string start = absl::StrCat(before, name, "=");
    const size_t at = instance.attrs.find(start);
    if (at == absl::string_view::npos) continue;
    absl::string_view text = instance.attrs.substr(at + start.size());
    const bool list = absl::ConsumePrefix(&text, "[");
    text = text.substr(0, text.find_first_of(list ? "]" : ",}"));
    std::vector<int64_t> values;
    for (const absl::string_view item : absl::StrSplit(text, ',')) {
      int64_t value = 0;
      if (absl::SimpleAtoi(item, &value)) values.push_back(value);
    }
    return values;
  }
  return {};
}

int64_t IntegerOf(const Instance& instance, absl::string_view name,
                  int64_t otherwise) {
  const std::vector<int64_t> values = IntegersOf(instance, name);
  return values.size() == 1 ? values[0] : otherwise;
}

std::string Extents(const Shape& shape) {
  return shape.empty() ? "scalar" : absl::StrJoin(shape, "x");
}

// Returns `2` for [2,2], `2x1` for [2,1], and nothing for [1,1].
std::string Steps(const std::vector<int64_t>& steps) {
  const bool equal = std::adjacent_find(steps.begin(), steps.end(),
                                        std::not_equal_to<>()) == steps.end();
  if (steps.empty() || (equal && steps[0] == 1)) return "";
  return equal ? absl::StrCat(steps[0]) : absl::StrJoin(steps, "x");
}

std::string DtypeSuffix(const TensorType& type) {
  return type.dtype == DType::Float32()
             ? ""
             : absl::StrCat(" ", type.dtype.ToString());
}

// Returns the encodings of a convolution, such as ` nchw16c`.
std::string EncodingSuffix(const Instance& conv) {
  std::string suffix;
  if (const auto* blocks =
          std::get_if<graph::ChannelBlocks>(&conv.result.encoding)) {
    absl::StrAppend(&suffix, " nchw", blocks->block, "c");
  }
  const graph::Encoding& weights = conv.operands[1].encoding;
  if (!graph::IsPlain(weights) &&
      !std::holds_alternative<graph::FilterBlocks>(weights)) {
    absl::StrAppend(&suffix, " ", graph::ToString(weights));
  }
  return suffix;
}

std::optional<std::string> ConvolutionName(const Instance& conv) {
  if (!absl::StartsWith(conv.op, "conv2d") || conv.operands.size() < 2) {
    return std::nullopt;
  }
  const Shape& data = conv.operands[0].shape;
  const Shape& weights = conv.operands[1].shape;
  const Shape& result = conv.result.shape;
  if (data.size() != 4 || result.size() != 4 || weights.size() != 4) {
    return std::nullopt;
  }
  const int64_t channels = data[1], filters = result[1];
  const int64_t groups = IntegerOf(conv, "groups", 1);
  std::string name =
      absl::StrCat(conv.op, " ", channels, "x", data[2], "x", data[3]);
  if (data[0] != 1) absl::StrAppend(&name, " batch ", data[0]);
  if (filters != channels) absl::StrAppend(&name, "→", filters);
  absl::StrAppend(&name, " ", weights[2], "x", weights[3]);
  const std::string strides = Steps(IntegersOf(conv, "strides"));
  if (!strides.empty()) absl::StrAppend(&name, "/", strides);
  const std::string dilations = Steps(IntegersOf(conv, "dilations"));
  if (!dilations.empty()) absl::StrAppend(&name, " dilated ", dilations);
  if (groups > 1 && groups == channels && groups == filters) {
    name += " depthwise";
  } else if (groups > 1) {
    absl::StrAppend(&name, " groups ", groups);
  }
  return absl::StrCat(name, EncodingSuffix(conv),
                      DtypeSuffix(conv.operands[0]));
}

std::string InstanceName(const Instance& instance) {
  constexpr size_t kOperands = 2;
  std::string name = instance.op;
  for (size_t i = 0; i < instance.operands.size() && i < kOperands; ++i) {
    absl::StrAppend(&name, " ", Extents(instance.operands[i].shape));
  }
  return name + DtypeSuffix(instance.operands.empty() ? instance.result
                                                      : instance.operands[0]);
}

// The operators of a kernel, without constants.
struct Operators {
  std::vector<absl::string_view> names;
  std::optional<TensorType> result;  // of the last one; absent if malformed
};

// The workload has `v1: TYPE = OP(OPERANDS)` for each operator.
Operators ParseOperators(absl::string_view workload) {
  const std::vector<absl::string_view> words = absl::StrSplit(workload, ' ');
  Operators operators;
  for (size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] != "=") continue;
    const absl::string_view op = words[i + 1].substr(0, words[i + 1].find('('));
    if (!IsWord(op)) return {};
    if (op == "constant") continue;
    operators.names.push_back(op);
    const auto type = TensorType::Parse(words[i - 1]);
    operators.result =
        type.ok() ? std::optional<TensorType>(*type) : std::nullopt;
  }
  return operators;
}

// Returns the names, or the first of them and how many more there are.
std::string Join(const std::vector<absl::string_view>& names) {
  constexpr size_t kShown = 3;
  const auto shown = static_cast<ptrdiff_t>(std::min(names.size(), kShown));
  std::string text = absl::StrJoin(names.begin(), names.begin() + shown, "+");
  if (names.size() > kShown) {
    absl::StrAppend(&text, "+", names.size() - kShown, " more");
  }
  return text;
}

// Names a kernel with an anchor.
std::string AnchorName(const Instance& anchor, Operators operators) {
  std::optional<std::string> name = ConvolutionName(anchor);
  if (!name.has_value()) name = InstanceName(anchor);
  std::vector<absl::string_view>& others = operators.names;
  const auto own = std::find(others.begin(), others.end(), anchor.op);
  if (own != others.end()) others.erase(own);
  return others.empty() ? *name : absl::StrCat(*name, " +", Join(others));
}

// Replaces everything but printable ASCII characters.
std::string Printable(absl::string_view text) {
  std::string out(text.substr(0, kTaskNameLength));
  for (char& c : out) {
    if (!absl::ascii_isprint(static_cast<unsigned char>(c))) c = '?';
  }
  return out.empty() ? "unknown" : out;
}

}  // namespace

std::string TaskName(absl::string_view workload, absl::string_view anchor) {
  const Operators operators = ParseOperators(workload);
  std::string name;
  if (const std::optional<Instance> instance = ParseInstance(anchor)) {
    name = AnchorName(*instance, operators);
  } else if (anchor.empty() && operators.result.has_value()) {
    name = absl::StrCat(Join(operators.names), " ",
                        Extents(operators.result->shape),
                        DtypeSuffix(*operators.result));
  }
  if (!name.empty() && name.size() <= kTaskNameLength) return name;
  return Printable(anchor.empty() ? workload : anchor);
}

}  // namespace assay::suites
