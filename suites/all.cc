// //suites:all: every suite's models in turn, in one table.
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/catalog_source.h"
#include "suites/harness/onnx_model.h"
#include "suites/harness/runners/runfiles.h"
#include "suites/harness/suite_main.h"
#include "suites/kernels/shapes.h"
#include "suites/references/one_node_model.h"

namespace assay::suites {
namespace {

constexpr char kShapes[] = "suites/kernels/gemm_shapes.csv";

// //suites:gemm compares products with libraries; here each is a model like
// the others.
absl::Status AddGemms(const std::string& program,
                      std::vector<ModelSource>* models) {
  ASSAY_ASSIGN_OR_RETURN(const std::string path,
                         FindRunfile(program, absl::StrCat("assay/", kShapes)));
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NamedGemm> gemms,
                         ReadGemmShapes("gemm_shapes.csv", text));
  for (const NamedGemm& gemm : gemms) {
    ModelSource source;
    source.suite = "gemm";
    source.target = "all";
    source.flags = {{"variant", "gemm"}};
    source.load = [gemm] {
      return LoadOnnxBytes(absl::StrCat("gemm_", gemm.name),
                           GemmModel(gemm.problem), /*dims=*/{});
    };
    models->push_back(std::move(source));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<ModelSource>> Models(const std::string& program,
                                                const Options& options) {
  std::vector<ModelSource> models;
  for (const std::string& variant : options.variants) {
    if (variant == "gemm") {
      ASSAY_RETURN_IF_ERROR(AddGemms(program, &models));
    } else if (variant == "resnet18") {
      models.push_back(FromCatalog("resnet18", "", "resnet18", options));
    } else {
      // `mobilenet_v1` is variant `v1` of suite `mobilenet`.
      const size_t split = variant.find('_');
      models.push_back(FromCatalog(variant.substr(0, split),
                                   variant.substr(split + 1), variant,
                                   options));
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
      /*variants=*/
      {"resnet18", "mobilenet_v1", "mobilenet_v2", "ssd_mobilenet_v1",
       "ssd_vgg16", "gemm"},
      /*takes_size=*/true};
  const std::string program = argv[0];
  return assay::suites::SuiteMain(
      argc, argv, flags, [&](const assay::suites::Options& options) {
        return assay::suites::Models(program, options);
      });
}
