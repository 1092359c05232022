// run_cases OBJECT CASES
//
// Runs the kernels of OBJECT on the inputs in CASES and compares the outputs;
// both files are written by make_cases, or by make_operator_cases, which adds a
// `<kernel>/tolerance`. Prints each kernel that differs; the exit code is 0 if
// there is none.
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/testing/difference.h"
#include "compiler/codegen/llvm/testing/run_kernel.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::codegen {
namespace {

std::vector<const NDArray*> TensorsOf(const runtime::NamedTensors& tensors,
                                      const std::string& prefix) {
  std::vector<const NDArray*> found;
  while (const NDArray* tensor =
             runtime::FindTensor(tensors, absl::StrCat(prefix, found.size()))) {
    found.push_back(tensor);
  }
  return found;
}

// Describes the first difference of `kernel`; empty if there is none.
absl::StatusOr<std::string> Run(const std::string& image,
                                const runtime::NamedTensors& tensors,
                                const std::string& kernel) {
  std::vector<NDArray> buffers;
  for (const NDArray* input : TensorsOf(tensors, kernel + "/in/")) {
    buffers.push_back(input->Clone());
  }
  const size_t inputs = buffers.size();
  const std::vector<const NDArray*> expected =
      TensorsOf(tensors, kernel + "/out/");
  for (const NDArray* output : expected) {
    buffers.emplace_back(output->dtype(), output->shape());
  }
  RuntimeLog log;
  ASSAY_ASSIGN_OR_RETURN(const int32_t result,
                         RunKernel(image, kernel, buffers, log));
  if (result != 0) return absl::StrCat("returned ", result);
  if (log.allocations != log.frees) return std::string("leaks workspace");
  const NDArray* tolerance =
      runtime::FindTensor(tensors, kernel + "/tolerance");
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::string difference = Difference(
        *expected[i], buffers[inputs + i],
        tolerance != nullptr ? tolerance->data<double>()[0] : kFusedTolerance);
    if (!difference.empty()) {
      return absl::StrCat("output ", i, ": ", difference);
    }
  }
  return std::string();
}

absl::StatusOr<int> RunAll(const std::string& object_path,
                           const std::string& cases_path) {
  ASSAY_ASSIGN_OR_RETURN(const std::string image, ReadFile(object_path));
  ASSAY_ASSIGN_OR_RETURN(const runtime::NamedTensors tensors,
                         runtime::ReadTensors(cases_path));
  std::set<std::string> kernels;
  for (const runtime::NamedTensor& tensor : tensors) {
    kernels.insert(tensor.name.substr(0, tensor.name.find('/')));
  }
  int failures = kernels.empty() ? 1 : 0;
  for (const std::string& kernel : kernels) {
    ASSAY_ASSIGN_OR_RETURN(const std::string problem,
                           Run(image, tensors, kernel));
    if (problem.empty()) continue;
    std::cerr << "kernel `" << kernel << "`: " << problem << "\n";
    ++failures;
  }
  std::cout << kernels.size() << " kernels, " << failures << " failures\n";
  return failures;
}

}  // namespace
}  // namespace assay::codegen

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: run_cases OBJECT CASES\n";
    return 2;
  }
  const absl::StatusOr<int> failures = assay::codegen::RunAll(argv[1], argv[2]);
  if (failures.ok()) return *failures == 0 ? 0 : 1;
  std::cerr << failures.status() << "\n";
  return 1;
}
