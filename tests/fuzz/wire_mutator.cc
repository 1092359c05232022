#include "tests/fuzz/wire_mutator.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/frontend/onnx/operators/operator_table.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/wire_format_lite.h"

namespace assay::fuzz {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;
using google::protobuf::io::StringOutputStream;

enum class Kind {
  kBytes,
  kModel,
  kOpset,
  kFunction,
  kGraph,
  kNode,
  kAttribute,
  kTensor,
  kEntry,
  kValueInfo,
  kType,
  kTensorType,
  kShape,
  kDimension,
};

// The kind of a length-delimited field.
Kind ChildKind(Kind parent, int field) {
  struct Row {
    Kind parent;
    int field;
    Kind child;
  };
  static constexpr Row kRows[] = {
      {Kind::kModel, 7, Kind::kGraph},
      {Kind::kModel, 8, Kind::kOpset},
      {Kind::kModel, 25, Kind::kFunction},
      {Kind::kFunction, 7, Kind::kNode},
      {Kind::kFunction, 9, Kind::kOpset},
      {Kind::kGraph, 1, Kind::kNode},
      {Kind::kGraph, 5, Kind::kTensor},
      {Kind::kGraph, 11, Kind::kValueInfo},
      {Kind::kGraph, 12, Kind::kValueInfo},
      {Kind::kGraph, 13, Kind::kValueInfo},
      {Kind::kNode, 5, Kind::kAttribute},
      {Kind::kAttribute, 5, Kind::kTensor},
      {Kind::kAttribute, 6, Kind::kGraph},
      {Kind::kTensor, 13, Kind::kEntry},
      {Kind::kValueInfo, 2, Kind::kType},
      {Kind::kType, 1, Kind::kTensorType},
      {Kind::kTensorType, 2, Kind::kShape},
      {Kind::kShape, 1, Kind::kDimension},
  };
  for (const Row& row : kRows) {
    if (row.parent == parent && row.field == field) return row.child;
  }
  return Kind::kBytes;
}

struct Message;

struct Field {
  int number = 0;
  WireFormatLite::WireType wire = WireFormatLite::WIRETYPE_VARINT;
  uint64_t value = 0;            // of a numeric field
  std::string bytes;             // of a length-delimited field
  std::vector<Message> message;  // the parsed message, at most one
};

struct Message {
  Kind kind = Kind::kModel;
  std::vector<Field> fields;
};

constexpr int kMaxDepth = 24;

// Field numbers of NodeProto. Fields up to kOutput are names of values.
constexpr int kOutput = 2, kOpType = 4;

std::optional<Message> Parse(Kind kind, absl::string_view bytes, int depth);

bool ParseField(Kind kind, uint32_t tag, int depth, CodedInputStream& in,
                Field& field) {
  field.number = WireFormatLite::GetTagFieldNumber(tag);
  field.wire = WireFormatLite::GetTagWireType(tag);
  uint32_t length = 0, word = 0;
  switch (field.wire) {
    case WireFormatLite::WIRETYPE_VARINT:
      return in.ReadVarint64(&field.value);
    case WireFormatLite::WIRETYPE_FIXED32:
      if (!in.ReadLittleEndian32(&word)) return false;
      field.value = word;
      return true;
    case WireFormatLite::WIRETYPE_FIXED64:
      return in.ReadLittleEndian64(&field.value);
    case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
      break;
    default:
      return false;
  }
  if (!in.ReadVarint32(&length) ||
      !in.ReadString(&field.bytes, static_cast<int>(length))) {
    return false;
  }
  const Kind child = ChildKind(kind, field.number);
  if (child == Kind::kBytes) return true;
  std::optional<Message> message = Parse(child, field.bytes, depth + 1);
  if (message.has_value()) field.message.push_back(std::move(*message));
  return true;
}

std::optional<Message> Parse(Kind kind, absl::string_view bytes, int depth) {
  if (depth > kMaxDepth) return std::nullopt;
  CodedInputStream in(reinterpret_cast<const uint8_t*>(bytes.data()),
                      static_cast<int>(bytes.size()));
  Message message;
  message.kind = kind;
  while (const uint32_t tag = in.ReadTag()) {
    Field field;
    if (!ParseField(kind, tag, depth, in, field)) return std::nullopt;
    message.fields.push_back(std::move(field));
  }
  if (!in.ConsumedEntireMessage()) return std::nullopt;
  return message;
}

std::string Serialize(const Message& message) {
  std::string bytes;
  {
    StringOutputStream stream(&bytes);
    CodedOutputStream out(&stream);
    for (const Field& field : message.fields) {
      out.WriteTag(WireFormatLite::MakeTag(field.number, field.wire));
      if (field.wire == WireFormatLite::WIRETYPE_VARINT) {
        out.WriteVarint64(field.value);
      } else if (field.wire == WireFormatLite::WIRETYPE_FIXED32) {
        out.WriteLittleEndian32(static_cast<uint32_t>(field.value));
      } else if (field.wire == WireFormatLite::WIRETYPE_FIXED64) {
        out.WriteLittleEndian64(field.value);
      } else {
        const std::string inner =
            field.message.empty() ? field.bytes : Serialize(field.message[0]);
        out.WriteVarint32(static_cast<uint32_t>(inner.size()));
        out.WriteString(inner);
      }
    }
  }
  return bytes;
}

// Collects all messages with at least one field, in pre-order.
void Collect(Message& message, std::vector<Message*>& all) {
  if (!message.fields.empty()) all.push_back(&message);
  for (Field& field : message.fields) {
    if (!field.message.empty()) Collect(field.message[0], all);
  }
}

class Mutator {
 public:
  Mutator(Message& model, Message* other, Rng& rng,
          const MutateBytes& mutate_bytes)
      : model_(model), other_(other), rng_(rng), mutate_bytes_(mutate_bytes) {}

  void Mutate() {
    std::vector<Message*> all;
    Collect(model_, all);
    if (all.empty()) return;
    Message& message = *all[Pick(all.size())];
    std::vector<Field>& fields = message.fields;
    const size_t at = Pick(fields.size());
    switch (Pick(8)) {
      case 0:
        fields.erase(fields.begin() + at);
        break;
      case 1:
        fields.insert(fields.begin() + Pick(fields.size()), Field(fields[at]));
        break;
      case 2:
        std::swap(fields[at], fields[Pick(fields.size())]);
        break;
      case 3:
      case 4:
        CopyFromAnother(message, at);
        break;
      default:
        Change(message.kind, fields[at]);
        break;
    }
  }

 private:
  size_t Pick(size_t count) {
    return static_cast<size_t>(rng_.UniformInt(0, count - 1));
  }

  // Copies a field from another message of the same kind. It replaces the field
  // at `at` if both have the same number, else it is inserted there.
  void CopyFromAnother(Message& message, size_t at) {
    std::vector<Message*> all, same;
    Collect(other_ != nullptr && Pick(2) == 0 ? *other_ : model_, all);
    std::copy_if(all.begin(), all.end(), std::back_inserter(same),
                 [&](const Message* m) { return m->kind == message.kind; });
    if (same.empty()) return;
    const Message& from = *same[Pick(same.size())];
    const Field field = from.fields[Pick(from.fields.size())];
    if (message.fields[at].number == field.number && Pick(4) != 0) {
      message.fields[at] = field;
    } else {
      message.fields.insert(message.fields.begin() + at, field);
    }
  }

  void Change(Kind kind, Field& field) {
    if (field.wire != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
      field.value = SomeNumber(field.value);
    } else if (!field.message.empty()) {
      Mutate();
    } else if (kind == Kind::kNode && field.number == kOpType) {
      field.bytes =
          frontend::OperatorTable()[Pick(frontend::OperatorTable().size())]
              .op_type;
    } else if (kind == Kind::kNode && field.number <= kOutput) {
      field.bytes = SomeName(field.bytes);
    } else {
      field.bytes = mutate_bytes_ == nullptr ? Flipped(field.bytes)
                                             : mutate_bytes_(field.bytes);
    }
  }

  // The name of an input or output of some node.
  std::string SomeName(const std::string& name) {
    std::vector<Message*> all;
    Collect(model_, all);
    std::vector<std::string> names = {name, ""};
    for (const Message* message : all) {
      if (message->kind != Kind::kNode) continue;
      for (const Field& field : message->fields) {
        if (field.number <= kOutput) names.push_back(field.bytes);
      }
    }
    return names[Pick(names.size())];
  }

  uint64_t SomeNumber(uint64_t old) {
    switch (Pick(4)) {
      case 0:
        return Pick(32);
      case 1:
        return old + Pick(5) - 2;
      case 2:
        return old ^ (uint64_t{1} << Pick(64));
      default:
        break;
    }
    constexpr uint64_t kEdge = uint64_t{1} << 63;
    const uint64_t edges[] = {uint64_t{0} - 1,   kEdge,
                              kEdge - 1,         uint64_t{1} << 31,
                              uint64_t{1} << 32, uint64_t{1} << 24,
                              uint64_t{1} << 40, 0x7f800000,  // infinity
                              0x7fc00000,                     // a NaN
                              0x3f800000};                    // 1
    return edges[Pick(std::size(edges))];
  }

  std::string Flipped(std::string bytes) {
    if (bytes.empty()) return "x";
    bytes[Pick(bytes.size())] ^= static_cast<char>(1 << Pick(8));
    return bytes;
  }

  Message& model_;
  Message* const other_;
  Rng& rng_;
  const MutateBytes& mutate_bytes_;
};

}  // namespace

std::string MutateModel(absl::string_view model, absl::string_view other,
                        Rng& rng, const MutateBytes& mutate_bytes) {
  std::optional<Message> message = Parse(Kind::kModel, model, 0);
  if (!message.has_value()) return std::string(model);
  std::optional<Message> donor = Parse(Kind::kModel, other, 0);
  Mutator mutator(*message, donor.has_value() ? &*donor : nullptr, rng,
                  mutate_bytes);
  const int64_t changes = rng.UniformInt(1, 3);
  for (int64_t i = 0; i < changes; ++i) mutator.Mutate();
  return Serialize(*message);
}

}  // namespace assay::fuzz
