// MutateMain: the main() function of //tests/fuzz:mutate_files and mutate_zoo,
// which run a program on many broken copies of ONNX files (mutate_file.h) and
// count how it ends (mutation_tally.h).
#ifndef ASSAY_TESTS_FUZZ_MUTATE_MAIN_H_
#define ASSAY_TESTS_FUZZ_MUTATE_MAIN_H_

namespace assay::fuzz {

// Parses the flags, runs the program and returns the exit code. Finds these
// files as runfiles of `argv[0]`, in assay/suites:
//   model                     the programs that are run
//   model_zoo/compile_model
//   model_zoo/models.csv      with --zoo: the list of the models, and a .onnx
//   model_zoo/models/*        and a .note for each (suites/model_zoo/zoo.bzl)
// Removes HOME and XDG_CACHE_HOME from the environment, so that the programs do
// not store answers of broken models in the user's cache.
int MutateMain(int argc, char** argv);

}  // namespace assay::fuzz

#endif  // ASSAY_TESTS_FUZZ_MUTATE_MAIN_H_
