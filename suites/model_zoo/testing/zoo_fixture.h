// ZooFixture: a test fixture for programs that find models of the zoo among
// their runfiles. It provides runfiles with a list of models, the files of the
// models, and shell scripts in place of other programs.
#ifndef ASSAY_SUITES_MODEL_ZOO_TESTING_ZOO_FIXTURE_H_
#define ASSAY_SUITES_MODEL_ZOO_TESTING_ZOO_FIXTURE_H_

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"

namespace assay::suites {

class ZooFixture : public ::testing::Test {
 protected:
  // Creates a folder without runfiles and sets RUNFILES_DIR to it.
  ZooFixture();
  ~ZooFixture() override;

  // Returns the path of a runfile, for example `assay/suites/model`.
  std::string Path(const std::string& name) const;

  // Writes a runfile. Creates its folder if there is none.
  void Write(const std::string& name, const std::string& text) const;

  // Writes a runfile that is an executable shell script.
  void WriteScript(const std::string& name, const std::string& script) const;

  // Adds a model to the zoo. `line` is its line in the list (model_list.h),
  // `onnx` its file, and `note` the reason if there is no model.
  void AddModel(const std::string& line, const std::string& onnx,
                const std::string& note = "");

  // Calls the main() function `program`, expects that it returns `want`, and
  // returns its standard output.
  std::string RunMain(int (*program)(int, char**),
                      std::vector<std::string> arguments, ExitCode want) const;

 private:
  const TempDir dir_;
  std::string list_ = "name,sha256,dims,input_values,origin,description\n";
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODEL_ZOO_TESTING_ZOO_FIXTURE_H_
