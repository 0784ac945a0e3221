#include "dgtd/io/columns.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

namespace dgtd::io {

Columns joined(std::vector<Columns> parts) {
  Columns all;
  for (const Columns& part : parts) {
    all.list.insert(all.list.end(), part.list.begin(), part.list.end());
    all.rows_together = std::lcm(all.rows_together, part.rows_together);
  }
  all.fill = [parts = std::move(parts)](std::size_t first, std::size_t count, std::span<double* const> values) {
    std::size_t next = 0;
    for (const Columns& part : parts) {
      if (!part.list.empty()) part.fill(first, count, values.subspan(next, part.list.size()));
      next += part.list.size();
    }
  };
  return all;
}

Columns columns_of(std::vector<Column> list, std::vector<std::vector<double>> values) {
  Columns columns{std::move(list), {}, 1};
  auto kept = std::make_shared<const std::vector<std::vector<double>>>(std::move(values));
  std::vector<int> components;
  for (const Column& column : columns.list) components.push_back(column.components);
  columns.fill = [kept, components](std::size_t first, std::size_t count, std::span<double* const> to) {
    for (std::size_t c = 0; c < to.size(); ++c) {
      const auto n = static_cast<std::size_t>(components[c]);
      std::copy_n((*kept)[c].begin() + static_cast<std::ptrdiff_t>(first * n), count * n, to[c]);
    }
  };
  return columns;
}

}  // namespace dgtd::io
