// Runs the official ONNX test cases, each as one test `Case.<folder>/<case>`
// and in a process of its own. For a case in `exceptions`, the test is skipped
// if the case fails with the listed error. It fails if the case passes, fails
// with another error or crashes.
//
// With `./bazelw run --test_sharding_strategy=disabled`, the flag `--update`
// runs all cases and regenerates `exceptions` and compiler/docs/op_status.md;
// `--update=resize` runs only cases with `resize` in their names and keeps the
// rest of the list.
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "tests/onnx_conformance/case.h"
#include "tests/onnx_conformance/exception_list.h"
#include "tests/onnx_conformance/isolate.h"
#include "tests/onnx_conformance/op_status.h"
#include "tests/onnx_conformance/run_case.h"

namespace assay::conformance {
namespace {

constexpr char kList[] = "tests/onnx_conformance/exceptions";
constexpr char kDocument[] = "compiler/docs/op_status.md";
constexpr char kData[] = "debian_onnx_testdata/usr/share/libonnx-testdata/data";
constexpr char kCommand[] =
    "./bazelw run --test_sharding_strategy=disabled \\\n"
    "  //tests/onnx_conformance:onnx_conformance_test -- --update";
// A smaller number means that the cases were not found.
constexpr size_t kMinCases = 1000;

absl::Status RunListed(const std::string& root, const std::string& name) {
  ASSAY_ASSIGN_OR_RETURN(const Case test_case, ReadCase(root, name));
  return RunCase(test_case, Engine::kCompiled);
}

class CaseTest : public testing::Test {
 public:
  CaseTest(std::string root, std::string name, std::string reason)
      : root_(std::move(root)),
        name_(std::move(name)),
        reason_(std::move(reason)) {}

  void TestBody() override {
    const absl::Status status =
        RunIsolated(1, 1, [&](int) { return RunListed(root_, name_); })[0];
    if (reason_.empty() || IsCrash(status)) {
      EXPECT_TRUE(status.ok()) << status;
    } else if (status.ok()) {
      ADD_FAILURE() << "passes, but is listed in `" << kList
                    << "`; remove it, for example with --update";
    } else if (ReasonOf(status.message()) != reason_) {
      ADD_FAILURE() << "fails with another error than the one listed in `"
                    << kList << "`:\n"
                    << status.message() << "\ninstead of\n"
                    << reason_;
    } else {
      GTEST_SKIP() << reason_;
    }
  }

 private:
  const std::string root_;
  const std::string name_;
  // Why the case is listed; empty if it is not.
  const std::string reason_;
};

// Checks that the list names only existing cases and the document is current.
class DocumentTest : public testing::Test {
 public:
  DocumentTest(std::string root, Exceptions exceptions, std::string document)
      : root_(std::move(root)),
        exceptions_(std::move(exceptions)),
        document_(std::move(document)) {}

  void TestBody() override {
    const std::vector<CaseStatus> cases = CollectStatus(root_, exceptions_);
    EXPECT_GE(cases.size(), kMinCases);
    Exceptions unknown = exceptions_;
    for (const CaseStatus& status : cases) unknown.erase(status.name);
    for (const auto& [name, reason] : unknown) {
      ADD_FAILURE() << kList << ": there is no case `" << name << "`";
    }
    EXPECT_EQ(PrintOpStatus(cases), document_)
        << kDocument << " is out of date; regenerate it with --update";
  }

 private:
  const std::string root_;
  const Exceptions exceptions_;
  const std::string document_;
};

void RegisterTests(const std::string& root, const Exceptions& exceptions,
                   const std::string& document) {
  testing::RegisterTest("Document", "IsCurrent", nullptr, nullptr, __FILE__,
                        __LINE__, [=]() -> testing::Test* {
                          return new DocumentTest(root, exceptions, document);
                        });
  for (const std::string& name : FindCases(root)) {
    const auto listed = exceptions.find(name);
    const std::string reason = listed == exceptions.end() ? "" : listed->second;
    testing::RegisterTest(
        "Case", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [=]() -> testing::Test* { return new CaseTest(root, name, reason); });
  }
}

absl::Status Update(const std::string& root, const std::string& workspace,
                    const std::string& part, Exceptions exceptions) {
  std::vector<std::string> cases;
  for (const std::string& name : FindCases(root)) {
    if (absl::StrContains(name, part)) cases.push_back(name);
  }
  const int jobs = static_cast<int>(std::thread::hardware_concurrency());
  const std::vector<absl::Status> results =
      RunIsolated(static_cast<int>(cases.size()), std::max(jobs, 1),
                  [&](int i) { return RunListed(root, cases[i]); });
  if (part.empty()) exceptions.clear();
  size_t passed = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    exceptions.erase(cases[i]);
    passed += results[i].ok();
    if (IsCrash(results[i])) {
      std::cerr << cases[i] << ": " << results[i].message()
                << "; this cannot be listed\n";
    } else if (!results[i].ok()) {
      exceptions[cases[i]] = std::string(results[i].message());
    }
  }
  std::cout << passed << " of " << cases.size() << " cases pass\n";
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(JoinPath(workspace, kList),
                                        PrintExceptions(exceptions, kCommand)));
  return WriteFileAtomic(JoinPath(workspace, kDocument),
                         PrintOpStatus(CollectStatus(root, exceptions)));
}

int Main(int argc, char** argv) {
  const auto root = runtime::FindRunfile(argv[0], kData);
  CHECK(root.ok()) << root.status();
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  absl::string_view flag = argc == 2 ? argv[1] : "";
  if (absl::ConsumePrefix(&flag, "--update")) {
    CHECK(workspace != nullptr) << "--update needs `bazel run`";
    absl::ConsumePrefix(&flag, "=");
    // Ignore a malformed list, for example one with merge conflict markers.
    const auto text = ReadFile(JoinPath(workspace, kList));
    const auto known = ParseExceptions(text.ok() ? *text : "");
    const absl::Status status = Update(*root, workspace, std::string(flag),
                                       known.ok() ? *known : Exceptions());
    if (!status.ok()) std::cerr << status << "\n";
    return status.ok() ? 0 : 1;
  }
  const auto list =
      runtime::FindRunfile(argv[0], absl::StrCat("assay/", kList));
  CHECK(list.ok()) << list.status();
  const auto document =
      runtime::FindRunfile(argv[0], absl::StrCat("assay/", kDocument));
  CHECK(document.ok()) << document.status();
  const auto exceptions = ParseExceptions(*ReadFile(*list));
  CHECK(exceptions.ok()) << exceptions.status();
  RegisterTests(*root, *exceptions, *ReadFile(*document));
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace assay::conformance

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return assay::conformance::Main(argc, argv);
}
