// Model: an imported model that is tested, with the data that its checks need.
#ifndef ASSAY_SUITES_CORRECTNESS_MODEL_H_
#define ASSAY_SUITES_CORRECTNESS_MODEL_H_

#include <memory>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"

namespace assay::suites {

struct Model {
  std::string name;
  // SHA-256, in hexadecimal, of all data on which the output of the model
  // depends: the ONNX file, its files of external data, and the values of the
  // symbolic dimensions.
  std::string digest;
  // The imported graph, before any pass.
  std::shared_ptr<const graph::Graph> graph;
  // `graph` after the pass fake_quantization_to_integer; null if the pass does
  // not change it or is not run.
  std::shared_ptr<const graph::Graph> integer_graph = nullptr;
  // Content of the ONNX file, for reference runtimes that import the model
  // themselves. Null for a model that was not read from such a file.
  std::shared_ptr<const std::string> onnx = nullptr;
  // Path of the ONNX file if it refers to files of external data. All of them
  // are in its folder. Otherwise empty.
  std::string file_with_external_data = {};
  // One sentence for each peculiarity of the file that the import tolerated.
  std::vector<std::string> warnings = {};
  // True if the file has quantized operators, even if the imported graph has
  // none, because only its weights are quantized.
  bool quantized = false;
  // True if the model has products of 8-bit integers, or of floats that may be
  // rounded to 8 bits. For these, the default of a runtime may be to compute
  // other values than the file defines (ByteProducts in
  // suites/references/reference.h).
  bool has_inexact_products = false;
  // Duration of the import in milliseconds.
  double import_ms = 0;

  // Returns the graph whose values a program must compute, bit for bit where
  // the operators define all bits.
  const graph::Graph& computed() const {
    return integer_graph != nullptr ? *integer_graph : *graph;
  }
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_MODEL_H_
