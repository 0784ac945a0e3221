#pragma once
// Powers from Fourier sums of whole fields (grid::PowerSolver, whose functions these are, of a phasor).
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "dgtd/fdtd/engine.hpp"
#include "dgtd/fdtd/phasor.hpp"
#include "dgtd/fdtd/power.hpp"
#include "dgtd/grid/power_solver.hpp"
#include "fdtd/discretisation/lossy_box.hpp"

namespace dgtd::fdtd {

template <class Stored>
class Powers {
 public:
  using Real = arithmetic_t<Stored>;
  using CellsOfMaterials = grid::PowerSolver::CellsOfMaterials;
  /// All outlive this. shown: the block without the layer of an upper magnetic wall.
  Powers(const Discretisation<Real>& d, Engine<Stored>& engine, const std::vector<physics::Medium>& materials,
         const grid::Block& shown, const parallel::Communicator& comm)
      : d_(d), engine_(engine), materials_(materials), shown_(shown), comm_(comm) {}

  std::vector<double> absorbed(const Phasor<Real>& phasor, const grid::Media& media, const NodeBox& box) const;
  std::vector<double> absorbed(const Phasor<Real>& phasor, const grid::Media& media, const NodeBox& box,
                               const CellsOfMaterials& cells) const;
  double absorbed_bytes(double angular_frequency) const;
  double outflow(const Phasor<Real>& phasor, const NodeBox& box) const;

 private:
  struct Losses {  // S/m
    std::vector<double> of_class;
    int series_class = -1;
    std::unordered_map<std::uint64_t, double> of_series;  // by index in [component][reals]
    bool are_zero() const {
      return of_series.empty() && std::all_of(of_class.begin(), of_class.end(), [](double x) { return x == 0; });
    }
    double at(int number, std::uint64_t index) const {
      return number == series_class ? of_series.at(index) : of_class[static_cast<std::size_t>(number)];
    }
  };
  Losses losses(HalfStep half, double angular_frequency) const;
  LossyBox lossy_box(HalfStep half, const Losses& losses) const;
  template <class Body>
  void for_losses(HalfStep half, const Phasor<Real>& phasor, const Losses& losses, const LossyBox& box,
                  const std::vector<const Tile*>& tiles, Body body) const;
  void add_absorbed(HalfStep half, const Phasor<Real>& phasor, const grid::Media& media, const NodeBox& box,
                    std::vector<double>& of_material, EdgeLosses<Real>* edges) const;
  std::vector<double> absorbed(const Phasor<Real>& phasor, const grid::Media& media, const NodeBox& box,
                               EdgeLosses<Real>* edges) const;

  const Discretisation<Real>& d_;
  Engine<Stored>& engine_;
  const std::vector<physics::Medium>& materials_;
  const grid::Block& shown_;
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::fdtd
