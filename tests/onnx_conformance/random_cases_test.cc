// Compares the compiler with `onnx.reference`, the reference implementation of
// the package `onnx`: runs random test cases of single operators, which
// generate/random_cases.py has written together with the outputs of
// `onnx.reference`. A case that differs, or that the importer refuses, must
// match an entry of `reference_differences`, and each entry must match a case.
//
// The test runs the reference interpreter, with which everything else is
// compared. These flags are for `./bazelw run`:
//   --compiled       runs compiled code instead of the interpreter
//   --operator=NAME  runs only the cases of one operator, and does not require
//                    that all entries match
//   --all            prints all cases that differ, also known ones
#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/process/runfiles.h"
#include "tests/onnx_conformance/describe_case.h"
#include "tests/onnx_conformance/isolate.h"
#include "tests/onnx_conformance/known_differences.h"
#include "tests/onnx_conformance/packed_cases.h"
#include "tests/onnx_conformance/run_case.h"

namespace assay::conformance {
namespace {

constexpr char kFolder[] = "assay/tests/onnx_conformance/";
constexpr int kMinCases = 50;

struct Options {
  std::string program;
  Engine engine = Engine::kInterpreter;
  std::string op_type;
  bool all = false;
};

Options& GetOptions() {
  static Options& options = *new Options;
  return options;
}

std::string Read(const std::string& name) {
  const auto path =
      runtime::FindRunfile(GetOptions().program, absl::StrCat(kFolder, name));
  CHECK(path.ok()) << path.status();
  const auto text = ReadFile(*path);
  CHECK(text.ok()) << text.status();
  return *text;
}

// The part of the name of a case before the slash.
std::string OperatorOf(const PackedCase& packed) {
  return packed.name().substr(0, packed.name().find('/'));
}

absl::Status RunPacked(const PackedCase& packed) {
  const auto test_case = Unpack(packed);
  if (!test_case.ok()) return test_case.status();
  return RunCase(*test_case, GetOptions().engine, Tolerance::kRounding);
}

struct Count {
  int right = 0;
  int known = 0;
  int unknown = 0;
};

TEST(RandomCasesTest, AgreeWithReferenceOrAreKnown) {
  const Options& options = GetOptions();
  const std::string note = Read("random_cases.note");
  if (!note.empty()) GTEST_SKIP() << note;
  const auto known = ParseKnownDifferences(Read("reference_differences"));
  ASSERT_TRUE(known.ok()) << known.status();
  const auto path = runtime::FindRunfile(
      options.program, absl::StrCat(kFolder, "random_cases.pb"));
  ASSERT_TRUE(path.ok()) << path.status();
  auto cases = ReadPackedCases(*path);
  ASSERT_TRUE(cases.ok()) << cases.status();
  std::vector<const PackedCase*> chosen;
  for (const PackedCase& packed : cases->packed_case()) {
    if (options.op_type.empty() || OperatorOf(packed) == options.op_type) {
      chosen.push_back(&packed);
    }
  }
  const int jobs = static_cast<int>(std::thread::hardware_concurrency());
  const std::vector<absl::Status> results =
      RunIsolated(static_cast<int>(chosen.size()), std::max(jobs, 1),
                  [&](int i) { return RunPacked(*chosen[i]); });
  std::map<std::string, Count> counts;
  std::set<size_t> matched;
  for (size_t i = 0; i < chosen.size(); ++i) {
    Count& count = counts[OperatorOf(*chosen[i])];
    if (results[i].ok()) {
      ++count.right;
      continue;
    }
    const std::string error(results[i].message());
    bool is_known = false;
    for (size_t k = 0; k < known->size() && !IsCrash(results[i]); ++k) {
      if ((*known)[k].op_type == OperatorOf(*chosen[i]) &&
          MatchesPattern(error, (*known)[k].error)) {
        is_known = true;
        matched.insert(k);
      }
    }
    ++(is_known ? count.known : count.unknown);
    const std::string text =
        absl::StrCat(DescribeCase(*chosen[i]), ": ", error);
    if (!is_known) {
      ADD_FAILURE() << text;
    } else if (options.all) {
      std::cout << text << "\n";
    }
  }
  for (const auto& [op_type, count] : counts) {
    std::cout << op_type << ": " << count.right << " right, " << count.known
              << " known differences, " << count.unknown << " others\n";
    EXPECT_GE(count.right + count.known + count.unknown, kMinCases) << op_type;
  }
  for (size_t k = 0; options.op_type.empty() && k < known->size(); ++k) {
    EXPECT_EQ(matched.count(k), 1u)
        << "reference_differences: no case of " << (*known)[k].op_type
        << " has the error `" << (*known)[k].error << "`; remove the entry";
  }
}

}  // namespace
}  // namespace assay::conformance

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  assay::conformance::Options& options = assay::conformance::GetOptions();
  options.program = argv[0];
  for (int i = 1; i < argc; ++i) {
    absl::string_view flag = argv[i];
    if (flag == "--compiled") {
      options.engine = assay::conformance::Engine::kCompiled;
    } else if (flag == "--all") {
      options.all = true;
    } else if (absl::ConsumePrefix(&flag, "--operator=")) {
      options.op_type = std::string(flag);
    } else {
      std::cerr << "error: unknown flag `" << flag << "`\n";
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
