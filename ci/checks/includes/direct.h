#ifndef ASSAY_CI_CHECKS_INCLUDES_DIRECT_H_
#define ASSAY_CI_CHECKS_INCLUDES_DIRECT_H_

#include "ci/checks/includes/indirect.h"

inline int Direct() { return Indirect(); }

#endif  // ASSAY_CI_CHECKS_INCLUDES_DIRECT_H_
