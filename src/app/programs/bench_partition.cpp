#include "app/programs/bench_partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/problems/dg_layers.hpp"
#include "app/problems/dg_problem.hpp"
#include "app/problems/element_orders.hpp"
#include "app/problems/read_case.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/base/timers.hpp"
#include "dgtd/dg/partition_work.hpp"
#include "dgtd/mesh/load.hpp"

namespace dgtd::app {
namespace {

struct LevelOfPart {
  std::int64_t electric = 0, magnetic = 0, work = 0, halo_faces = 0;
  std::set<int> neighbours = {};
};

/// A mesh that is on one rank, and the levels of its elements; without local time steps all are 0.
struct LevelledMesh {
  const mesh::Subdomain& mesh;
  std::vector<std::uint8_t> level, reach;  // [elements] of E; of H: the largest of the element and its neighbours
  int finest;
  std::vector<int> weight;  // [elements] of the work; empty: 1
};

/// [parts][levels]. A level exchanges the faces of which either element is on it or on a finer one (Discretisation).
std::vector<std::vector<LevelOfPart>> levels_of_parts(const LevelledMesh& m, const std::vector<int>& owner, int parts) {
  std::vector<std::vector<LevelOfPart>> all(static_cast<std::size_t>(parts),
                                            std::vector<LevelOfPart>(static_cast<std::size_t>(m.finest) + 1));
  for (std::size_t e = 0; e < owner.size(); ++e) {
    std::vector<LevelOfPart>& mine = all[static_cast<std::size_t>(owner[e])];
    const int weight = m.weight.empty() ? 1 : m.weight[e];
    for (std::size_t l = 0; l <= m.level[e]; ++l) ++mine[l].electric, mine[l].work += weight;
    for (std::size_t l = 0; l <= m.reach[e]; ++l) ++mine[l].magnetic, mine[l].work += weight;
    for (const mesh::FaceLink& link : m.mesh.element_faces[e]) {
      if (link.kind != mesh::FaceLink::Kind::element || owner[link.index] == owner[e]) continue;
      for (std::size_t l = 0; l <= std::max(m.level[e], m.level[link.index]); ++l) {
        ++mine[l].halo_faces;
        mine[l].neighbours.insert(owner[link.index]);
      }
    }
  }
  return all;
}

/// Largest over mean, of all parts on a level.
double imbalance(const std::vector<std::vector<LevelOfPart>>& all, std::size_t level) {
  std::int64_t most = 0, sum = 0;
  for (const std::vector<LevelOfPart>& part : all) {
    const std::int64_t work = part[level].work;
    most = std::max(most, work);
    sum += work;
  }
  return sum > 0 ? double(most) * double(all.size()) / double(sum) : 1;
}

}  // namespace

std::string partition_table(const BenchOptions& options, const parallel::Communicator& comm) {
  if (comm.size() > 1) throw Error("command line: --partition divides a mesh that one rank has: without mpirun");
  if (options.case_file.empty()) throw Error("command line: --partition needs a case");
  const config::Case c = read_case(options.case_file, options.overrides, comm);
  if (!c.solver.method.has.tetrahedra || c.mesh.generator == config::Mesh::Generator::box ||
      c.mesh.generator == config::Mesh::Generator::shapes)
    throw Error(fmt::format("command line: --partition: {} has no mesh of a file, which is what is divided", c.name));

  mesh::MeshSource source = c.mesh;
  source.layers = added_layers(c);
  for (const auto& b : c.boundaries)
    (physics::absorbs(b.type) ? source.straight_surfaces : source.shaped_surfaces).push_back(b.name);
  Timers timers;
  const mesh::Subdomain whole = mesh::load(source, c.solver.partitioner, comm, timers);
  dg::TimeLevels levels;
  const std::vector<int> orders = ElementOrders(c, {}, comm).of(whole, group_materials(c, whole));
  if (c.time.local_steps != config::LocalSteps::off) levels = local_step_levels(c, whole, comm, orders);
  mesh::ElementWork work = dg::partition_work(whole, levels, orders, c.mesh.curved, comm);
  work.keeps_pieces = levels.finest > 0 && c.solver.backend != config::Backend::cpu;
  std::vector<int> weight;  // of the first stage, in which all elements have two half updates
  for (std::size_t i = 0; i < work.of_element.size(); i += static_cast<std::size_t>(work.stages))
    weight.push_back(work.of_element[i]);
  LevelledMesh m{whole, levels.of_element, levels.reach, levels.finest, weight};
  if (levels.finest == 0) {
    m.level.assign(whole.elements(), 0);
    m.reach = m.level;
  }

  std::string summary = fmt::format("# elements on each level: {}; updates per element and step of level 0: {:.4f}; "
                                    "global steps make {:.2f} times as many for the same time\n",
                                    levels.finest == 0 ? fmt::format("{}", whole.elements())
                                                       : fmt::format("{}", fmt::join(levels.elements, " ")),
                                    levels.updates, levels.gain);
  std::string table = "parts,part,level,electric,magnetic,halo_faces,neighbours\n";
  for (const int parts : options.partition) {
    const auto all = levels_of_parts(m, mesh::owners(whole, c.solver.partitioner, parts, c.name, work), parts);
    for (std::size_t p = 0; p < all.size(); ++p)
      for (std::size_t l = 0; l < all[p].size(); ++l)
        table += fmt::format("{},{},{},{},{},{},{}\n", parts, p, l, all[p][l].electric, all[p][l].magnetic,
                             all[p][l].halo_faces, all[p][l].neighbours.size());
    summary += fmt::format("# {} parts: largest over mean on each level", parts);
    for (std::size_t l = 0; l < all.front().size(); ++l) summary += fmt::format(" {:.2f}", imbalance(all, l));
    std::int64_t faces = 0;
    for (const auto& part : all) faces += part[0].halo_faces;
    summary += fmt::format("; {} faces between parts\n", faces / 2);
  }
  return table + summary;
}

}  // namespace dgtd::app
