// The file format:
//
//   offset  bytes
//        0      8  magic
//        8      4  format version
//       12      4  ABI version
//       16     32  SHA-256 of bytes [0, 16) and [48, end)
//       48         the plan: metadata, tensors, sizes of arena and setup
//                  memory, setup calls, calls, code kind
//                  size of params, zeros up to a multiple of 64, params
//                  size of code, zeros up to a multiple of 64, code
//
// The two blobs are aligned, so a reader may map the file into memory.

#include "runtime/artifact/artifact.h"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/abi/abi.h"
#include "runtime/artifact/tensor_type_io.h"
#include "runtime/base/byte_io.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/large/large_file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

constexpr absl::string_view kMagic("ASSAYART", 8);
constexpr size_t kDigestOffset = 16;
constexpr size_t kDigestBytes = 32;
constexpr size_t kPlanOffset = kDigestOffset + kDigestBytes;
constexpr size_t kBlobAlignment = 64;

void WriteStrings(const std::vector<std::string>& strings, ByteWriter& w) {
  w.Count(strings.size());
  for (const std::string& s : strings) w.String(s);
}

std::vector<std::string> ReadStrings(ByteReader& r) {
  std::vector<std::string> strings(r.Count(8));
  for (std::string& s : strings) s = r.String();
  return strings;
}

void WriteIndices(const std::vector<int32_t>& indices, ByteWriter& w) {
  w.Count(indices.size());
  for (int32_t i : indices) w.I32(i);
}

std::vector<int32_t> ReadIndices(ByteReader& r) {
  std::vector<int32_t> indices(r.Count(4));
  for (int32_t& i : indices) i = r.I32();
  return indices;
}

void WriteTensor(const TensorInfo& t, ByteWriter& w) {
  w.String(t.name);
  WriteTensorType(t.dtype, t.shape, w);
  w.U8(static_cast<uint8_t>(t.location));
  w.I64(t.position);
  w.I32(t.axis);
  w.I32(t.extent);
}
constexpr size_t kMinTensorBytes = 8 + kMinTensorTypeBytes + 1 + 8 + 4 + 4;

TensorInfo ReadTensor(ByteReader& r) {
  TensorInfo t;
  t.name = r.String();
  ReadTensorType(r, &t.dtype, &t.shape);
  const uint8_t location = r.U8();
  if (location > static_cast<uint8_t>(Location::kSetup)) r.Fail();
  t.location = static_cast<Location>(location);
  t.position = r.I64();
  t.axis = r.I32();
  t.extent = r.I32();
  return t;
}

void WriteCall(const KernelCall& c, ByteWriter& w) {
  w.String(c.symbol);
  WriteIndices(c.inputs, w);
  WriteIndices(c.outputs, w);
  WriteStrings(c.sources, w);
  w.String(c.kind);
  w.I64(c.flops);
  w.I64(c.bytes);
  w.String(c.code_digest);
}
constexpr size_t kMinCallBytes = 6 * 8 + 2 * 8;

KernelCall ReadCall(ByteReader& r) {
  KernelCall c;
  c.symbol = r.String();
  c.inputs = ReadIndices(r);
  c.outputs = ReadIndices(r);
  c.sources = ReadStrings(r);
  c.kind = r.String();
  c.flops = r.I64();
  c.bytes = r.I64();
  c.code_digest = r.String();
  return c;
}

void WriteCalls(const std::vector<KernelCall>& calls, ByteWriter& w) {
  w.Count(calls.size());
  for (const KernelCall& c : calls) WriteCall(c, w);
}

std::vector<KernelCall> ReadCalls(ByteReader& r) {
  std::vector<KernelCall> calls(r.Count(kMinCallBytes));
  for (KernelCall& c : calls) c = ReadCall(r);
  return calls;
}

// The parts of the file before each of its two blobs, with a zero digest.
struct Encoded {
  std::string before_params;
  std::string before_code;
};

Encoded Encode(const Artifact& artifact) {
  ByteWriter w;
  w.Raw(kMagic);
  w.U32(kArtifactFormatVersion);
  w.U32(ASSAY_ABI_VERSION);
  w.Raw(std::string(kDigestBytes, '\0'));
  w.Count(artifact.metadata.size());
  for (const auto& [key, value] : artifact.metadata) {
    w.String(key);
    w.String(value);
  }
  w.Count(artifact.tensors.size());
  for (const TensorInfo& t : artifact.tensors) WriteTensor(t, w);
  w.I64(artifact.arena_bytes);
  w.I64(artifact.setup_bytes);
  WriteCalls(artifact.setup, w);
  WriteCalls(artifact.calls, w);
  w.String(artifact.code_kind);
  w.Count(artifact.params.size());
  w.AlignTo(kBlobAlignment);

  // The parameters are aligned, so the padding of the code depends only on
  // their size.
  ByteWriter w2;
  w2.Count(artifact.code.size());
  const size_t end = artifact.params.size() + w2.bytes().size();
  w2.Raw(std::string((kBlobAlignment - end % kBlobAlignment) % kBlobAlignment,
                     '\0'));
  return {w.Take(), w2.Take()};
}

Sha256Digest HashOf(const Encoded& encoded, const Artifact& artifact) {
  const absl::string_view head = encoded.before_params;
  Sha256 hash;
  hash.Update(head.substr(0, kDigestOffset));
  hash.Update(head.substr(kPlanOffset));
  hash.Update(artifact.params);
  hash.Update(encoded.before_code);
  hash.Update(artifact.code);
  return hash.Finish();
}

absl::string_view AsBytes(const Sha256Digest& digest) {
  return absl::string_view(reinterpret_cast<const char*>(digest.data()),
                           digest.size());
}

absl::string_view ReadBlob(ByteReader& r) {
  const size_t size = r.Count(1);
  r.AlignTo(kBlobAlignment);
  return r.Raw(size);
}

absl::Status CheckHeader(absl::string_view bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic) {
    return absl::InvalidArgumentError("not an artifact: wrong magic number");
  }
  if (bytes.size() < kPlanOffset) {
    return absl::InvalidArgumentError(
        absl::StrCat("artifact is truncated: it has ", bytes.size(), " bytes"));
  }
  ByteReader r(bytes.substr(kMagic.size()));
  const uint32_t format = r.U32();
  const uint32_t abi = r.U32();
  if (format != kArtifactFormatVersion || abi != ASSAY_ABI_VERSION) {
    return absl::InvalidArgumentError(absl::StrCat(
        "artifact has format version ", format, " and ABI version ", abi,
        ", this program reads ", kArtifactFormatVersion, " and ",
        ASSAY_ABI_VERSION, "; compile the model again"));
  }
  Sha256 hash;
  hash.Update(bytes.substr(0, kDigestOffset));
  hash.Update(bytes.substr(kPlanOffset));
  if (AsBytes(hash.Finish()) != bytes.substr(kDigestOffset, kDigestBytes)) {
    return absl::InvalidArgumentError(
        "artifact is truncated or altered: its SHA-256 does not match");
  }
  return absl::OkStatus();
}

std::vector<int32_t> TensorsAt(const Artifact& artifact, Location location) {
  std::vector<int32_t> found;
  for (size_t i = 0; i < artifact.tensors.size(); ++i) {
    const TensorInfo& t = artifact.tensors[i];
    if (t.location == location) found.push_back(static_cast<int32_t>(i));
  }
  std::sort(found.begin(), found.end(), [&](int32_t a, int32_t b) {
    return artifact.tensors[a].position < artifact.tensors[b].position;
  });
  for (size_t i = 0; i < found.size(); ++i) {
    CHECK_EQ(artifact.tensors[found[i]].position, static_cast<int64_t>(i));
  }
  return found;
}

}  // namespace

bool operator==(const TensorInfo& a, const TensorInfo& b) {
  return a.name == b.name && a.dtype == b.dtype && a.shape == b.shape &&
         a.location == b.location && a.position == b.position &&
         a.axis == b.axis && a.extent == b.extent;
}

bool operator==(const KernelCall& a, const KernelCall& b) {
  const auto tied = [](const KernelCall& c) {
    return std::tie(c.symbol, c.inputs, c.outputs, c.sources, c.kind, c.flops,
                    c.bytes, c.code_digest);
  };
  return tied(a) == tied(b);
}

bool operator==(const Artifact& a, const Artifact& b) {
  const auto tied = [](const Artifact& x) {
    return std::tie(x.metadata, x.tensors, x.arena_bytes, x.setup_bytes,
                    x.setup, x.calls, x.params, x.code_kind, x.code);
  };
  return tied(a) == tied(b);
}

int64_t NumBytes(const TensorInfo& tensor) {
  return NumElements(tensor.shape) * tensor.dtype.bytes();
}

std::vector<int32_t> InputTensors(const Artifact& artifact) {
  return TensorsAt(artifact, Location::kInput);
}

std::vector<int32_t> OutputTensors(const Artifact& artifact) {
  return TensorsAt(artifact, Location::kOutput);
}

std::string AlgorithmOf(const Artifact& artifact) {
  const auto algorithms = artifact.metadata.find(kMetaAlgorithms);
  return algorithms == artifact.metadata.end() ? "" : algorithms->second;
}

std::string Serialize(const Artifact& artifact) {
  Encoded encoded = Encode(artifact);
  const Sha256Digest digest = HashOf(encoded, artifact);
  std::string bytes = std::move(encoded.before_params);
  bytes.replace(kDigestOffset, kDigestBytes,
                reinterpret_cast<const char*>(digest.data()), kDigestBytes);
  bytes.reserve(bytes.size() + artifact.params.size() +
                encoded.before_code.size() + artifact.code.size());
  bytes += artifact.params;
  bytes += encoded.before_code;
  bytes += artifact.code;
  return bytes;
}

int64_t FileBytes(const Artifact& artifact) {
  const Encoded encoded = Encode(artifact);
  return static_cast<int64_t>(
      encoded.before_params.size() + artifact.params.size() +
      encoded.before_code.size() + artifact.code.size());
}

absl::StatusOr<Artifact> Parse(absl::string_view bytes) {
  return ParseInPlace(LargeBytes(bytes));
}

absl::StatusOr<Artifact> ParseInPlace(LargeBytes bytes) {
  ASSAY_RETURN_IF_ERROR(CheckHeader(bytes));
  ByteReader r(bytes);
  r.Raw(kPlanOffset);
  Artifact artifact;
  const size_t pairs = r.Count(16);
  for (size_t i = 0; i < pairs; ++i) {
    std::string key = r.String();
    // Keys must be in ascending order: the encoding is canonical.
    if (!artifact.metadata.empty() &&
        key <= artifact.metadata.rbegin()->first) {
      r.Fail();
    }
    artifact.metadata[std::move(key)] = r.String();
  }
  artifact.tensors.resize(r.Count(kMinTensorBytes));
  for (TensorInfo& t : artifact.tensors) t = ReadTensor(r);
  artifact.arena_bytes = r.I64();
  artifact.setup_bytes = r.I64();
  artifact.setup = ReadCalls(r);
  artifact.calls = ReadCalls(r);
  artifact.code_kind = r.String();
  const absl::string_view params = ReadBlob(r);
  artifact.code = std::string(ReadBlob(r));
  if (!r.ok() || !r.AtEnd()) {
    return absl::InvalidArgumentError(
        absl::StrCat("artifact is malformed at byte ", r.position()));
  }
  if (!params.empty()) {
    const auto begin = static_cast<size_t>(params.data() - bytes.data());
    bytes.resize(begin + params.size());
    bytes.erase(0, begin);
    artifact.params = std::move(bytes);
  }
  return artifact;
}

std::string Digest(const Artifact& artifact) {
  return HexOf(HashOf(Encode(artifact), artifact));
}

absl::Status WriteArtifact(const std::string& path, const Artifact& artifact) {
  return WriteFileAtomic(path, Serialize(artifact));
}

absl::StatusOr<Artifact> ReadArtifact(const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(LargeBytes bytes, ReadLargeFile(path));
  absl::StatusOr<Artifact> artifact = ParseInPlace(std::move(bytes));
  if (!artifact.ok()) {
    return absl::Status(
        artifact.status().code(),
        absl::StrCat("`", path, "`: ", artifact.status().message()));
  }
  return artifact;
}

}  // namespace assay::runtime
