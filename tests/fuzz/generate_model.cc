#include "tests/fuzz/generate_model.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/frontend/onnx/operators/operator_table.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/element.h"
#include "suites/models/onnx_builder.h"
#include "tests/fuzz/choices.h"
#include "tests/fuzz/operator_recipes.h"

namespace assay::fuzz {
namespace {

using graph::TensorType;

constexpr int kMaxNodes = 12;
constexpr int64_t kMaxMemory = 1 << 14;

struct NamedValue {
  std::string name;
  TensorType type;
  bool read = false;
};

constexpr DType kElementTypes[] = {
    DType::Float32(),  DType::Int64(),  DType::UInt(8),   DType::Int(8),
    DType::Bool(),     DType::Int32(),  DType::Float64(), DType::Float16(),
    DType::BFloat16(), DType::UInt(64), DType::UInt(32),  DType::UInt(16),
    DType::Int(16),
};

std::vector<float> SomeFloats() {
  return {1, 0.5, 0, 2, -1, 1e-5, 0.75, -0.25};
}

class Generator {
 public:
  explicit Generator(absl::Span<const uint8_t> bytes) : choices_(bytes) {}

  onnx::ModelProto Run() {
    opset_ = static_cast<int>(choices_.In(7, 21));
    model_.set_ir_version(suites::IrVersionFor(opset_));
    model_.add_opset_import()->set_version(opset_);
    graph().set_name("generated");
    AddInput({SomeType(), SomeShape()});
    for (int i = 0; i < 4 * kMaxNodes; ++i) {
      if (choices_.AtEnd() || graph().node_size() == kMaxNodes) break;
      TryNode();
    }
    graph().clear_output();
    for (const NamedValue& value : values_) {
      if (value.read || value.name[0] != 'v') continue;
      graph().add_output()->set_name(value.name);
    }
    return std::move(model_);
  }

 private:
  onnx::GraphProto& graph() { return *model_.mutable_graph(); }

  DType SomeType() {
    // Prefer float32, the only type of half of the operators.
    if (choices_.Yes()) return DType::Float32();
    return kElementTypes[choices_.Of(std::size(kElementTypes))];
  }
  Shape SomeShape() {
    Shape shape(choices_.Of(5));
    for (int64_t& extent : shape) extent = choices_.In(1, 5);
    return shape;
  }

  // Integers in [low, high]; for float types a quarter of that.
  NDArray SomeArray(const TensorType& type, int64_t low, int64_t high) {
    NDArray array(type.dtype, type.shape);
    for (int64_t i = 0; i < array.num_elements(); ++i) {
      const int64_t value = choices_.In(low, high);
      if (type.dtype.is_float()) {
        StoreFloat(array, i, value / 4.0);
      } else {
        const int64_t most = type.dtype.is_bool() ? 1 : high;
        StoreInt(array, i, std::min(value, most));
      }
    }
    return array;
  }

  const NamedValue& AddInput(const TensorType& type) {
    const std::string name = absl::StrCat("i", graph().input_size());
    onnx::ValueInfoProto* info = graph().add_input();
    info->set_name(name);
    auto* tensor = info->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(suites::OnnxType(type.dtype));
    tensor->mutable_shape();
    for (const int64_t extent : type.shape) {
      tensor->mutable_shape()->add_dim()->set_dim_value(extent);
    }
    values_.push_back({name, type});
    return values_.back();
  }

  std::string AddConstant(const NDArray& array) {
    const std::string name = absl::StrCat("c", graph().initializer_size());
    *graph().add_initializer() = suites::ToTensorProto(name, array);
    return name;
  }
  std::string Constant(const TensorType& type, int64_t low, int64_t high) {
    return AddConstant(SomeArray(type, low, high));
  }
  // Weights: a constant with probability 3/4, otherwise an input.
  std::string Weights(const TensorType& type, int64_t low, int64_t high) {
    if (choices_.In(0, 3) == 3) return AddInput(type).name;
    return Constant(type, low, high);
  }
  std::string Int64s(int64_t count, int64_t low, int64_t high) {
    return Constant({DType::Int64(), {count}}, low, high);
  }

  void TryNode() {
    std::vector<const frontend::OperatorRow*> rows;
    for (const frontend::OperatorRow& row : frontend::OperatorTable()) {
      if (frontend::HasDefinitionOf(row, opset_)) {
        rows.push_back(&row);
      }
    }
    const frontend::OperatorRow& row = *rows[choices_.Of(rows.size())];
    const OperatorRecipe* recipe = FindRecipe(row.op_type, row.min_inputs);
    if (recipe == nullptr) return;
    const onnx::GraphProto before = graph();
    const size_t values_before = values_.size();
    onnx::NodeProto& node = *graph().add_node();
    node.set_op_type(row.op_type);
    first_ = {DType::Float32(), {2}};
    group_ = 1;
    AddOperands(recipe->operands, recipe->attributes, row.max_inputs, node);
    const int results = row.max_results < 0 ? 2 : row.max_results;
    for (int i = 0; i < std::max(1, results); ++i) {
      if (i > 0 && !choices_.Yes()) break;
      node.add_output(absl::StrCat("v", before.node_size(), "_", i));
    }
    if (Accept(node)) return;
    graph() = before;
    values_.resize(values_before);
  }

  // Returns true if the importer accepts the model with the new node, and adds
  // the results of the node to the values.
  bool Accept(const onnx::NodeProto& node) {
    graph().clear_output();
    for (const std::string& name : node.output()) {
      graph().add_output()->set_name(name);
    }
    frontend::ImportOptions options;
    options.max_memory = kMaxMemory;
    const auto imported = frontend::ImportOnnxModel(model_, options);
    if (!imported.ok()) return false;
    for (NamedValue& value : values_) {
      const auto& inputs = node.input();
      value.read |=
          std::find(inputs.begin(), inputs.end(), value.name) != inputs.end();
    }
    for (const graph::Output& output : (*imported)->data_outputs()) {
      values_.push_back({output.name, output.value.type()});
    }
    return true;
  }

  // Chooses the first operand, then the attributes, which depend on its rank,
  // then the other operands, which depend on the attributes.
  void AddOperands(absl::string_view letters, absl::string_view attributes,
                   int max_inputs, onnx::NodeProto& node) {
    bool first = true, optional = false;
    for (const char letter : letters) {
      if (letter == '?') {
        optional = true;
        continue;
      }
      if (max_inputs >= 0 && node.input_size() >= max_inputs) break;
      if (optional && !choices_.Yes()) break;
      node.add_input(Operand(letter));
      if (first) AddAttributes(attributes, node);
      first = false;
    }
    if (first) AddAttributes(attributes, node);
  }

  std::string Operand(char letter);
  std::string FirstOperand(bool quantized);
  std::string OperandLikeFirst();
  std::string Window(bool transposed);

  int64_t Channels() const {
    return first_.shape.size() > 1 ? first_.shape[1] : 1;
  }
  int64_t Last() const {
    return first_.shape.empty() ? 1 : first_.shape.back();
  }
  int64_t Rank() const { return static_cast<int64_t>(first_.shape.size()); }

  void AddAttributes(absl::string_view specs, onnx::NodeProto& node) {
    for (const absl::string_view spec :
         absl::StrSplit(specs, ' ', absl::SkipEmpty())) {
      std::pair<absl::string_view, absl::string_view> parts =
          absl::StrSplit(spec, absl::MaxSplits(':', 1));
      const bool required = absl::ConsumeSuffix(&parts.first, "!");
      if (!required && !choices_.Yes()) continue;
      AddAttribute(std::string(parts.first), parts.second, node);
    }
  }
  void AddAttribute(const std::string& name, absl::string_view kind,
                    onnx::NodeProto& node);
  void SetFactors(const std::string& name, onnx::NodeProto& node) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::FLOATS);
    for (int64_t i = 0; i < Rank(); ++i) {
      attribute.add_floats(static_cast<float>(choices_.In(4, 8)) / 4);
    }
  }
  std::vector<int64_t> SomeInts(int64_t count, int64_t low, int64_t high) {
    std::vector<int64_t> ints(std::max<int64_t>(0, count));
    for (int64_t& value : ints) value = choices_.In(low, high);
    return ints;
  }
  std::vector<int64_t> SomePermutation() {
    std::vector<int64_t> perm(Rank());
    for (int64_t i = 0; i < Rank(); ++i) {
      perm[i] = i;
      std::swap(perm[i], perm[choices_.In(0, i)]);
    }
    return perm;
  }

  Choices choices_;
  int opset_ = 0;
  onnx::ModelProto model_;
  std::vector<NamedValue> values_;
  // Properties of the node being generated.
  TensorType first_;  // type of the first operand
  int64_t group_ = 1;
  Shape last_shape_;  // shape of the latest operand with a free shape
};

std::string Generator::FirstOperand(bool quantized) {
  const int64_t choice = choices_.In(0, 7);
  if (quantized) {
    first_ = {choice % 2 == 0 ? DType::UInt(8) : DType::Int(8), SomeShape()};
    return AddInput(first_).name;
  }
  if (choice == 7) AddInput({SomeType(), SomeShape()});
  // Prefer the newest value, which makes models deep rather than wide.
  const NamedValue& value =
      choice > 4 ? values_.back() : values_[choices_.Of(values_.size())];
  first_ = value.type;
  return value.name;
}

std::string Generator::OperandLikeFirst() {
  const int64_t choice = choices_.In(0, 3);
  std::vector<std::string> same;
  for (const NamedValue& value : values_) {
    if (value.type.dtype == first_.dtype &&
        (choice == 0 || value.type == first_)) {
      same.push_back(value.name);
    }
  }
  if (choice < 2 && !same.empty()) return same[choices_.Of(same.size())];
  TensorType type = first_;
  // A shape that can be broadcast to that of the first operand.
  type.shape.erase(type.shape.begin(),
                   type.shape.begin() + choices_.In(0, Rank()));
  for (int64_t& extent : type.shape) {
    if (choices_.In(0, 3) == 3) extent = 1;
  }
  return Weights(type, -4, 8);
}

std::string Generator::Window(bool transposed) {
  Shape shape = {choices_.In(1, 5), std::max<int64_t>(1, Channels() / group_)};
  if (!transposed) shape[0] *= group_;
  if (transposed) std::swap(shape[0], shape[1]);
  if (transposed) shape[0] = Channels();
  for (int64_t i = 2; i < Rank(); ++i) shape.push_back(choices_.In(1, 3));
  last_shape_ = {transposed ? shape[1] * group_ : shape[0]};
  return Weights({first_.dtype, shape}, -4, 4);
}

// Creates or selects the operand for a letter of a recipe.
std::string Generator::Operand(char letter) {
  const DType dtype = first_.dtype;
  const DType real = DType::Float32();
  const int64_t gates = graph().node().rbegin()->op_type() == "RNN"   ? 1
                        : graph().node().rbegin()->op_type() == "GRU" ? 3
                                                                      : 4;
  switch (letter) {
    case 'x':  // first operand: any value
    case '8':  // first operand: a new 8-bit integer input
      return FirstOperand(letter == '8');
    case 'y':  // an operand that broadcasts to the first
      return OperandLikeFirst();
    case 'c':  // a value per channel
      return Weights({dtype, {Channels()}}, -4, 8);
    case 'v':  // a positive value per channel
      return Weights({dtype, {Channels()}}, 1, 8);
    case 'C':  // a value per output channel
      return Weights({dtype, last_shape_}, -4, 8);
    case 'l':  // a value per element of the last axis
      return Weights({dtype, {Last()}}, -4, 8);
    case 's':  // a scalar of the same type
      return Weights({dtype, {}}, -4, 8);
    case 'w':  // convolution weights
    case 'd':  // transposed convolution weights
      return Window(letter == 'd');
    case 'm':  // the right-hand side of a matrix product
      return Weights({dtype, {Last(), choices_.In(1, 5)}}, -4, 4);
    case 'i':  // extents or axes
      return Int64s(choices_.In(0, Rank()), -1, 5);
    case 'k':  // one extent or axis
      return Int64s(1, -1, 5);
    case 'K':  // the same as a scalar
      return Constant({DType::Int64(), {}}, -1, 5);
    case 'p':  // padding
      return Int64s(2 * Rank(), -1, 2);
    case 'q':  // a scale
      return Constant({real, {}}, 1, 8);
    case 'z':  // a zero point
      return Constant({dtype, {}}, 0, 8);
    case 'o':  // a zero point that determines the result type
      return Constant({DType::UInt(8), {}}, 0, 8);
    case 'b':
      return AddInput({DType::Bool(), {choices_.In(1, 2)}}).name;
    case 'B':
      return AddInput({DType::Bool(), {choices_.In(1, 5)}}).name;
    case 'n':  // indices
      last_shape_ = SomeShape();
      return Constant({DType::Int64(), last_shape_}, -1, 2);
    case 'u':  // updates of a scatter
      return Weights({dtype, last_shape_}, -4, 8);
    case 'j':
      return Int64s(2, 0, 0);
    case 'L':
      return Int64s(first_.shape.empty() ? 1 : first_.shape[0], 0, 5);
    case 'r':  // a sampling grid
      return Weights(
          {real, {first_.shape.empty() ? 1 : first_.shape[0], 2, 3, 2}}, -5, 5);
    case '4':
    case '5':  // regions of interest
      return Weights({real, {2, letter - '0'}}, 0, 16);
    case 'X':
      return AddInput({real, {1, 4, 4}}).name;
    case 'S':
      return AddInput({real, {1, 2, 4}}).name;
    case 'V':
      return Weights({real, {2}}, -4, 8);
    case 'F':  // scale factors
      return Constant({real, {Rank()}}, 1, 8);
    case 'G':  // input weights of a recurrent layer
      return Weights({real, {1, 2 * gates, Last()}}, -4, 4);
    case 'H':  // recurrence weights
      return Weights({real, {1, 2 * gates, 2}}, -4, 4);
    default:  // omitted
      return "";
  }
}

// Adds an attribute of the kind that a recipe names.
void Generator::AddAttribute(const std::string& name, absl::string_view kind,
                             onnx::NodeProto& node) {
  const int64_t spatial = Rank() - 2;
  if (kind.size() > 1) {
    const std::vector<std::string> words = absl::StrSplit(kind, '|');
    const std::string& word = words[choices_.Of(words.size())];
    return suites::SetString(&node, name, word);
  }
  const std::vector<float> floats = SomeFloats();
  switch (kind[0]) {
    case 'a':
      return suites::SetInt(&node, name, choices_.In(-1, 3));
    case 'b':
      return suites::SetInt(&node, name, choices_.In(0, 1));
    case 'i':
      return suites::SetInt(&node, name, choices_.In(-1, 4));
    case 'f':
      return suites::SetFloat(&node, name, floats[choices_.Of(floats.size())]);
    case 't':
      return suites::SetInt(&node, name, choices_.In(1, 16));
    case 'g':
      group_ =
          choices_.Yes() ? std::max<int64_t>(1, Channels()) : choices_.In(1, 2);
      return suites::SetInt(&node, name, group_);
    case 'A':
      return suites::SetInts(&node, name, SomeInts(choices_.In(1, 2), -1, 3));
    case 'I':
      return suites::SetInts(&node, name, SomeInts(spatial, 1, 3));
    case 'R':
      return suites::SetInts(&node, name, SomeInts(2 * Rank(), -1, 2));
    case 'k':
      return suites::SetInts(&node, name, SomeInts(1, -1, 5));
    case 'F':
      return SetFactors(name, node);
    case 'T':
      return suites::SetInts(&node, name, SomePermutation());
    case '2':
      if (name == "pads") {
        return suites::SetInts(&node, name, SomeInts(2 * spatial, 0, 2));
      }
      return suites::SetInt(&node, name, 2);
    case 'P': {
      constexpr const char* kModes[] = {"SAME_UPPER", "SAME_LOWER", "VALID"};
      return suites::SetString(&node, name, kModes[choices_.Of(3)]);
    }
    default:
      return suites::SetInt(&node, name, kind[0] - '0');
  }
}

}  // namespace

onnx::ModelProto GenerateModel(absl::Span<const uint8_t> bytes) {
  return Generator(bytes).Run();
}

}  // namespace assay::fuzz
