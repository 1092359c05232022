// Tests the files of injections, and those that are checked in: they are of the
// current method, each report matches its injections, and the comparisons were
// right.
#include "suites/injected/record.h"

#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"
#include "suites/comparison/run_to_verdict.h"

namespace assay::suites {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

TEST(RecordTest, GoesOnWhereItStopped) {
  const auto dir = TempDir::Create();
  ASSERT_TRUE(dir.ok());
  Injection injection;
  injection.kind = "layout";
  injection.suite = "resnet18";
  injection.method = "m1";
  {
    auto record = InjectionRecord::Open(dir->path(), "m1");
    ASSERT_TRUE(record.ok()) << record.status();
    EXPECT_FALSE(record->file.Has(injection));
    ASSERT_TRUE(record->file.Append(injection).ok());
    const auto report = record->WriteReport({});
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(ReadFile(JoinPath(dir->path(), "report.txt")).value(), *report);
  }
  const auto record = InjectionRecord::Open(dir->path(), "m1");
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_TRUE(record->file.Has(injection));
  injection.threads = 2;
  EXPECT_FALSE(record->file.Has(injection));
  const auto other = InjectionRecord::Open(dir->path(), "m2");
  EXPECT_THAT(std::string(other.status().message()),
              HasSubstr("has results of the method m1, not m2"));
}

struct Machine {
  std::string folder;
  std::vector<Injection> injections;
};

std::vector<Machine> CheckedIn() {
  std::vector<Machine> machines;
  for (const auto& entry :
       std::filesystem::directory_iterator("reports/injection")) {
    if (!entry.is_directory()) continue;
    const std::string folder = entry.path().string();
    machines.push_back(
        {folder, ParseRecords<Injection>(
                     ReadFile(JoinPath(folder, "tries.csv")).value())
                     .value()});
  }
  return machines;
}

// If this test fails, verdicts are reached in another way than when the
// injections were run: run //suites:injection again.
TEST(CheckedInTest, InjectionsAreOfTheCurrentMethod) {
  EXPECT_FALSE(CheckedIn().empty());
  for (const Machine& machine : CheckedIn()) {
    for (const Injection& injection : machine.injections) {
      EXPECT_EQ(injection.method, MethodDigest({})) << machine.folder;
      EXPECT_NE(injection.commit, "") << machine.folder;
    }
  }
}

// If this test fails, the table of slow-downs has changed: run
// //suites:injection again.
TEST(CheckedInTest, DefaultPlanWasRun) {
  for (const Machine& machine : CheckedIn()) {
    for (const Injection& planned : PlanInjections({})) {
      int found = 0;
      for (const Injection& injection : machine.injections) {
        found += SameParameters(injection, planned);
      }
      EXPECT_EQ(found, 1) << machine.folder << ": " << planned.kind << " "
                          << planned.suite << " " << planned.flags;
    }
  }
}

TEST(CheckedInTest, ReportsMatchTheirInjections) {
  for (const Machine& machine : CheckedIn()) {
    const auto report = ReadFile(JoinPath(machine.folder, "report.txt"));
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_THAT(*report,
                EndsWith("\n\n" + InjectionReport(machine.injections)));
  }
}

TEST(CheckedInTest, TriesAndControlsAreGood) {
  for (const Machine& machine : CheckedIn()) {
    for (const Injection& injection : machine.injections) {
      EXPECT_EQ(injection.good, IsGood(injection)) << Describe(injection);
    }
    EXPECT_TRUE(AreGoodEnough(machine.injections)) << machine.folder;
  }
}

}  // namespace
}  // namespace assay::suites
