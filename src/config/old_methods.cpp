#include "old_methods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "checks.hpp"
#include "dgtd/base/log.hpp"

namespace dgtd::config {
namespace {

// The method takes the place of what the entry gave.
void use_method(IniTable& table, const Entry& given, std::string_view method, std::string_view before) {
  log::warn("{}: {} is now solver.method = {}; the old spelling is accepted in this version", given.origin, before,
            method);
  table.replace(
      {"solver", "method", std::string(method), given.origin, given.overridden, given.folder, given.precedence});
}

void replace_variant(IniTable& table) {
  const Entry* const found = table.find("solver", "variant");
  if (!found) return;
  const Entry variant = *found;
  constexpr std::string_view variants[] = {"native", "cublas-vector", "cublas-matrix", "scalar"};
  if (std::find(std::begin(variants), std::end(variants), variant.value) == std::end(variants))
    reject(variant, "must be native, cublas-vector, cublas-matrix or scalar, and is now a part of solver.method");
  const std::string now = variant.value == "native" ? "fdtd2d" : "fdtd2d-" + variant.value;
  const Entry* const method = table.find("solver", "method");
  if (!method || method->value != "fdtd2d")
    reject(variant, fmt::format("is an old spelling of solver.method = {}, and solver.method is {}; give one of them",
                                now, method ? method->value : "dgtd"));
  table.drop("solver", "variant");
  use_method(table, variant, now, fmt::format("solver.variant = {}", variant.value));
}

// Drops keys that resolved.cfg of a line in subdomains had, although they have no meaning there.
void drop_meaningless(IniTable& table) {
  struct Value {
    std::string_view section, key, value;
  };
  constexpr Value values[] = {{"dft", "window", "last-period"},    {"sar", "normalise", "none"},
                              {"sar", "whole_body", "off"},        {"output", "every", "0"},
                              {"output", "energy_interval", "0"},  {"output", "report_pictures", "on"},
                              {"output", "report_pictures", "off"}};
  for (const auto& [section, key, value] : values)
    if (const Entry* entry = table.find(section, key); entry && entry->value == value) table.drop(section, key);
  for (const auto section : {"dft", "sar", "checkpoint"}) table.drop_if_empty(section);
}

void replace_subdomains(IniTable& table) {
  const Entry* const method = table.find("solver", "method");
  const Entry* const subdomains = table.find("solver", "subdomains");
  if (!method || method->value != "fdtd1d" || !subdomains) return;
  use_method(table, Entry(*subdomains), "fdtd1d-subdomains", "solver.method = fdtd1d with solver.subdomains");
  drop_meaningless(table);
}

}  // namespace

void replace_old_methods(IniTable& table) {
  replace_variant(table);
  replace_subdomains(table);
}

}  // namespace dgtd::config
