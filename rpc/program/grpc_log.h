// GrpcLog: sends what gRPC itself logs to the log of the program.
//
//   EventLog log(stderr, "tracker");
//   const GrpcLog grpc_log(&log);
//
// gRPC would write a line to standard error for each broken handshake, with
// bytes of whoever has sent it, and without a limit. In the log of the program,
// lines are JSON and their number is limited.
#ifndef ASSAY_RPC_PROGRAM_GRPC_LOG_H_
#define ASSAY_RPC_PROGRAM_GRPC_LOG_H_

#include "rpc/program/event_log.h"

namespace assay::rpc {

// There may be one at a time. What gRPC logs after the end of the object is
// lost.
class GrpcLog {
 public:
  // The log must outlive the object.
  explicit GrpcLog(EventLog* log);
  GrpcLog(const GrpcLog&) = delete;
  GrpcLog& operator=(const GrpcLog&) = delete;
  ~GrpcLog();
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROGRAM_GRPC_LOG_H_
