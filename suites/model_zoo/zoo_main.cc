#include "suites/model_zoo/zoo_main.h"

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/runfiles.h"
#include "suites/harness/progress.h"
#include "suites/model_zoo/measure.h"
#include "suites/model_zoo/model_list.h"
#include "suites/model_zoo/outcome.h"
#include "suites/trials/record_file.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Compiles public networks, checks their answers against the reference "
    "interpreter, and measures\nhow many times as fast they are as in another "
    "runtime. Every model runs in processes of its\nown, so that a crash is "
    "one line of the table.\n\n"
    "Results: correct; wrong, another answer than the interpreter's; refused, "
    "with the sentence of\nthe compiler; crashed; late, beyond --timeout; "
    "failed, another error; missing, the file\ncould not be fetched or "
    "exported.\n\n"
    "compile(s) and peak(MB) are the time and the largest resident set of a "
    "process that imports\nand compiles the model and does nothing else. A "
    "ratio above 1 means that we are faster; it is\nthe median over several "
    "loads of both runtimes, with its 95 % interval.\n\n"
    "Examples:\n"
    "  --list                      what there is, and where it comes from\n"
    "  --models='^(bert|gpt2)'     the transformers\n"
    "  --models='_q(dq|operator)'  quantized networks\n"
    "  --reference=none            only correct or not, which is much faster\n"
    "  --csv=zoo.csv --resume      continue where the last run stopped\n";
constexpr char kFooter[] =
    "\nOne model alone: ./bazelw run //suites:model -- "
    "--model=bazel-bin/suites/model_zoo/models/NAME.onnx,\nwith the --dim and "
    "the --input_value of its line in --list.\n\nExit codes: 0 what is not "
    "refused is correct; 1 fewer correct models than --at_least; 2 usage;\n3 "
    "no model is correct; 4 a model is wrong; 5 a model crashed, is late, "
    "failed or is missing.";

// The folder of the list and of the models among the runfiles.
constexpr char kFolder[] = "assay/suites/model_zoo/";
constexpr char kNoReference[] = "none";

struct Flags {
  std::string pattern;
  bool list = false;
  std::string csv;
  bool resume = false;
  int at_least = 0;
  MeasureOptions measure;
};

size_t LongestName(const std::vector<ZooModel>& models) {
  size_t width = 0;
  for (const ZooModel& model : models) {
    width = std::max(width, model.name.size());
  }
  return width;
}

void PrintList(const std::vector<ZooModel>& models) {
  const int width = static_cast<int>(LongestName(models));
  for (const ZooModel& model : models) {
    std::string flags;
    for (const std::string& dim : model.dims) {
      absl::StrAppend(&flags, " --dim=", dim);
    }
    for (const std::string& value : model.input_values) {
      absl::StrAppend(&flags, " --input_value=", value);
    }
    std::cout << absl::StrFormat("%-*s  %s (%s)%s\n", width, model.name,
                                 model.description, model.origin, flags);
  }
  std::cout << models.size() << " models\n";
}

// A digest of the programs that measure, so that --resume does not mix the
// results of different compilers.
absl::StatusOr<std::string> DigestOf(const MeasureOptions& options) {
  Sha256 sha;
  for (const std::string& path :
       {options.compile_program, options.check_program}) {
    ASSAY_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
    sha.Update(bytes);
  }
  return HexOf(sha.Finish()).substr(0, 12);
}

// Opens the file of outcomes. Without --resume, it is emptied.
absl::StatusOr<RecordFile<ZooOutcome>> OpenRecord(const Flags& flags) {
  if (flags.csv.empty()) return RecordFile<ZooOutcome>();
  const std::string path = FromCallersFolder(flags.csv);
  if (!flags.resume) ASSAY_RETURN_IF_ERROR(WriteFileAtomic(path, ""));
  return RecordFile<ZooOutcome>::Open(path);
}

class ZooRun {
 public:
  ZooRun(const Flags& flags, std::string program)
      : flags_(flags), options_(flags.measure), program_(std::move(program)) {}

  absl::Status Prepare() {
    if (options_.reference == kNoReference) options_.reference.clear();
    ASSAY_ASSIGN_OR_RETURN(
        options_.compile_program,
        runtime::FindRunfile(program_, absl::StrCat(kFolder, "compile_model")));
    ASSAY_ASSIGN_OR_RETURN(
        options_.check_program,
        runtime::FindRunfile(program_, "assay/suites/model"));
    ASSAY_ASSIGN_OR_RETURN(digest_, DigestOf(options_));
    ASSAY_ASSIGN_OR_RETURN(record_, OpenRecord(flags_));
    return absl::OkStatus();
  }

  // Prints the table, and returns the outcomes.
  absl::StatusOr<std::vector<ZooOutcome>> Run(
      const std::vector<ZooModel>& models) {
    Progress progress = Progress::OnStandardError();
    progress.Start(static_cast<int>(models.size()));
    const size_t width = LongestName(models);
    std::cout << ZooTableHeader(width);
    std::vector<ZooOutcome> outcomes;
    for (const ZooModel& model : models) {
      progress.NextRow(model.name);
      progress.Step("compiling, checking and measuring");
      const ZooOutcome* recorded = Recorded(model);
      outcomes.push_back(recorded != nullptr ? *recorded : Measure(model));
      if (recorded == nullptr) {
        ASSAY_RETURN_IF_ERROR(record_.Append(outcomes.back()));
      }
      progress.Clear();
      std::cout << ZooTableLine(outcomes.back(), width) << std::flush;
    }
    return outcomes;
  }

 private:
  ZooOutcome Measure(const ZooModel& model) const {
    const absl::StatusOr<std::string> file = FileOf(model);
    ZooOutcome outcome =
        file.ok() ? MeasureModel(model, *file, options_)
                  : MissingModel(model, options_,
                                 std::string(file.status().message()));
    outcome.program = digest_;
    // A sentence is a field of a line.
    absl::StrReplaceAll({{"\n", " "}}, &outcome.sentence);
    return outcome;
  }

  // Returns the path of the model's file. There is a note next to it: if it is
  // not empty, there is no model, and it is the message of the error.
  absl::StatusOr<std::string> FileOf(const ZooModel& model) const {
    const auto find = [&](const char* suffix) {
      return runtime::FindRunfile(
          program_, absl::StrCat(kFolder, "models/", model.name, suffix));
    };
    ASSAY_ASSIGN_OR_RETURN(const std::string file, find(".onnx"));
    ASSAY_ASSIGN_OR_RETURN(const std::string note_file, find(".note"));
    ASSAY_ASSIGN_OR_RETURN(const std::string note, ReadFile(note_file));
    const absl::string_view reason = absl::StripAsciiWhitespace(note);
    if (!reason.empty()) return absl::NotFoundError(reason);
    return file;
  }

  // Returns the last recorded outcome of the model, or null. A missing model is
  // tried again.
  const ZooOutcome* Recorded(const ZooModel& model) const {
    ZooOutcome wanted = MissingModel(model, options_, "");
    wanted.program = digest_;
    const ZooOutcome* found = nullptr;
    for (const ZooOutcome& outcome : record_.records()) {
      if (SameParameters(outcome, wanted)) found = &outcome;
    }
    const bool usable =
        found != nullptr && found->result != ZooResult::kMissing;
    return usable ? found : nullptr;
  }

  const Flags& flags_;
  MeasureOptions options_;
  const std::string program_;
  std::string digest_;
  RecordFile<ZooOutcome> record_;
};

absl::StatusOr<ExitCode> Run(const Flags& flags, const std::string& program) {
  if (flags.resume && flags.csv.empty()) {
    return absl::InvalidArgumentError(
        "`--resume` needs `--csv`, the file where the run left its lines");
  }
  ASSAY_ASSIGN_OR_RETURN(
      const std::string path,
      runtime::FindRunfile(program, absl::StrCat(kFolder, "models.csv")));
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<ZooModel> all, ParseModelList(text));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<ZooModel> models,
                         SelectModels(all, flags.pattern));
  if (flags.list) {
    PrintList(models);
    return ExitCode::kPass;
  }
  ZooRun run(flags, program);
  ASSAY_RETURN_IF_ERROR(run.Prepare());
  ASSAY_ASSIGN_OR_RETURN(const std::vector<ZooOutcome> outcomes,
                         run.Run(models));
  std::cout << "\n" << ZooSummary(outcomes, flags.measure.reference);
  return ZooExitCode(outcomes, flags.at_least);
}

}  // namespace

int ZooMain(int argc, char** argv) {
  Flags flags;
  MeasureOptions& measure = flags.measure;
  measure.reference = "onnxruntime";
  CLI::App app(kDescription, "./bazelw run //suites:zoo --");
  app.footer(kFooter);
  app.add_option("--models", flags.pattern,
                 "models whose names match this extended regular expression; "
                 "default all")
      ->type_name("REGEX");
  app.add_flag("--list", flags.list,
               "print the names, origins, dimensions and input values of the "
               "models");
  app.add_option("--threads", measure.threads,
                 "number of threads, 0 for all processors; default 0")
      ->type_name("N")
      ->check(CLI::Range(0, 4096));
  app.add_option("--reference", measure.reference,
                 "runtime to compare times with; default onnxruntime")
      ->check(CLI::IsMember({"onnxruntime", "openvino", "none"}));
  app.add_option("--timeout", measure.timeout_s,
                 "time limit for compiling, and for checking and measuring; "
                 "default 1800")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.1, 86400.0));
  app.add_option("--max_memory", measure.max_memory,
                 "refuse models that need more; default 4G")
      ->type_name("BYTES");
  app.add_option("--csv", flags.csv,
                 "append a line to this file as each model is done")
      ->type_name("FILE");
  app.add_flag("--resume", flags.resume,
               "keep the lines of FILE, and do not repeat models that it has "
               "for these programs\nand flags; without it, FILE starts empty");
  app.add_option("--at_least", flags.at_least,
                 "exit with 1 if fewer models are correct; default 0")
      ->type_name("N")
      ->check(CLI::Range(0, 100000));
  return RunCommand(app, argc, argv, [&] { return Run(flags, argv[0]); });
}

}  // namespace assay::suites
