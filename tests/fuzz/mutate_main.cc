#include "tests/fuzz/mutate_main.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"
#include "runtime/process/runfiles.h"
#include "suites/harness/progress.h"
#include "suites/model_zoo/model_list.h"
#include "tests/fuzz/mutation_run.h"
#include "tests/fuzz/mutation_tally.h"

namespace assay::fuzz {
namespace {

constexpr char kDescription[] =
    "Runs a program on broken copies of ONNX files, half of them with other "
    "bytes and half with another\nstructure. The program must exit with 0, 2, "
    "3 or 4, and with 2 only after one line `error: ...`.\nA signal, another "
    "exit code, the time limit and another error message are failures.\n\n"
    "Examples:\n"
    "  --model=net.onnx,batch=1    a file with a symbolic dimension\n"
    "  --zoo=magika                one of the models of mutate_zoo\n"
    "  --seed=17 --mutations=1     one failure again\n"
    "  --program=compile           import and compile only, much faster\n";
constexpr char kFooter[] =
    "\nThe copy of a seed depends on the file and the seed alone.\n\nExit "
    "codes: 0 no failures; 2 usage, or the program does not accept a file as "
    "it is; 4 failures;\n5 a model of the zoo is missing.";

// The folder of programs and models among the runfiles.
constexpr char kFolder[] = "assay/suites/";
constexpr char kNoLimit[] = "none";
// Reports and errors of programs are much shorter.
constexpr int64_t kMaxOutput = int64_t{4} << 20;

struct Flags {
  std::vector<std::string> models;
  std::string zoo;
  std::string program = "model";
  int mutations = 500;
  int seed = 0;
  int jobs = 0;
  double timeout_s = 300;
  std::string max_memory = "1G";
  std::string address_space = "16G";
  std::string keep;
};

// What to mutate, and a line for each model of the zoo that is missing.
struct Files {
  std::vector<Subject> subjects;
  std::string missing;
};

// Adds the file of a value of --model, such as `net.onnx,N=1`.
absl::Status AddModel(const std::string& value, Files* files) {
  const std::vector<std::string> parts = absl::StrSplit(value, ',');
  const std::string path = FromCallersFolder(parts.front());
  Subject subject;
  subject.dims.assign(parts.begin() + 1, parts.end());
  ASSAY_ASSIGN_OR_RETURN(subject.bytes, ReadFile(path));
  absl::string_view name = path;
  // Without a slash, npos + 1 is 0.
  name.remove_prefix(name.rfind('/') + 1);
  subject.name = std::string(absl::StripSuffix(name, ".onnx"));
  files->subjects.push_back(std::move(subject));
  return absl::OkStatus();
}

// Adds a model of the zoo.
absl::Status AddZooModel(const suites::ZooModel& model,
                         const std::string& program, Files* files) {
  const std::string stem =
      absl::StrCat(kFolder, "model_zoo/models/", model.name);
  ASSAY_ASSIGN_OR_RETURN(const std::string note_path,
                         runtime::FindRunfile(program, stem + ".note"));
  ASSAY_ASSIGN_OR_RETURN(const std::string note, ReadFile(note_path));
  // The note of a model that could not be made has the reason.
  const absl::string_view reason = absl::StripAsciiWhitespace(note);
  if (!reason.empty()) {
    absl::StrAppend(&files->missing, model.name, " is missing: ", reason, "\n");
    return absl::OkStatus();
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string path,
                         runtime::FindRunfile(program, stem + ".onnx"));
  Subject subject;
  subject.name = model.name;
  subject.dims = model.dims;
  ASSAY_ASSIGN_OR_RETURN(subject.bytes, ReadFile(path));
  files->subjects.push_back(std::move(subject));
  return absl::OkStatus();
}

// Adds models of the zoo; `names` are separated by commas.
absl::Status AddZoo(const std::string& names, const std::string& program,
                    Files* files) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::string path,
      runtime::FindRunfile(program,
                           absl::StrCat(kFolder, "model_zoo/models.csv")));
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  ASSAY_ASSIGN_OR_RETURN(const std::vector<suites::ZooModel> all,
                         suites::ParseModelList(text));
  for (const absl::string_view name :
       absl::StrSplit(names, ',', absl::SkipEmpty())) {
    const auto model = std::find_if(
        all.begin(), all.end(),
        [&](const suites::ZooModel& other) { return other.name == name; });
    if (model == all.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the zoo has no model `", name, "`"));
    }
    ASSAY_RETURN_IF_ERROR(AddZooModel(*model, program, files));
  }
  return absl::OkStatus();
}

absl::StatusOr<Files> FindFiles(const Flags& flags,
                                const std::string& program) {
  Files files;
  for (const std::string& value : flags.models) {
    ASSAY_RETURN_IF_ERROR(AddModel(value, &files));
  }
  if (!flags.zoo.empty()) {
    ASSAY_RETURN_IF_ERROR(AddZoo(flags.zoo, program, &files));
  }
  std::set<std::string> names;
  for (const Subject& subject : files.subjects) {
    if (names.insert(subject.name).second) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("two files have the name `", subject.name, "`"));
  }
  if (files.subjects.empty() && files.missing.empty()) {
    return absl::InvalidArgumentError(
        "there is no file to mutate; give `--model` or `--zoo`");
  }
  return files;
}

// Returns the flags of `program` for a model.
std::vector<std::string> Command(const std::string& program, const Flags& flags,
                                 const Subject& subject,
                                 const std::string& file) {
  std::vector<std::string> command = {program, absl::StrCat("--model=", file)};
  for (const std::string& dim : subject.dims) {
    command.push_back(absl::StrCat("--dim=", dim));
  }
  command.push_back("--threads=1");
  command.push_back(absl::StrCat("--max_memory=", flags.max_memory));
  if (flags.program == "compile") return command;
  // One short sample. The times are not judged: there are no baselines beside
  // the file.
  for (const char* flag :
       {"--fusion=on", "--warmup=0", "--number=1", "--repeat=1",
        "--min_repeat_ms=0", "--cooldown_ms=0"}) {
    command.push_back(flag);
  }
  command.push_back(absl::StrCat("--baseline=", file, ".baselines"));
  return command;
}

absl::StatusOr<MutationOptions> MakeOptions(const Flags& flags,
                                            const std::string& program) {
  MutationOptions options;
  ASSAY_ASSIGN_OR_RETURN(
      const std::string path,
      runtime::FindRunfile(program,
                           absl::StrCat(kFolder, flags.program == "compile"
                                                     ? "model_zoo/compile_model"
                                                     : "model")));
  options.command = [flags, path](const Subject& subject,
                                  const std::string& file) {
    return Command(path, flags, subject, file);
  };
  ASSAY_RETURN_IF_ERROR(ParseBytes(flags.max_memory).status());
  if (flags.address_space != kNoLimit) {
    ASSAY_ASSIGN_OR_RETURN(options.process.max_address_space,
                           ParseBytes(flags.address_space));
  }
  options.process.timeout_s = flags.timeout_s;
  options.process.max_output_bytes = kMaxOutput;
  options.first_seed = static_cast<uint64_t>(flags.seed);
  options.mutations = flags.mutations;
  options.jobs = flags.jobs > 0 ? flags.jobs : runtime::UsableCpuCount();
  options.keep = FromCallersFolder(flags.keep);
  return options;
}

absl::StatusOr<ExitCode> Run(const Flags& flags, const std::string& program) {
  ASSAY_ASSIGN_OR_RETURN(Files files, FindFiles(flags, program));
  ASSAY_ASSIGN_OR_RETURN(MutationOptions options, MakeOptions(flags, program));
  unsetenv("HOME");
  unsetenv("XDG_CACHE_HOME");
  suites::Progress progress = suites::Progress::OnStandardError();
  MutationRun run(std::move(options), std::move(files.subjects), &std::cout,
                  &progress);
  ASSAY_RETURN_IF_ERROR(run.Run());
  std::cout << TallyTable(run.tallies()) << files.missing;
  for (const Tally& tally : run.tallies()) {
    if (tally.failures > 0) return ExitCode::kWrongResult;
  }
  return files.missing.empty() ? ExitCode::kPass : ExitCode::kInfrastructure;
}

}  // namespace

int MutateMain(int argc, char** argv) {
  Flags flags;
  CLI::App app(kDescription, "./bazelw run //tests/fuzz:mutate_files --");
  app.footer(kFooter);
  app.add_option("--model", flags.models,
                 "file to mutate, and the extents of its symbolic dimensions; "
                 "may be repeated")
      ->type_name("FILE[,NAME=EXTENT...]")
      ->allow_extra_args(false);
  // The target mutate_zoo gives this flag, too; the last one counts.
  app.add_option("--zoo", flags.zoo,
                 "models of the zoo to mutate; mutate_zoo has some, and all of "
                 "them by default")
      ->type_name("NAME,...")
      ->take_last();
  app.add_option("--program", flags.program,
                 "run //suites:model, or compile_model of the zoo; default "
                 "model")
      ->check(CLI::IsMember({"model", "compile"}));
  app.add_option("--mutations", flags.mutations,
                 "copies of each file; default 500")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--seed", flags.seed,
                 "seed of the first copy, others count up; default 0")
      ->type_name("N")
      ->check(CLI::Range(0, 1000000000));
  app.add_option("--jobs", flags.jobs,
                 "processes at a time, 0 for the number of processors; "
                 "default 0")
      ->type_name("N")
      ->check(CLI::Range(0, 1024));
  app.add_option("--timeout_s", flags.timeout_s,
                 "time limit of the program; default 300")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.1, 86400.0));
  app.add_option("--max_memory", flags.max_memory,
                 "the flag of this name of the program; default 1G")
      ->type_name("BYTES");
  app.add_option("--address_space", flags.address_space,
                 "limit of the memory that the program can map, or none, as "
                 "sanitizers need; default 16G")
      ->type_name("BYTES");
  app.add_option("--keep", flags.keep,
                 "write files with which the program fails there, and what it "
                 "printed")
      ->type_name("FOLDER");
  return RunCommand(app, argc, argv, [&] { return Run(flags, argv[0]); });
}

}  // namespace assay::fuzz
