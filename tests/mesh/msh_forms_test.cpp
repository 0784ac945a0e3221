// Meshes in all forms of MSH files, compared with what the Gmsh library reads from them.
#include <fmt/format.h>
#include <gmsh.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <random>

#include "dgtd/mesh/load.hpp"
#include "mesh/generate/gmsh_session.hpp"
#include "read_through_gmsh.hpp"
#include "scratch_folder.hpp"

namespace dgtd::mesh {
namespace {

using testing::ScratchFolder;

void expect_equal(const GlobalMesh& found, const GlobalMesh& wanted, const std::string& which) {
  EXPECT_EQ(found.vertices, wanted.vertices) << which;
  EXPECT_EQ(found.tetrahedra, wanted.tetrahedra) << which;
  EXPECT_EQ(found.tetrahedron_group, wanted.tetrahedron_group) << which;
  EXPECT_EQ(found.triangles, wanted.triangles) << which;
  EXPECT_EQ(found.triangle_group, wanted.triangle_group) << which;
  EXPECT_EQ(found.curved_edges, wanted.curved_edges) << which;
  EXPECT_EQ(found.volume_names, wanted.volume_names) << which;
  EXPECT_EQ(found.surface_names, wanted.surface_names) << which;
  EXPECT_EQ(found.source, wanted.source) << which;
}

GlobalMesh through_gmsh(const std::filesystem::path& file) { return testing::ThroughGmsh(file).mesh(); }

void set_option(const char* name, double value) { gmsh::option::setNumber(name, value); }

struct Form {
  double version;
  bool binary;
};

class MshForms : public ::testing::TestWithParam<Form> {
 protected:
  bool is_4() const { return GetParam().version > 4; }

  /// A ball in a box, two of whose sides are periodic. One side is in two groups, of which one has no name.
  std::filesystem::path ball_in_box(
      int order, const std::function<void()>& change = [] {}) const {
    auto file = folder_ / "mesh.msh";
    const GmshSession session;
    gmsh::model::occ::addBox(0, 0, 0, 1, 1, 1, 1);
    gmsh::model::occ::addSphere(0.5, 0.5, 0.5, 0.3, 2);
    gmsh::vectorpair volumes, sides;
    std::vector<gmsh::vectorpair> map;
    gmsh::model::occ::fragment({{3, 1}, {3, 2}}, {}, volumes, map);
    gmsh::model::occ::synchronize();
    gmsh::model::getBoundary(volumes, sides, true, false);
    std::vector<int> hull;
    for (const auto& [dimension, tag] : sides) hull.push_back(tag);
    gmsh::model::setPhysicalName(3, gmsh::model::addPhysicalGroup(3, {volumes[0].second}, 7), "ball");
    gmsh::model::setPhysicalName(3, gmsh::model::addPhysicalGroup(3, {volumes[1].second}, 4), "air");
    gmsh::model::setPhysicalName(2, gmsh::model::addPhysicalGroup(2, hull, 90), "hull");
    gmsh::model::addPhysicalGroup(2, {hull[1]}, 50);
    gmsh::model::setPhysicalName(1, gmsh::model::addPhysicalGroup(1, {1, 2}, 3), "wire");
    set_option("Mesh.MeshSizeMax", 0.3);
    set_option("Mesh.MshFileVersion", GetParam().version);
    set_option("Mesh.Binary", GetParam().binary);
    gmsh::model::mesh::setPeriodic(2, {hull.back()}, {hull.front()}, {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    gmsh::model::mesh::generate(3);
    gmsh::model::mesh::setOrder(order);
    change();
    gmsh::write(file.string());
    return file;
  }

  ScratchFolder folder_{"msh_forms"};
};

TEST_P(MshForms, OrdersOneToThree) {
  for (const int order : {1, 2, 3}) {
    const auto file = ball_in_box(order);
    const GlobalMesh mesh = read_gmsh(file, 1);
    EXPECT_GT(mesh.tetrahedra.size(), 300u);
    EXPECT_EQ(mesh.volume_names, (std::vector<std::string>{"ball", "air"}));
    EXPECT_EQ(mesh.surface_names.size(), 2u);
    EXPECT_EQ(mesh.curved_edges.empty(), order == 1);
    expect_equal(mesh, through_gmsh(file), fmt::format("order {}", order));
  }
}

// Elements of entities without groups, and parameters of nodes: MSH 2.2 has no groups then, or a section of its own.
TEST_P(MshForms, AllEntitiesAndParameters) {
  const auto file = ball_in_box(2, [&] {
    set_option("Mesh.SaveAll", is_4());
    set_option("Mesh.SaveParametric", 1);
  });
  expect_equal(read_gmsh(file, 1), through_gmsh(file), "with parameters");
}

// Gmsh makes surfaces of the boundaries between partitions of MSH 2.2, and no test compares with them: they would be
// inside the domain.
TEST_P(MshForms, Partitions) {
  const GlobalMesh whole = read_gmsh(ball_in_box(1), 1);
  const auto file = ball_in_box(1, [] {
    set_option("Mesh.PartitionCreatePhysicals", 0);
    set_option("Mesh.PartitionCreateTopology", 0);
    gmsh::model::mesh::partition(3);
  });
  const GlobalMesh mesh = read_gmsh(file, 1);
  EXPECT_EQ(mesh.tetrahedra.size(), whole.tetrahedra.size());
  EXPECT_EQ(mesh.triangles.size(), whole.triangles.size());
  EXPECT_EQ(mesh.volume_names, whole.volume_names);
  EXPECT_EQ(mesh.surface_names.size(), whole.surface_names.size());
  if (is_4()) expect_equal(mesh, through_gmsh(file), "partitions");
}

/// Gives the nodes of the current model numbers that are far apart and do not ascend.
void spread_numbers() {
  struct Entity {
    int dimension, tag;
    std::vector<int> types, groups;
    std::vector<std::vector<std::size_t>> elements, corners;
    std::vector<std::size_t> nodes;
    std::vector<double> coordinates, parameters;
  };
  std::vector<Entity> all;
  gmsh::vectorpair pairs;
  gmsh::model::getEntities(pairs);
  for (const auto& [dimension, tag] : pairs) {
    Entity& e = all.emplace_back(Entity{dimension, tag, {}, {}, {}, {}, {}, {}, {}});
    gmsh::model::mesh::getElements(e.types, e.elements, e.corners, dimension, tag);
    gmsh::model::mesh::getNodes(e.nodes, e.coordinates, e.parameters, dimension, tag);
    gmsh::model::getPhysicalGroupsForEntity(dimension, tag, e.groups);
  }
  const auto spread = [](std::size_t n) { return 1 + n * 7919 % 100'003 * 13; };
  gmsh::model::add("with other numbers");
  std::map<std::pair<int, int>, std::vector<int>> groups;
  for (Entity& e : all) {
    gmsh::model::addDiscreteEntity(e.dimension, e.tag);
    for (const int group : e.groups) groups[{e.dimension, group}].push_back(e.tag);
    for (auto& n : e.nodes) n = spread(n);
    for (auto& list : e.corners)
      for (auto& n : list) n = spread(n);
  }
  for (Entity& e : all) gmsh::model::mesh::addNodes(e.dimension, e.tag, e.nodes, e.coordinates);
  for (Entity& e : all) gmsh::model::mesh::addElements(e.dimension, e.tag, e.types, e.elements, e.corners);
  for (const auto& [group, tags] : groups) gmsh::model::addPhysicalGroup(group.first, tags, group.second);
}

// Their order is that of the entities that have them.
TEST_P(MshForms, NodeNumbersFarApart) {
  for (const int order : {1, 2}) {
    const auto file = ball_in_box(order, spread_numbers);
    expect_equal(read_gmsh(file, 1), through_gmsh(file), fmt::format("order {}", order));
  }
}

INSTANTIATE_TEST_SUITE_P(All, MshForms,
                         ::testing::Values(Form{4.1, true}, Form{4.1, false}, Form{2.2, true}, Form{2.2, false}),
                         [](const auto& info) {
                           return fmt::format("Msh{}{}", info.param.version > 4 ? "41" : "22",
                                              info.param.binary ? "Binary" : "Text");
                         });

/// A cube of 2 x 2 x 2 cubes in two volumes, in MSH 2.2 with any order of elements and numbers of nodes.
std::string shuffled_msh2(const std::function<std::int64_t(std::int64_t)>& number, int nodes_without_element) {
  const auto node = [&](int i, int j, int k) { return number(1 + i + 3 * (j + 3 * k)); };
  std::vector<std::string> nodes, elements;
  for (int n = 0; n < 27; ++n)
    nodes.push_back(fmt::format("{} {} {} {}", node(n % 3, n / 3 % 3, n / 9), n % 3, n / 3 % 3, 0.1 * (n / 9)));
  for (int n = 0; n < nodes_without_element; ++n) nodes.push_back(fmt::format("{} 7 7 7", number(1000 + n)));
  const auto add = [&](const std::string& kind, const std::vector<std::int64_t>& corners) {
    std::string line = fmt::format("{} {}", 1000 - elements.size(), kind);
    for (const auto n : corners) line += fmt::format(" {}", n);
    elements.push_back(line);
  };
  for (int c = 0; c < 8; ++c) {
    const int x = c % 2, y = c / 2 % 2, z = c / 4;
    const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (const auto& axes : order) {
      int at[3] = {x, y, z};
      std::vector<std::int64_t> corners{node(at[0], at[1], at[2])};
      for (const int axis : axes) ++at[axis], corners.push_back(node(at[0], at[1], at[2]));
      add(z == 0 ? "4 2 5 9" : "4 2 6 3", corners);
      if (x == 0 && axes[2] == 0) {
        corners.pop_back();
        add("2 2 8 4", corners);
      }
    }
  }
  std::mt19937 random(3);
  std::shuffle(nodes.begin(), nodes.end(), random);
  std::shuffle(elements.begin(), elements.end(), random);
  std::string text = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", nodes.size());
  for (const auto& line : nodes) text += line + "\n";
  text += fmt::format("$EndNodes\n$Elements\n{}\n", elements.size());
  for (const auto& line : elements) text += line + "\n";
  return text + "$EndElements\n";
}

// Elements are in the order of their numbers. Nodes without elements do not count where Gmsh numbers nodes anew.
TEST(Msh2, ElementsAndNodesInAnyOrder) {
  const ScratchFolder folder("shuffled");
  for (const int factor : {1, 3, 300})
    for (const int nodes_without_element : {0, 5, 2000}) {
      const auto file =
          folder.write("m.msh", shuffled_msh2([&](std::int64_t n) { return factor * n; }, nodes_without_element));
      const GlobalMesh mesh = read_gmsh(file, 1);
      EXPECT_EQ(mesh.tetrahedra.size(), 48u);
      expect_equal(mesh, through_gmsh(file), fmt::format("factor {}, {} others", factor, nodes_without_element));
    }
}

/// A tetrahedron and a named side, in binary; big: the bytes of numbers from the most significant one on.
std::string one_tetrahedron(bool version_4, bool big) {
  std::string text = fmt::format("$MeshFormat\n{} 1 8\n", version_4 ? "4.1" : "2.2");
  const auto put = [&](auto value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    if (big) std::reverse(std::begin(bytes), std::end(bytes));
    text.append(bytes, sizeof value);
  };
  const auto integers = [&](std::initializer_list<std::int32_t> values) {
    for (const auto value : values) put(value);
  };
  const auto sizes = [&](std::initializer_list<std::uint64_t> values) {
    for (const auto value : values) put(value);
  };
  const auto reals = [&](std::initializer_list<double> values) {
    for (const auto value : values) put(value);
  };
  integers({1});
  text += "\n$EndMeshFormat\n";
  if (version_4) {
    text += "$Entities\n";
    sizes({0, 0, 1, 1});
    for (const int group : {5, 6}) {
      integers({1}), reals({0, 0, 0, 1, 1, 1}), sizes({1}), integers({group}), sizes({0});
    }
    text += "\n$EndEntities\n$Nodes\n";
    sizes({1, 4, 1, 4}), integers({3, 1, 0}), sizes({4, 1, 2, 3, 4});
    reals({0, 0, 0, 0.3, 0, 0, 0, 0.7, 0, 0, 0, 1.1});
    text += "\n$EndNodes\n$Elements\n";
    sizes({2, 2, 1, 2}), integers({2, 1, 2}), sizes({1, 1, 1, 2, 3}), integers({3, 1, 4}), sizes({1, 2, 1, 2, 3, 4});
  } else {
    text += "$Nodes\n4\n";
    integers({1}), reals({0, 0, 0}), integers({2}), reals({0.3, 0, 0}), integers({3}), reals({0, 0.7, 0});
    integers({4}), reals({0, 0, 1.1});
    text += "\n$EndNodes\n$Elements\n2\n";
    integers({2, 1, 2, 1, 5, 1, 1, 2, 3, 4, 1, 2, 2, 6, 1, 1, 2, 3, 4});
  }
  return text + "\n$EndElements\n";
}

TEST(BinaryMsh, EitherOrderOfBytes) {
  const ScratchFolder folder("byte_order");
  for (const bool version_4 : {false, true}) {
    const auto file = folder.write("m.msh", one_tetrahedron(version_4, false));
    const GlobalMesh mesh = read_gmsh(file, 1);
    EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {0.3, 0, 0}, {0, 0.7, 0}, {0, 0, 1.1}}));
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<std::int64_t, 3>>{{0, 1, 2}}));
    EXPECT_EQ(mesh.surface_names, std::vector<std::string>{"5"});
    expect_equal(read_gmsh(folder.write("m.msh", one_tetrahedron(version_4, true)), 1), mesh, "the other order");
    expect_equal(through_gmsh(file), mesh, "through Gmsh");
  }
}

}  // namespace
}  // namespace dgtd::mesh
