#include "suites/comparison/subject.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/parser.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/in_process.h"
#include "suites/correctness/oracle.h"

namespace assay::suites {
namespace {

struct Source {
  const char* name;
  const char* graph;
};
constexpr Source kSources[] = {
    {"add",
     "graph add(%x: float32[32,512], %y: float32[32,512]) -> (y=%2) {\n"
     "  %1: float32[32,512] = add(%x, %y)\n"
     "  %2: float32[32,512] = relu(%1)\n}"},
    {"conv2d",
     "graph conv2d(%x: float32[1,8,14,14], %w: float32[16,8,3,3]) -> (y=%2) {\n"
     "  %1: float32[1,16,14,14] = conv2d(%x, %w) {strides=[1,1], "
     "padding=[1,1,1,1], dilations=[1,1], groups=1}\n"
     "  %2: float32[1,16,14,14] = relu(%1)\n}"},
    {"matmul",
     "graph matmul(%x: float32[48,64], %y: float32[64,48]) -> (y=%1) {\n"
     "  %1: float32[48,48] = matmul(%x, %y)\n}"},
};

// A chain of products of 128 x 128 matrices. The factor keeps the values near
// 1.
std::string GemmGraph() {
  constexpr int kProducts = 50;
  constexpr char kType[] = "float32[128,128]";
  std::string body = "  %1: float32[] = constant {value=[0.15]}\n";
  std::string last = "%x";
  for (int i = 1; i <= kProducts; ++i) {
    absl::StrAppend(&body, "  %", 2 * i, ": ", kType, " = matmul(", last,
                    ", %w)\n  %", 2 * i + 1, ": ", kType, " = multiply(%",
                    2 * i, ", %1)\n");
    last = absl::StrCat("%", 2 * i + 1);
  }
  return absl::StrCat("graph gemm(%x: ", kType, ", %w: ", kType,
                      ") -> (y=", last, ") {\n", body, "}");
}

}  // namespace

absl::StatusOr<Subject> MakeSubject(absl::string_view name,
                                    std::shared_ptr<const graph::Graph> graph,
                                    int threads, const std::string& target) {
  Subject subject;
  subject.name = std::string(name);
  subject.threads = threads;
  subject.graph = std::move(graph);
  ASSAY_ASSIGN_OR_RETURN(subject.artifact, CompileLayout(subject, 0));
  runtime::InProcessRunner runner;
  ASSAY_ASSIGN_OR_RETURN(const auto session,
                         runner.Load({&subject.artifact}, {threads}));
  for (const uint64_t seed : {1, 2}) {
    Example example;
    example.inputs = SeededInputs(*subject.graph, seed);
    ASSAY_RETURN_IF_ERROR(session->SetInputs(example.inputs));
    ASSAY_ASSIGN_OR_RETURN(runtime::Sample sample, runtime::RunOnce(*session));
    example.answer = std::move(sample.outputs);
    subject.examples.push_back(std::move(example));
  }
  if (target != subject.target) {
    subject.target = target;
    ASSAY_ASSIGN_OR_RETURN(subject.artifact, CompileLayout(subject, 0));
  }
  return subject;
}

absl::StatusOr<runtime::Artifact> CompileLayout(const Subject& subject,
                                                uint64_t layout_seed) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget(subject.target));
  driver::CompileOptions options;
  options.layout_seed = layout_seed;
  return driver::Compile(*subject.graph, target.WithCores(subject.threads),
                         options);
}

std::vector<std::string> KernelSubjects() {
  std::vector<std::string> names;
  for (const Source& source : kSources) names.push_back(source.name);
  names.push_back("gemm");
  return names;
}

absl::StatusOr<Subject> MakeKernelSubject(absl::string_view name, int threads,
                                          const std::string& target) {
  std::string text = name == "gemm" ? GemmGraph() : "";
  for (const Source& source : kSources) {
    if (name == source.name) text = source.graph;
  }
  CHECK(!text.empty()) << "no kernel `" << name << "`";
  ASSAY_ASSIGN_OR_RETURN(auto graph, graph::ParseGraph(text));
  return MakeSubject(name, std::move(graph), threads, target);
}

}  // namespace assay::suites
