#include "suites/models/model_file.h"

#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

std::string SerializeModel(const onnx::ModelProto& model) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  CHECK(model.SerializeToCodedStream(&coded));
  coded.Trim();
  return bytes;
}

std::string MoveToExternalData(onnx::ModelProto* model,
                               absl::string_view location) {
  std::string data;
  for (onnx::TensorProto& tensor :
       *model->mutable_graph()->mutable_initializer()) {
    const int64_t size = tensor.raw_data().size();
    if (size < kExternalBytes) continue;
    while (data.size() % kExternalAlignment != 0) data.push_back('\0');
    const auto add = [&tensor](const char* key, std::string value) {
      onnx::StringStringEntryProto* entry = tensor.add_external_data();
      entry->set_key(key);
      entry->set_value(std::move(value));
    };
    add("location", std::string(location));
    add("offset", absl::StrCat(data.size()));
    add("length", absl::StrCat(size));
    data.append(tensor.raw_data());
    tensor.clear_raw_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  }
  return data;
}

absl::Status WriteModel(onnx::ModelProto model, const std::string& path,
                        bool external_data) {
  if (external_data) {
    const std::string data_path = absl::StrCat(path, ".data");
    const std::string data = MoveToExternalData(
        &model, std::filesystem::path(data_path).filename().string());
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(data_path, data));
  }
  return WriteFileAtomic(path, SerializeModel(model));
}

}  // namespace assay::suites
