#include <vector>

#include "ci/checks/includes/internal.h"

std::vector<int> UsesInternal() { return {Internal()}; }
