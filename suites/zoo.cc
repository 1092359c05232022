// //suites:zoo compiles, checks and times many public networks.
#include "suites/model_zoo/zoo_main.h"

int main(int argc, char** argv) { return assay::suites::ZooMain(argc, argv); }
