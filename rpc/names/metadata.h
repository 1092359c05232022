// The names of the metadata of calls.
#ifndef ASSAY_RPC_NAMES_METADATA_H_
#define ASSAY_RPC_NAMES_METADATA_H_

namespace assay::rpc {

// The bytes of the Lease (tracker.proto) of a call at a device. Only `terms`
// and `signature` are needed.
constexpr char kLeaseMetadata[] = "assay-lease-bin";

// The device of a call at a proxy.
constexpr char kDeviceMetadata[] = "assay-device";

}  // namespace assay::rpc

#endif  // ASSAY_RPC_NAMES_METADATA_H_
