#include "suites/harness/compiler/catalog_source.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "suites/correctness/onnx_model.h"
#include "suites/models/model_file.h"

namespace assay::suites {
namespace {

std::string NameOf(const CatalogEntry& entry, int64_t size, double multiplier) {
  std::string name = entry.name;
  if (size != 0) absl::StrAppend(&name, "_s", size);
  if (multiplier != 1) absl::StrAppend(&name, "_x", multiplier);
  return name;
}

absl::StatusOr<Model> Load(const CatalogEntry& entry, int64_t size,
                           double multiplier, int64_t max_memory) {
  CatalogOptions options;
  options.size = size;
  options.multiplier = multiplier;
  ASSAY_ASSIGN_OR_RETURN(const onnx::ModelProto onnx,
                         BuildFromCatalog(entry.name, options));
  return LoadOnnxBytes(NameOf(entry, size, multiplier), SerializeModel(onnx),
                       /*dims=*/{}, max_memory);
}

}  // namespace

ModelSource FromCatalog(const CatalogEntry& entry, const Options& options) {
  ModelSource source;
  source.name = NameOf(entry, options.model.size, options.model.multiplier);
  source.suite = source.target = entry.suite;
  if (*entry.variant != 0) source.flags = {{"variant", entry.variant}};
  source.load = [entry, size = options.model.size,
                 multiplier = options.model.multiplier,
                 max_memory = options.compile.max_memory] {
    return Load(entry, size, multiplier, max_memory);
  };
  return source;
}

std::vector<std::string> VariantsOf(absl::string_view suite) {
  std::vector<std::string> variants;
  for (const CatalogEntry& entry : Catalog()) {
    if (suite == entry.suite && *entry.variant != 0) {
      variants.push_back(entry.variant);
    }
  }
  return variants;
}

std::vector<ModelSource> ModelsOf(absl::string_view suite,
                                  const Options& options) {
  std::vector<std::string> variants = options.model.variants;
  if (VariantsOf(suite).empty()) variants = {""};
  std::vector<ModelSource> models;
  for (const std::string& variant : variants) {
    for (const CatalogEntry& entry : Catalog()) {
      if (suite == entry.suite && variant == entry.variant) {
        models.push_back(FromCatalog(entry, options));
      }
    }
  }
  return models;
}

}  // namespace assay::suites
