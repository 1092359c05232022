#include "runtime/measure/block_text.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

using Json = nlohmann::json;

struct IntegerField {
  const char* name;
  int64_t Block::* value;
  int64_t max;
};
constexpr IntegerField kIntegerFields[] = {
    {"min_sample_nanos", &Block::min_sample_nanos, kMaxBlockNanos},
    {"cooldown_nanos", &Block::cooldown_nanos, kMaxBlockNanos},
    {"flush_cache_bytes", &Block::flush_cache_bytes, kMaxFlushBytes},
};

struct FlagField {
  const char* name;
  bool Block::* value;
};
constexpr FlagField kFlagFields[] = {
    {"read_outputs", &Block::read_outputs},
    {"time_calls", &Block::time_calls},
};

// Texts from outside are quoted up to this number of bytes.
constexpr size_t kMaxQuotedBytes = 100;

// Replaces control characters, which could end the line or change a terminal.
std::string Printable(absl::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = '?';
  }
  return result;
}

absl::Status Bad(absl::string_view field, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat(
      "block: `", Printable(field.substr(0, kMaxQuotedBytes)), "` ", problem));
}

absl::Status OutOfRange(absl::string_view field, int64_t min, int64_t max) {
  return Bad(field,
             absl::StrCat("is not a whole number from ", min, " to ", max));
}

// Returns the value if it is a whole number in [min, max].
std::optional<int64_t> IntegerIn(const Json& json, int64_t min, int64_t max) {
  if (!json.is_number_integer()) return std::nullopt;
  if (json.is_number_unsigned() &&
      json.get<uint64_t>() > static_cast<uint64_t>(max)) {
    return std::nullopt;
  }
  const auto value = json.get<int64_t>();
  if (value < min || value > max) return std::nullopt;
  return value;
}

absl::StatusOr<SampleSpec> ReadSample(const Json& json, int programs,
                                      size_t index) {
  struct Field {
    const char* name;
    int64_t min, max;
  };
  const Field fields[] = {{"program", 0, programs - 1},
                          {"number", 1, kMaxSampleRuns},
                          {"warmup_runs", 0, kMaxSampleRuns},
                          {"warmup_nanos", 0, kMaxBlockNanos}};
  constexpr size_t kFields = 4;
  if (!json.is_array() || json.size() != kFields) {
    return Bad(absl::StrCat("samples[", index, "]"),
               "is not an array of program, number, warmup_runs and "
               "warmup_nanos");
  }
  int64_t values[kFields] = {};
  for (size_t i = 0; i < kFields; ++i) {
    const Field& field = fields[i];
    const std::optional<int64_t> value =
        IntegerIn(json[i], field.min, field.max);
    if (!value.has_value()) {
      return OutOfRange(absl::StrCat("samples[", index, "].", field.name),
                        field.min, field.max);
    }
    values[i] = *value;
  }
  return SampleSpec{static_cast<int>(values[0]), values[1], values[2],
                    values[3]};
}

absl::Status ReadSamples(const Json& json, int programs,
                         std::vector<SampleSpec>* samples) {
  if (!json.is_array()) return Bad("samples", "is not an array");
  if (json.size() > kMaxBlockSamples) {
    return Bad("samples", absl::StrCat("has ", json.size(),
                                       " elements, more than the limit of ",
                                       kMaxBlockSamples));
  }
  samples->reserve(json.size());
  for (const Json& element : json) {
    ASSAY_ASSIGN_OR_RETURN(const SampleSpec sample,
                           ReadSample(element, programs, samples->size()));
    samples->push_back(sample);
  }
  return absl::OkStatus();
}

absl::Status ReadField(const std::string& name, const Json& json, int programs,
                       BlockRequest* request) {
  Block& block = request->block;
  if (name == "samples") return ReadSamples(json, programs, &block.samples);
  for (const IntegerField& field : kIntegerFields) {
    if (name != field.name) continue;
    const std::optional<int64_t> value = IntegerIn(json, 0, field.max);
    if (!value.has_value()) return OutOfRange(name, 0, field.max);
    block.*field.value = *value;
    return absl::OkStatus();
  }
  for (const FlagField& field : kFlagFields) {
    if (name != field.name) continue;
    if (!json.is_boolean()) return Bad(name, "is not true or false");
    block.*field.value = json.get<bool>();
    return absl::OkStatus();
  }
  if (name == "checked_run_seed") {
    if (!json.is_string() ||
        !absl::SimpleAtoi(json.get<std::string>(), &block.checked_run_seed)) {
      return Bad(name, "is not a string of the digits of a 64-bit number");
    }
    return absl::OkStatus();
  }
  if (name == "outputs_folder") {
    if (!json.is_string() || json.get<std::string>().empty()) {
      return Bad(name, "is not the path of a folder");
    }
    request->outputs_folder = json.get<std::string>();
    return absl::OkStatus();
  }
  return Bad(name, "is not a field of a block");
}

}  // namespace

std::string SerializeBlock(const Block& block,
                           const std::string& outputs_folder) {
  const Block defaults;
  Json json;
  Json samples = Json::array();
  for (const SampleSpec& sample : block.samples) {
    samples.push_back(Json::array({sample.program, sample.number,
                                   sample.warmup_runs, sample.warmup_nanos}));
  }
  json["samples"] = std::move(samples);
  for (const IntegerField& field : kIntegerFields) {
    if (block.*field.value != defaults.*field.value) {
      json[field.name] = block.*field.value;
    }
  }
  for (const FlagField& field : kFlagFields) {
    if (block.*field.value != defaults.*field.value) {
      json[field.name] = block.*field.value;
    }
  }
  if (block.checked_run_seed != defaults.checked_run_seed) {
    json["checked_run_seed"] = absl::StrCat(block.checked_run_seed);
  }
  if (block.read_outputs) json["outputs_folder"] = outputs_folder;
  // Without this handler, a path that is not UTF-8 would be an exception.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

absl::StatusOr<BlockRequest> ParseBlock(absl::string_view text, int programs) {
  if (text.size() > kMaxBlockBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("block: the text has ", text.size(),
                     " bytes, more than the limit of ", kMaxBlockBytes));
  }
  const Json json = Json::parse(text.begin(), text.end(), /*cb=*/nullptr,
                                /*allow_exceptions=*/false);
  if (!json.is_object()) {
    return absl::InvalidArgumentError("block: the text is not a JSON object");
  }
  BlockRequest request;
  for (const auto& [name, value] : json.items()) {
    ASSAY_RETURN_IF_ERROR(ReadField(name, value, programs, &request));
  }
  if (!json.contains("samples")) return Bad("samples", "is missing");
  if (request.block.read_outputs && request.outputs_folder.empty()) {
    return Bad("outputs_folder", "is missing, but `read_outputs` is true");
  }
  if (!request.block.read_outputs && !request.outputs_folder.empty()) {
    return Bad("outputs_folder", "is given, but `read_outputs` is false");
  }
  return request;
}

std::string OutputsPath(const std::string& folder, size_t sample) {
  return JoinPath(folder, absl::StrCat("outputs-", sample));
}

std::string SerializeSample(const Sample& sample) {
  std::string line = absl::StrCat("sample ", sample.nanos, " ", sample.number);
  if (!sample.call_nanos.empty()) {
    absl::StrAppend(&line, " ", absl::StrJoin(sample.call_nanos, " "));
  }
  return line;
}

absl::StatusOr<Sample> ParseSample(absl::string_view line) {
  const auto malformed = [line] {
    return absl::InternalError(absl::StrCat(
        "`", Printable(line.substr(0, kMaxQuotedBytes)), "` is not a sample"));
  };
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
  if (words.size() < 3 || words[0] != "sample") return malformed();
  std::vector<int64_t> numbers;
  for (size_t i = 1; i < words.size(); ++i) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(words[i], &number) || number < 0) return malformed();
    numbers.push_back(number);
  }
  Sample sample;
  sample.nanos = numbers[0];
  sample.number = numbers[1];
  if (sample.nanos < 1 || sample.number < 1) return malformed();
  sample.call_nanos.assign(numbers.begin() + 2, numbers.end());
  return sample;
}

std::string SerializeFailure(const absl::Status& error) {
  return absl::StrCat("fail ", absl::StatusCodeToString(error.code()), " ",
                      absl::StrReplaceAll(error.message(), {{"\n", " "}}));
}

std::optional<absl::Status> ParseFailure(absl::string_view line) {
  if (!absl::ConsumePrefix(&line, "fail ")) return std::nullopt;
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(line, absl::MaxSplits(' ', 1));
  const int last = static_cast<int>(absl::StatusCode::kUnauthenticated);
  for (int i = 1; i <= last; ++i) {
    const auto code = static_cast<absl::StatusCode>(i);
    if (parts.first == absl::StatusCodeToString(code)) {
      return absl::Status(code, Printable(parts.second));
    }
  }
  return absl::InternalError(Printable(line));
}

}  // namespace assay::runtime
