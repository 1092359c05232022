// //suites:full measures the models of all suites, in one table.
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "suites/correctness/onnx_model.h"
#include "suites/harness/compiler/catalog_source.h"
#include "suites/harness/suite_main.h"
#include "suites/kernels/shapes.h"
#include "suites/models/catalog.h"
#include "suites/references/problem.h"

namespace assay::suites {
namespace {

constexpr char kGemm[] = "gemm";

// //suites:gemm compares matrix products with libraries; here, each product is
// a model like the others.
absl::Status AddGemms(const std::string& program, int64_t max_memory,
                      std::vector<ModelSource>* models) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::string path,
      runtime::FindRunfile(program, "assay/suites/kernels/gemm_shapes.csv"));
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NamedGemm> gemms,
                         ReadGemmShapes("gemm_shapes.csv", text));
  for (const NamedGemm& gemm : gemms) {
    ModelSource source;
    source.name = absl::StrCat("gemm_", gemm.name);
    source.suite = kGemm;
    source.target = "full";
    source.flags = {{"variant", kGemm}};
    source.load = [gemm, name = source.name, max_memory] {
      return LoadOnnxBytes(name, GemmModel(gemm.problem), /*dims=*/{},
                           max_memory);
    };
    models->push_back(std::move(source));
  }
  return absl::OkStatus();
}

// Returns true for a whole network that a suite measures.
bool IsNetwork(const CatalogEntry& entry) {
  return *entry.suite != 0 && entry.kind != ModelKind::kOneOperator;
}

std::vector<std::string> Variants() {
  std::vector<std::string> variants;
  for (const CatalogEntry& entry : Catalog()) {
    if (IsNetwork(entry)) variants.push_back(entry.name);
  }
  variants.push_back(kGemm);
  return variants;
}

absl::StatusOr<std::vector<ModelSource>> Models(const std::string& program,
                                                const Options& options) {
  std::vector<ModelSource> models;
  for (const std::string& variant : options.model.variants) {
    if (variant == kGemm) {
      ASSAY_RETURN_IF_ERROR(
          AddGemms(program, options.compile.max_memory, &models));
    }
    for (const CatalogEntry& entry : Catalog()) {
      if (IsNetwork(entry) && variant == entry.name) {
        models.push_back(FromCatalog(entry, options));
      }
    }
  }
  return models;
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  assay::suites::SuiteFlags flags;
  flags.name = "full";
  flags.description =
      "Measures the models of all suites one after the other, each as its own "
      "suite does, and\nprints one table. The exit code is the most severe.";
  flags.variants = assay::suites::Variants();
  flags.takes_size = true;
  const std::string program = argv[0];
  return assay::suites::SuiteMain(
      argc, argv, flags, [&](const assay::suites::Options& options) {
        return assay::suites::Models(program, options);
      });
}
