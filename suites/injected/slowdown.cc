#include "suites/injected/slowdown.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace assay::suites {
namespace {

// Returns a slow-down by another configuration of the kernels that compute the
// nodes.
Slowdown Schedule(const char* kind, const char* suite, absl::string_view config,
                  const std::string& nodes) {
  const std::vector<std::string> names = absl::StrSplit(nodes, ' ');
  return {kind, suite,
          absl::StrJoin(names, " ",
                        [&](std::string* out, const std::string& name) {
                          absl::StrAppend(out, "--schedule=", name, "=",
                                          config);
                        }),
          nodes, "schedule"};
}

}  // namespace

std::vector<Slowdown> Slowdowns() {
  return {
      // Rows of two pixels in registers are too few independent sums to hide
      // the latency of FMA instructions, and one is fewer still.
      Schedule("fused_convolution", "resnet18", "tile_ow=[-1,2]",
               "layer2.0.conv1 layer3.0.conv1"),
      Schedule("fused_convolution", "resnet18", "tile_ow=[-1,2]",
               "layer3.0.conv1 layer4.0.conv1"),
      Schedule("fused_convolution", "resnet18", "tile_ow=[-1,1]",
               "layer4.0.conv1"),
      // With half or a quarter of the channels, depthwise convolutions take a
      // larger share of the time. Their rows have 14 pixels.
      Schedule("depthwise", "mobilenet --variant=v2 --multiplier=0.5",
               "tile_ow=13",
               "features.8.conv.1.0 features.9.conv.1.0 features.10.conv.1.0 "
               "features.11.conv.1.0 features.12.conv.1.0 "
               "features.13.conv.1.0"),
      Schedule("depthwise", "mobilenet --variant=v1 --multiplier=0.25",
               "tile_ow=13",
               "conv_dw_7 conv_dw_8 conv_dw_9 conv_dw_10 conv_dw_11"),
      Schedule("matrix_product", "mobilenet --variant=v1", "tile_p=2",
               "conv_pw_7 conv_pw_8 conv_pw_9"),
      Schedule("matrix_product", "mobilenet --variant=v2", "tile_p=1",
               "features.18.0 features.17.conv.2"),
      {"layout", "resnet18", "--max_error=1e-5", "",
       "graph pass assign_encodings"},
      {"layout", "mobilenet --variant=v2", "--skip_passes=assign_encodings", "",
       "graph pass assign_encodings"},
      {"graph_pass", "ssd --variant=mobilenet_v1", "--skip_passes=pad_channels",
       "", "graph pass pad_channels"},
  };
}

std::vector<std::string> SlowdownKinds() {
  std::vector<std::string> kinds;
  for (const Slowdown& slowdown : Slowdowns()) {
    if (!absl::c_linear_search(kinds, slowdown.kind)) {
      kinds.push_back(slowdown.kind);
    }
  }
  return kinds;
}

}  // namespace assay::suites
