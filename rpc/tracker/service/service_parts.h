// ServiceParts: what the calls of TrackerService share.
#ifndef ASSAY_RPC_TRACKER_SERVICE_SERVICE_PARTS_H_
#define ASSAY_RPC_TRACKER_SERVICE_SERVICE_PARTS_H_

#include "rpc/tracker/service/dispatcher.h"
#include "rpc/tracker/service/tracker_loop.h"

namespace assay::rpc {

// All outlive the calls.
struct ServiceParts {
  // Used by the thread of the loop only.
  Dispatcher* dispatcher = nullptr;
  TrackerLoop* loop = nullptr;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_SERVICE_PARTS_H_
