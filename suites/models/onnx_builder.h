// OnnxBuilder: writes an ONNX graph node by node, in the style that an
// exporter of a given opset would use.
//
// The same network has many encodings: attributes that exist in some opsets
// only, axes as an attribute or as an input, initializers that must also be
// listed as inputs. ExportStyle selects one, and the code of the models
// (resnet.h) is independent of it. Node and value names start with `prefix`, so
// that tests can detect a dependence on names.
//
//   OnnxBuilder b("net", style);
//   std::string x = b.Input("data", {1, 3, 8, 8});
//   std::string w = b.Weight("conv.weight", array);
//   std::string y = b.Conv("conv", x, w, "", {/*kernel=*/3, 1, 1});
//   b.Output("logits", y, {1, 4, 8, 8});
//   onnx::ModelProto model = b.Build();
//
// Nothing is checked, because the importer's tests also build invalid models.
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

// Operators that flatten the result of the last pooling for the classifier.
enum class FlattenStyle {
  // Flatten(axis=1).
  kFlatten,
  // Reshape to the constant shape [0, -1].
  kReshape,
  // Shape, Gather, Unsqueeze, Concat, Reshape: the batch extent is computed at
  // run time, as in the output of tracing exporters.
  kShapeArithmetic,
  // Squeeze of the two axes of extent 1.
  kSqueeze,
};

struct ExportStyle {
  // 7 to 21.
  int opset = 13;
  std::string prefix;
  // Name of the batch extent in inputs and outputs; if empty, it is a number.
  std::string symbolic_batch;
  // Folds BatchNormalization into the preceding convolution, which then has a
  // bias.
  bool fold_batch_norm = false;
  // Uses auto_pad instead of pads if one of its modes is equivalent.
  bool auto_pad = false;
  FlattenStyle flatten = FlattenStyle::kFlatten;
};

// Window of a convolution or pooling, the same on both axes.
struct Window {
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t padding = 0;
  // Difference of the padding at the end and at the beginning.
  int64_t extra = 0;
  int64_t dilation = 1;
  // Rounds the result's extent up instead of down.
  bool ceil = false;
};

// TensorFlow's padding "SAME": ceil(extent / stride) results; if the total
// padding is odd, there is one more at the end.
Window SameWindow(int64_t kernel, int64_t stride, int64_t extent);

// Returns the extent of the result for an input of `extent`.
int64_t OutputExtent(const Window& window, int64_t extent);

class OnnxBuilder {
 public:
  OnnxBuilder(absl::string_view graph_name, ExportStyle style);

  const ExportStyle& style() const { return style_; }

  // Functions return the name of the value that they define. The first axis of
  // inputs and outputs is the batch.
  std::string Input(absl::string_view name, const Shape& shape,
                    DType dtype = DType::Float32());
  void Output(absl::string_view name, const std::string& value,
              const Shape& shape, DType dtype = DType::Float32());
  // Adds an output of known rank whose extents depend on the data.
  void OutputOfRank(absl::string_view name, const std::string& value, int rank,
                    DType dtype);
  std::string Weight(absl::string_view name, const NDArray& value);

  // `bias` may be empty.
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
  // [N, C, 1, 1] to [N, C].
  std::string Flatten(absl::string_view name, const std::string& x);
  // x [n,k] times the transpose of weight [m,k], plus bias [m].
  std::string Dense(absl::string_view name, const std::string& x,
                    const std::string& weight, const std::string& bias);

  std::string Squeeze(absl::string_view name, const std::string& x,
                      absl::Span<const int64_t> axes);
  std::string Unsqueeze(absl::string_view name, const std::string& x,
                        absl::Span<const int64_t> axes);
  // Euclidean norms along the axes, which are kept with extent 1.
  std::string ReduceL2(absl::string_view name, const std::string& x,
                       absl::Span<const int64_t> axes);
  // The range [begin, end) of one axis.
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

  std::string ConstantInts(absl::string_view name, const Shape& shape,
                           absl::Span<const int64_t> values);

  // Adds a node with one result; the caller adds the attributes.
  onnx::NodeProto* AddNode(absl::string_view op_type, absl::string_view name,
                           absl::Span<const std::string> inputs);

  onnx::ModelProto Build() { return std::move(model_); }

 private:
  std::string Name(absl::string_view name) const;
  onnx::ValueInfoProto* NewOutput(absl::string_view name,
                                  const std::string& value);
  void SetType(onnx::ValueInfoProto* info, const Shape& shape,
               onnx::TensorProto::DataType type);
  // Adds an operator whose axes are an input since opset `since`.
  onnx::NodeProto* AxesOperator(absl::string_view op_type,
                                absl::string_view name, const std::string& x,
                                absl::Span<const int64_t> axes, int since);
  void SetWindow(onnx::NodeProto* node, Window window);

  ExportStyle style_;
  onnx::ModelProto model_;
  onnx::GraphProto* graph_;
};

// Returns the first version of the file format that allows `opset`.
int64_t IrVersionFor(int opset);

// Stores little-endian raw data. ONNX must have the type of the array.
onnx::TensorProto ToTensorProto(absl::string_view name, const NDArray& value);

void SetInt(onnx::NodeProto* node, absl::string_view name, int64_t value);
void SetInts(onnx::NodeProto* node, absl::string_view name,
             absl::Span<const int64_t> values);
void SetFloat(onnx::NodeProto* node, absl::string_view name, float value);
void SetString(onnx::NodeProto* node, absl::string_view name,
               absl::string_view value);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODELS_ONNX_BUILDER_H_
