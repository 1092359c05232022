#include "suites/tune/measured_encodings.h"

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

// Times of different tasks are measured at different moments. Encodings that
// the cost model does not choose must be faster than the noise.
constexpr double kOtherEncoding = 1.03;

// Times by name.
using Times = std::map<std::string, std::vector<double>>;

double MeanOf(const std::vector<double>& values) {
  return stats::Summarize(values).mean;
}

// Returns a text that is the same for all encodings and algorithms of a
// convolution.
std::string PlainText(const ops::OpInstance& op) {
  return absl::StrCat(op.inputs[0].plain().ToString(), " ",
                      op.inputs[1].plain().ToString(),
                      graph::AttrsToString(op.attrs));
}

class EncodingTable {
 public:
  explicit EncodingTable(const target::Target& target)
      : target_(target), modelled_(ops::ModelledTimes(target_)) {}
  EncodingTable(const EncodingTable&) = delete;
  EncodingTable& operator=(const EncodingTable&) = delete;

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
      AddConversion(body, seconds);
    } else if (anchor->kind() == OpKind::kConv2d) {
      const bool is_other = task.calls == 0;
      const ops::OpInstance op = ops::InstanceOf(*anchor);
      AddConv2d(op, is_other ? seconds * kOtherEncoding : seconds, usual);
      if (!is_other) known_.insert(PlainText(op));
      has_other_encodings_ |= is_other;
    }
  }

  bool has_other_encodings() const { return has_other_encodings_; }

  std::optional<double> Conv2d(const ops::OpInstance& op) const {
    const auto measured = conv2d_.find(ops::InstanceText(op));
    if (measured != conv2d_.end()) return MeanOf(measured->second);
    if (known_.count(PlainText(op)) > 0) return std::nullopt;
    const std::optional<double> modelled = modelled_.conv2d(op);
    if (!modelled.has_value()) return std::nullopt;
    return *modelled * stats::Median(ratios_);
  }

  double Conversion(const TensorType& image) const {
    const auto measured = conversions_.find(image.ToString());
    if (measured != conversions_.end()) return MeanOf(measured->second);
    return modelled_.conversion(image) *
           stats::Median(conversion_ratios_.empty() ? ratios_
                                                    : conversion_ratios_);
  }

 private:
  // `usual` is the time of the default point, which the model describes.
  void AddConv2d(const ops::OpInstance& op, double seconds, double usual) {
    conv2d_[ops::InstanceText(op)].push_back(seconds);
    const std::optional<double> modelled = modelled_.conv2d(op);
    if (modelled.has_value()) ratios_.push_back(usual / *modelled);
  }

  // Adds the time of a kernel that does nothing but change an encoding.
  void AddConversion(const graph::Graph& body, double seconds) {
    const Node& node = *body.outputs().front().value.node;
    if (node.kind() != OpKind::kEncode ||
        node.input(0).node->kind() != OpKind::kInput) {
      return;
    }
    const TensorType image = node.type().plain();
    conversions_[image.ToString()].push_back(seconds);
    conversion_ratios_.push_back(seconds / modelled_.conversion(image));
  }

  const target::Target target_;
  const ops::EncodingTimes modelled_;  // refers to target_
  Times conv2d_;                       // by ops::InstanceText()
  // PlainText() of the convolutions whose encodings in the model without tuning
  // were measured.
  std::set<std::string> known_;
  Times conversions_;  // by plain type
  // Measured times divided by modelled times.
  std::vector<double> ratios_, conversion_ratios_;
  bool has_other_encodings_ = false;
};

}  // namespace

std::optional<ops::EncodingTimes> MeasuredEncodingTimes(
    const std::vector<tune::Task>& tasks, const BestRecords& best,
    const target::Target& target) {
  const auto table = std::make_shared<EncodingTable>(target);
  for (const tune::Task& task : tasks) {
    const auto known = best.tasks.find(task.key);
    if (known != best.tasks.end()) table->Add(task, known->second);
  }
  if (!table->has_other_encodings()) return std::nullopt;
  ops::EncodingTimes times;
  times.conv2d = [table](const ops::OpInstance& op) {
    return table->Conv2d(op);
  };
  times.conversion = [table](const TensorType& image) {
    return table->Conversion(image);
  };
  return times;
}

}  // namespace assay::suites
