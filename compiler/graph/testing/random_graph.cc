#include "compiler/graph/testing/random_graph.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::graph {

int64_t TestRandom::In(int64_t low, int64_t high) {
  return low + static_cast<int64_t>(Next() % (high - low + 1));
}

float TestRandom::Unit() {
  return static_cast<float>(In(-(1 << 20), 1 << 20)) / (1 << 20);
}

NDArray TestRandom::Tensor(const Shape& shape, float scale, float offset) {
  NDArray array(DType::Float32(), shape);
  for (float& v : array.data<float>()) v = scale * Unit() + offset;
  return array;
}

namespace {

// Adds nodes with consecutive names. Type inference of these nodes cannot fail.
class NetBuilder {
 public:
  NetBuilder(Graph* graph, uint64_t seed) : random(seed), graph_(graph) {}

  Value Input(absl::string_view name, Shape shape) {
    return {*graph_->AddInput(name, {DType::Float32(), std::move(shape)})};
  }

  Value Constant(const Shape& shape, float scale, float offset = 0) {
    return {graph_->AddConstant(random.Tensor(shape, scale, offset),
                                absl::StrCat("const.", count_++))};
  }

  Value Op(OpKind kind, Attrs attrs, absl::Span<const Value> inputs) {
    absl::StatusOr<Node*> node =
        graph_->AddNode(kind, std::move(attrs), inputs,
                        absl::StrCat(OpName(kind), "_", count_++));
    CHECK(node.ok()) << node.status();
    return {*node};
  }

  Value Relu(Value x) { return Op(OpKind::kRelu, NoAttrs(), {x}); }
  Value Add(Value a, Value b) { return Op(OpKind::kAdd, NoAttrs(), {a, b}); }

  Value Weights(const Shape& shape) {
    const double fan_in = static_cast<double>(NumElements(shape)) / shape[0];
    return Constant(shape, static_cast<float>(1.7 / std::sqrt(fan_in)));
  }

  Value Conv(Value x, int64_t filters, int64_t kernel, int64_t stride,
             int64_t padding) {
    Conv2dAttrs attrs;
    attrs.strides = {stride, stride};
    attrs.padding = {padding, padding, padding, padding};
    return Op(OpKind::kConv2d, attrs,
              {x, Weights({filters, x.type().shape[1], kernel, kernel})});
  }

  Value BatchNorm(Value x) {
    const Shape channels = {x.type().shape[1]};
    const Value scale = Constant(channels, 0.3f, 0.9f);
    const Value bias = Constant(channels, 0.3f);
    const Value mean = Constant(channels, 0.3f);
    const Value variance = Constant(channels, 0.3f, 0.9f);
    return Op(OpKind::kBatchNorm, BatchNormAttrs(),
              {x, scale, bias, mean, variance});
  }

  TestRandom random;

 private:
  Graph* graph_;
  int count_ = 0;
};

class RandomNet {
 public:
  explicit RandomNet(uint64_t seed)
      : graph_(std::make_unique<Graph>(absl::StrCat("random_", seed))),
        net_(graph_.get(), seed),
        random_(net_.random) {}

  std::unique_ptr<Graph> Build() {
    images_.push_back(net_.Input(
        "x", {random_.In(1, 2), 2 * random_.In(1, 6) - random_.In(0, 1),
              random_.In(3, 10), random_.In(3, 10)}));
    const int64_t steps = random_.In(4, 14);
    for (int64_t i = 0; i < steps; ++i) Step();
    Value x = images_.back();
    if (random_.OneIn(2)) x = Classifier(x);
    graph_->AddOutput("y", x);
    if (random_.OneIn(3)) graph_->AddOutput("", Pick());
    return std::move(graph_);
  }

 private:
  Value Pick() { return images_[random_.In(0, images_.size() - 1)]; }

  // Prefers the newest image, so that nets are deep rather than wide.
  Value Next() { return random_.OneIn(4) ? Pick() : images_.back(); }

  void Step() {
    const Value x = Next();
    switch (random_.In(0, 11)) {
      case 0:
      case 1:
      case 2:
        images_.push_back(RandomConv(x));
        break;
      case 3:
        images_.push_back(net_.BatchNorm(RandomConv(x)));
        break;
      case 4:
        images_.push_back(net_.BatchNorm(x));
        break;
      case 5:
      case 6:
        images_.push_back(net_.Relu(x));
        break;
      case 7:
        images_.push_back(Residual(x));
        break;
      case 8:
      case 9:
        images_.push_back(Broadcast(x));
        break;
      case 10:
        images_.push_back(Pool(x));
        break;
      default:
        images_.push_back(Movement(x));
        break;
    }
  }

  Value RandomConv(Value x) {
    const Shape& in = x.type().shape;
    Conv2dAttrs a;
    Shape w(4);
    a.groups = in[1] % 2 == 0 && random_.OneIn(4) ? 2 : 1;
    w[0] = a.groups * random_.In(1, 8);
    w[1] = in[1] / a.groups;
    for (int i = 0; i < 2; ++i) {
      a.strides[i] = random_.OneIn(4) ? 2 : 1;
      w[i + 2] = random_.In(1, std::min<int64_t>(3, in[i + 2]));
      a.padding[i] = random_.In(0, w[i + 2] - 1);
      a.padding[i + 2] = random_.In(0, w[i + 2] - 1);
      if (random_.OneIn(5) && in[i + 2] >= 5) a.dilations[i] = 2;
    }
    // Occasionally reuses the weights of an earlier convolution of that shape.
    Value weights;
    for (Value old : weights_) {
      if (old.type().shape == w && random_.OneIn(2)) weights = old;
    }
    if (weights.node == nullptr) weights = net_.Weights(w);
    weights_.push_back(weights);
    const Value y = net_.Op(OpKind::kConv2d, a, {x, weights});
    if (!random_.OneIn(3)) return y;
    return net_.Add(y, net_.Constant({w[0], 1, 1}, 0.5f));
  }

  // Adds another image of the same type, or else a convolution that keeps the
  // type.
  Value Residual(Value x) {
    for (Value other : images_) {
      if (other.type() == x.type() && other != x) return net_.Add(x, other);
    }
    return net_.Add(x, net_.Conv(x, x.type().shape[1], 3, 1, 1));
  }

  Value Broadcast(Value x) {
    const Shape& s = x.type().shape;
    const Shape shapes[] = {{},
                            {1},
                            {s[1], 1, 1},
                            {1, s[1], 1, 1},
                            {s[2], s[3]},
                            {1, 1, s[2], 1},
                            {s[1], s[2], s[3]},
                            s};
    const Value constant = net_.Constant(shapes[random_.In(0, 7)], 0.5f, 0.5f);
    const OpKind kind = random_.OneIn(2) ? OpKind::kAdd : OpKind::kMultiply;
    return random_.OneIn(2) ? net_.Op(kind, NoAttrs(), {x, constant})
                            : net_.Op(kind, NoAttrs(), {constant, x});
  }

  Value Pool(Value x) {
    Pool2dAttrs a;
    for (int i = 0; i < 2; ++i) {
      a.kernel[i] = random_.In(1, std::min<int64_t>(3, x.type().shape[i + 2]));
      a.strides[i] = random_.In(1, 2);
      a.padding[i] = random_.In(0, a.kernel[i] - 1);
      a.padding[i + 2] = random_.In(0, a.kernel[i] - 1);
    }
    a.ceil_mode = random_.OneIn(2);
    return net_.Op(OpKind::kMaxPool2d, a, {x});
  }

  // Results stay of rank 4.
  Value Movement(Value x) {
    const Shape& s = x.type().shape;
    switch (random_.In(0, 3)) {
      case 0:
        return net_.Op(OpKind::kTranspose, TransposeAttrs{{0, 1, 3, 2}}, {x});
      case 1:
        return net_.Op(OpKind::kReshape, ReshapeAttrs{{s[0], s[1], s[3], s[2]}},
                       {x});
      case 2:
        return net_.Op(OpKind::kConcat, ConcatAttrs{1}, {x, net_.Relu(x)});
      default: {
        const Value indices = {graph_->AddConstant(
            NDArray::FromVector<int64_t>({2}, {s[2] - 1, -s[2]}))};
        return net_.Op(OpKind::kGather, GatherAttrs{2}, {x, indices});
      }
    }
  }

  Value Classifier(Value x) {
    x = net_.Op(OpKind::kGlobalAvgPool2d, NoAttrs(), {x});
    const int64_t channels = x.type().shape[1];
    x = net_.Op(OpKind::kReshape, ReshapeAttrs{{x.type().shape[0], channels}},
                {x});
    x = net_.Op(OpKind::kDense, NoAttrs(), {x, net_.Weights({5, channels})});
    return net_.Add(x, net_.Constant({5}, 0.5f));
  }

  std::unique_ptr<Graph> graph_;
  NetBuilder net_;
  TestRandom& random_;
  std::vector<Value> images_;
  std::vector<Value> weights_;
};

// Two 3x3 convolutions and a shortcut, which is a 1x1 convolution if the shape
// changes.
Value BasicBlock(NetBuilder* net, Value x, int64_t channels, int64_t stride) {
  Value y = net->Relu(net->BatchNorm(net->Conv(x, channels, 3, stride, 1)));
  y = net->BatchNorm(net->Conv(y, channels, 3, 1, 1));
  if (stride != 1 || x.type().shape[1] != channels) {
    x = net->BatchNorm(net->Conv(x, channels, 1, stride, 0));
  }
  return net->Relu(net->Add(y, x));
}

}  // namespace

std::unique_ptr<Graph> RandomGraph(uint64_t seed) {
  return RandomNet(seed).Build();
}

std::vector<NDArray> RandomInputs(const Graph& graph, uint64_t seed) {
  TestRandom random(seed);
  std::vector<NDArray> inputs;
  for (const Node* input : graph.inputs()) {
    const TensorType& type = input->type();
    inputs.push_back(type.dtype == DType::Float32()
                         ? random.Tensor(type.shape)
                         : NDArray(type.dtype, type.shape));
  }
  return inputs;
}

std::unique_ptr<Graph> ResNet18(int64_t size, int64_t width, uint64_t seed) {
  auto graph = std::make_unique<Graph>("resnet18");
  NetBuilder net(graph.get(), seed);
  Value x = net.Input("data", {1, 3, size, size});
  x = net.Relu(net.BatchNorm(net.Conv(x, width, 7, 2, 3)));
  Pool2dAttrs pool;
  pool.kernel = {3, 3};
  pool.strides = {2, 2};
  pool.padding = {1, 1, 1, 1};
  x = net.Op(OpKind::kMaxPool2d, pool, {x});
  for (int stage = 0; stage < 4; ++stage) {
    const int64_t channels = width << stage;
    x = BasicBlock(&net, x, channels, stage == 0 ? 1 : 2);
    x = BasicBlock(&net, x, channels, 1);
  }
  x = net.Op(OpKind::kGlobalAvgPool2d, NoAttrs(), {x});
  x = net.Op(OpKind::kReshape, ReshapeAttrs{{1, width * 8}}, {x});
  x = net.Op(OpKind::kDense, NoAttrs(), {x, net.Weights({1000, width * 8})});
  x = net.Add(x, net.Constant({1000}, 0.1f));
  graph->AddOutput("output", x);
  return graph;
}

}  // namespace assay::graph
