#pragma once
// Arrays of a pass over a volume grid besides the fields, in the memory of its kernels, and their view of them.
#include "dgtd/fdtd/kernels/volume_view.hpp"
#include "fdtd/steps/passes/volume_pass.hpp"
#include "fdtd/steps/passes/volume_pass_ports.hpp"
#include "fdtd/steps/passes/volume_pass_sources.hpp"
#include "fdtd/steps/passes/volume_tables.hpp"

namespace dgtd::fdtd {

/// Cb[i]: of the class class_of[i], as a tile computes with it.
template <class Stored>
struct CbOfClass {
  const std::uint16_t* class_of;
  const MediumClass<float>* classes;
  float per_length;  // VolumeView
  Stored* Cb;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { Cb[i] = Stored(classes[class_of[i]].Cb * per_length); }
};

struct MultiplyNumbers {
  std::uint16_t* numbers;
  unsigned factor;
  DGTD_HOST_DEVICE void operator()(std::int64_t i) const { numbers[i] = std::uint16_t(numbers[i] * factor); }
};

template <class Stored>
class VolumePassArrays {
 public:
  /// d, memory and what the terms' views are of outlive it. terms: those of the tables; length: HalfStepView.
  /// for_each(n, f): f(i) for 0 <= i < n by the memory's processor, done when it returns.
  template <class ForEach>
  VolumePassArrays(const Discretisation<float>& d, const VolumeTables& t, const PassTerms& terms,
                   const PassFields<Stored>& fields, int steps, float length, parallel::Memory& memory,
                   const ForEach& for_each)
      : d_(d), storage_(memory), steps_(steps), length_(length) {
    for (int f = 0; f < 2; ++f) {
      other_[f] = storage_.zeros<Stored>(fields.field[f]->size());
      Cb_[f] = t.Cb[f];
      for (int a = 0; a < 3; ++a) {
        other_psi_[f][a] = storage_.zeros<float>(fields.psi[f][a]->size());
        const AxisArrays<float>& axis = a == 2 ? t.along_z[f] : (f == 0 ? d.electric : d.magnetic).axis[a];
        const DampingArrays<float>& damping = a == 2 ? t.damping_along_z : d.damping[a];
        coefficient_[f][a] = storage_.copy(t.coefficient[f][a]);
        b_[f][a] = storage_.copy(axis.b);
        c_[f][a] = storage_.copy(axis.c);
        if (f == 0) inverse_[a] = storage_.copy(axis.inverse_distance);
        if (t.damped) damping_[a][f] = storage_.copy(f == 0 ? damping.nodes : damping.centres);
      }
    }
    for (int a = 0; a < 3; ++a) {
      slot_of_tile_[a] = storage_.copy(t.slot_of_tile[a]);
      slot_of_plane_[a] = storage_.copy(t.slot_of_plane[a]);
      slots_of_plane_[a] = a < 2 ? t.slots_of_plane[a] : 0;
    }
    classes_ = storage_.copy(t.classes);
    class_stride_ = t.has_few_classes() ? 1 : bytes_of_class;
    for (int c = 0; c < 3 && t.gathers_classes; ++c) {
      class_of_[c] = storage_.copy(t.class_of[c]);
      if (t.has_few_classes())
        for_each(static_cast<std::int64_t>(class_of_[c].size()), MultiplyNumbers{class_of_[c].write(), bytes_of_class});
    }
    load_Cb(t, memory, for_each);
    load_sources(t, terms.lists, terms.views);
    load_ports(t, terms.ports);
    step_ = storage_.zeros<std::int64_t>(2);
    units_ = storage_.copy(std::vector<double>{1, 1});
  }

  parallel::Storage& storage() { return storage_; }
  const parallel::Storage& storage() const { return storage_; }
  /// The arrays that the next pass writes.
  const parallel::Array<Stored>& other(int f) const { return other_[f]; }
  /// The first step of a pass and its number among those that ports record, [2], and the units of E and H in V/m, [2],
  /// which the functions below read.
  std::int64_t* step() { return step_.write(); }
  double* units() { return units_.write(); }

  /// Additions of sources in a pass, before its tiles; and their work, after them: functions of i, 0 <= i < number.
  SourceValues values() {
    return {entries(), entry_at_.read(), places(), step_.read(), d_.time_step, units_.read(), values_.write()};
  }
  std::int64_t number_of_values() const { return places() * steps_; }
  SourceWork work() {
    return {entries(), stored_at_.read(), places(), step_.read(), steps_, d_.time_step, units_.read(), after_.read()};
  }
  std::int64_t number_of_entries() const { return static_cast<std::int64_t>(list_of_.size()); }

  /// States of ports and their sources' voltages, before the tiles of a pass; and what it makes of them, after these:
  /// functions of i, 0 <= i < number.
  PortsBeforePass ports_before() {
    return {edges_in_ports(), edge_at_.read(), port_places(),        step_.read(),
            steps_,           d_.time_step,    port_states_.write(), port_values_.write()};
  }
  std::int64_t number_of_port_places() const { return port_places(); }
  PortsAfterPass ports_after() {
    return {edges_in_ports(), edge_stored_at_.read(), port_places(),       step_.read() + 1,
            steps_,           port_states_.read(),    port_records_.read()};
  }
  std::int64_t number_of_edges() const { return static_cast<std::int64_t>(port_of_.size()); }

  /// Without tasks.
  VolumeView view(const PassFields<Stored>& fields) {
    VolumeView v{};
    const GridLayout& l = d_.layout;
    for (int a = 0; a < 3; ++a) {
      v.cells[a] = a == 2 ? l.below + l.cells[a] + l.above : l.cells[a];
      v.inverse[a] = inverse_[a].read();
      for (int place = 0; place < 2; ++place) v.damping[a][place] = damping_[a][place].read();
      v.layer[a].slot_of_tile = slot_of_tile_[a].read();
      v.layer[a].slot_of_plane = slot_of_plane_[a].read();
      v.layer[a].slots_of_plane = slots_of_plane_[a];
      for (int f = 0; f < 2; ++f) {
        v.coefficient[f][a] = coefficient_[f][a].read();
        v.layer[a].b[f] = b_[f][a].read();
        v.layer[a].c[f] = c_[f][a].read();
        v.layer[a].old_psi[f] = fields.psi[f][a]->read();
        v.layer[a].new_psi[f] = other_psi_[f][a].write();
      }
    }
    for (int f = 0; f < 2; ++f) {
      v.new_field[f] = other_[f].write();
      v.Cb[f] = Cb_[f];
      (void)fields.field[f]->read();  // what the host wrote
    }
    v.length = length_, v.per_length = 1 / length_;
    v.row = l.row, v.plane = l.plane, v.reals = l.reals, v.origin = l.index(0, 0, -l.below);
    v.tiles_x = l.tiles[0];
    for (int c = 0; c < 3; ++c) v.class_of[c] = class_of_[c].read(), v.Cb_of[c] = Cb_of_[c].read();
    for (int end = 0; end < 2; ++end) v.Cb_planes[end] = Cb_planes_[static_cast<std::size_t>(end)];
    v.Cb_origin = v.origin - (Cb_planes_[0] + 1) * l.plane;
    v.classes = classes_.read();
    v.class_count = static_cast<int>(classes_.size());
    v.class_stride = class_stride_;
    v.sources = {source_begin_.read(), source_terms_.read(), values_.read(), after_.write(), places()};
    v.ports = {port_edges_.read(),    port_values_.read(), port_states_.write(),
               port_records_.write(), port_places(),       d_.time_step};
    return v;
  }
  /// After a pass: the fields are what it wrote.
  void exchange(const PassFields<Stored>& fields) {
    for (int f = 0; f < 2; ++f) {
      std::swap(*fields.field[f], other_[f]);
      for (int a = 0; a < 3; ++a) std::swap(*fields.psi[f][a], other_psi_[f][a]);
    }
  }

 private:
  // Places of few classes in bytes fit into the numbers' 16 bits, so that tiles with the table have nothing to
  // multiply.
  static constexpr unsigned bytes_of_class = sizeof(MediumClass<float>);
  static_assert(bytes_of_class * most_few_classes < 1 << 16);

  template <class T>
  using Array = parallel::Array<T>;

  PassEntries entries() { return {views_.read(), list_of_.read(), number_in_list_.read()}; }
  PassEdges edges_in_ports() { return {port_views_.read(), port_of_.read(), number_in_port_.read()}; }
  std::int64_t port_places() const { return static_cast<std::int64_t>(edge_at_.size()); }
  std::int64_t places() const { return static_cast<std::int64_t>(entry_at_.size()); }

  // In the planes whose tiles have them: no more than 12 bytes per cell, and less time than from the host.
  template <class ForEach>
  void load_Cb(const VolumeTables& t, parallel::Memory& memory, const ForEach& for_each) {
    const auto first = t.Cb_planes[0], planes = t.Cb_planes[1] - first;
    Cb_planes_ = t.Cb_planes;
    const std::size_t count = static_cast<std::size_t>(planes) * static_cast<std::size_t>(d_.layout.plane);
    Array<std::uint16_t> class_of(count, memory);
    for (int c = 0; c < 3 && planes > 0; ++c) {
      memory.upload(class_of.write(), t.class_of[c].data() + (first + 1) * d_.layout.plane,
                    count * sizeof(std::uint16_t));
      Cb_of_[c] = storage_.template zeros<Stored>(count);
      for_each(static_cast<std::int64_t>(count),
               CbOfClass<Stored>{class_of.read(), classes_.read(), 1 / length_, Cb_of_[c].write()});
    }
  }

  void load_sources(const VolumeTables& t, const std::vector<SourceList>& lists, std::vector<SourceView<float>> views) {
    std::vector<int> list_of, number;
    for (std::size_t l = 0; l < lists.size(); ++l) {
      const SourceList& list = lists[l];
      if (l >= views.size()) {
        entries_of_others_.push_back(storage_.copy(list.entries));
        views.push_back(
            {entries_of_others_.back().read(), list.shape, list.half == HalfStep::electric, nullptr, nullptr});
      }
      list_of.insert(list_of.end(), list.entries.size(), static_cast<int>(l));
      for (std::size_t n = 0; n < list.entries.size(); ++n) number.push_back(static_cast<int>(n));
    }
    views_ = storage_.copy(views);
    list_of_ = storage_.copy(list_of);
    number_in_list_ = storage_.copy(number);
    entry_at_ = storage_.copy(t.sources.entry_at);
    stored_at_ = storage_.copy(t.sources.stored_at);
    values_ = storage_.template zeros<double>(entry_at_.size() * static_cast<std::size_t>(steps_));
    after_ = storage_.template zeros<float>(entry_at_.size() * static_cast<std::size_t>(steps_));
    source_begin_ = storage_.copy(t.source_begin);
    source_terms_ = storage_.copy(t.source_terms);
  }

  void load_ports(const VolumeTables& t, const std::vector<PassPort>& ports) {
    std::vector<PortView<float>> views;
    std::vector<int> port_of, number;  // [edge]
    std::vector<PortEdge> edges, at_places;
    for (std::size_t p = 0; p < ports.size(); ++p) {
      views.push_back(ports[p].view);
      port_of.insert(port_of.end(), ports[p].edges.size(), static_cast<int>(p));
      for (std::size_t n = 0; n < ports[p].edges.size(); ++n) number.push_back(static_cast<int>(n));
      edges.insert(edges.end(), ports[p].edges.begin(), ports[p].edges.end());
    }
    for (const int edge : t.ports.entry_at) at_places.push_back(edges[static_cast<std::size_t>(edge)]);
    const std::size_t places = at_places.size(), steps = static_cast<std::size_t>(steps_);
    port_views_ = storage_.copy(views);
    port_of_ = storage_.copy(port_of);
    number_in_port_ = storage_.copy(number);
    edge_at_ = storage_.copy(t.ports.entry_at);
    edge_stored_at_ = storage_.copy(t.ports.stored_at);
    port_edges_ = storage_.copy(at_places);
    port_states_ = storage_.template zeros<PortState<float>>(places);
    port_values_ = storage_.template zeros<double>(places * steps);
    port_records_ = storage_.template zeros<double>(places * steps * 3);
  }

  const Discretisation<float>& d_;
  parallel::Storage storage_;
  int steps_;
  float length_;  // HalfStepView
  float Cb_[2];
  Array<Stored> other_[2];
  Array<float> other_psi_[2][3];
  Array<float> coefficient_[2][3], b_[2][3], c_[2][3], inverse_[3];
  Array<float> damping_[3][2];  // of an axis, at nodes and at centres; empty where there is no adiabatic absorber
  Array<int> slot_of_tile_[3], slot_of_plane_[3];
  int slots_of_plane_[3] = {0, 0, 0};
  Array<std::uint16_t> class_of_[3];  // empty where tiles read none
  Array<Stored> Cb_of_[3];            // likewise: VolumeView
  std::array<int, 2> Cb_planes_;
  unsigned class_stride_;  // VolumeView
  Array<MediumClass<float>> classes_;
  std::vector<Array<SourceEntry>> entries_of_others_;  // of lists without views
  Array<SourceView<float>> views_;                     // of all lists
  Array<int> list_of_, number_in_list_;                // PassEntries
  Array<int> entry_at_, stored_at_;                    // VolumeTables
  Array<double> values_;                               // [step][places] VolumeSources
  Array<float> after_;                                 // likewise
  Array<int> source_begin_;
  Array<VolumeSourceTerm> source_terms_;
  Array<PortView<float>> port_views_;
  Array<int> port_of_, number_in_port_;       // PassEdges
  Array<int> edge_at_, edge_stored_at_;       // VolumeTables
  Array<PortEdge> port_edges_;                // VolumePorts
  Array<PortState<float>> port_states_;       // likewise
  Array<double> port_values_, port_records_;  // likewise
  Array<std::int64_t> step_;
  Array<double> units_;
};

}  // namespace dgtd::fdtd
