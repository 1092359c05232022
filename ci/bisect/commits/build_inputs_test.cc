#include "ci/bisect/commits/build_inputs.h"

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ci/bisect/testing/small_repository.h"
#include "gtest/gtest.h"

namespace assay::ci {
namespace {

constexpr char kXml[] =
    R"(<?xml version="1.1" encoding="UTF-8" standalone="no"?>
<query version="2">
    <rule class="cc_library" location="/a/b/BUILD:7:11" name="//lib:a">
        <string name="name" value="a"/>
        <list name="srcs">
            <label value="//lib:a.cc"/>
        </list>
    </rule>
    <source-file location="/a/b/BUILD:7:1" name="//lib:a.cc"/>
    <source-file location="/a/b/BUILD:1:1" name="//lib:BUILD">
        <load name="//rules:cc.bzl"/>
    </source-file>
    <source-file location="/a/rules/cc.bzl:1:1" name="//rules:cc.bzl"/>
    <source-file location="/x/BUILD:1:1" name="@debian//:a.h"/>
</query>
)";

TEST(ParseQueryTest, SeparatesFilesDefinitionsAndRules) {
  const auto graph = ParseQuery(kXml);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->files, (std::set<std::string>{"lib/a.cc", "rules/cc.bzl"}));
  EXPECT_EQ(graph->definitions,
            (std::set<std::string>{"lib/BUILD", "rules/cc.bzl"}));
  EXPECT_NE(graph->rules.find("//lib:a.cc"), std::string::npos);
  EXPECT_EQ(graph->rules.find("location"), std::string::npos);
  EXPECT_EQ(graph->rules.find("load name"), std::string::npos);
}

TEST(ParseQueryTest, RejectsOutputThatIsCutOff) {
  EXPECT_FALSE(ParseQuery("").ok());
  const std::string xml = kXml;
  EXPECT_FALSE(ParseQuery(xml.substr(0, xml.size() / 2)).ok());
}

// A repository with the package `lib`, whose inputs are queried, and others.
class InputDigestsTest : public ::testing::Test {
 protected:
  InputDigestsTest() {
    Change({{"lib/BUILD", "v1"},
            {"lib/a.cc", "int a;"},
            {"lib/a_test.cc", "test"},
            {"rules/BUILD", ""},
            {"rules/cc.bzl", "rule"},
            {"docs/a.md", "text"},
            {"WORKSPACE", ""}});
  }

  // The digest of a commit with these changes.
  std::string Change(const std::map<std::string, std::string>& files) {
    const std::string commit = small_.Commit(files, "change");
    const auto digest = digests_.DigestOf(commit);
    EXPECT_TRUE(digest.ok()) << digest.status();
    return digest.value_or(InputDigest()).all;
  }

  SmallRepository small_;
  const Repository repository_{small_.folder()};
  std::string rules_ = "rule a";
  std::set<std::string> files_ = {"lib/a.cc", "rules/cc.bzl"};
  bool fails_ = false;
  InputDigests digests_{
      repository_, [this](const std::string&) -> absl::StatusOr<BuildGraph> {
        if (fails_) return absl::InternalError("no such package");
        return BuildGraph{
            files_, {"lib/BUILD", "rules/BUILD", "rules/cc.bzl"}, rules_};
      }};
};

TEST_F(InputDigestsTest, OtherFilesChangeNothing) {
  const std::string digest = Change({});
  EXPECT_EQ(Change({{"docs/a.md", "other text"}}), digest);
  EXPECT_EQ(Change({{"lib/a_test.cc", "other test"}}), digest);
  EXPECT_EQ(Change({{"docs/b.md", "new"}}), digest);
  EXPECT_EQ(digests_.queries(), 1);
}

TEST_F(InputDigestsTest, InputsChangeTheDigestWithoutAQuery) {
  const std::string digest = Change({});
  EXPECT_NE(Change({{"lib/a.cc", "int b;"}}), digest);
  EXPECT_EQ(Change({{"lib/a.cc", "int a;"}}), digest);
  EXPECT_EQ(digests_.queries(), 1);
}

TEST_F(InputDigestsTest, ChangedDefinitionsAreQueriedAgain) {
  const std::string digest = Change({});
  EXPECT_EQ(Change({{"lib/BUILD", "a test more"}}), digest);
  EXPECT_EQ(digests_.queries(), 2);
  rules_ = "rule a with other flags";
  EXPECT_NE(Change({{"lib/BUILD", "other flags"}}), digest);
  EXPECT_NE(Change({{"rules/cc.bzl", "other rule"}}), digest);
}

TEST_F(InputDigestsTest, NewFileInAPackageIsQueriedBecauseAPatternMayMatchIt) {
  Change({});
  rules_ = "rule a with two sources";
  const std::string before = Change({});
  EXPECT_NE(Change({{"lib/b.cc", "int b;"}}), before);
  EXPECT_EQ(digests_.queries(), 2);
}

TEST_F(InputDigestsTest, ToolFilesAreInputs) {
  const std::string digest = Change({});
  EXPECT_NE(Change({{"ci/third_party/debian/lock", "clang 20"}}), digest);
  EXPECT_NE(Change({{"WORKSPACE", "another"}}), digest);
}

TEST_F(InputDigestsTest, CodeDigestIgnoresTheHarness) {
  const auto code = [&](const std::map<std::string, std::string>& files) {
    return digests_.DigestOf(small_.Commit(files, "change"))
        .value_or(InputDigest())
        .code;
  };
  const std::string digest = code({{"compiler/plan.cc", "plan"}});
  EXPECT_EQ(code({{"lib/a.cc", "int b;"}}), digest);
  // Not an input of the target.
  EXPECT_EQ(code({{"compiler/plan.cc", "other plan"}}), digest);
  EXPECT_NE(code({{"ci/toolchains/flags.bzl", "-O3"}}), digest);
}

TEST_F(InputDigestsTest, KernelDigestIgnoresTheRuntime) {
  files_ = {"compiler/plan.cc", "runtime/run.cc"};
  // A changed rule makes another query.
  const auto before =
      digests_.DigestOf(small_.Commit({{"compiler/plan.cc", "plan"},
                                       {"runtime/run.cc", "run"},
                                       {"lib/BUILD", "v2"}},
                                      "add"));
  const auto runtime = digests_.DigestOf(
      small_.Commit({{"runtime/run.cc", "run fast"}}, "change"));
  const auto compiler = digests_.DigestOf(
      small_.Commit({{"compiler/plan.cc", "plan well"}}, "change"));
  ASSERT_TRUE(before.ok() && runtime.ok() && compiler.ok());
  EXPECT_NE(runtime->code, before->code);
  EXPECT_EQ(runtime->kernels, before->kernels);
  EXPECT_NE(compiler->kernels, before->kernels);
}

TEST_F(InputDigestsTest, CommitWhoseQueryFailsHasAllItsFilesAsInputs) {
  const std::string digest = Change({});
  fails_ = true;
  const std::string broken = Change({{"lib/BUILD", "syntax error"}});
  EXPECT_NE(broken, digest);
  EXPECT_NE(Change({{"docs/a.md", "text in a broken commit"}}), broken);
  fails_ = false;
  EXPECT_EQ(Change({{"lib/BUILD", "v1"}, {"docs/a.md", "text"}}), digest);
}

}  // namespace
}  // namespace assay::ci
