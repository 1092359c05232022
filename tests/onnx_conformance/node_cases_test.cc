// Runs the test cases of nodes of the newest package `onnx`, in all opsets that
// it has, each in a process of its own. A case in `node_exceptions` must fail
// with the listed error; all others must be right. The errors are an operator
// or an element type that is not supported: a case that fails because of its
// opset or the version of its format must not be listed.
//
// With `./bazelw run`, the flag `--update` regenerates `node_exceptions`.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/process/runfiles.h"
#include "tests/onnx_conformance/exception_list.h"
#include "tests/onnx_conformance/isolate.h"
#include "tests/onnx_conformance/packed_cases.h"
#include "tests/onnx_conformance/run_case.h"

namespace assay::conformance {
namespace {

constexpr char kFolder[] = "tests/onnx_conformance/";
constexpr char kList[] = "tests/onnx_conformance/node_exceptions";
constexpr char kCommand[] =
    "./bazelw run //tests/onnx_conformance:node_cases_test -- --update";
// A smaller number means that the cases were not found.
constexpr int kMinCases = 1800;

std::string& Program() {
  static std::string& program = *new std::string;
  return program;
}

bool& IsUpdate() {
  static bool is_update = false;
  return is_update;
}

std::string PathOf(const std::string& name) {
  const auto path =
      runtime::FindRunfile(Program(), absl::StrCat("assay/", kFolder, name));
  CHECK(path.ok()) << path.status();
  return *path;
}

absl::Status RunPacked(const PackedCase& packed) {
  const auto test_case = Unpack(packed);
  if (!test_case.ok()) return test_case.status();
  return RunCase(*test_case, Engine::kCompiled);
}

// The number of listed cases for each error without the name of its node.
void PrintCounts(const std::vector<absl::Status>& results) {
  std::map<std::string, int> counts;
  int right = 0;
  for (const absl::Status& status : results) {
    if (status.ok()) {
      ++right;
      continue;
    }
    const std::string reason = ReasonOf(status.message());
    const size_t label = reason.find("): ");
    ++counts[label == std::string::npos ? reason : reason.substr(label + 3)];
  }
  std::cout << right << " of " << results.size() << " cases are right\n";
  for (const auto& [reason, count] : counts) {
    std::cout << count << ": " << reason << "\n";
  }
}

TEST(NodeCasesTest, AreRightOrListed) {
  const auto note = ReadFile(PathOf("node_cases.note"));
  ASSERT_TRUE(note.ok()) << note.status();
  if (!note->empty()) GTEST_SKIP() << *note;
  const auto cases = ReadPackedCases(PathOf("node_cases.pb"));
  ASSERT_TRUE(cases.ok()) << cases.status();
  const int count = cases->packed_case_size();
  EXPECT_GE(count, kMinCases);
  const int jobs = static_cast<int>(std::thread::hardware_concurrency());
  const std::vector<absl::Status> results =
      RunIsolated(count, std::max(jobs, 1),
                  [&](int i) { return RunPacked(cases->packed_case(i)); });
  PrintCounts(results);

  Exceptions failed;
  for (int i = 0; i < count; ++i) {
    const std::string& name = cases->packed_case(i).name();
    const absl::Status& status = results[static_cast<size_t>(i)];
    if (status.ok()) continue;
    EXPECT_FALSE(IsCrash(status)) << name << ": " << status;
    const std::string reason = ReasonOf(status.message());
    failed[name] = reason;
    EXPECT_FALSE(absl::StrContains(reason, "format version") ||
                 absl::StrContains(reason, "not supported; opsets"))
        << name << ": " << reason;
  }
  if (IsUpdate()) {
    const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
    ASSERT_NE(workspace, nullptr) << "--update needs `bazel run`";
    const absl::Status written = WriteFileAtomic(
        JoinPath(workspace, kList), PrintExceptions(failed, kCommand));
    ASSERT_TRUE(written.ok()) << written;
    return;
  }
  const auto text = ReadFile(PathOf("node_exceptions"));
  ASSERT_TRUE(text.ok()) << text.status();
  const auto listed = ParseExceptions(*text);
  ASSERT_TRUE(listed.ok()) << listed.status();
  for (const auto& [name, reason] : failed) {
    const auto found = listed->find(name);
    if (found == listed->end()) {
      ADD_FAILURE() << name << ": " << reason;
    } else {
      EXPECT_EQ(reason, found->second) << name;
    }
  }
  for (const auto& [name, reason] : *listed) {
    EXPECT_EQ(failed.count(name), 1u)
        << kList << ": there is no case `" << name << "` that fails";
  }
}

}  // namespace
}  // namespace assay::conformance

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  assay::conformance::Program() = argv[0];
  assay::conformance::IsUpdate() =
      argc == 2 && absl::string_view(argv[1]) == "--update";
  return RUN_ALL_TESTS();
}
