// //suites:all: every suite's models in turn, in one table.
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "suites/harness/catalog_source.h"
#include "suites/harness/onnx_model.h"
#include "suites/harness/suite_main.h"
#include "suites/kernels/shapes.h"
#include "suites/references/one_node_model.h"

namespace assay::suites {
namespace {

constexpr char kGemm[] = "gemm";
constexpr char kShapes[] = "suites/kernels/gemm_shapes.csv";

// //suites:gemm compares products with libraries; here each is a model like
// the others.
absl::Status AddGemms(const std::string& program, int64_t max_memory,
                      std::vector<ModelSource>* models) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::string path,
      runtime::FindRunfile(program, absl::StrCat("assay/", kShapes)));
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NamedGemm> gemms,
                         ReadGemmShapes("gemm_shapes.csv", text));
  for (const NamedGemm& gemm : gemms) {
    ModelSource source;
    source.suite = kGemm;
    source.target = "all";
    source.flags = {{"variant", kGemm}};
    source.load = [gemm, max_memory] {
      return LoadOnnxBytes(absl::StrCat("gemm_", gemm.name),
                           GemmModel(gemm.problem), /*dims=*/{}, max_memory);
    };
    models->push_back(std::move(source));
  }
  return absl::OkStatus();
}

// Which suite a network belongs to, and as which of its variants.
struct Network {
  const char* name;
  const char* suite;
  const char* variant;
};
constexpr Network kNetworks[] = {
    {"resnet18", "resnet18", ""},
    {"resnet34", "resnet", "34"},
    {"resnet50", "resnet", "50"},
    {"mobilenet_v1", "mobilenet", "v1"},
    {"mobilenet_v2", "mobilenet", "v2"},
    {"ssd_mobilenet_v1", "ssd", "mobilenet_v1"},
    {"ssd_vgg16", "ssd", "vgg16"},
};

std::vector<std::string> Variants() {
  std::vector<std::string> variants;
  for (const Network& network : kNetworks) variants.push_back(network.name);
  variants.push_back(kGemm);
  return variants;
}

absl::StatusOr<std::vector<ModelSource>> Models(const std::string& program,
                                                const Options& options) {
  std::vector<ModelSource> models;
  for (const std::string& variant : options.variants) {
    if (variant == kGemm) {
      ASSAY_RETURN_IF_ERROR(AddGemms(program, options.max_memory, &models));
    }
    for (const Network& network : kNetworks) {
      if (variant != network.name) continue;
      models.push_back(
          FromCatalog(network.suite, network.variant, variant, options));
    }
  }
  return models;
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  const assay::suites::SuiteFlags flags = {
      "all",
      "Measures the models of all suites one after the other, each as its own "
      "suite does, and\nprints one table. The exit code is the gravest.",
      /*takes_model=*/false,
      /*variants=*/assay::suites::Variants(),
      /*takes_size=*/true};
  const std::string program = argv[0];
  return assay::suites::SuiteMain(
      argc, argv, flags, [&](const assay::suites::Options& options) {
        return assay::suites::Models(program, options);
      });
}
