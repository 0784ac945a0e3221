#include "ghosts.hpp"

#include <cmath>

namespace dgtd::fdtd {

template <class Real>
void fill_upper_ghosts(const Discretisation<Real>& d, std::vector<Real>& values, std::vector<Real>* other, const std::array<double, 3>& bloch_phase,
                       const parallel::Communicator& comm) {
  const GridLayout& l = d.layout;
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    const auto layer = [&](int position, auto visit) {
      for (int component = 0; component < 3; ++component)
        for (int v = 0; v <= l.cells[c]; ++v)
          for (int u = 0; u <= l.cells[b]; ++u) {
            int at[3];
            at[a] = position, at[b] = u, at[c] = v;
            visit(static_cast<std::size_t>(component * l.reals + l.index(at[0], at[1], at[2])));
          }
    };
    const int below = d.block.lower[a], above = d.block.upper[a];
    for (std::vector<Real>* field : {&values, other}) {
      if (field == nullptr) continue;
      std::vector<Real> send, receive(std::size_t{3} * (l.cells[b] + 1) * (l.cells[c] + 1));
      layer(0, [&](std::size_t n) { send.push_back((*field)[n]); });
      MPI_Sendrecv(send.data(), static_cast<int>(send.size() * sizeof(Real)), MPI_BYTE, below >= 0 ? below : MPI_PROC_NULL, 23, receive.data(),
                   static_cast<int>(receive.size() * sizeof(Real)), MPI_BYTE, above >= 0 ? above : MPI_PROC_NULL, 23, comm.handle(), MPI_STATUS_IGNORE);
      std::size_t next = 0;
      if (above >= 0) layer(l.cells[a], [&](std::size_t n) { (*field)[n] = receive[next++]; });
    }
    if (other == nullptr || bloch_phase[a] == 0 || d.block.first[a] + l.cells[a] != d.global_cells[a]) continue;
    const auto cosine = static_cast<Real>(std::cos(bloch_phase[a])), sine = static_cast<Real>(std::sin(bloch_phase[a]));
    layer(l.cells[a], [&](std::size_t n) {
      const Real real = values[n], imaginary = (*other)[n];
      values[n] = cosine * real - sine * imaginary;
      (*other)[n] = sine * real + cosine * imaginary;
    });
  }
}

template void fill_upper_ghosts<float>(const Discretisation<float>&, std::vector<float>&, std::vector<float>*, const std::array<double, 3>&, const parallel::Communicator&);
template void fill_upper_ghosts<double>(const Discretisation<double>&, std::vector<double>&, std::vector<double>*, const std::array<double, 3>&, const parallel::Communicator&);

}  // namespace dgtd::fdtd
