#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "dgtd/base/error.hpp"
#include "dgtd/base/log.hpp"
#include "dgtd/mesh/step_file.hpp"
#include "dgtd/mesh/step_surface.hpp"
#include "dgtd/parallel/child_reader.hpp"
#include "dgtd/parallel/hash_bytes.hpp"
#include "mesh/compact/mapped_file.hpp"
#include "mesh/generate/gmsh_library.hpp"

namespace dgtd::mesh {
namespace {

void require_step(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string start(400, ' ');
  if (!stream || std::filesystem::is_directory(file)) throw Error(fmt::format("{}: cannot be opened", file.string()));
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start.find("ISO-10303-21") == std::string::npos)
    throw Error(fmt::format("{}: is no STEP file: it does not begin with ISO-10303-21", file.string()));
}

// From the child to this process.
template <class Solids, class Function>
void for_each_member(Solids& s, const Function& f) {
  f(s.name), f(s.number), f(s.volume), f(s.area), f(s.points), f(s.triangles);
}

}  // namespace

std::vector<StepSolid> read_step(const std::filesystem::path& file, const std::string& body) {
  // For a mesh of its surface. A face is some 2 kB and takes Gmsh milliseconds; damaged ones may take it for ever.
  constexpr double least_seconds = 40, seconds_per_byte = 1e-4;
  require_step(file);
  const GmshFunctions& gmsh = gmsh_library();  // here: a child process of several threads loads no library
  const auto bytes = static_cast<double>(std::filesystem::file_size(file));
  auto limits = parallel::read_limits(bytes);
  limits.seconds += least_seconds + seconds_per_byte * bytes;
  StepContents contents;
  parallel::read_in_child(
      file.string(), "Gmsh", limits,
      [&](parallel::Sender& sender) {
        const StepContents read = gmsh.read_step(file, body);
        sender.put(read.surfaces);
        sender.put(std::uint64_t{read.solids.size()});
        for (const StepSolid& solid : read.solids) for_each_member(solid, [&](const auto& m) { sender.put(m); });
      },
      [&](parallel::Receiver& receiver) {
        std::uint64_t count = 0;
        receiver.take(contents.surfaces);
        receiver.take(count);
        for (; count > 0; --count)
          for_each_member(contents.solids.emplace_back(), [&](auto& m) { receiver.take(m); });
      });
  if (!contents.surfaces.empty())
    log::warn("{}: {} of its faces belong to no closed solid, such as {}; they have no effect", file.string(),
              contents.surfaces.size(), contents.surfaces.front());
  return std::move(contents.solids);
}

std::vector<EdgeMiddle> middles_on_step(const std::filesystem::path& file, const std::vector<Vec3>& points,
                                        const std::vector<std::array<std::int64_t, 3>>& triangles) {
  require_step(file);
  const GmshFunctions& gmsh = gmsh_library();                                // here, as above
  constexpr parallel::ReadLimits hardly_any{.seconds = 1e5, .bytes = 1e12};  // work grows with points times faces
  std::vector<EdgeMiddle> middles;
  parallel::read_in_child(
      file.string(), "Gmsh", hardly_any,
      [&](parallel::Sender& sender) { sender.put(gmsh.middles_on_step(file, points, triangles)); },
      [&](parallel::Receiver& receiver) { receiver.take(middles); });
  return middles;
}

std::vector<SurfaceSize> surface_sizes(const StepSolid& solid, double growth, double per_circle) {
  constexpr double edges_per_circle = 48, alike = 1.3;
  std::vector<SurfaceSize> all;
  for (const Vec3& place : solid.points) all.push_back({place, std::numeric_limits<double>::infinity()});
  for (const auto& t : solid.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      auto &a = all[static_cast<std::size_t>(t[i])], &b = all[static_cast<std::size_t>(t[(i + 1) % 3])];
      const double edge = edges_per_circle / per_circle * norm(a.place - b.place);
      a.element = std::min(a.element, edge), b.element = std::min(b.element, edge);
    }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.element < b.element; });
  std::vector<SurfaceSize> kept;
  for (const SurfaceSize& s : all)
    if (std::none_of(kept.begin(), kept.end(), [&](const SurfaceSize& k) {
          return k.element + growth * norm(k.place - s.place) < alike * s.element;
        }))
      kept.push_back(s);
  return kept;
}

std::uint64_t hash_of_file(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  return parallel::hash_chunks(mapped.data(), mapped.size());
}

}  // namespace dgtd::mesh
