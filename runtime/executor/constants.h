// Constants: the read-only memory of a program on a device, that is, the
// parameters of its artifact and the results of its setup calls.
//
// Load() runs the setup calls, once, one after the other. The parameters of
// each call are on the device while it runs, so that the memory holds few
// weights both in the form of the artifact and in the form that the kernels
// read.
//
//   ASSAY_ASSIGN_OR_RETURN(
//       const Constants constants,
//       Constants::Load(artifact, /*params=*/nullptr, device, code, {}));
//   args.push_back(constants.ViewOf(weights));
#ifndef ASSAY_RUNTIME_EXECUTOR_CONSTANTS_H_
#define ASSAY_RUNTIME_EXECUTOR_CONSTANTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/large/large_bytes.h"
#include "runtime/device/device.h"
#include "runtime/executor/program_code.h"

namespace assay::runtime {

class Constants {
 public:
  struct Options {
    // Offsets in bytes of the first copied parameter and of the first result
    // of a setup call in their buffers.
    int64_t params_offset = 0;
    int64_t setup_offset = 0;
    // The constants of another program on the device, and its artifact. Both
    // are null if nothing is shared. Otherwise the new program uses
    //   - each parameter of `beside` that has the same bytes, unless only setup
    //     calls read one of the two;
    //   - the results of each setup call of `beside` that runs the same machine
    //     code (ProgramCode::SharedSymbol) on equal parameters and on results
    //     that are shared themselves. The setup call does not run again.
    const Constants* beside = nullptr;
    const Artifact* beside_artifact = nullptr;
  };

  Constants() = default;

  // Loads the constants of a valid artifact, whose code is `code`. If `params`
  // is not null, it points to Artifact::params, whose memory the device may
  // take, and `options` must be the default: the end of it is returned to the
  // system as soon as no setup call that is left reads it. Errors of a setup
  // call name its kernel.
  static absl::StatusOr<Constants> Load(const Artifact& artifact,
                                        LargeBytes* params, Device* device,
                                        const ProgramCode& code,
                                        const Options& options);

  // Returns the memory of a tensor in the parameters or in the setup memory.
  // The tensor must not be a parameter that only setup calls read.
  BufferView ViewOf(const TensorInfo& tensor) const;

 private:
  class Loader;

  // The parameters, by position in Artifact::params and size in bytes.
  std::map<std::pair<int64_t, int64_t>, BufferView> params_;
  // The results of setup calls, by position in the setup memory.
  std::map<int64_t, BufferView> setup_;
  // The buffers that contain them, including those of `beside`.
  std::vector<std::shared_ptr<Buffer>> memory_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_EXECUTOR_CONSTANTS_H_
