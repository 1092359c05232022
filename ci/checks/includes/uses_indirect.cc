#include <vector>

#include "ci/checks/includes/indirect.h"

std::vector<int> UsesIndirect() { return {Indirect()}; }
