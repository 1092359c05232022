// TestTracker: a tracker in the process of a test, with short times. It listens
// on the loopback interface in plain text, and knows the callers of
// test_callers.h.
#ifndef ASSAY_RPC_TRACKER_SERVICE_TESTING_TEST_TRACKER_H_
#define ASSAY_RPC_TRACKER_SERVICE_TESTING_TEST_TRACKER_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "rpc/program/event_log.h"
#include "rpc/program/listener.h"
#include "rpc/security/token_file.h"
#include "rpc/tracker/service/tracker_service.h"
#include "runtime/base/file.h"

namespace assay::rpc {

class TestTracker {
 public:
  // Options in which leases last a second with a margin of 100 ms, devices are
  // lost after two seconds, and places are reported every 20 ms.
  static TrackerService::Options ShortTimes();

  explicit TestTracker(const TrackerService::Options& options = ShortTimes());
  ~TestTracker();

  int port() const { return listener_->port(); }
  // The file of tokens.
  std::string tokens_path() const;
  TrackerService& service() { return *service_; }
  Listener& listener() { return *listener_; }

 private:
  const TempDir dir_;
  FILE* const log_file_;
  EventLog log_;
  std::unique_ptr<TokenFile> tokens_;
  std::unique_ptr<TrackerService> service_;
  std::unique_ptr<Listener> listener_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_TESTING_TEST_TRACKER_H_
