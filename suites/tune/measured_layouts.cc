#include "suites/tune/measured_layouts.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/ops/instance_text.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "compiler/ops/op_instance.h"
#include "reports/stats/summary.h"

namespace assay::suites {
namespace {

using graph::Node;
using graph::OpKind;
using graph::TensorType;

// Times of different tasks are measured at different moments. A layout that
// the cost model does not choose must be faster than the noise.
constexpr double kOtherLayout = 1.03;

// Times by name.
using Times = std::map<std::string, std::vector<double>>;

double MeanOf(const std::vector<double>& values) {
  return stats::Summarize(values).mean;
}

// Returns the type in the plain layout of an image with blocks of channels.
TensorType PlainImage(TensorType image) {
  Shape& shape = image.shape;
  if (shape.size() != 5) return image;
  shape[1] *= shape[4];
  shape.pop_back();
  return image;
}

// Returns a text that is the same for all layouts and algorithms of a
// convolution.
std::string PlainText(const ops::OpInstance& op) {
  auto attrs = op.attrs_as<graph::Conv2dAttrs>();
  const Shape& weights = op.inputs[1].shape;
  const bool winograd = attrs.winograd > 0;  // of filters of 3 x 3
  const int64_t rows = winograd ? 3 : weights[2];
  const int64_t columns = winograd                   ? 3
                          : attrs.folded_columns > 0 ? attrs.folded_columns
                                                     : weights[3];
  attrs.in_block = attrs.out_block = attrs.winograd = attrs.bfloat16_parts = 0;
  attrs.folded_columns = 0;
  return absl::StrCat(PlainImage(op.inputs[0]).ToString(), " ",
                      PlainImage(op.output).ToString(), " ", rows, "x", columns,
                      graph::AttrsToString(attrs));
}

class LayoutTable {
 public:
  explicit LayoutTable(const target::Target& target)
      : target_(target), modelled_(ops::ModelledLayoutTimes(target_)) {}
  LayoutTable(const LayoutTable&) = delete;
  LayoutTable& operator=(const LayoutTable&) = delete;

  void Add(const tune::Task& task, const BestOfTask& best) {
    if (best.default_ns == 0) return;
    const double usual = best.default_ns * 1e-9;  // seconds of a call
    const JudgedPoint* accepted = best.accepted();
    const double seconds =
        accepted == nullptr ? usual : usual * accepted->verdict.ratio;
    const Node& kernel = *task.kernel->outputs().front().value.node;
    const graph::Graph& body = *kernel.attrs_as<graph::KernelAttrs>().body;
    const Node* anchor = ops::AnchorOf(body);
    if (anchor == nullptr) {
      AddTransform(body, seconds);
    } else if (anchor->kind() == OpKind::kConv2d) {
      const bool is_other = task.calls == 0;
      const ops::OpInstance op = ops::InstanceOf(*anchor);
      AddConv2d(op, is_other ? seconds * kOtherLayout : seconds, usual);
      if (!is_other) known_.insert(PlainText(op));
      has_other_layouts_ |= is_other;
    }
  }

  bool has_other_layouts() const { return has_other_layouts_; }

  std::optional<double> Conv2d(const ops::OpInstance& op) const {
    const auto measured = conv2d_.find(ops::InstanceText(op));
    if (measured != conv2d_.end()) return MeanOf(measured->second);
    if (known_.count(PlainText(op)) > 0) return std::nullopt;
    const std::optional<double> modelled = modelled_.conv2d(op);
    if (!modelled.has_value()) return std::nullopt;
    return *modelled * stats::Median(ratios_);
  }

  double Transform(const TensorType& image) const {
    const auto measured = transforms_.find(image.ToString());
    if (measured != transforms_.end()) return MeanOf(measured->second);
    return modelled_.transform(image) * stats::Median(transform_ratios_.empty()
                                                          ? ratios_
                                                          : transform_ratios_);
  }

 private:
  // `usual` is the time of the default point, which the model describes.
  void AddConv2d(const ops::OpInstance& op, double seconds, double usual) {
    conv2d_[ops::InstanceText(op)].push_back(seconds);
    const std::optional<double> modelled = modelled_.conv2d(op);
    if (modelled.has_value()) ratios_.push_back(usual / *modelled);
  }

  // Adds the time of a kernel that does nothing but change a layout.
  void AddTransform(const graph::Graph& body, double seconds) {
    const Node& node = *body.outputs().front().value.node;
    if (node.kind() != OpKind::kLayoutTransform ||
        node.input(0).node->kind() != OpKind::kInput) {
      return;
    }
    const TensorType image = PlainImage(node.type());
    transforms_[image.ToString()].push_back(seconds);
    transform_ratios_.push_back(seconds / modelled_.transform(image));
  }

  const target::Target target_;
  const ops::LayoutTimes modelled_;  // refers to target_
  Times conv2d_;                     // by ops::InstanceText()
  // PlainText() of the convolutions whose layout in the model without tuning
  // was measured.
  std::set<std::string> known_;
  Times transforms_;  // by type in the plain layout
  // Measured times divided by modelled times.
  std::vector<double> ratios_, transform_ratios_;
  bool has_other_layouts_ = false;
};

}  // namespace

std::optional<ops::LayoutTimes> MeasuredLayoutTimes(
    const std::vector<tune::Task>& tasks, const BestRecords& best,
    const target::Target& target) {
  const auto table = std::make_shared<LayoutTable>(target);
  for (const tune::Task& task : tasks) {
    const auto known = best.tasks.find(task.key);
    if (known != best.tasks.end()) table->Add(task, known->second);
  }
  if (!table->has_other_layouts()) return std::nullopt;
  ops::LayoutTimes times;
  times.conv2d = [table](const ops::OpInstance& op) {
    return table->Conv2d(op);
  };
  times.transform = [table](const TensorType& image) {
    return table->Transform(image);
  };
  return times;
}

}  // namespace assay::suites
