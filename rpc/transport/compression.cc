#include "rpc/transport/compression.h"

#include "grpc/grpc.h"
#include "grpc/impl/codegen/compression_types.h"

namespace assay::rpc {

std::vector<std::pair<const char*, int>> NoCompression() {
  return {
      {GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0},
      {GRPC_ARG_ENABLE_PER_MESSAGE_COMPRESSION, 0},
      {GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET,
       1 << GRPC_COMPRESS_NONE},
  };
}

}  // namespace assay::rpc
