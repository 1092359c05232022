// The list of the models of the zoo, which Bazel writes from models.bzl.
//
// The list is a CSV file. Its first line has the names of the columns, and each
// other line describes a model:
//
//   name,sha256,dims,input_values,origin,description
//   bert_base,2cf1…,batch=1 sequence=128,,export,"an encoder of texts, 2018"
#ifndef ASSAY_SUITES_MODEL_ZOO_MODEL_LIST_H_
#define ASSAY_SUITES_MODEL_ZOO_MODEL_LIST_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::suites {

struct ZooModel {
  std::string name;
  // Digest of the ONNX file.
  std::string sha256;
  // The extents of the symbolic dimensions: values of the flag --dim.
  std::vector<std::string> dims;
  // Inputs that are settings, not data: values of the flag --input_value.
  std::vector<std::string> input_values;
  // Where the file comes from, for example `package ddddocr` or `export`.
  std::string origin;
  std::string description;
};

// Parses the text of a list. Returns InvalidArgument with the number of the
// line if a line does not have six fields, if a name is empty or occurs twice,
// or if there is no header.
absl::StatusOr<std::vector<ZooModel>> ParseModelList(absl::string_view text);

// Returns the models whose names have a part that matches the extended regular
// expression `pattern` of POSIX, in the order of the list. An empty pattern
// matches all names. Returns InvalidArgument if the pattern is invalid or
// matches nothing.
absl::StatusOr<std::vector<ZooModel>> SelectModels(
    const std::vector<ZooModel>& models, const std::string& pattern);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODEL_ZOO_MODEL_LIST_H_
