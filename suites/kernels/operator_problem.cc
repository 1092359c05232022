#include "suites/kernels/operator_problem.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status_macros.h"
#include "suites/references/problem.h"

namespace assay::suites {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;
using graph::Pair;

// A supported operator.
struct OperatorRow {
  const char* name;
  OpKind kind;
  // The rank of each shape; 0 allows any rank.
  std::vector<size_t> ranks;
  const char* letters;  // of the attributes
  const char* example;
  const char* meaning;
};

const std::vector<OperatorRow>& Rows() {
  static const auto& rows = *new std::vector<OperatorRow>{
      {"conv2d",
       OpKind::kConv2d,
       {4, 3},
       "spdg",
       "1x64x56x56,64x3x3,s1,p1",
       "NCHW data, OxKHxKW filters, stride, padding; d2 dilates, g64 groups"},
      {"dense", OpKind::kDense, {2, 1}, "", "1x2048,1000", "data, outputs"},
      {"matmul", OpKind::kMatmul, {3}, "", "512x512x512", "MxNxK"},
      {"max_pool2d",
       OpKind::kMaxPool2d,
       {4, 2},
       "spd",
       "1x64x112x112,3x3,s2,p1",
       "NCHW data, window, stride, padding"},
      {"avg_pool2d",
       OpKind::kAvgPool2d,
       {4, 2},
       "spd",
       "1x64x112x112,2x2,s2",
       "the same"},
      {"global_avg_pool2d",
       OpKind::kGlobalAvgPool2d,
       {4},
       "",
       "1x512x7x7",
       "NCHW data"},
      {"softmax", OpKind::kSoftmax, {0}, "", "12x128x128", "last axis"},
      {"layer_norm", OpKind::kLayerNorm, {0}, "", "128x768", "last axis"},
      {"relu", OpKind::kRelu, {0}, "", "1x64x56x56", "any shape"},
      {"add", OpKind::kAdd, {0}, "", "1x64x56x56", "any shape, twice"},
  };
  return rows;
}

const OperatorRow* FindRow(absl::string_view op) {
  for (const OperatorRow& row : Rows()) {
    if (op == row.name) return &row;
  }
  return nullptr;
}

absl::Status WrongPart(absl::string_view shape, absl::string_view part,
                       const OperatorRow& row, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("`--shape=", shape, "`: `", part, "` ", why, "; for ",
                   row.name, " write something like ", row.example));
}

int64_t DefaultNumber(char letter) { return letter == 'p' ? 0 : 1; }

// Limits on an extent and on the number of elements, against typing errors.
constexpr int64_t kMostExtent = int64_t{1} << 20;
constexpr int64_t kMostElements = int64_t{1} << 30;

// Limit on the multiply-adds of a matrix product MxNxK, in which only pairs of
// extents form tensors.
constexpr int64_t kMostProducts = int64_t{1} << 38;

bool OperandsFit(const Shape& shape) {
  return shape.size() == 3 && shape[0] * shape[1] <= kMostElements &&
         shape[0] * shape[2] <= kMostElements &&
         shape[1] * shape[2] <= kMostElements;
}

bool ReadExtents(absl::string_view part, int64_t most, Shape* shape) {
  int64_t elements = 1;
  for (const absl::string_view text : absl::StrSplit(part, 'x')) {
    int64_t extent = 0;
    if (!absl::SimpleAtoi(text, &extent) || extent < 1 ||
        extent > kMostExtent) {
      return false;
    }
    elements *= extent;
    if (elements > most) return false;
    shape->push_back(extent);
  }
  return true;
}

// Returns the shape of each operand, and true if it is a constant.
std::vector<std::pair<Shape, bool>> Operands(const OperatorProblem& problem,
                                             OpKind kind) {
  const Shape& first = problem.shapes[0];
  switch (kind) {
    case OpKind::kConv2d: {
      const Shape& f = problem.shapes[1];
      return {{first, false},
              {{f[0], first[1] / problem.numbers.at('g'), f[1], f[2]}, true}};
    }
    case OpKind::kDense:
      return {{first, false}, {{problem.shapes[1][0], first[1]}, true}};
    case OpKind::kMatmul:
      return {{{first[0], first[2]}, false}, {{first[2], first[1]}, false}};
    case OpKind::kLayerNorm:
      return {{first, false}, {{first.back()}, true}, {{first.back()}, true}};
    case OpKind::kAdd:
      return {{first, false}, {first, false}};
    default:
      return {{first, false}};
  }
}

graph::Attrs AttrsOf(const OperatorProblem& problem, OpKind kind) {
  const int64_t last = static_cast<int64_t>(problem.shapes[0].size()) - 1;
  const auto twice = [&](char letter) -> Pair {
    return {problem.numbers.at(letter), problem.numbers.at(letter)};
  };
  // Sets the attributes that convolutions and poolings have.
  const auto set_window = [&](auto& attrs) {
    const int64_t p = problem.numbers.at('p');
    attrs.strides = twice('s');
    attrs.padding = {p, p, p, p};
    attrs.dilations = twice('d');
  };
  switch (kind) {
    case OpKind::kConv2d: {
      graph::Conv2dAttrs attrs;
      set_window(attrs);
      attrs.groups = problem.numbers.at('g');
      return attrs;
    }
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d: {
      graph::Pool2dAttrs attrs;
      set_window(attrs);
      attrs.kernel = {problem.shapes[1][0], problem.shapes[1][1]};
      return attrs;
    }
    case OpKind::kGlobalAvgPool2d:
      return graph::NoAttrs();
    case OpKind::kSoftmax:
      return graph::SoftmaxAttrs{last};
    case OpKind::kLayerNorm: {
      graph::LayerNormAttrs attrs;
      attrs.axis = last;
      return attrs;
    }
    default:
      return graph::NoAttrs();
  }
}

absl::StatusOr<std::unique_ptr<Graph>> BuildModel(
    const OperatorProblem& problem, uint64_t seed) {
  const OpKind kind = FindRow(problem.op)->kind;
  auto graph = std::make_unique<Graph>(problem.op);
  std::vector<graph::Value> operands;
  int inputs = 0;
  for (const auto& [shape, is_weight] : Operands(problem, kind)) {
    if (is_weight) {
      operands.push_back({graph->AddConstant(UniformOperand(
          shape, seed, absl::StrCat("weight", operands.size())))});
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(Node * input,
                           graph->AddInput(absl::StrCat("x", inputs++),
                                           {DType::Float32(), shape}));
    operands.push_back({input});
  }
  ASSAY_ASSIGN_OR_RETURN(
      Node * node,
      graph->AddNode(kind, AttrsOf(problem, kind), operands, problem.op));
  graph->AddOutput("out", {node});
  return graph;
}

}  // namespace

std::string OperatorProblem::ToString() const {
  std::vector<std::string> parts;
  for (const Shape& shape : shapes) parts.push_back(absl::StrJoin(shape, "x"));
  // Print the attributes in the order of the table.
  for (const char* l = FindRow(op)->letters; *l != '\0'; ++l) {
    const int64_t value = numbers.at(*l);
    if (value != DefaultNumber(*l)) {
      parts.push_back(absl::StrCat(std::string(1, *l), value));
    }
  }
  return absl::StrJoin(parts, ",");
}

absl::StatusOr<OperatorProblem> ParseOperatorProblem(absl::string_view op,
                                                     absl::string_view shape) {
  const OperatorRow* row = FindRow(op);
  if (row == nullptr) {
    std::vector<std::string> names;
    for (const OperatorRow& known : Rows()) names.push_back(known.name);
    return absl::InvalidArgumentError(
        absl::StrCat("`--op` is `", op, "`; there are `",
                     absl::StrJoin(names, "`, `"), "`"));
  }
  OperatorProblem problem;
  problem.op = row->name;
  const absl::string_view letters = row->letters;
  for (const char letter : letters) {
    problem.numbers[letter] = DefaultNumber(letter);
  }
  const std::vector<absl::string_view> parts = absl::StrSplit(shape, ',');
  for (size_t i = 0; i < parts.size(); ++i) {
    const absl::string_view part = parts[i];
    if (i < row->ranks.size()) {
      Shape extents;
      const size_t rank = row->ranks[i];
      const bool product = row->kind == OpKind::kMatmul;
      if (!ReadExtents(part, product ? kMostProducts : kMostElements,
                       &extents) ||
          (product && !OperandsFit(extents)) ||
          (rank != 0 && extents.size() != rank)) {
        return WrongPart(
            shape, part, *row,
            rank == 0 ? "is no shape"
                      : absl::StrCat("is no shape of ", rank,
                                     rank == 1 ? " number" : " numbers"));
      }
      problem.shapes.push_back(std::move(extents));
      continue;
    }
    int64_t value = 0;
    if (part.size() < 2 || letters.find(part[0]) == absl::string_view::npos ||
        !absl::SimpleAtoi(part.substr(1), &value) || value > kMostExtent ||
        value < (part[0] == 'p' ? 0 : 1)) {
      return WrongPart(shape, part, *row, "is not understood");
    }
    problem.numbers[part[0]] = value;
  }
  if (problem.shapes.size() < row->ranks.size()) {
    return WrongPart(shape, shape, *row, "has too few parts");
  }
  if (problem.op == "conv2d") {
    const int64_t g = problem.numbers['g'];
    if (problem.shapes[0][1] % g != 0 || problem.shapes[1][0] % g != 0) {
      return WrongPart(shape, absl::StrCat("g", g), *row,
                       "does not divide channels and filters");
    }
  }
  return problem;
}

std::string OperatorHelp() {
  std::string help;
  for (const OperatorRow& row : Rows()) {
    absl::StrAppendFormat(&help, "  %-18s %-24s %s\n", row.name, row.example,
                          row.meaning);
  }
  return help;
}

absl::StatusOr<std::unique_ptr<Graph>> OperatorModel(
    const OperatorProblem& problem, uint64_t seed) {
  auto graph = BuildModel(problem, seed);
  if (!graph.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--shape=", problem.ToString(), "`: ", graph.status().message()));
  }
  return graph;
}

}  // namespace assay::suites
