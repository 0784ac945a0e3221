#include "dgtd/observers/flux_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>
#include <optional>
#include <tuple>

#include "dgtd/base/error.hpp"
#include "dgtd/base/numpy_file.hpp"
#include "dgtd/parallel/root_or_throw.hpp"
#include "dgtd/parallel/together.hpp"
#include "dgtd/solver/surface_integrals.hpp"

namespace dgtd::observers {

namespace {

using FileValue = std::complex<float>;

struct PairPlace {
  double x, y, z, electric_axis, magnetic_axis;  // as in the file
  auto key() const { return std::tuple(electric_axis, magnetic_axis, z, y, x); }
};

std::vector<PairPlace> pair_places(const solver::SurfacePairs& pairs) {
  std::vector<PairPlace> places;
  for (std::size_t i = 0; i < pairs.area.size(); ++i)
    places.push_back({pairs.position[i].x, pairs.position[i].y, pairs.position[i].z, double(pairs.electric_axis[i]),
                      double(pairs.magnetic_axis[i])});
  return places;
}

// The numbers of places in the order of the files.
std::vector<std::size_t> order_in_file(const std::vector<PairPlace>& places) {
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return places[a].key() < places[b].key(); });
  return order;
}

std::string points_file(const std::string& name) { return fmt::format("flux_{}_points.npy", name); }
std::string fields_file(const std::string& name) { return fmt::format("flux_{}_fields.npy", name); }

std::string fields_header(std::size_t frequencies, std::size_t points) {
  return numpy_header<FileValue>(std::array{frequencies, std::size_t{2}, points});
}

// A file that is whole or not there.
class NewFile {
 public:
  explicit NewFile(std::filesystem::path file) : file_(std::move(file)), temporary_(file_) {
    temporary_ += ".tmp";
    stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  }
  template <class T>
  void write(const T* values, std::size_t count) {
    stream_.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(count * sizeof(T)));
    check();
  }
  void close() {
    stream_.close();
    check();
    std::filesystem::rename(temporary_, file_);
  }

 private:
  void check() const {
    if (!stream_) throw Error(ExitCode::other, fmt::format("{}: cannot write", file_.string()));
  }
  std::filesystem::path file_, temporary_;
  std::ofstream stream_;
};

}  // namespace

double flux_fields_bytes(double pairs, std::size_t frequencies) {
  constexpr double headers = 2 * 128;
  return headers + pairs * (double(sizeof(PairPlace)) + 2.0 * double(frequencies) * double(sizeof(FileValue)));
}

std::int64_t write_flux_fields(const solver::RegionSpectra& spectra, std::size_t surface, const std::string& name,
                               io::ResultFiles& files, const parallel::Communicator& comm) {
  const solver::RegionSamples& samples = spectra.samples(surface);
  const std::size_t frequencies = samples.frequencies.size(), mine = samples.pairs.area.size();
  const auto places = comm.gather_vectors(pair_places(samples.pairs));
  const auto order = order_in_file(places);
  std::optional<NewFile> fields;
  parallel::root_or_throw(comm, [&] {
    const auto all = files.add(
        {fields_file(name), {}, {}, {}, {{{"frequency", "Hz"}, {"E_H", ""}, {"point", ""}}, {{"E_Z0H_V_s_per_m", 1}}}});
    NewFile points(files.add({points_file(name), {}, {}, {}, {{{"point", ""}, {"place", ""}}, {{"xyz_m", 3}}}}));
    const std::string header = numpy_header<double>(std::array{places.size(), std::size_t{5}});
    points.write(header.data(), header.size());
    for (const std::size_t i : order) points.write(&places[i], 1);
    points.close();
    fields.emplace(all);
    const std::string start = fields_header(frequencies, places.size());
    fields->write(start.data(), start.size());
  });
  for (std::size_t f = 0; f < frequencies; ++f) {
    const solver::PairSums sums(spectra, surface, f);
    std::vector<FileValue> electric(mine), magnetic(mine);
    for (std::size_t i = 0; i < mine; ++i) {
      electric[i] = {float(sums.electric_real[i]), float(sums.electric_imag[i])};
      magnetic[i] = {float(sums.magnetic_real[i]), float(sums.magnetic_imag[i])};
    }
    for (const auto* field : {&electric, &magnetic}) {
      const auto all = comm.gather_vectors(*field);
      parallel::root_or_throw(comm, [&] {
        std::vector<FileValue> row;
        for (const std::size_t i : order) row.push_back(all[i]);
        fields->write(row.data(), row.size());
      });
    }
  }
  parallel::root_or_throw(comm, [&] { fields->close(); });
  return comm.is_root() ? std::int64_t(flux_fields_bytes(double(places.size()), frequencies)) : 0;
}

ReferenceFields::ReferenceFields(const std::filesystem::path& directory, const physics::Flux& flux,
                                 const solver::SurfacePairs& pairs, const parallel::Communicator& comm)
    : file_(directory / fields_file(flux.name)) {
  const std::int64_t points_here = comm.sum(static_cast<std::int64_t>(pairs.area.size()));
  parallel::together(comm, [&] {
    const auto points_path = directory / points_file(flux.name);
    for (const auto& file : {points_path, file_})
      if (!std::filesystem::is_regular_file(file))
        throw Error(
            fmt::format("output.reference: {}: is missing; the run without the object needs flux.{}.scattered "
                        "= on too",
                        file.string(), flux.name));
    const auto array = read_numpy<double>(points_path);
    const auto differ = [&] {
      return Error(
          fmt::format("output.reference: {}: its points are not those of flux.{} in this run; both runs need "
                      "the same grid, or the same mesh.file",
                      points_path.string(), flux.name));
    };
    points_ = static_cast<std::size_t>(points_here);
    if (array.shape != std::vector<std::size_t>{points_, 5}) throw differ();
    std::vector<PairPlace> places;
    for (std::size_t i = 0; i < points_; ++i) {
      const double* v = array.values.data() + 5 * i;
      places.push_back({v[0], v[1], v[2], v[3], v[4]});
    }
    // Both lists ascend, and each pair of this rank is in the file.
    const std::vector<PairPlace> own = pair_places(pairs);
    const auto before = [](const PairPlace& a, const PairPlace& b) { return a.key() < b.key(); };
    at_.resize(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      const auto found = std::lower_bound(places.begin(), places.end(), own[i], before);
      if (found == places.end() || found->key() != own[i].key()) throw differ();
      at_[i] = static_cast<std::size_t>(found - places.begin());
    }
    const std::string header = fields_header(flux.frequencies.size(), points_);
    std::ifstream stream(file_, std::ios::binary);
    std::string start(header.size(), '\0');
    stream.read(start.data(), static_cast<std::streamsize>(start.size()));
    data_ = header.size();
    const std::uint64_t bytes = data_ + 2 * flux.frequencies.size() * points_ * sizeof(FileValue);
    if (!stream || start != header || std::filesystem::file_size(file_) != bytes)
      throw Error(fmt::format("output.reference: {}: has not the {} frequencies and {} points of flux.{}",
                              file_.string(), flux.frequencies.size(), points_, flux.name));
  });
}

void ReferenceFields::subtract(const std::function<void(const Change&)>& use, const parallel::Communicator& comm) const {
  std::ifstream stream(file_, std::ios::binary);
  bool is_read = true;
  use([&](std::size_t f, solver::PairSums& sums) {
    std::vector<FileValue> values(2 * points_);
    stream.seekg(static_cast<std::streamoff>(data_ + f * values.size() * sizeof(FileValue)));
    stream.read(reinterpret_cast<char*>(values.data()),
                static_cast<std::streamsize>(values.size() * sizeof(FileValue)));
    is_read = is_read && bool(stream);
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const FileValue electric = values[at_[i]], magnetic = values[points_ + at_[i]];
      sums.electric_real[i] -= double(electric.real()), sums.electric_imag[i] -= double(electric.imag());
      sums.magnetic_real[i] -= double(magnetic.real()), sums.magnetic_imag[i] -= double(magnetic.imag());
    }
  });
  parallel::together(comm, [&] {
    if (!is_read) throw Error(fmt::format("output.reference: {}: cannot be read", file_.string()));
  });
}

}  // namespace dgtd::observers
