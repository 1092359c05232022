// CodeDigests: digests of the machine code of kernels, as a CSV file of
// //suites:code_digests.
#ifndef ASSAY_SUITES_KERNELS_CODE_DIGEST_FILE_H_
#define ASSAY_SUITES_KERNELS_CODE_DIGEST_FILE_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay::suites {

// The digest of each kernel call, by `model,target,fusion,call,kernel`. `call`
// is the number of the call, or `setup` and the number of the setup call.
using CodeDigests = std::map<std::string, std::string>;

// Returns the content of a file: a header and a line per kernel call.
std::string FormatCodeDigests(const CodeDigests& digests);

// Parses the content of a file. Returns InvalidArgument if the first line is
// not the header of FormatCodeDigests(), because lines of other columns could
// not be compared, or if a line has no digest.
absl::StatusOr<CodeDigests> ParseCodeDigests(absl::string_view text);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_KERNELS_CODE_DIGEST_FILE_H_
