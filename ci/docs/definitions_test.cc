// Test of the definitions for continuous integration: they are YAML or units of
// systemd, and their keys are among those that the services document:
//   https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax
//   https://docs.gitlab.com/ci/yaml
//   systemd.unit(5), systemd.service(5), systemd.timer(5), systemd.exec(5)
// The lists have more than the definitions use, but they are not complete.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include "runtime/base/file.h"

namespace assay {
namespace {

// A value of YAML: a scalar, a list, or a map in the order of the file.
struct Value {
  std::string scalar;
  std::vector<Value> list;
  std::vector<std::pair<std::string, Value>> map;
  bool is_list = false;
  bool is_map = false;

  const Value* Find(absl::string_view key) const {
    for (const auto& [name, value] : map) {
      if (name == key) return &value;
    }
    return nullptr;
  }
};

// Reads a node and all below it. Errors are failures of the test: an alias, a
// map with two equal keys, and what the parser complains about.
Value Read(llvm::yaml::Node* node) {
  Value value;
  if (node == nullptr || llvm::isa<llvm::yaml::NullNode>(node)) return value;
  if (auto* scalar = llvm::dyn_cast<llvm::yaml::ScalarNode>(node)) {
    llvm::SmallString<64> storage;
    value.scalar = scalar->getValue(storage).str();
  } else if (auto* block = llvm::dyn_cast<llvm::yaml::BlockScalarNode>(node)) {
    value.scalar = block->getValue().str();
  } else if (auto* list = llvm::dyn_cast<llvm::yaml::SequenceNode>(node)) {
    value.is_list = true;
    for (llvm::yaml::Node& item : *list) value.list.push_back(Read(&item));
  } else if (auto* map = llvm::dyn_cast<llvm::yaml::MappingNode>(node)) {
    value.is_map = true;
    for (llvm::yaml::KeyValueNode& entry : *map) {
      const std::string key = Read(entry.getKey()).scalar;
      EXPECT_NE(key, "");
      EXPECT_EQ(value.Find(key), nullptr) << "twice: " << key;
      value.map.emplace_back(key, Read(entry.getValue()));
    }
  } else {
    ADD_FAILURE() << "a node of another kind";
  }
  return value;
}

// Returns whether `text` is one document of YAML, and its value.
bool ParseYaml(const std::string& text, Value& value) {
  llvm::SourceMgr sources;
  llvm::yaml::Stream stream(text, sources);
  auto document = stream.begin();
  if (document == stream.end()) return false;
  value = Read(document->getRoot());
  if (stream.failed()) return false;
  ++document;
  return document == stream.end() && !stream.failed();
}

Value YamlFile(const std::string& name) {
  Value value;
  auto text = ReadFile(absl::StrCat("ci/docs/", name));
  EXPECT_TRUE(text.ok()) << text.status();
  EXPECT_TRUE(text.ok() && ParseYaml(*text, value)) << name;
  return value;
}

// A scalar, a list of scalars, or a map of anything: the names in it.
std::vector<std::string> Names(const Value& value) {
  std::vector<std::string> names;
  if (!value.scalar.empty()) names.push_back(value.scalar);
  for (const Value& item : value.list) names.push_back(item.scalar);
  for (const auto& [name, ignored] : value.map) names.push_back(name);
  return names;
}

void ExpectKeys(const Value& value,
                const absl::flat_hash_set<std::string>& keys,
                const std::string& where) {
  EXPECT_TRUE(value.is_map) << where;
  for (const auto& [name, ignored] : value.map) {
    EXPECT_TRUE(keys.contains(name)) << where << ": " << name;
  }
}

const absl::flat_hash_set<std::string>& WorkflowKeys() {
  static const auto& keys = *new absl::flat_hash_set<std::string>{
      "name",        "run-name",    "on",       "env",
      "permissions", "concurrency", "defaults", "jobs"};
  return keys;
}

const absl::flat_hash_set<std::string>& WorkflowJobKeys() {
  static const auto& keys =
      *new absl::flat_hash_set<std::string>{"name",     "permissions",
                                            "needs",    "if",
                                            "runs-on",  "environment",
                                            "env",      "concurrency",
                                            "outputs",  "defaults",
                                            "steps",    "timeout-minutes",
                                            "strategy", "continue-on-error",
                                            "services", "container",
                                            "uses",     "with",
                                            "secrets",  "snapshot"};
  return keys;
}

const absl::flat_hash_set<std::string>& WorkflowStepKeys() {
  static const auto& keys =
      *new absl::flat_hash_set<std::string>{"id",
                                            "if",
                                            "name",
                                            "uses",
                                            "run",
                                            "working-directory",
                                            "shell",
                                            "with",
                                            "env",
                                            "continue-on-error",
                                            "timeout-minutes"};
  return keys;
}

void CheckStep(const Value& step, const std::string& where) {
  ExpectKeys(step, WorkflowStepKeys(), where);
  const Value* uses = step.Find("uses");
  const Value* run = step.Find("run");
  EXPECT_NE(uses == nullptr, run == nullptr)
      << where << ": one of `uses` and `run`";
  if (uses != nullptr) {
    EXPECT_TRUE(absl::StrContains(uses->scalar, "@v")) << where;
  }
  if (run != nullptr) {
    // A value of the event in the text of a command would be run.
    EXPECT_FALSE(absl::StrContains(run->scalar, "${{")) << where;
    EXPECT_EQ(step.Find("with"), nullptr) << where;
  }
}

TEST(Definitions, GitHubActions) {
  const Value workflow = YamlFile("github_actions.yml");
  ExpectKeys(workflow, WorkflowKeys(), "workflow");
  const Value* on = workflow.Find("on");
  ASSERT_NE(on, nullptr);
  ExpectKeys(
      *on,
      {"schedule", "workflow_dispatch", "pull_request", "push", "merge_group"},
      "on");
  const Value* schedule = on->Find("schedule");
  ASSERT_NE(schedule, nullptr);
  ASSERT_EQ(schedule->list.size(), 1u);
  const Value* cron = schedule->list[0].Find("cron");
  ASSERT_NE(cron, nullptr);
  EXPECT_EQ(std::vector<std::string>(absl::StrSplit(cron->scalar, ' ')).size(),
            5u);

  const Value* jobs = workflow.Find("jobs");
  ASSERT_NE(jobs, nullptr);
  EXPECT_FALSE(jobs->map.empty());
  for (const auto& [name, job] : jobs->map) {
    ExpectKeys(job, WorkflowJobKeys(), name);
    EXPECT_NE(job.Find("runs-on"), nullptr) << name;
    const Value* needs = job.Find("needs");
    if (needs != nullptr) {
      for (const std::string& other : Names(*needs)) {
        EXPECT_NE(jobs->Find(other), nullptr) << name << " needs " << other;
      }
    }
    const Value* steps = job.Find("steps");
    ASSERT_NE(steps, nullptr) << name;
    EXPECT_FALSE(steps->list.empty()) << name;
    for (std::size_t i = 0; i < steps->list.size(); ++i) {
      CheckStep(steps->list[i], absl::StrCat(name, " step ", i + 1));
    }
  }
  // The job that runs the code of a pull request may only read.
  ASSERT_NE(jobs->Find("gate"), nullptr);
  EXPECT_EQ(jobs->Find("gate")->Find("permissions"), nullptr);
  ASSERT_NE(workflow.Find("permissions"), nullptr);
  for (const auto& [scope, right] : workflow.Find("permissions")->map) {
    EXPECT_EQ(right.scalar, "read") << scope;
  }
}

const absl::flat_hash_set<std::string>& PipelineKeys() {
  static const auto& keys = *new absl::flat_hash_set<std::string>{
      "default", "include", "stages", "variables", "workflow", "spec"};
  return keys;
}

const absl::flat_hash_set<std::string>& PipelineJobKeys() {
  static const auto& keys = *new absl::flat_hash_set<std::string>{
      "after_script", "allow_failure", "artifacts",     "before_script",
      "cache",        "coverage",      "dependencies",  "environment",
      "extends",      "hooks",         "id_tokens",     "identity",
      "image",        "inherit",       "interruptible", "needs",
      "pages",        "parallel",      "release",       "resource_group",
      "retry",        "rules",         "run",           "script",
      "secrets",      "services",      "stage",         "tags",
      "timeout",      "trigger",       "variables",     "when"};
  return keys;
}

void CheckPipelineJob(const Value& pipeline, const std::string& name,
                      const Value& job) {
  ExpectKeys(job, PipelineJobKeys(), name);
  if (const Value* cache = job.Find("cache")) {
    ExpectKeys(*cache,
               {"paths", "key", "untracked", "unprotect", "when", "policy",
                "fallback_keys"},
               name + " cache");
  }
  if (const Value* artifacts = job.Find("artifacts")) {
    ExpectKeys(*artifacts,
               {"paths", "exclude", "expire_in", "expose_as", "name", "public",
                "access", "reports", "untracked", "when"},
               name + " artifacts");
  }
  if (const Value* extended = job.Find("extends")) {
    for (const std::string& other : Names(*extended)) {
      EXPECT_NE(pipeline.Find(other), nullptr) << name << " extends " << other;
    }
  }
  if (const Value* rules = job.Find("rules")) {
    for (const Value& rule : rules->list) {
      ExpectKeys(rule,
                 {"if", "changes", "exists", "when", "allow_failure",
                  "variables", "needs", "interruptible"},
                 name + " rules");
    }
  }
  if (absl::StartsWith(name, ".")) return;  // it is only for `extends`
  ASSERT_NE(job.Find("script"), nullptr) << name;
  EXPECT_FALSE(job.Find("script")->list.empty()) << name;
  ASSERT_NE(job.Find("stage"), nullptr) << name;
  ASSERT_NE(pipeline.Find("stages"), nullptr);
  bool known = false;
  for (const Value& stage : pipeline.Find("stages")->list) {
    known |= stage.scalar == job.Find("stage")->scalar;
  }
  EXPECT_TRUE(known) << name << ": " << job.Find("stage")->scalar;
}

TEST(Definitions, GitLab) {
  const Value pipeline = YamlFile("gitlab_ci.yml");
  int jobs = 0;
  for (const auto& [name, value] : pipeline.map) {
    if (PipelineKeys().contains(name)) continue;
    ASSERT_TRUE(value.is_map) << name;
    CheckPipelineJob(pipeline, name, value);
    ++jobs;
  }
  EXPECT_GE(jobs, 2);
}

// A unit: its sections with their keys and values.
using Unit = std::vector<
    std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>;

// Returns whether `text` is a unit in which every line is a comment, a section
// or an assignment in a section.
bool ParseUnit(const std::string& text, Unit& unit) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    if (line[0] == '[') {
      if (line.back() != ']') return false;
      unit.emplace_back(std::string(line.substr(1, line.size() - 2)),
                        std::vector<std::pair<std::string, std::string>>());
      continue;
    }
    const std::vector<std::string> parts =
        absl::StrSplit(line, absl::MaxSplits('=', 1));
    if (unit.empty() || parts.size() != 2 || parts[0].empty() ||
        absl::StrContains(parts[0], ' ')) {
      return false;
    }
    unit.back().second.emplace_back(parts[0], parts[1]);
  }
  return true;
}

const absl::flat_hash_set<std::string>& SectionKeys(
    const std::string& section) {
  static const auto& unit = *new absl::flat_hash_set<std::string>{
      "Description",        "Documentation", "Wants",
      "Requires",           "After",         "Before",
      "Conflicts",          "OnFailure",     "OnSuccess",
      "ConditionPathExists"};
  static const auto& service =
      *new absl::flat_hash_set<std::string>{"Type",
                                            "User",
                                            "Group",
                                            "WorkingDirectory",
                                            "Environment",
                                            "EnvironmentFile",
                                            "CacheDirectory",
                                            "StateDirectory",
                                            "ExecStartPre",
                                            "ExecStart",
                                            "ExecStartPost",
                                            "ExecStopPost",
                                            "KillMode",
                                            "TimeoutStopSec",
                                            "TimeoutStartSec",
                                            "Nice",
                                            "SuccessExitStatus"};
  static const auto& timer = *new absl::flat_hash_set<std::string>{
      "OnCalendar", "OnBootSec",          "OnUnitActiveSec",
      "Persistent", "RandomizedDelaySec", "AccuracySec",
      "Unit",       "WakeSystem"};
  static const auto& install = *new absl::flat_hash_set<std::string>{
      "WantedBy", "RequiredBy", "Also", "Alias"};
  static const auto& none = *new absl::flat_hash_set<std::string>();
  if (section == "Unit") return unit;
  if (section == "Service") return service;
  if (section == "Timer") return timer;
  if (section == "Install") return install;
  return none;
}

// Reads a unit and checks its keys; returns the value of a key of a section.
std::string UnitValue(const std::string& file, const std::string& section,
                      const std::string& key) {
  auto text = ReadFile(absl::StrCat("ci/docs/", file));
  EXPECT_TRUE(text.ok()) << text.status();
  Unit unit;
  EXPECT_TRUE(text.ok() && ParseUnit(*text, unit)) << file;
  std::string found;
  for (const auto& [name, entries] : unit) {
    for (const auto& [entry, value] : entries) {
      EXPECT_TRUE(SectionKeys(name).contains(entry))
          << file << ": " << name << ": " << entry;
      EXPECT_NE(value, "") << file << ": " << entry;
      if (name == section && entry == key) found = value;
    }
  }
  return found;
}

TEST(Definitions, Systemd) {
  EXPECT_EQ(UnitValue("assay-nightly.service", "Service", "Type"), "oneshot");
  const std::string start =
      UnitValue("assay-nightly.service", "Service", "ExecStart");
  EXPECT_TRUE(absl::StartsWith(
      start, absl::StrCat(UnitValue("assay-nightly.service", "Service",
                                    "WorkingDirectory"),
                          "/ci/nightly.sh ")))
      << start;
  EXPECT_EQ(UnitValue("assay-nightly.timer", "Timer", "OnCalendar"),
            "*-*-* 22:00:00");
  EXPECT_EQ(UnitValue("assay-nightly.timer", "Install", "WantedBy"),
            "timers.target");
}

// The test itself finds what is wrong.
TEST(Definitions, WrongSyntaxIsFound) {
  Value value;
  EXPECT_TRUE(ParseYaml("a: [1, 2]\nb:\n  - c: |\n      text\n", value));
  EXPECT_EQ(Names(*value.Find("a")), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(value.Find("b")->list[0].Find("c")->scalar, "text\n");
  EXPECT_FALSE(ParseYaml("a: [1, 2\nb: 3\n", value));
  EXPECT_FALSE(ParseYaml("a: 1\n  b: 2\n", value));
  EXPECT_FALSE(ParseYaml("a: 1\n---\nb: 2\n", value));
  Unit unit;
  EXPECT_TRUE(ParseUnit("[Unit]\n# a comment\nA=b=c\n", unit));
  EXPECT_FALSE(ParseUnit("A=b\n", unit = {}));
  EXPECT_FALSE(ParseUnit("[Unit\nA=b\n", unit = {}));
  EXPECT_FALSE(ParseUnit("[Unit]\nno assignment\n", unit = {}));
}

}  // namespace
}  // namespace assay
