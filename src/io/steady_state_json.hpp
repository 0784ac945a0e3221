#pragma once
// Whether the last period has repeated the one before, in summary.json and in report.json.
#include <nlohmann/json.hpp>

#include "dgtd/io/summary.hpp"

namespace dgtd::io {

inline nlohmann::ordered_json steady_state_json(const SteadyState& t) {
  const auto or_null = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  return {{"frequency_Hz", t.frequency_Hz},
          {"places", t.places},
          {"in_tissue", t.in_tissue},
          {"change_of_E", or_null(t.change_E)},
          {"mean_source_power_W", or_null(t.source_W)},
          {"mean_source_power_before_W", or_null(t.source_before_W)}};
}

}  // namespace dgtd::io
