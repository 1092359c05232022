// ZooMain: the main() function of //suites:zoo, which compiles, checks and
// times many public networks, and counts what became of them.
#ifndef ASSAY_SUITES_MODEL_ZOO_ZOO_MAIN_H_
#define ASSAY_SUITES_MODEL_ZOO_ZOO_MAIN_H_

namespace assay::suites {

// Parses the flags, runs the models and returns the exit code. Finds these
// files as runfiles of `argv[0]`, in assay/suites:
//   model_zoo/models.csv      the list of the models (model_list.h)
//   model_zoo/models/*        a .onnx and a .note for each: the note has the
//                             reason if there is no model, and is empty
//                             otherwise
//   model_zoo/compile_model   the program that compiles a model (measure.h)
//   model                     the program that checks and times it (measure.h)
int ZooMain(int argc, char** argv);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MODEL_ZOO_ZOO_MAIN_H_
