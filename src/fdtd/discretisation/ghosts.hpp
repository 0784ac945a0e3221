#pragma once
#include <array>
#include <cmath>
#include <vector>

#include "dgtd/fdtd/discretisation.hpp"
#include "dgtd/parallel/array.hpp"
#include "dgtd/parallel/communicator.hpp"

namespace dgtd::fdtd {

/// A box of points with a layer above it along each axis that another rank has.
struct UpperLayers {
  std::array<int, 3> points{};
  std::array<int, 3> below{-1, -1, -1};  // rank that gets this one's lowest layer; -1: none
  std::array<int, 3> above{-1, -1, -1};  // rank that gives the layer above
  std::array<double, 3> phase{};         // by which complex values turn there, rad
};

/// Copies the layers above, axis by axis, so that edges come with the second axis. index(component, i, j, k) in
/// `values`, with the layers above; `other` of a complex field is the imaginary part of what `values` is the real part
/// of; null: there is none. Collective over the ranks named.
template <class Real, class Index>
void fill_upper_layers(const UpperLayers& layers, const Index& index, Real* values, Real* other,
                       const parallel::Communicator& comm) {
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    const auto layer = [&](int position, auto visit) {
      for (int component = 0; component < 3; ++component)
        for (int v = 0; v <= layers.points[c]; ++v)
          for (int u = 0; u <= layers.points[b]; ++u) {
            int at[3];
            at[a] = position, at[b] = u, at[c] = v;
            visit(static_cast<std::size_t>(index(component, at[0], at[1], at[2])));
          }
    };
    const int below = layers.below[a], above = layers.above[a];
    for (Real* const field : {values, other}) {
      if (field == nullptr || (below < 0 && above < 0)) continue;
      std::vector<Real> send, receive(std::size_t{3} * (layers.points[b] + 1) * (layers.points[c] + 1));
      layer(0, [&](std::size_t n) { send.push_back(field[n]); });
      MPI_Sendrecv(send.data(), static_cast<int>(send.size() * sizeof(Real)), MPI_BYTE,
                   below >= 0 ? below : MPI_PROC_NULL, 23, receive.data(),
                   static_cast<int>(receive.size() * sizeof(Real)), MPI_BYTE, above >= 0 ? above : MPI_PROC_NULL, 23,
                   comm.handle(), MPI_STATUS_IGNORE);
      std::size_t next = 0;
      if (above >= 0) layer(layers.points[a], [&](std::size_t n) { field[n] = receive[next++]; });
    }
    if (other == nullptr || layers.phase[a] == 0) continue;
    const auto cosine = static_cast<Real>(std::cos(layers.phase[a])),
               sine = static_cast<Real>(std::sin(layers.phase[a]));
    layer(layers.points[a], [&](std::size_t n) {
      const Real real = values[n], imaginary = other[n];
      values[n] = cosine * real - sine * imaginary;
      other[n] = sine * real + cosine * imaginary;
    });
  }
}

/// The same for the fields of a block, in host memory: [3][reals]; other: of size 0 where there is none. Collective.
template <class Real>
void fill_upper_ghosts(const Discretisation<Real>& d, parallel::Array<Real>& values, parallel::Array<Real>& other,
                       const std::array<double, 3>& bloch_phase, const parallel::Communicator& comm);

}  // namespace dgtd::fdtd
