// OnnxBuilder: writes an ONNX graph node by node, as an exporter for a given
// opset would write it.
//
// ONNX can encode a network in several ways: some attributes exist only in some
// opsets, axes are an attribute or an input, and old versions of the file
// format list initializers as inputs. ExportStyle selects an encoding. The code
// of the models (for example resnet.h) does not depend on the encoding.
//
//   OnnxBuilder b("net", style);
//   std::string x = b.Input("data", {1, 3, 8, 8});
//   std::string w = b.Weight("conv.weight", array);
//   std::string y = b.Conv("conv", x, w, "", {/*kernel=*/3, 1, 1});
//   b.Output("logits", y, {1, 4, 8, 8});
//   onnx::ModelProto model = b.Build();
//
// The builder does not check the model, because tests of the importer also
// build invalid models.
#ifndef ASSAY_SUITES_MODELS_ONNX_BUILDER_H_
#define ASSAY_SUITES_MODELS_ONNX_BUILDER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"

namespace assay::suites {

// The operators by which OnnxBuilder::Flatten() flattens the result of the last
// pooling.
enum class FlattenStyle {
  // Flatten(axis=1).
  kFlatten,
  // Reshape to the constant shape [0, -1].
  kReshape,
  // Shape, Gather, Unsqueeze, Concat and Reshape, which compute the batch
  // extent at run time, as in the output of tracing exporters.
  kShapeArithmetic,
  // Squeeze of the two axes of extent 1.
  kSqueeze,
};

struct ExportStyle {
  // Version of the ONNX operator set, from 7 to 21.
  int opset = 13;
  // Prefix of the names of all nodes and values. Tests use it to detect code
  // that depends on names.
  std::string prefix;
  // Symbolic name of the batch extent in inputs and outputs. If it is empty,
  // the batch extent is a number.
  std::string symbolic_batch;
  // If true, LayerBuilder (layers.h) folds each BatchNormalization into the
  // preceding convolution, which then has a bias.
  bool fold_batch_norm = false;
  // If true, two kinds of windows are written with the attribute auto_pad
  // instead of the attribute pads: windows without padding (VALID), and windows
  // with stride 1 and symmetric padding that keep the extent (SAME_UPPER or
  // SAME_LOWER). Windows with a dilation, with Window::extra or with
  // Window::ceil are always written with pads.
  bool auto_pad = false;
  FlattenStyle flatten = FlattenStyle::kFlatten;
};

// Window of a convolution or pooling. Both axes have equal parameters.
struct Window {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  // Padding at the end minus padding at the beginning (`padding`).
  int64_t extra = 0;
  int64_t dilation = 1;
  // If true, the extent of the result is rounded up instead of down.
  bool ceil = false;
};

// Returns a window with TensorFlow's padding "SAME" for an input of `extent`:
// the extent of the result is ceil(extent / stride). If the total padding is
// odd, the padding at the end is larger by one.
Window SameWindow(int64_t kernel, int64_t stride, int64_t extent);

// Returns the extent of the result for an input of `extent`.
int64_t OutputExtent(const Window& window, int64_t extent);

class OnnxBuilder {
 public:
  OnnxBuilder(absl::string_view graph_name, ExportStyle style);

  const ExportStyle& style() const { return style_; }

  // The following functions add an input, an output, an initializer or an
  // operator to the graph. Those that return a string return the name of the
  // added value. The first axis of inputs and outputs must be the batch.
  std::string Input(absl::string_view name, const Shape& shape,
                    DType dtype = DType::Float32());
  // Adds an output. `value` is renamed to the name of the output.
  void Output(absl::string_view name, const std::string& value,
              const Shape& shape, DType dtype = DType::Float32());
  // Adds an output of rank `rank` whose extents depend on the data. `value` is
  // renamed to the name of the output.
  void OutputOfRank(absl::string_view name, const std::string& value, int rank,
                    DType dtype);
  std::string Weight(absl::string_view name, const NDArray& value);

  // Adds a Conv. An empty `bias` stands for no bias.
  std::string Conv(absl::string_view name, const std::string& x,
                   const std::string& weight, const std::string& bias,
                   Window window, int64_t groups = 1);
  std::string BatchNorm(absl::string_view name, const std::string& x,
                        const std::string& scale, const std::string& bias,
                        const std::string& mean, const std::string& variance,
                        float epsilon);
  std::string Relu(absl::string_view name, const std::string& x);
  std::string Clip(absl::string_view name, const std::string& x, float low,
                   float high);
  std::string Add(absl::string_view name, const std::string& a,
                  const std::string& b);
  std::string MaxPool(absl::string_view name, const std::string& x,
                      Window window);
  std::string GlobalAveragePool(absl::string_view name, const std::string& x);
  // Reshapes `x` from [N, C, 1, 1] to [N, C], with the operators that
  // `style().flatten` selects.
  std::string Flatten(absl::string_view name, const std::string& x);
  // Adds a Gemm: x [n,k] times the transpose of weight [m,k], plus bias [m].
  std::string Dense(absl::string_view name, const std::string& x,
                    const std::string& weight, const std::string& bias);

  std::string Squeeze(absl::string_view name, const std::string& x,
                      absl::Span<const int64_t> axes);
  std::string Unsqueeze(absl::string_view name, const std::string& x,
                        absl::Span<const int64_t> axes);
  // Computes the Euclidean norms along `axes`. The result keeps these axes with
  // extent 1.
  std::string ReduceL2(absl::string_view name, const std::string& x,
                       absl::Span<const int64_t> axes);
  // Selects the range [begin, end) of one axis.
  std::string Slice(absl::string_view name, const std::string& x, int64_t axis,
                    int64_t begin, int64_t end);
  std::string Concat(absl::string_view name,
                     absl::Span<const std::string> inputs, int64_t axis);
  std::string Transpose(absl::string_view name, const std::string& x,
                        absl::Span<const int64_t> permutation);
  std::string Reshape(absl::string_view name, const std::string& x,
                      absl::Span<const int64_t> shape);
  std::string Softmax(absl::string_view name, const std::string& x,
                      int64_t axis);

  // Adds an int64 constant.
  std::string ConstantInts(absl::string_view name, const Shape& shape,
                           absl::Span<const int64_t> values);

  // Adds a node with one result. The caller must add the attributes.
  onnx::NodeProto* AddNode(absl::string_view op_type, absl::string_view name,
                           absl::Span<const std::string> inputs);

  // Returns the model. The builder must not be used afterwards.
  onnx::ModelProto Build() { return std::move(model_); }

 private:
  std::string Name(absl::string_view name) const;
  onnx::ValueInfoProto* NewOutput(absl::string_view name,
                                  const std::string& value);
  // Sets the type of an input or output, whose first axis is the batch.
  void SetBatchType(onnx::ValueInfoProto* info, const Shape& shape,
                    DType dtype) const;
  // Adds an operator whose axes are an input since opset `since`, and an
  // attribute in earlier opsets.
  onnx::NodeProto* AxesOperator(absl::string_view op_type,
                                absl::string_view name, const std::string& x,
                                absl::Span<const int64_t> axes, int since);
  void SetWindow(onnx::NodeProto* node, Window window);

  ExportStyle style_;
  onnx::ModelProto model_;
  onnx::GraphProto* graph_;
};

// Returns the lowest version of the ONNX file format that supports `opset`.
int64_t IrVersionFor(int opset);

// Returns the ONNX element type. CHECK-fails if there is none.
onnx::TensorProto::DataType OnnxType(DType dtype);

// Returns a tensor with the values of `value` as little-endian raw data.
onnx::TensorProto ToTensorProto(absl::string_view name, const NDArray& value);

void SetInt(onnx::NodeProto* node, absl::string_view name, int64_t value);
void SetInts(onnx::NodeProto* node, absl::string_view name,
             absl::Span<const int64_t> values);
void SetFloat(onnx::NodeProto* node, absl::string_view name, float value);
void SetString(onnx::NodeProto* node, absl::string_view name,
               absl::string_view value);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_ONNX_BUILDER_H_
