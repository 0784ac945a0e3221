#pragma once
// Lumped ports in a pass over a volume grid: each tile that computes an edge has a copy of its state, made before the
// tiles (cuda/fdtd/volume_tile_sources.hpp); after them the copy of the tile that stores the edge is the port's.
#include "dgtd/base/host_device.hpp"
#include "dgtd/fdtd/kernels/port_view.hpp"

namespace dgtd::fdtd {

/// All ports' edges in a pass, one after the other.
struct PassEdges {
  const PortView<float>* ports;
  const int *port, *number;  // [edge] of which port, and which one there
};

/// State of the edge at place i, and its source's voltages in the steps of a pass.
struct PortsBeforePass {
  PassEdges edges;
  const int* edge_at;  // [n]
  std::int64_t n;
  const std::int64_t* first_step;
  int steps;
  double time_step;          // s
  PortState<float>* states;  // [n]
  double* values;            // [step][n] V
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const int edge = edge_at[i];
    const PortView<float>& port = edges.ports[edges.port[edge]];
    states[i] = port.state(edges.number[edge]);
    for (int s = 0; s < steps; ++s) {
      const double time = static_cast<double>(*first_step + s) * time_step + 0.5 * time_step;
      values[s * n + i] = port.source(edges.number[edge], time);
    }
  }
};

/// State and records of edge i after a pass.
struct PortsAfterPass {
  PassEdges edges;
  const int* stored_at;  // [edge]
  std::int64_t n;
  const std::int64_t* first_record;  // PortView::record
  int steps;
  const PortState<float>* states;  // [n]
  const double* records;           // [step][n][3]
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const {
    const PortView<float>& port = edges.ports[edges.port[i]];
    const std::int64_t at = stored_at[i];
    port.set_state(edges.number[i], states[at]);
    for (int s = 0; s < steps; ++s)
      for (int k = 0; k < 3; ++k) port.record(*first_record + s, edges.number[i])[k] = records[3 * (s * n + at) + k];
  }
};

}  // namespace dgtd::fdtd
