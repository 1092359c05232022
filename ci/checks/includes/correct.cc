#include <vector>

#include "ci/checks/includes/direct.h"

std::vector<int> Correct() { return {Direct()}; }
