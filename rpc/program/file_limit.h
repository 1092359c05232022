// The limit of open files of a program that listens. The usual soft limit,
// 1,024, is for programs that use select(); those of the farm do not.
#ifndef ASSAY_RPC_PROGRAM_FILE_LIMIT_H_
#define ASSAY_RPC_PROGRAM_FILE_LIMIT_H_

namespace assay::rpc {

// Raises the soft limit of open files to the hard limit, but not above 65,536,
// and never lowers it. Programs that are started later inherit the limit.
// Returns the soft limit, which is at most the largest int.
int RaiseFileLimit();

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROGRAM_FILE_LIMIT_H_
