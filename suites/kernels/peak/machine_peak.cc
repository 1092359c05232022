#include "suites/kernels/peak/machine_peak.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/device_facts.h"

namespace assay::suites {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Bandwidth, level, bytes, threads, read, copy)

namespace {

using Json = nlohmann::json;

// Tile products per product of split numbers (MatrixTile::terms() in
// compiler/ops/matrix_tile.h).
constexpr double kProductsOfSplitNumbers = 3;

// Members of the JSON.
constexpr char kFloat32[] = "gflops";
constexpr char kBFloat16[] = "bfloat16_gflops";
constexpr char kBytes[] = "byte_gops";

Json FromRates(const std::map<int, double>& rates) {
  Json json = Json::object();
  for (const auto& [threads, rate] : rates) json[absl::StrCat(threads)] = rate;
  return json;
}

std::map<int, double> ToRates(const Json& json) {
  std::map<int, double> rates;
  for (const auto& [threads, rate] : json.items()) {
    rates[std::stoi(threads)] = rate.get<double>();
  }
  return rates;
}

// Returns the path of the file that stores the peak of this machine.
absl::StatusOr<std::string> PeakPath() {
  ASSAY_ASSIGN_OR_RETURN(const std::string cache, UserCacheDir());
  return JoinPath(JoinPath(cache, "peak"),
                  absl::StrCat(runtime::DescribeHost().fingerprint, ".json"));
}

}  // namespace

std::optional<double> MachinePeak::RateOf(Arithmetic arithmetic,
                                          int threads) const {
  const std::map<int, double>& rates =
      arithmetic == Arithmetic::kFloat32        ? gflops
      : arithmetic == Arithmetic::kSplitFloat32 ? bfloat16_gflops
                                                : byte_gops;
  const auto rate = rates.find(threads);
  if (rate == rates.end()) return std::nullopt;
  return arithmetic == Arithmetic::kSplitFloat32
             ? rate->second / kProductsOfSplitNumbers
             : rate->second;
}

std::map<int, PeakRates> MachinePeak::Rates() const {
  std::map<int, PeakRates> rates;
  for (const auto& [threads, gflops_of_floats] : gflops) {
    for (const Arithmetic arithmetic :
         {Arithmetic::kFloat32, Arithmetic::kSplitFloat32,
          Arithmetic::kBytes}) {
      const std::optional<double> rate = RateOf(arithmetic, threads);
      if (rate.has_value()) rates[threads][arithmetic] = *rate;
    }
  }
  return rates;
}

std::string PeakToText(const MachinePeak& peak) {
  Json json = {{kFloat32, FromRates(peak.gflops)},
               {kBFloat16, FromRates(peak.bfloat16_gflops)},
               {kBytes, FromRates(peak.byte_gops)},
               {"bandwidths", peak.bandwidths}};
  return json.dump(1) + "\n";
}

absl::StatusOr<MachinePeak> PeakFromText(absl::string_view text) {
  try {
    const Json json = Json::parse(text.data(), text.data() + text.size());
    MachinePeak peak;
    peak.gflops = ToRates(json.at(kFloat32));
    if (json.contains(kBFloat16)) {
      peak.bfloat16_gflops = ToRates(json[kBFloat16]);
    }
    if (json.contains(kBytes)) peak.byte_gops = ToRates(json[kBytes]);
    json.at("bandwidths").get_to(peak.bandwidths);
    return peak;
  } catch (const std::exception&) {
    return absl::InvalidArgumentError(
        "this is not what `//suites:peak` writes; run it again");
  }
}

MachinePeak StoredPeak() {
  const absl::StatusOr<std::string> path = PeakPath();
  if (!path.ok()) return {};
  const absl::StatusOr<std::string> text = ReadFile(*path);
  if (!text.ok()) return {};
  return PeakFromText(*text).value_or(MachinePeak());
}

absl::StatusOr<std::string> StorePeak(const MachinePeak& peak) {
  ASSAY_ASSIGN_OR_RETURN(std::string path, PeakPath());
  ASSAY_RETURN_IF_ERROR(MakeDirs(path.substr(0, path.rfind('/'))));
  ASSAY_RETURN_IF_ERROR(WriteFileAtomic(path, PeakToText(peak)));
  return path;
}

}  // namespace assay::suites
