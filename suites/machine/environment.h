// DescribeMachine: the identity and the state of this machine.
//
// Stored times belong to an identity: architecture, processor model, the
// instruction set extensions that code generation uses, caches, number of
// processors, memory. It does not change with reboots and kernel updates, so it
// excludes properties that vary (clock rates, bogomips, exact memory size,
// flags that a newer kernel adds); otherwise a machine would lose its baseline.
//
// The state may change on one machine and influence its times: kernel,
// microcode, frequency governor, boost, hyper-threading, the processors that
// this process may use. If it differs from that of a baseline, a difference in
// time proves nothing about the code. Load, clock rate, temperature and steal
// time are informative only, because no two runs agree in them.
#ifndef ASSAY_SUITES_MACHINE_ENVIRONMENT_H_
#define ASSAY_SUITES_MACHINE_ENVIRONMENT_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "devices/device.pb.h"
#include "reports/result/run_result.h"
#include "runtime/device/cpu/host_facts.h"

namespace assay::suites {

// Reads facts that `facts` does not contain from /proc and /sys under `root`
// ("" for the real ones). Missing facts are `unknown`.
reports::Environment DescribeMachine(const runtime::HostFacts& facts,
                                     const std::string& root);

// `x86_64-amd-epyc-7b13-2c-1a2b3c4d`: architecture, processor, number of
// processors, and the first 32 bits of a digest of the whole identity.
std::string Fingerprint(const std::map<std::string, std::string>& identity);

// The parts of the state that make times incomparable, as `key=value` in a
// fixed order.
std::string ComparableState(const reports::Environment& environment);

// The differences between two such texts: `governor: performance, was
// powersave`; empty if there are none.
std::string StateChanges(absl::string_view before, absl::string_view now);

// Fingerprint of an emulated device. It starts with `emulated-` and thus
// differs from that of any machine.
std::string EmulatedFingerprint(const devices::Device& device);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_MACHINE_ENVIRONMENT_H_
