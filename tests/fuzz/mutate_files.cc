// //tests/fuzz:mutate_files and //tests/fuzz:mutate_zoo run a program on broken
// copies of ONNX files.
#include "tests/fuzz/mutate_main.h"

int main(int argc, char** argv) { return assay::fuzz::MutateMain(argc, argv); }
