#include "rpc/program/grpc_log.h"

#include <mutex>
#include <string>

#include "absl/strings/str_cat.h"
#include "grpc/support/log.h"

namespace assay::rpc {
namespace {

std::mutex mutex;
EventLog* current = nullptr;  // guarded by `mutex`

void WriteLine(gpr_log_func_args* line) {
  const std::lock_guard<std::mutex> lock(mutex);
  if (current == nullptr) return;
  current->Write("grpc", {{"severity", gpr_log_severity_string(line->severity)},
                          {"where", absl::StrCat(line->file, ":", line->line)},
                          {"message", std::string(line->message)}});
}

void SetLog(EventLog* log) {
  const std::lock_guard<std::mutex> lock(mutex);
  current = log;
}

}  // namespace

GrpcLog::GrpcLog(EventLog* log) {
  SetLog(log);
  gpr_set_log_function(WriteLine);
}

GrpcLog::~GrpcLog() { SetLog(nullptr); }

}  // namespace assay::rpc
