// The flags of a suite that select a device farm (rpc/docs/farm.md).
#ifndef ASSAY_SUITES_HARNESS_FLAGS_FARM_FLAGS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_FARM_FLAGS_H_

#include "suites/devices/farm_options.h"
#include "suites/harness/flags/flag_group.h"

namespace assay::suites {

// Adds the flags to `app`. `options` must outlive `app` and the returned
// function.
FinishFlags AddFarmFlags(CLI::App& app, FarmOptions* options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_FARM_FLAGS_H_
