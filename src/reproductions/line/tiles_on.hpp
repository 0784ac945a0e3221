#pragma once
// A cut line in tiles on thread blocks (kernels/line_tile.hpp): tables, records and sweeps. The Backend has the memory
// and launches:
//   memory()                              of the arrays
//   most_tiles()                          that run at once
//   zero(address, bytes)
//   launch<Real, cells>(view, reals, upward)   all tiles of a sweep, cells per thread, reals of shared memory; returns
//   when done
#include <algorithm>
#include <cassert>

#include "dgtd/base/timer.hpp"
#include "dgtd/reproductions/kernels/line_tile.hpp"
#include "dgtd/reproductions/line/solve.hpp"
#include "dgtd/parallel/memory.hpp"
#include "plan_tiles.hpp"

namespace dgtd::reproductions {

/// An array of the backend's memory.
template <class T>
class LineArray {
 public:
  LineArray(parallel::Memory& memory, std::size_t size) : memory_(&memory), size_(size) {
    data_ = size > 0 ? static_cast<T*>(memory.allocate(size * sizeof(T))) : nullptr;
  }
  LineArray(parallel::Memory& memory, const std::vector<T>& from) : LineArray(memory, from.size()) { upload(from); }
  ~LineArray() {
    if (data_ != nullptr) memory_->release(data_);
  }
  LineArray(LineArray&& other) noexcept : memory_(other.memory_), data_(other.data_), size_(other.size_) {
    other.data_ = nullptr;
  }
  LineArray& operator=(LineArray&& other) noexcept {
    std::swap(memory_, other.memory_), std::swap(data_, other.data_), std::swap(size_, other.size_);
    return *this;
  }
  void upload(const std::vector<T>& from) {
    assert(from.size() <= size_);
    if (!from.empty()) memory_->upload(data_, from.data(), from.size() * sizeof(T));
  }
  std::vector<T> download() const {
    std::vector<T> to(size_);
    if (size_ > 0) memory_->download(to.data(), data_, size_ * sizeof(T));
    return to;
  }
  T* data() const { return data_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  parallel::Memory* memory_;
  T* data_ = nullptr;
  std::size_t size_;
};

template <class Real, class Backend>
class LineOnTiles {
 public:
  LineOnTiles(const LineProblem<Real>& problem, Backend& backend)
      : p_(problem),
        backend_(backend),
        ranges_(plan_tiles(problem.subdomains, problem.chunk, backend.most_tiles())),
        coefficients_(backend.memory(), all_coefficients()),
        series_(backend.memory(), all_series()),
        probes_(backend.memory(), problem.probes.size() * record_reals()),
        fields_(backend.memory(), 2 * line_cells()),
        tiles_(backend.memory(), ranges_.size()),
        streams_(backend.memory(), ranges_.size() * (4 + most_drives())),
        outputs_(backend.memory(), ranges_.size() * 2 + problem.probes.size()),
        edges_(backend.memory(), ranges_.size() * 16 * static_cast<std::size_t>(problem.chunk + 1)),
        starts_(backend.memory(),
                ranges_.size() * 2 * static_cast<std::size_t>(line_threads * most_cells_a_thread<Real>)),
        progress_(backend.memory(), ranges_.size()),
        marched_(backend.memory(), ranges_.size()) {
    const std::size_t interfaces = problem.subdomains.size() - 1;
    for (auto* records : {&up_, &down_})
      for (int i = 0; i < 2; ++i) records->emplace_back(backend.memory(), interfaces * record_reals());
  }

  LineResult<Real> solve() {
    LineResult<Real> result;
    const Timer timer;
    for (const Sweep& sweep : sweeps_of(static_cast<int>(p_.subdomains.size()), p_.reflections)) {
      run(sweep, result);
      // Waves against the sweep were written beside those that were read.
      if (p_.subdomains.size() > 1) std::swap(sweep.upward ? down_[0] : up_[0], sweep.upward ? down_[1] : up_[1]);
      result.solutions += sweep.count;
    }
    result.solve_s = timer.seconds();
    const auto probes = probes_.download(), fields = fields_.download();
    for (std::size_t t = 0; t < p_.probes.size(); ++t) {
      const auto at = probes.begin() + static_cast<std::ptrdiff_t>(t * record_reals());
      result.probes.push_back({{at, at + p_.steps + 1}, {at + p_.steps + 1, at + 2 * p_.steps + 1}});
    }
    result.electric.assign(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(line_cells()));
    result.magnetic.assign(fields.begin() + static_cast<std::ptrdiff_t>(line_cells()), fields.end());
    return result;
  }

 private:
  std::size_t record_reals() const { return static_cast<std::size_t>(2 * p_.steps + 1); }
  std::size_t line_cells() const {
    return static_cast<std::size_t>(p_.subdomains.back().offset + p_.subdomains.back().end);
  }
  // [subdomain][8][cells]
  std::vector<Real> all_coefficients() {
    std::vector<Real> all;
    for (const auto& subdomain : p_.subdomains) {
      first_coefficient_.push_back(all.size());
      for (const auto* u : {&subdomain.line.electric, &subdomain.line.magnetic})
        for (const auto field :
             {&LineUpdates<Real>::Ca, &LineUpdates<Real>::Cb, &LineUpdates<Real>::b, &LineUpdates<Real>::c})
          all.insert(all.end(), (u->*field).begin(), (u->*field).end());
    }
    return all;
  }
  // [drive of all subdomains][steps]
  std::vector<Real> all_series() {
    std::vector<Real> all;
    for (const auto& subdomain : p_.subdomains) {
      first_series_.push_back(all.size());
      for (const auto& drive : subdomain.drives) all.insert(all.end(), drive.series.begin(), drive.series.end());
    }
    return all;
  }
  std::size_t most_drives() const {
    std::size_t most = 0;
    for (const auto& subdomain : p_.subdomains) most = std::max(most, subdomain.drives.size());
    return most;
  }
  // A record's E and H; interface i lies above subdomain i.
  Real* electric(const LineArray<Real>& records, std::size_t i) const { return records.data() + i * record_reals(); }
  Real* magnetic(const LineArray<Real>& records, std::size_t i) const { return electric(records, i) + p_.steps + 1; }

  struct Tables {
    std::vector<LineTile<Real>> tiles;
    std::vector<LineStream<Real>> streams;
    std::vector<LineOutput<Real>> outputs;
    int most_streams = 0, most_outputs = 0, longest = 0;
  };

  // A tile of a sweep: its range, its number, and the cell of its subdomain that is its cell 0.
  struct Place {
    const TileRange& range;
    const Subdomain<Real>& subdomain;
    int number, origin;
    LineTile<Real> tile{};

    bool inside(int cell) const { return cell >= origin && cell < origin + tile.cells; }
    bool owns(int cell) const { return cell >= range.first && cell < range.end; }
  };

  // Tiles of the sweep's subdomains.
  Tables tables(const Sweep& sweep) const {
    Tables t;
    std::vector<TileRange> ranges;
    for (const TileRange& r : ranges_)
      if (r.subdomain >= sweep.first && r.subdomain < sweep.first + sweep.count) ranges.push_back(r);
    for (std::size_t n = 0; n < ranges.size(); ++n) {
      Place place = placed(ranges[n], static_cast<int>(n));
      LineTile<Real>& tile = place.tile;
      tile.first_stream = static_cast<int>(t.streams.size()), tile.first_output = static_cast<int>(t.outputs.size());
      for (const int side : {0, 1}) add_interface(sweep, ranges, side, place, t);
      add_drives(place, t);
      add_probes(place, t);
      tile.streams = static_cast<int>(t.streams.size()) - tile.first_stream,
      tile.outputs = static_cast<int>(t.outputs.size()) - tile.first_output;
      t.most_streams = std::max(t.most_streams, tile.streams), t.most_outputs = std::max(t.most_outputs, tile.outputs),
      t.longest = std::max(t.longest, tile.cells);
      last_fields(place.subdomain, place.range, tile);
      t.tiles.push_back(tile);
    }
    return t;
  }
  Place placed(const TileRange& r, int number) const {
    const Subdomain<Real>& subdomain = p_.subdomains[r.subdomain];
    const int cells = subdomain.line.cells(), halo = p_.chunk + 1;
    LineTile<Real> tile{};
    tile.halo_below = r.first > 0 ? halo : 0, tile.halo_above = r.end < cells ? halo : 0;
    const int origin = r.first - tile.halo_below;
    tile.begin = tile.halo_below, tile.end = r.end - origin, tile.cells = tile.end + tile.halo_above;
    tile.below = r.first > 0 ? number - 1 : -1, tile.above = r.end < cells ? number + 1 : -1;
    tile.waits_for[0] = tile.waits_for[1] = -1;
    for (int k = 0; k < 8; ++k)
      tile.coefficients[k] =
          coefficients_.data() + first_coefficient_[r.subdomain] + static_cast<std::size_t>(k * cells + origin);
    return {r, subdomain, number, origin, tile};
  }
  static void add_stream(const Place& place, bool of_electric, int cell, Real weight, Real scale, const Real* series,
                         Tables& t) {
    if (place.inside(cell)) t.streams.push_back({of_electric ? 1 : 0, cell - place.origin, weight, scale, series});
  }
  // The interface below (side 0) or above (1) the subdomain. The records of waves that go with the sweep are read and
  // written in place, by the tiles that wait for each other; the others are read from the sweep before and written
  // anew.
  void add_interface(const Sweep& sweep, const std::vector<TileRange>& ranges, int side, Place& place,
                     Tables& t) const {
    const Subdomain<Real>& subdomain = place.subdomain;
    if (!(side == 0 ? subdomain.has_lower : subdomain.has_upper)) return;
    const bool with_sweep = sweep.upward == (side == 0);  // what enters here
    const LineArray<Real>& in = side == 0 ? up_[0] : down_[0];
    const LineArray<Real>& out = side == 0 ? down_[sweep.upward ? 1 : 0] : up_[sweep.upward ? 0 : 1];
    const auto interface = static_cast<std::size_t>(place.range.subdomain - 1 + side);
    const int edge = side == 0 ? subdomain.begin : subdomain.end;
    const Real sign = side == 0 ? -1 : 1;
    add_stream(place, false, edge - 1, sign * subdomain.line.magnetic.Cb[edge - 1], 1, electric(in, interface), t);
    add_stream(place, true, edge, sign * subdomain.line.electric.Cb[edge], 1, magnetic(in, interface), t);
    const int from = place.range.subdomain + (side == 0 ? -1 : 1);
    if (with_sweep && (place.inside(edge) || place.inside(edge - 1)) && from >= sweep.first &&
        from < sweep.first + sweep.count)
      place.tile.waits_for[side] =
          holder(ranges, from, side == 0 ? p_.subdomains[from].end : p_.subdomains[from].begin);
    if (place.owns(edge))
      t.outputs.push_back({edge - place.origin, edge - 1 - place.origin, electric(out, interface),
                           magnetic(out, interface), side == 0 ? electric(in, interface) : nullptr,
                           side == 0 ? nullptr : magnetic(in, interface)});
  }
  // The tile that owns a cell of a subdomain; -1: none.
  static int holder(const std::vector<TileRange>& ranges, int subdomain, int cell) {
    for (std::size_t n = 0; n < ranges.size(); ++n)
      if (ranges[n].subdomain == subdomain && cell >= ranges[n].first && cell < ranges[n].end)
        return static_cast<int>(n);
    return -1;
  }
  void add_drives(const Place& place, Tables& t) const {
    for (std::size_t d = 0; d < place.subdomain.drives.size(); ++d) {
      const auto& drive = place.subdomain.drives[d];
      add_stream(place, drive.electric, drive.index, drive.weight, drive.weight,
                 series_.data() + first_series_[place.range.subdomain] + d * static_cast<std::size_t>(p_.steps), t);
    }
  }
  void add_probes(const Place& place, Tables& t) const {
    const Subdomain<Real>& subdomain = place.subdomain;
    for (std::size_t k = 0; k < p_.probes.size(); ++k) {
      const int cell = p_.probes[k] - subdomain.offset, at = cell - place.origin;
      if (cell < subdomain.begin || cell >= subdomain.end || !place.owns(cell)) continue;
      Real* const to = probes_.data() + k * record_reals();
      t.outputs.push_back({at, at, to, to + p_.steps + 1, nullptr, nullptr});
    }
  }
  // A tile's cells may be those of an extension, which are not the subdomain's.
  void last_fields(const Subdomain<Real>& subdomain, const TileRange& r, LineTile<Real>& tile) const {
    const int first = std::max(r.first, subdomain.begin), end = std::max(first, std::min(r.end, subdomain.end));
    const std::ptrdiff_t to = subdomain.offset + first;
    tile.last_electric = fields_.data() + to;
    tile.last_magnetic = fields_.data() + static_cast<std::ptrdiff_t>(line_cells()) + to;
    tile.last_begin = tile.begin + (first - r.first), tile.last_end = tile.last_begin + (end - first);
  }

  void run(const Sweep& sweep, LineResult<Real>& result) {
    const Tables t = tables(sweep);
    check_tables(t.most_streams, t.most_outputs);
    const auto count = t.tiles.size();
    tiles_.upload(t.tiles), streams_.upload(t.streams), outputs_.upload(t.outputs);
    for (const auto* array : {&edges_, &starts_}) backend_.zero(array->data(), array->bytes());
    backend_.zero(progress_.data(), progress_.bytes());
    const LineTilesView<Real> view{tiles_.data(),
                                   streams_.data(),
                                   outputs_.data(),
                                   edges_.data(),
                                   starts_.data(),
                                   progress_.data(),
                                   marched_.data(),
                                   static_cast<int>(count),
                                   p_.chunk + 1,
                                   p_.chunk,
                                   p_.steps,
                                   p_.window,
                                   static_cast<Real>(p_.tolerance)};
    const std::size_t reals = line_shared_reals(line_threads, t.most_streams, t.most_outputs, p_.chunk);
    // Cells a thread, as few as the longest tile needs.
    const auto launch = [&]<int cells>(std::integral_constant<int, cells>) {
      if (cells * line_threads < t.longest) return false;
      backend_.template launch<Real, cells>(view, reals, sweep.upward);
      return true;
    };
    using std::integral_constant;
    [[maybe_unused]] const bool done = launch(integral_constant<int, 1>{}) || launch(integral_constant<int, 2>{}) ||
                                       launch(integral_constant<int, 4>{}) || launch(integral_constant<int, 5>{}) ||
                                       launch(integral_constant<int, 8>{}) ||
                                       launch(integral_constant<int, most_cells_a_thread<Real>>{});
    assert(done);
    const auto steps = marched_.download();
    for (std::size_t n = 0; n < count; ++n) result.cell_steps += steps[n] * (t.tiles[n].end - t.tiles[n].begin);
  }

  const LineProblem<Real>& p_;
  Backend& backend_;
  std::vector<std::size_t> first_coefficient_, first_series_;  // [subdomain]
  std::vector<TileRange> ranges_;
  LineArray<Real> coefficients_, series_, probes_, fields_;  // fields_: [E, H][cells of the line]
  LineArray<LineTile<Real>> tiles_;                          // what a sweep's view has
  LineArray<LineStream<Real>> streams_;
  LineArray<LineOutput<Real>> outputs_;
  LineArray<Real> edges_, starts_;
  LineArray<int> progress_;
  LineArray<std::int64_t> marched_;
  std::vector<LineArray<Real>> up_, down_;  // [read, written beside][interface][2 steps + 1]
};

}  // namespace dgtd::reproductions
