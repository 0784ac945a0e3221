// Meshes of small labelled images: volumes, pieces, surfaces, errors.
#include "dgtd/mesher/from_labels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <algorithm>
#include <set>

#include "dgtd/base/error.hpp"
#include "dgtd/mesh/load.hpp"
#include "dgtd/mesh/write_msh.hpp"
#include "mesh/scratch_folder.hpp"
#include "mesher/prepare_labels.hpp"
#include "mesher/smooth_labels.hpp"
#include "mesher_images.hpp"
#include "support/error_message.hpp"

namespace dgtd::mesher {
namespace {

const double pi = std::acos(-1.0);

class FromLabelsTest : public ::testing::Test {
 protected:
  /// A ball of label 1 (radius 20 mm) in a shell of label 2 (to 30 mm).
  FromLabels ball_in_shell() {
    FromLabels s;
    s.image = folder_.write("ball.nrrd", testing::nrrd(34, 2, [](const Vec3& x) {
                              return norm(x) < 20 ? 1 : norm(x) < 30 ? 2 : 0;
                            }));
    s.tissues = folder_.write("t.txt", "core = 1\ncoat = 2\ncore.size = 0.006\ncoat.size = 0.006\nair.size = 0.02\n");
    s.resolution = 2e-3;
    s.smoothing = 2e-3;
    s.margin = 0.03;
    return s;
  }
  static double area(const mesh::GlobalMesh& m, const std::string& group) {
    double sum = 0;
    for (std::size_t t = 0; t < m.triangles.size(); ++t) {
      if (m.surface_names[m.triangle_group[t]] != group) continue;
      const auto& [a, b, c] = m.triangles[t];
      sum += 0.5 * norm(cross(m.vertices[b] - m.vertices[a], m.vertices[c] - m.vertices[a]));
    }
    return sum;
  }
  static const TissueResult& tissue(const FromLabelsResult& r, const std::string& name) {
    for (const TissueResult& t : r.tissues)
      if (t.name == name) return t;
    throw Error("no tissue " + name);
  }
  /// Pairs of volume groups with a common face.
  static std::set<std::set<std::string>> contacts(const mesh::GlobalMesh& m) {
    std::map<std::set<std::int64_t>, std::uint16_t> open;
    std::set<std::set<std::string>> result;
    for (std::size_t e = 0; e < m.tetrahedra.size(); ++e)
      for (int f = 0; f < 4; ++f) {
        std::set<std::int64_t> face(m.tetrahedra[e].begin(), m.tetrahedra[e].end());
        face.erase(m.tetrahedra[e][f]);
        const auto [at, first] = open.emplace(face, m.tetrahedron_group[e]);
        if (!first && at->second != m.tetrahedron_group[e])
          result.insert({m.volume_names[at->second], m.volume_names[m.tetrahedron_group[e]]});
      }
    return result;
  }
  mesh::testing::ScratchFolder folder_{"from_labels"};
};

TEST_F(FromLabelsTest, ConcentricSpheres) {
  const FromLabels settings = ball_in_shell();
  const FromLabelsResult r = mesh_from_labels(settings);
  mesh::check(r.mesh);
  EXPECT_EQ(r.mesh.volume_names, (std::vector<std::string>{"core", "coat", "air"}));
  EXPECT_EQ(r.mesh.surface_names, (std::vector<std::string>{"absorbing"}));
  // A polyhedron with vertices on a sphere of radius R and edges h lacks 3/8 (h / R)^2 of its volume. Refinement leaves
  // edges up to 1.3 times the size.
  const double lacks = 3.0 / 8 * std::pow(1.3 * 0.006 / 0.020, 2);
  EXPECT_NEAR(tissue(r, "core").mesh_volume / tissue(r, "core").image_volume, 1, lacks + 0.015);
  EXPECT_NEAR(tissue(r, "coat").mesh_volume / tissue(r, "coat").image_volume, 1, 0.03);
  EXPECT_NEAR(tissue(r, "core").image_volume / (4.0 / 3 * pi * 8e-6), 1, 0.01);
  EXPECT_EQ(contacts(r.mesh), (std::set<std::set<std::string>>{{"core", "coat"}, {"coat", "air"}}));
  // The sphere's margin is from the centres of the outermost voxels.
  EXPECT_NEAR(area(r.mesh, "absorbing") / (4 * pi * 0.06 * 0.06), 1, 0.06);
  for (const auto& t : r.mesh.triangles)
    for (const std::int64_t v : t) EXPECT_NEAR(norm(r.mesh.vertices[v]), 0.0595, 0.0015);

  // The same bytes once more.
  const auto bytes = [&](const mesh::GlobalMesh& m, const char* name) {
    mesh::write_msh(m, folder_ / name);
    std::ifstream stream(folder_ / name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const FromLabelsResult again = mesh_from_labels(settings);
  const std::string first = bytes(r.mesh, "first.msh");
  EXPECT_GT(first.size(), 1000u);
  EXPECT_TRUE(first == bytes(again.mesh, "second.msh"));

  // The file that was written is read back.
  const mesh::GlobalMesh read = mesh::read_gmsh(folder_ / "first.msh", 1);
  mesh::check(read);
  EXPECT_EQ(read.tetrahedra.size(), r.mesh.tetrahedra.size());
  EXPECT_EQ(std::set(read.volume_names.begin(), read.volume_names.end()),
            std::set(r.mesh.volume_names.begin(), r.mesh.volume_names.end()));
  EXPECT_NEAR(area(read, "absorbing"), area(r.mesh, "absorbing"), 1e-12);
}

// Elements as long as a shell is thick and half as long as its radius. Their faces lack about 3/8 (h / R)^2 = 6 % of a
// ball; surfaces are moved until no tissue lacks more than 0.05 %, but for vertices that must not move.
TEST_F(FromLabelsTest, VolumesAreThoseOfTheImage) {
  FromLabels s = ball_in_shell();
  s.image = folder_.write("shells.nrrd", testing::nrrd(34, 2, [](const Vec3& x) {
                            return norm(x) < 20 ? 1 : norm(x) < 26 ? 3 : norm(x) < 31 ? 2 : 0;
                          }));
  s.tissues = folder_.write("t.txt",
                            "core = 1\nskull = 3\ncoat = 2\ncore.size = 0.012\nskull.size = 0.012\n"
                            "coat.size = 0.012\nair.size = 0.03\n");
  double worst[2] = {0, 0};
  for (const bool kept : {false, true}) {
    s.keep_volumes = kept;
    const FromLabelsResult r = mesh_from_labels(s);
    mesh::check(r.mesh);
    EXPECT_TRUE(r.warnings.empty());
    for (const char* name : {"core", "skull", "coat"})
      worst[kept] = std::max(worst[kept], std::abs(tissue(r, name).mesh_volume / tissue(r, name).image_volume - 1));
  }
  EXPECT_GT(worst[false], 0.03);
  EXPECT_LT(worst[true], 0.005);
}

// A layer of one voxel, which averaging alone would break, at the thickness that is asked for.
TEST_F(FromLabelsTest, ThinLayerStaysWhole) {
  FromLabels s = ball_in_shell();
  s.image = folder_.write("thin.nrrd", testing::nrrd(34, 2, [](const Vec3& x) {
                            return norm(x) < 20 ? 1 : norm(x) < 21.5 ? 3 : norm(x) < 30 ? 2 : 0;
                          }));
  s.tissues = folder_.write("t.txt",
                            "core = 1\ncoat = 2\nlayer = 3\nlayer layer core coat 0.005\n"
                            "core.size = 0.008\nlayer.size = 0.006\ncoat.size = 0.008\nair.size = 0.02\n");
  s.smoothing = 1e-3;
  const FromLabelsResult r = mesh_from_labels(s);
  mesh::check(r.mesh);
  EXPECT_EQ(contacts(r.mesh), (std::set<std::set<std::string>>{{"core", "layer"}, {"layer", "coat"}, {"coat", "air"}}));
}

TEST_F(FromLabelsTest, ShellIsSplitOff) {
  FromLabels s = ball_in_shell();
  s.tissues = folder_.write("t.txt",
                            "core = 1\nfat = 2\nshell skin fat 0.004\ncore.size = 0.009\nfat.size = 0.009\n"
                            "skin.size = 0.006\nair.size = 0.02\n");
  const FromLabelsResult r = mesh_from_labels(s);
  const double shell = 4.0 / 3 * pi * (0.03 * 0.03 * 0.03 - 0.026 * 0.026 * 0.026);
  EXPECT_NEAR(tissue(r, "skin").image_volume / shell, 1, 0.25);  // half a voxel, 1 mm, of 4 mm
  EXPECT_EQ(contacts(r.mesh), (std::set<std::set<std::string>>{{"core", "fat"}, {"fat", "skin"}, {"skin", "air"}}));
}

// The phone's surface is that of two boxes, exactly, also when it is turned.
TEST_F(FromLabelsTest, EdgesOfAPhoneAreKept) {
  FromLabels s = ball_in_shell();
  Phone phone;
  phone.size = {0.008, 0.012, 0.020};
  phone.antenna_size = {0.004, 0.004, 0.012};
  phone.gap = 0.003;
  const Vec3 p = phone.size, a = phone.antenna_size;
  const double exact = 2 * (p.x * p.y + p.y * p.z + p.z * p.x + a.x * a.y + a.y * a.z + a.z * a.x);
  for (const Vec3& angles : {Vec3{0, 0, 0}, Vec3{10, 20, 30}}) {
    phone.placement = {{0.045, 0.002, 0.001}, angles};
    s.phone = phone;
    const FromLabelsResult r = mesh_from_labels(s);
    mesh::check(r.mesh);
    EXPECT_EQ(r.mesh.surface_names, (std::vector<std::string>{"absorbing", "metal"}));
    EXPECT_NEAR(area(r.mesh, "metal") / exact, 1, 1e-9);
    EXPECT_EQ(r.feed, phone.placement.position);
    const double sphere = 4.0 / 3 * pi * std::pow(std::sqrt(area(r.mesh, "absorbing") / (4 * pi)), 3);
    double volume = 0;
    for (const TissueResult& t : r.tissues) volume += t.mesh_volume;
    EXPECT_NEAR((volume + p.x * p.y * p.z + a.x * a.y * a.z) / sphere, 1, 0.02);
  }
}

TEST_F(FromLabelsTest, StlDeviceAndABoxAroundAll) {
  FromLabels s = ball_in_shell();
  s.stl = StlDevice{folder_.write("cube.stl", testing::stl_cube(10)), 1e-3, {{0.045, 0, 0}, {0, 0, 20}}};
  s.device_size = 0.004;
  s.exterior = FromLabels::Exterior::box;
  const FromLabelsResult r = mesh_from_labels(s);
  mesh::check(r.mesh);
  EXPECT_NEAR(area(r.mesh, "metal") / 6e-4, 1, 1e-4);
  double volume = 1e-6;
  for (const TissueResult& t : r.tissues) volume += t.mesh_volume;
  Vec3 low{1, 1, 1}, high{-1, -1, -1};
  for (const Vec3& x : r.mesh.vertices)
    for (int a = 0; a < 3; ++a) {
      low[a] = std::min(low[a], x[a]);
      high[a] = std::max(high[a], x[a]);
    }
  const Vec3 d = high - low;
  EXPECT_NEAR(volume / (d.x * d.y * d.z), 1, 1e-4);
  EXPECT_NEAR(area(r.mesh, "absorbing") / (2 * (d.x * d.y + d.y * d.z + d.z * d.x)), 1, 1e-9);
}

TEST_F(FromLabelsTest, AboutAsManyElementsAsAskedFor) {
  FromLabels s = ball_in_shell();
  s.elements = 12000;
  EXPECT_NEAR(double(mesh_from_labels(s).mesh.tetrahedra.size()), 12000, 0.15 * 12000);
}

TEST_F(FromLabelsTest, BadRequestsAreNamed) {
  const FromLabels good = ball_in_shell();
  const auto fails = [&](const auto& change, ExitCode code = ExitCode::bad_input) {
    FromLabels s = good;
    change(s);
    return message([&] { (void)mesh_from_labels(s); }, code);
  };
  const std::string at = (folder_ / "").string();
  EXPECT_EQ(fails([](FromLabels& s) { s.image = "/none.nii"; }), "/none.nii: cannot be opened");
  EXPECT_EQ(fails([&](FromLabels& s) { s.tissues = folder_.write("u.txt", "core = 1\n"); }),
            at + "ball.nrrd: label 2 has no tissue in " + at + "u.txt");
  EXPECT_EQ(fails([&](FromLabels& s) { s.tissues = folder_.write("u.txt", "core = 1\ncoat = 2\nx = 3\n"); }),
            at + "ball.nrrd: there is no label 3 of tissue 'x'; the labels are 0, 1, 2");
  EXPECT_EQ(fails([&](FromLabels& s) { s.tissues = folder_.write("u.txt", "air = 0 1 2\n"); }),
            at + "ball.nrrd: there is no tissue in the image");
  EXPECT_EQ(
      fails([&](FromLabels& s) { s.tissues = folder_.write("u.txt", "core = 1\ncoat = 2\ncoat.thickness = 0.03\n"); }),
      at + "ball.nrrd: nothing is left of tissue 'coat' after smoothing and the rules of " + at + "u.txt");
  EXPECT_EQ(fails([](FromLabels& s) { s.unit = 0; }), "from-labels: unit must be greater than 0, not 0");
  EXPECT_EQ(fails([](FromLabels& s) { s.order = 7; }), "from-labels: order must be from 1 to 6, not 7");
  Phone inside;
  EXPECT_EQ(fails([&](FromLabels& s) { s.phone = inside; }).substr(0, 31), "from-labels: the device is in '");
  const std::string many =
      fails([&](FromLabels& s) { s.tissues = folder_.write("u.txt", "core = 1\ncoat = 2\ncore.size = 2e-6\n"); },
            ExitCode::out_of_memory);
  EXPECT_NE(many.find("GB are available: ask for larger elements or fewer of them"), std::string::npos) << many;
  Phone beside;
  beside.placement.position = {0.06, 0, 0};
  EXPECT_NE(fails([&](FromLabels& s) {
              s.phone = beside;
              s.device_size = 0.0005;
              s.elements = 1000;
            }).find("tetrahedra are needed at the device; 1000 in all are too few"),
            std::string::npos);
}

// An adult head (third-party data beside the project), before it is meshed: volumes, contacts, CSF in one piece.
TEST_F(FromLabelsTest, RealHeadIsPrepared) {
  FromLabels s;
  s.image = DGTD_SHARED_HEADS "/colin27_labels.nii.gz";
  if (!std::filesystem::exists(s.image)) GTEST_SKIP() << s.image << " is absent";
  s.tissues = folder_.write("t.txt",
                            "csf = 1\nbrain = 2 3 8\nskull = 7\nskin = 4 5 6 9\ncsf.thickness = 0.003\n"
                            "layer csf brain skull 0.003\nlayer csf brain skin 0.003\n");
  TissueTable table = read_tissue_table(s.tissues);
  const PreparedLabels prepared = prepare_labels(s, table);
  const SmoothLabels labels(prepared.grid, prepared.image_volumes, s.smoothing, s.island);
  const std::vector<double> found = volumes(labels.grid(), table.tissues.size());
  for (std::size_t t = 1; t < found.size(); ++t)
    EXPECT_NEAR(found[t] / prepared.image_volumes[t], 1, 0.025) << table.tissues[t].name;
  const Pieces pieces = find_pieces(labels.grid());
  EXPECT_EQ(prepared.image_pieces[table.find("csf")].size(), 1u);
  int large = 0;
  for (std::size_t p = 0; p < pieces.tissue.size(); ++p)
    large +=
        pieces.tissue[p] == table.find("csf") && double(pieces.voxels[p]) * labels.grid().voxel_volume() >= s.island;
  EXPECT_EQ(large, 1);
}

}  // namespace
}  // namespace dgtd::mesher
