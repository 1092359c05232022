// DescribeMachine: which machine is this, and in what state?
//
// Identity is what a stored time is tied to: architecture, processor model,
// the instruction set extensions that code generation uses, caches, number of
// processors, memory. It stays the same over reboots and kernel updates;
// anything that jitters (clock rates, bogomips, exact memory size, flags that
// a newer kernel adds) is left out, since a machine that looks like a new one
// after each reboot has no baseline.
//
// State is what may change on one machine and move its times: kernel,
// microcode, frequency governor, boost, hyper-threading, the processors this
// process may use. Where it differs from a baseline's, a difference in time
// proves nothing about the code. Load, clock rate, temperature and how much of
// the processors' time a hypervisor gave to others since boot are state, too,
// but for people: no two runs share them.
#ifndef ASSAY_SUITES_MACHINE_ENVIRONMENT_H_
#define ASSAY_SUITES_MACHINE_ENVIRONMENT_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "devices/device.pb.h"
#include "reports/result/run_result.h"
#include "runtime/device/cpu/host_facts.h"

namespace assay::suites {

// What `facts` does not have is read from /proc and /sys under `root` ("" for
// the real ones). Whatever is missing is `unknown`; nothing of this fails.
reports::Environment DescribeMachine(const runtime::HostFacts& facts,
                                     const std::string& root);

// `x86_64-amd-epyc-7b13-2c-1a2b3c4d`: architecture, processor, number of
// processors, and the first 32 bits of a digest of the whole identity.
std::string Fingerprint(const std::map<std::string, std::string>& identity);

// The parts of the state that make times incomparable, as `key=value` in a set
// order.
std::string ComparableState(const reports::Environment& environment);

// What differs between two such texts: `governor: performance, was powersave`;
// empty if nothing does.
std::string StateChanges(absl::string_view before, absl::string_view now);

// Of the device that an emulator pretends to be. Starts with `emulated-`, so
// that it is never that of a machine.
std::string EmulatedFingerprint(const devices::Device& device);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MACHINE_ENVIRONMENT_H_
