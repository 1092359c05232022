// Renders the answer of Tracker.List: as tables for people, and as JSON for
// programs.
//
//   key    free  pending  total
//   rpi3b     1        0      2
//
//   device   key    state   for   holder  canary  load    °C  note
//   rack1-1  rpi3b  leased  12 s  anna      100%   0.9  48.1
//   rack1-2  rpi3b  free    3 min           101%   0.0  45.0
//
//   place  key    user  priority  waited  about
//       1  rpi3b  ben          0    12 s   30 s
//
// The first table is that of TVM's tracker. `canary` is the time of the canary
// relative to its usual time, and `note` says why a device is in quarantine.
// The last table is left out if nobody waits. Control characters of names and
// notes are replaced, so they cannot forge rows or change the terminal.
#ifndef ASSAY_RPC_QUERY_RENDER_LIST_H_
#define ASSAY_RPC_QUERY_RENDER_LIST_H_

#include <string>

#include "rpc/proto/tracker.pb.h"

namespace assay::rpc {

std::string ListText(const ListAnswer& list);

// One object with the arrays `keys`, `devices` and `queue`, whose members have
// the names of the fields in tracker.proto. Absent values are left out.
std::string ListJson(const ListAnswer& list);

// Formats a duration as `12 s`, `3 min`, `1.5 h` or `2.5 d`.
std::string Duration(double seconds);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_QUERY_RENDER_LIST_H_
