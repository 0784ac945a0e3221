#include "dgtd/fdtd/discretisation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "axis.hpp"
#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"

namespace dgtd::fdtd {

double stability_limit(const grid::Setup& setup) {
  double curl = 0, index = 1e300, poles = 0;
  for (int a = 0; a < setup.axes; ++a) {
    const double d = *std::min_element(setup.grid.spacing[a].begin(), setup.grid.spacing[a].end());
    curl += 4 * speed_of_light * speed_of_light / (d * d);
  }
  for (const auto& m : setup.materials) {
    if (m.perfect_conductor) continue;
    index = std::min(index, m.permittivity * m.permeability);
    double strength = 0, resonance = 0;
    for (const auto& p : m.poles) {
      if (p.type == physics::Pole::Type::debye) continue;
      strength += p.strength * p.strength / m.permittivity;
      resonance = std::max(resonance, p.resonance * p.resonance);
    }
    poles = std::max(poles, strength + resonance);
  }
  return 2 / std::sqrt(curl / index + poles);
}

namespace {

// J <- keep J + drive E - restore Q (kernels/update_field.hpp), times the impedance of vacuum.
template <class Real>
PoleCoefficients<Real> coefficients(const physics::Pole& p, double dt) {
  using Type = physics::Pole::Type;
  if (p.type == Type::debye) {
    const double steps = p.relaxation_time / dt;
    return {static_cast<Real>((steps - 0.5) / (steps + 0.5)),
            static_cast<Real>(-p.strength / (speed_of_light * p.relaxation_time * (steps + 0.5))), Real(0)};
  }
  const double loss = 1 + 0.5 * p.damping * dt, resonance = p.type == Type::lorentz ? p.resonance * p.resonance : 0;
  return {static_cast<Real>((1 - 0.5 * p.damping * dt) / loss),
          static_cast<Real>(dt * p.strength * p.strength / (speed_of_light * loss)),
          static_cast<Real>(dt * dt * resonance / loss)};
}

bool is_resonant(const physics::Pole& p) { return p.type == physics::Pole::Type::lorentz; }

// Classes by what makes them. What mixtures have is rounded to 2^-13 of itself: few classes, and an error far below
// that of a mixture. The rounded value counts, so that a class does not depend on who else is in the table.
class ClassTable {
 public:
  static constexpr double series = -1;  // relative of components that UpdateSeries finishes
  struct Entry {
    double relative, loss;
    int pole_set;
    auto operator<=>(const Entry&) const = default;
  };
  int of(double relative, double loss, int pole_set = 0) {
    const Entry entry{rounded(relative), rounded(loss), pole_set};
    const auto [at, fresh] = number_.emplace(entry, static_cast<int>(list.size()));
    if (fresh) list.push_back(entry);
    return at->second;
  }
  std::vector<Entry> list;

 private:
  static double rounded(double x) {
    if (x == 0 || x == series) return x;
    const double step = std::ldexp(1.0, std::ilogb(x) - 13);
    return step * double(std::llround(x / step));
  }
  std::map<Entry, int> number_;
};

// u <- keep u + rate (…): loss over the constant it is measured against, 1/s.
template <class Real>
MediumClass<Real> medium_class(double relative, double loss, double dt) {
  if (relative == ClassTable::series) return {0, 1};
  if (relative == 0) return {0, 0};  // a perfect conductor holds its E at zero
  const double half = 0.5 * loss * dt / relative;
  return {static_cast<Real>((1 - half) / (1 + half)), static_cast<Real>(speed_of_light * dt / relative / (1 + half))};
}

// Debye poles' share of the conductivity, over eps0, 1/s.
double debye_loss(const grid::Material& m) {
  double loss = 0;
  for (const auto& p : m.poles)
    if (p.type == physics::Pole::Type::debye) loss += p.strength / p.relaxation_time;
  return loss;
}

template <class Real>
void fill_axis(const grid::Setup& setup, const grid::Block& block, const GridLayout& layout, double dt, int a,
               AxisArrays<Real>& electric, AxisArrays<Real>& magnetic) {
  const GlobalAxis g = make_axis(setup, a);
  const std::size_t padded = static_cast<std::size_t>(layout.tiles[a]) * tile_cells(a);
  const auto fill = [&](const std::vector<double>& inverse, const std::vector<double>& sigma,
                        const std::vector<double>& alpha, AxisArrays<Real>& to) {
    to.inverse_distance.assign(padded, 0);
    to.decay = to.drive = to.inverse_distance;
    for (int i = 0; i < block.cells[a]; ++i) {
      const auto at = static_cast<std::size_t>(block.first[a] + i);
      to.inverse_distance[i] = static_cast<Real>(inverse[at]);
      if (sigma[at] == 0) continue;
      // CPML with kappa = 1: b = exp(-(sigma + alpha) dt), c = sigma (b - 1) / (sigma + alpha).
      const double b = std::exp(-(sigma[at] + alpha[at]) * dt);
      to.decay[i] = static_cast<Real>(b);
      to.drive[i] = static_cast<Real>(sigma[at] * (b - 1) / (sigma[at] + alpha[at]) * inverse[at]);
    }
  };
  fill(g.electric_inverse, g.electric_sigma, g.electric_alpha, electric);
  fill(g.magnetic_inverse, g.magnetic_sigma, g.magnetic_alpha, magnetic);
}

}  // namespace

template <class Real>
Vec3 Discretisation<Real>::position(bool of_electric, int component, int i, int j, int k) const {
  const int at[3] = {i, j, k};
  Vec3 x;
  for (int a = 0; a < 3; ++a) x[a] = ((a == component) == of_electric ? centres : nodes)[a][at[a] + 1];
  return x;
}

template <class Real>
bool Discretisation<Real>::is_zero(bool of_electric, int component, int i, int j, int k) const {
  const int at[3] = {i, j, k};
  for (int a = 0; a < 3; ++a) {
    const bool on_node = (a != component) == of_electric;
    const auto& half = on_node ? electric : magnetic;
    if (half.axis[a].inverse_distance[at[a]] == 0) return true;
  }
  return false;
}

// E reads H below, H reads E above.
template <class Real>
bool Discretisation<Real>::next_to_halo(bool of_electric, const std::array<int, 3>& cell) const {
  for (int a = 0; a < 3; ++a) {
    const int tile = cell[a] / tile_cells(a);
    if (of_electric ? tile == 0 && block.lower[a] >= 0 : tile == layout.tiles[a] - 1 && block.upper[a] >= 0)
      return true;
  }
  return false;
}

template <class Real>
double Discretisation<Real>::electric_rate(int component, int i, int j, int k) const {
  const int at[3] = {i, j, k};
  for (const TileBatch& batch : electric.batches)
    for (const Tile& tile : batch.tiles) {
      int in[3];
      bool here = true;
      for (int a = 0; a < 3; ++a) {
        in[a] = at[a] - tile.first[a];
        here = here && in[a] >= 0 && in[a] < tile_cells(a);
      }
      if (!here) continue;
      const int cell = (in[2] * tile_cells(1) + in[1]) * tile_cells(0) + in[0];
      const int number =
          tile.classes < 0 ? tile.medium_class
                           : int(electric.class_of[(std::size_t(tile.classes) * 3 + component) * cells_of_tile + cell]);
      return double(electric.classes[number].rate);
    }
  return 0;
}

template <class Real>
double Discretisation<Real>::volume(bool of_electric, int component, int i, int j, int k) const {
  const int at[3] = {i, j, k};
  double v = 1;
  for (int a = 0; a < 3; ++a)
    v *= (a == component) == of_electric ? nodes[a][at[a] + 2] - nodes[a][at[a] + 1]
                                         : centres[a][at[a] + 1] - centres[a][at[a]];
  return v;
}

template <class Real>
Discretisation<Real>::Discretisation(const grid::Setup& setup, const grid::Media& media, double dt, int rank, int ranks)
    : grid(setup.grid), time_step(dt), axes(setup.axes), periodic(setup.periodic()) {
  grid::CartesianGrid stored = setup.grid;
  for (int a = 0; a < 3; ++a) {
    stored.spacing[a] = make_axis(setup, a).spacing;
    global_cells[a] = stored.cells(a);
  }
  block = grid::block_of_rank(stored, setup.periodic(), rank, ranks);
  for (int a = axes; a < 3; ++a) block.lower[a] = block.upper[a] = -1;  // such a layer is its own neighbour
  layout = GridLayout(block.cells[0], block.cells[1], block.cells[2], axes);
  for (int a = 0; a < 3; ++a) {
    fill_axis(setup, block, layout, dt, a, electric.axis[a], magnetic.axis[a]);
    if (a >= axes) {
      nodes[a] = {-1, 0, 1, 2};
      centres[a] = {-1, 0, 1};
      continue;
    }
    // A cell more on both ends: mirrored, or the other end's where the axis is periodic.
    const auto& d = stored.spacing[a];
    const auto x = stored.nodes(a);
    const auto n = static_cast<std::int64_t>(d.size());
    const auto node = [&](std::int64_t i) {
      if (i < 0) return x[0] - (periodic[a] ? d[n - 1] : d[0]);
      if (i > n) return x[n] + (periodic[a] ? d[0] : d[n - 1]);
      return x[i];
    };
    for (std::int64_t i = -1; i <= block.cells[a] + 1; ++i) nodes[a].push_back(node(block.first[a] + i));
    for (std::size_t i = 0; i + 1 < nodes[a].size(); ++i) centres[a].push_back(0.5 * (nodes[a][i] + nodes[a][i + 1]));
  }

  // Poles, resonant ones first; sets are numbered from one by material.
  std::vector<std::vector<physics::Pole>> sets{{}};
  std::vector<int> set_of_material;
  bool magnetic_media = false;
  for (const auto& m : setup.materials) {
    magnetic_media = magnetic_media || m.permeability != setup.materials[0].permeability ||
                     m.magnetic_loss != setup.materials[0].magnetic_loss;
    set_of_material.push_back(m.poles.empty() ? 0 : static_cast<int>(sets.size()));
    if (m.poles.empty()) continue;
    sets.push_back(m.poles);
    std::stable_partition(sets.back().begin(), sets.back().end(), is_resonant);
    pole_count = std::max(pole_count, static_cast<int>(m.poles.size()));
    resonant_count =
        std::max(resonant_count, static_cast<int>(std::count_if(m.poles.begin(), m.poles.end(), is_resonant)));
  }
  for (const auto& set : sets)
    for (int p = 0; p < pole_count; ++p)
      poles.push_back(p < static_cast<int>(set.size()) ? coefficients<Real>(set[p], dt)
                                                       : PoleCoefficients<Real>{0, 0, 0});

  ClassTable electric_classes, magnetic_classes;
  const auto electric_class = [&](const grid::LocalMedium& m) {
    const grid::Material& material = setup.materials[m.material];
    if (m.second >= 0) return electric_classes.of(ClassTable::series, 0);
    if (material.perfect_conductor) return electric_classes.of(0, 0);
    return electric_classes.of(m.permittivity, m.conductivity / vacuum_permittivity + debye_loss(material),
                               set_of_material[m.material]);
  };
  const auto magnetic_class = [&](int material) {
    const grid::Material& m = setup.materials[setup.materials[material].perfect_conductor ? 0 : material];
    return magnetic_classes.of(m.permeability, m.magnetic_loss / vacuum_permeability);
  };
  const auto filled_class = [&](int material) {
    const grid::Material& m = setup.materials[material];
    return electric_class({material, m.permittivity, m.conductivity});
  };
  (void)magnetic_class(0);

  std::map<std::tuple<bool, bool, bool, bool>, TileBatch> electric_batches, magnetic_batches;
  std::vector<std::pair<std::uint64_t, grid::LocalMedium>> pairs;  // place and media of the components in series
  std::array<std::vector<int>, 3> slots_below;                     // [layer of tiles + 1] layer_slots before it
  const auto add = [](auto& batches, bool layered, bool mixed, bool dispersive, bool halo, const Tile& tile) {
    auto& batch = batches[{halo, dispersive, mixed, layered}];
    batch.layered = layered, batch.mixed = mixed, batch.dispersive = dispersive, batch.next_to_halo = halo;
    batch.tiles.push_back(tile);
  };
  for (int tk = 0; tk < layout.tiles[2]; ++tk) {
    for (int a = 0; a < 3; ++a) slots_below[a].push_back(layer_slots[a]);
    for (int tj = 0; tj < layout.tiles[1]; ++tj)
      for (int ti = 0; ti < layout.tiles[0]; ++ti) {
        Tile tile{{ti * tile_cells(0), tj * tile_cells(1), tk * tile_cells(2)},
                  {-1, -1, -1},
                  {0, 0, 0},
                  {tile_cells(0), 0},
                  -1,
                  0,
                  -1};
        bool layered = false;
        Vec3 low, high;
        int end[3];
        for (int a = 0; a < 3; ++a) {
          end[a] = std::min(tile.first[a] + tile_cells(a), layout.cells[a]);
          bool here = false;
          for (int i = tile.first[a]; i < end[a]; ++i) {
            if (electric.axis[a].drive[i] == 0 && magnetic.axis[a].drive[i] == 0) continue;
            here = true;
            if (a > 0) continue;
            tile.layer_lanes[0] = std::min(tile.layer_lanes[0], i - tile.first[0]);
            tile.layer_lanes[1] = i - tile.first[0] + 1;
          }
          if (here) tile.layer[a] = layer_slots[a]++;
          layered = layered || here;
          low[a] = a < axes ? centres[a][tile.first[a]] : grid.origin[a];
          high[a] = a < axes ? nodes[a][end[a] + 1] : -grid.origin[a];
        }
        const int filling = media.filling(0.5 * (low + high), high - low);
        Tile electric_tile = tile, magnetic_tile = tile;
        bool dispersive = false;
        if (filling >= 0) {
          electric_tile.medium_class = filled_class(filling);
          magnetic_tile.medium_class = magnetic_class(filling);
          dispersive = set_of_material[filling] > 0;
        } else {
          electric_tile.classes = static_cast<int>(electric.class_of.size() / (3 * cells_of_tile));
          electric.class_of.resize(electric.class_of.size() + 3 * cells_of_tile, 0);
          std::uint16_t* const classes =
              electric.class_of.data() + std::size_t(electric_tile.classes) * 3 * cells_of_tile;
          std::uint16_t* magnetic_at = nullptr;
          if (magnetic_media) {
            magnetic_tile.classes = static_cast<int>(magnetic.class_of.size() / (3 * cells_of_tile));
            magnetic.class_of.resize(magnetic.class_of.size() + 3 * cells_of_tile, 0);
            magnetic_at = magnetic.class_of.data() + std::size_t(magnetic_tile.classes) * 3 * cells_of_tile;
          }
          for (int c = 0; c < 3; ++c)
            for (int k = tile.first[2]; k < end[2]; ++k)
              for (int j = tile.first[1]; j < end[1]; ++j)
                for (int i = tile.first[0]; i < end[0]; ++i) {
                  const std::size_t cell = std::size_t(c) * cells_of_tile +
                                           ((k - tile.first[2]) * tile_cells(1) + j - tile.first[1]) * tile_cells(0) +
                                           i - tile.first[0];
                  Vec3 from, to;
                  const int at[3] = {i, j, k};
                  for (int a = 0; a < 3; ++a) {
                    if (a >= axes) {  // the grid's thickness, around 0
                      from[a] = grid.origin[a], to[a] = -grid.origin[a];
                      continue;
                    }
                    from[a] = a == c ? nodes[a][at[a] + 1] : centres[a][at[a]];
                    to[a] = a == c ? nodes[a][at[a] + 2] : centres[a][at[a] + 1];
                  }
                  const grid::LocalMedium m =
                      media.electric(position(true, c, i, j, k), 0.5 * (from + to), to - from, c);
                  dispersive = dispersive || (m.second < 0 && set_of_material[m.material] > 0);
                  if (m.second >= 0)
                    pairs.push_back({static_cast<std::uint64_t>(c * layout.reals + layout.index(i, j, k)), m});
                  classes[cell] = static_cast<std::uint16_t>(electric_class(m));
                  if (magnetic_at != nullptr)
                    magnetic_at[cell] =
                        static_cast<std::uint16_t>(magnetic_class(media.material_at(position(false, c, i, j, k))));
                }
        }
        if (dispersive) electric_tile.poles = pole_slots++;
        const std::array<int, 3> corner{tile.first[0], tile.first[1], tile.first[2]};
        add(electric_batches, layered, electric_tile.classes >= 0, dispersive, next_to_halo(true, corner),
            electric_tile);
        add(magnetic_batches, layered, magnetic_tile.classes >= 0, false, next_to_halo(false, corner), magnetic_tile);
      }
  }
  // Slots become planes: those of all tiles of a plane of the block lie together.
  for (auto* batches : {&electric_batches, &magnetic_batches})
    for (auto& [kind, batch] : *batches)
      for (Tile& tile : batch.tiles)
        for (int a = 0; a < 3; ++a) {
          if (tile.layer[a] < 0) continue;
          const auto layer = static_cast<std::size_t>(tile.first[2] / tile_cells(2));
          const int below = slots_below[a][layer],
                    above = layer + 1 < slots_below[a].size() ? slots_below[a][layer + 1] : layer_slots[a];
          tile.layer[a] += below * (tile_cells(2) - 1);
          tile.layer_stride[a] = above - below;
        }
  for (const auto& [index, medium] : pairs) series.index.push_back(index);
  for (const bool second : {false, true})
    for (const auto& [index, medium] : pairs) {
      const int number = second ? medium.second : medium.material;
      const grid::Material& m = setup.materials[number];
      series.medium.push_back(
          medium_class<Real>(m.permittivity, m.conductivity / vacuum_permittivity + debye_loss(m), dt));
      series.share.push_back(static_cast<Real>(second ? medium.share_of_second : 1 - medium.share_of_second));
      series.pole_set.push_back(set_of_material[number]);
    }
  if (electric_classes.list.size() > 65536)
    throw Error("the shapes make more than 65536 different mixtures of materials; set grid.subpixel = off");
  for (auto& [key, batch] : electric_batches) electric.batches.push_back(std::move(batch));
  for (auto& [key, batch] : magnetic_batches) magnetic.batches.push_back(std::move(batch));
  for (const auto& c : electric_classes.list) {
    electric.classes.push_back(medium_class<Real>(c.relative, c.loss, dt));
    poles_of_class.push_back(c.pole_set);
    if (c.relative == ClassTable::series) series_class = static_cast<int>(poles_of_class.size()) - 1;
  }
  for (const auto& c : magnetic_classes.list) magnetic.classes.push_back(medium_class<Real>(c.relative, c.loss, dt));
}

template struct Discretisation<float>;
template struct Discretisation<double>;

}  // namespace dgtd::fdtd
