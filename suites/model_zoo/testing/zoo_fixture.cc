#include "suites/model_zoo/testing/zoo_fixture.h"

#include <sys/stat.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"

namespace assay::suites {
namespace {

constexpr char kFolder[] = "assay/suites/model_zoo/";

}  // namespace

ZooFixture::ZooFixture() : dir_(TempDir::Create().value()) {
  setenv("RUNFILES_DIR", dir_.path().c_str(), 1);
}

ZooFixture::~ZooFixture() { unsetenv("RUNFILES_DIR"); }

std::string ZooFixture::Path(const std::string& name) const {
  return JoinPath(dir_.path(), name);
}

void ZooFixture::Write(const std::string& name, const std::string& text) const {
  const std::string path = Path(name);
  ASSERT_TRUE(MakeDirs(path.substr(0, path.rfind('/'))).ok());
  ASSERT_TRUE(WriteFileAtomic(path, text).ok());
}

void ZooFixture::WriteScript(const std::string& name,
                             const std::string& script) const {
  Write(name, absl::StrCat("#!/bin/sh\n", script));
  ASSERT_EQ(chmod(Path(name).c_str(), 0755), 0);
}

void ZooFixture::AddModel(const std::string& line, const std::string& onnx,
                          const std::string& note) {
  absl::StrAppend(&list_, line, "\n");
  Write(absl::StrCat(kFolder, "models.csv"), list_);
  const std::string stem =
      absl::StrCat(kFolder, "models/", line.substr(0, line.find(',')));
  Write(stem + ".onnx", onnx);
  Write(stem + ".note", note);
}

std::string ZooFixture::RunMain(int (*program)(int, char**),
                                std::vector<std::string> arguments,
                                ExitCode want) const {
  arguments.insert(arguments.begin(), "program");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  testing::internal::CaptureStdout();
  const int code = program(static_cast<int>(argv.size()), argv.data());
  EXPECT_EQ(code, static_cast<int>(want));
  return testing::internal::GetCapturedStdout();
}

}  // namespace assay::suites
