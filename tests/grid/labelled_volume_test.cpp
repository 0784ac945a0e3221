// Bodies of labelled voxels: shares, normals and lines against plain sampling, and files that the tests write.
#include <gtest/gtest.h>
#include <vtkImageData.h>
#include <vtkMetaImageWriter.h>
#include <vtkNIFTIImageWriter.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "dgtd/base/error.hpp"
#include "dgtd/grid/labelled_volume.hpp"
#include "mesh/scratch_folder.hpp"
#include "support/error_message.hpp"

namespace dgtd::grid {
namespace {

constexpr int air = 7, skin = 3, bone = 5;

/// Random labels from 0 to 3 in lumps; 1 and 2 become skin and bone, 3 is skin too, 0 is transparent.
Voxels lumps() {
  Voxels v{{11, 9, 13}, {0.1, 0.12, 0.09}, {-0.5, 0.2, 0.03}, {}};
  std::mt19937 random(1);
  for (int i = 0; i < 11 * 9 * 13; ++i)
    v.label.push_back(i % 3 && !v.label.empty() ? v.label.back() : static_cast<std::uint8_t>(random() % 4));
  return v;
}
const std::vector<std::pair<int, int>> lumps_materials{{1, skin}, {2, bone}, {3, skin}};

int material_of(const Voxels& v, const Vec3& x, int behind) {
  std::size_t at = 0;
  for (int a : {2, 1, 0}) {
    const double i = std::floor((x[a] - v.corner[a]) / v.spacing[a]);
    if (i < 0 || i >= v.size[a]) return behind;
    at = at * v.size[a] + static_cast<std::size_t>(i);
  }
  return v.label[at] == 0 ? behind : v.label[at] == 2 ? bone : skin;
}

Scene scene_of(const Voxels& v, std::vector<Shape> more = {}) {
  for (Shape& b : shapes_of(std::make_shared<LabelledVolume>(v, lumps_materials), 0)) more.push_back(b);
  return Scene(std::move(more), air);
}

Vec3 random_point(std::mt19937& random, const Voxels& v) {
  std::uniform_real_distribution<double> share(-0.1, 1.1);
  Vec3 x;
  for (int a = 0; a < 3; ++a) x[a] = v.corner[a] + share(random) * v.size[a] * v.spacing[a];
  return x;
}

TEST(LabelledVolume, PointsHaveTheirVoxelsMaterial) {
  const Voxels v = lumps();
  const Scene scene = scene_of(v);
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 x = random_point(random, v);
    EXPECT_EQ(scene.material_at(x), material_of(v, x, air));
  }
}

/// Shares by n^3 points of a box.
std::map<int, double> sampled(const Voxels& v, const Vec3& centre, const Vec3& size, int n) {
  std::map<int, double> shares;
  for (int p = 0; p < n * n * n; ++p) {
    const Vec3 x = centre + Vec3{((p % n + 0.5) / n - 0.5) * size.x, ((p / n % n + 0.5) / n - 0.5) * size.y,
                                 ((p / n / n + 0.5) / n - 0.5) * size.z};
    shares[material_of(v, x, air)] += 1.0 / (n * n * n);
  }
  return shares;
}

// Boxes from below a voxel to several of them. A sample of n^3 points is off by what one row of points holds, 1/n a
// face.
TEST(LabelledVolume, SharesAreThoseOfTheVoxels) {
  const Voxels v = lumps();
  const Scene scene = scene_of(v);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> edge(0.02, 0.35);
  int mixed = 0;
  constexpr int n = 24;
  for (int i = 0; i < 200; ++i) {
    const Vec3 centre = random_point(random, v), size{edge(random), edge(random), edge(random)};
    auto shares = sampled(v, centre, size, n);
    const Scene::Mixture m = scene.mixture(centre, size);
    const int filling = scene.filling(centre, size);
    if (filling >= 0) {
      EXPECT_EQ(shares.size(), 1u);
      EXPECT_EQ(shares.begin()->first, filling);
    }
    const double both = shares[m.first] + (m.second == m.first ? 0 : shares[m.second]);
    if (m.first == m.second) {
      EXPECT_GT(both, 1 - 3.0 / n);
      continue;
    }
    ++mixed;
    EXPECT_NEAR(m.share_of_second, shares[m.second] / both, 3.0 / n);
    for (const auto& [material, share] : shares)
      EXPECT_LE(share, shares[material == m.first ? m.first : m.second] + 3.0 / n);
  }
  EXPECT_GT(mixed, 100);
}

// A volume that is alone is asked once for all its materials; with a body far away each material is asked. The
// background is the first's air, or a material that voxels have, too.
TEST(LabelledVolume, AloneOrNotIsTheSame) {
  const Voxels v = lumps();
  Shape far_away;
  far_away.type = Shape::Type::sphere;
  far_away.centre = {50, 50, 50};
  far_away.radius = 1;
  far_away.material = 11;
  const auto parts = shapes_of(std::make_shared<LabelledVolume>(v, lumps_materials), 0);
  auto with_another = parts;
  with_another.push_back(far_away);
  for (const int background : {air, skin}) {
    const Scene alone(parts, background), general(with_another, background);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> edge(0.01, 0.3);
    int filled = 0;
    for (int i = 0; i < 3000; ++i) {
      const Vec3 centre = random_point(random, v), size{edge(random), edge(random), edge(random)};
      EXPECT_EQ(alone.material_at(centre), general.material_at(centre));
      EXPECT_EQ(alone.filling(centre, size), general.filling(centre, size));
      filled += alone.filling(centre, size) >= 0;
      const Scene::Mixture a = alone.mixture(centre, size), b = general.mixture(centre, size);
      EXPECT_EQ(a.first, b.first);
      EXPECT_EQ(a.second, b.second);
      EXPECT_EQ(a.share_of_second, b.share_of_second);
      EXPECT_EQ(a.normal, b.normal);
    }
    EXPECT_GT(filled, 300);
    EXPECT_LT(filled, 2700);
  }
}

// Whole voxels: exact.
TEST(LabelledVolume, SharesOfWholeVoxelsAreExact) {
  Voxels v{{4, 4, 4}, {0.5, 0.5, 0.5}, {}, std::vector<std::uint8_t>(64, 1)};
  for (int i = 0; i < 16; ++i) v.label[static_cast<std::size_t>(4 * i)] = 2;  // the layer at x = 0
  const auto volume = std::make_shared<LabelledVolume>(v, std::vector<std::pair<int, int>>{{1, skin}, {2, bone}});
  const Scene scene(shapes_of(volume, 0), air);
  const Scene::Mixture m = scene.mixture({1, 1, 1}, {2, 2, 2});
  EXPECT_EQ(m.first, skin);
  EXPECT_EQ(m.second, bone);
  EXPECT_DOUBLE_EQ(m.share_of_second, 0.25);
  EXPECT_LT(norm(m.normal - Vec3{-1, 0, 0}), 1e-12);
  EXPECT_EQ(scene.filling({1.25, 1, 1}, {1.5, 2, 2}), skin);  // touches the layer only
  // Material behind, at x < 0, counts together with the same one in the volume.
  const Scene::Mixture more = Scene(shapes_of(volume, 0), bone).mixture({0.5, 1, 1}, {2, 2, 2});
  EXPECT_EQ(more.first, bone);
  EXPECT_EQ(more.second, skin);
  EXPECT_DOUBLE_EQ(more.share_of_second, 0.5);
  EXPECT_LT(norm(more.normal - Vec3{1, 0, 0}), 1e-12);
}

// A plane through 0.5 mm voxels in 2 mm boxes. A voxel's half diagonal, 0.43 mm, tilts a plane by up to 16 degrees over
// the bump's radius of 1.5 mm; most steps cancel: half of that at worst, a quarter on the mean.
TEST(LabelledVolume, NormalsOfSlantedPlanes) {
  const Vec3 slant{0.36, 0.48, 0.8};
  Voxels v{{40, 40, 40}, {0.5, 0.5, 0.5}, {-10, -10, -10}, {}};
  for (int p = 0; p < 64000; ++p) {
    const Vec3 x = v.corner + 0.5 * Vec3{p % 40 + 0.5, p / 40 % 40 + 0.5, p / 1600 + 0.5};
    v.label.push_back(dot(x, slant) < 0 ? 1 : 2);
  }
  const std::vector<Shape> bodies =
      shapes_of(std::make_shared<LabelledVolume>(v, std::vector<std::pair<int, int>>{{1, skin}, {2, bone}}), 0);
  const Scene scene(bodies, air);
  // As other bodies' lines see it: skin lies below the plane, bone above.
  for (int b : {0, 1}) {
    const double sign = b == 0 ? 1 : -1;
    const Vec3 foot{0.1, 0.2, -0.165};
    EXPECT_GT(dot(bodies[static_cast<std::size_t>(b)].solid->surface_near(foot).normal, sign * slant),
              std::cos(8 * std::acos(-1) / 180));
    for (double step : {-0.8, 0.8})
      EXPECT_GT(step * bodies[static_cast<std::size_t>(b)].solid->surface_near(foot + sign * step * slant).distance,
                0.2);
  }
  double mean = 0, worst = 0;  // degrees
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-5, 5);
  for (int i = 0; i < 200; ++i) {
    const double x = place(random), y = place(random);
    const Scene::Mixture m = scene.mixture({x, y, -0.45 * x - 0.6 * y}, {2, 2, 2});
    const double angle =
        std::acos(std::min(1.0, dot(m.second == bone ? m.normal : -m.normal, slant))) * 180 / std::acos(-1);
    mean += angle / 200;
    worst = std::max(worst, angle);
    EXPECT_NEAR(m.share_of_second, 0.5, 0.1);
  }
  std::printf("normals of a plane in voxels: off by %.1f degrees on the mean, %.1f at worst\n", mean, worst);
  EXPECT_LT(mean, 4);
  EXPECT_LT(worst, 8);
}

// A plate of voxels is a box: the same shares and normals wherever its faces cut a cell.
TEST(LabelledVolume, APlateIsABox) {
  const Voxels v{{20, 20, 3}, {0.1, 0.1, 0.037}, {-1, -1, -0.05}, std::vector<std::uint8_t>(1200, 1)};
  Shape plate;
  plate.size = {2, 2, 0.111};
  plate.centre = {0, 0, -0.05 + 0.111 / 2};
  plate.material = skin;
  const Scene voxels(shapes_of(std::make_shared<LabelledVolume>(v, std::vector<std::pair<int, int>>{{1, skin}}), 0),
                     air),
      box({plate}, air);
  std::mt19937 random(6);
  std::uniform_real_distribution<double> place(-0.7, 0.7), height(-0.13, 0.13);
  int cut = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 centre{place(random), place(random), height(random)}, size{0.1, 0.1, 0.07};
    const Scene::Mixture a = voxels.mixture(centre, size), b = box.mixture(centre, size);
    ASSERT_NEAR(a.share_of_second, b.share_of_second, 1e-9);
    if (std::abs(b.share_of_second - 0.5) < 1e-9) continue;
    EXPECT_EQ(a.first, b.first);
    EXPECT_EQ(a.second, b.second);
    if (a.first == a.second) continue;
    ++cut;
    EXPECT_GT(dot(a.normal, b.normal),
              std::cos(8 * std::acos(-1) / 180));  // as above: voxels of 0.1 in a bump of radius 0.175
  }
  EXPECT_GT(cut, 100);
}

// A sphere on top: its boxes are cut by lines, and the voxels' pieces of them are exact.
TEST(LabelledVolume, OtherBodiesMayLieOnTop) {
  const Voxels v = lumps();
  Shape on_top;
  on_top.type = Shape::Type::ellipsoid;
  on_top.centre = {0.05, 0.7, 0.6};
  on_top.radii = {0.3, 0.3, 0.3};
  on_top.material = 11;
  on_top.priority = 1;
  const Scene scene = scene_of(v, {on_top});
  std::mt19937 random(4);
  constexpr int n = 16;
  for (int i = 0; i < 100; ++i) {
    const Vec3 centre = random_point(random, v), size{0.15, 0.15, 0.15};
    std::map<int, double> shares;
    for (int p = 0; p < n * n * n; ++p) {
      const Vec3 x =
          centre + 0.15 * Vec3{(p % n + 0.5) / n - 0.5, (p / n % n + 0.5) / n - 0.5, (p / n / n + 0.5) / n - 0.5};
      shares[norm(x - on_top.centre) < 0.3 ? 11 : material_of(v, x, air)] += 1.0 / (n * n * n);
    }
    const Scene::Mixture m = scene.mixture(centre, size, n);
    const double both = shares[m.first] + (m.second == m.first ? 0 : shares[m.second]);
    EXPECT_NEAR(m.share_of_second, m.first == m.second ? 0 : shares[m.second] / both, 3.0 / n);
  }
}

/// Writes labels x + 2 y + 4 z of 2 x 2 x 3 voxels of 1 x 2 x 4 mm.
template <class Writer>
void write_numbers(const std::filesystem::path& file, int type = VTK_UNSIGNED_CHAR, double factor = 1) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(2, 2, 3);
  image->SetSpacing(1, 2, 4);
  image->SetOrigin(50, 60, 70);
  image->AllocateScalars(type, 1);
  for (int p = 0; p < 12; ++p) image->SetScalarComponentFromDouble(p % 2, p / 2 % 2, p / 4, 0, factor * p);
  vtkNew<Writer> writer;
  writer->SetInputData(image);
  writer->SetFileName(file.c_str());
  if constexpr (requires { writer->SetRAWFileName(""); }) writer->SetRAWFileName((file.string() + ".raw").c_str());
  writer->Write();
}

TEST(LabelledVolume, FilesAreRead) {
  const mesh::testing::ScratchFolder folder("labels");
  write_numbers<vtkMetaImageWriter>(folder / "a.mhd");
  write_numbers<vtkNIFTIImageWriter>(folder / "a.nii");
  write_numbers<vtkNIFTIImageWriter>(folder / "a.nii.gz");
  write_numbers<vtkMetaImageWriter>(folder / "short.mhd", VTK_SHORT);
  for (const char* name : {"a.mhd", "a.nii", "a.nii.gz", "short.mhd"}) {
    const Voxels v = read_voxels(folder / name, 1e-3, {7, 8, 9});
    EXPECT_EQ(v.size, (std::array{2, 2, 3})) << name;
    EXPECT_LT(norm(v.spacing - Vec3{1e-3, 2e-3, 4e-3}), 1e-9) << name;
    EXPECT_EQ(v.corner, (Vec3{7, 8, 9}));
    for (std::size_t p = 0; p < 12; ++p) EXPECT_EQ(v.label.at(p), p) << name;
  }
}

TEST(LabelledVolume, BadFilesAreNamed) {
  const mesh::testing::ScratchFolder folder("bad_labels");
  const std::string at = (folder / "").string();
  const auto of = [&](const std::string& name) { return message([&] { (void)read_voxels(folder / name, 1, {}); }); };
  EXPECT_EQ(of("none.nii.gz"), at + "none.nii.gz: cannot be opened");
  EXPECT_EQ(of("a.tif"), at + "a.tif: labels must be .nii, .nii.gz, .mha, .mhd, .nrrd, .nhdr, .png, .bmp or .pgm");
  folder.write("text.nii", "not an image");
  EXPECT_EQ(of("text.nii"), at + "text.nii: cannot be read as a NIfTI file");
  const auto nrrd = [&](const std::string& fields, const std::string& data) {
    folder.write("head.nrrd", "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 2 2\n" + fields + "\n" + data);
    return of("head.nrrd");
  };
  const std::string in_nrrd = at + "head.nrrd: cannot be read as an NRRD file: ";
  const std::string eight("\0\1\2\3\0\1\2\3", 8);
  EXPECT_EQ(nrrd("encoding: raw\n", eight), "no error");
  EXPECT_EQ(nrrd("encoding: ascii\n", "0 1 2 3 0 1 2 3"),
            in_nrrd + "its encoding is 'ascii'; allowed are raw and gzip");
  EXPECT_EQ(nrrd("encoding: bzip2\n", eight), in_nrrd + "its encoding is 'bzip2'; allowed are raw and gzip");
  EXPECT_EQ(nrrd("", eight), in_nrrd + "it has no field encoding; allowed are raw and gzip");
  EXPECT_EQ(nrrd("encoding: raw\nencoding: raw\n", eight), in_nrrd + "it has the field encoding twice");
  EXPECT_EQ(nrrd("encodng: raw\n", eight), in_nrrd + "line 5, 'encodng: raw', is none of its fields");
  EXPECT_EQ(nrrd("encoding: gzip\n", eight), at + "head.nrrd: its data are not packed by gzip");
  EXPECT_EQ(nrrd("encoding: raw\n", "1234567"),
            in_nrrd + "its head announces 8 voxels of 1 bytes, and its data have 7 bytes");
  EXPECT_EQ(nrrd("encoding: raw\nbyte skip: -1\n", eight), in_nrrd + "its byteskip is '-1'; allowed are 0");
  EXPECT_EQ(nrrd("encoding: raw\nspacings: 1 nan 1\n", eight),
            in_nrrd + "its spacings is '1 nan 1'; allowed are three numbers that are not 0");
  folder.write("apart.nhdr", "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: text\ndata file: a.raw\n");
  EXPECT_EQ(of("apart.nhdr"),
            at + "apart.nhdr: cannot be read as an NRRD file: its encoding is 'text'; allowed are raw and gzip");
  folder.write("apart.nhdr", "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: raw\ndata file: a.raw\n");
  EXPECT_EQ(of("apart.nhdr"), at + "apart.nhdr: its data file " + at + "a.raw cannot be opened");
  // Heads that VTK would follow without end.
  const auto meta_image = [&](const std::string& dimensions, const std::string& further) {
    folder.write("head.mha", "ObjectType = Image\nNDims = " + dimensions + "\nDimSize = 2 2 2\n" + further +
                                 "ElementType = MET_UCHAR\nElementDataFile = LOCAL\n12345678");
    return of("head.mha");
  };
  const std::string head = at + "head.mha: cannot be read as a MetaImage file: ";
  EXPECT_EQ(meta_image("9223372036854775807", ""), head + "NDims is '9223372036854775807'; 1 to 10 are allowed");
  EXPECT_EQ(meta_image("3", "CompressedData = True\n"),
            head + "CompressedData is True, and CompressedDataSize is missing");
  const std::string compressed = "CompressedData = True\nCompressedDataSize = 99999999999\n";
  EXPECT_TRUE(
      meta_image("3", compressed).starts_with(head + "CompressedDataSize is '99999999999', and its data have "));
  folder.write("list.mha", "ObjectType = Image\nNDims = 3\nElementDataFile = %03d.raw 1 999999999 1\n");
  EXPECT_EQ(of("list.mha"),
            at + "list.mha: cannot be read as a MetaImage file: ElementDataFile must be LOCAL or one file");
  write_numbers<vtkNIFTIImageWriter>(folder / "type.nii");
  std::fstream type(folder / "type.nii", std::ios::in | std::ios::out | std::ios::binary);
  type.seekp(70).put(char(248));  // datatype
  type.close();
  EXPECT_TRUE(of("type.nii").starts_with(at + "type.nii: cannot be read as a NIfTI file: its data type "))
      << of("type.nii");
  folder.write("text.mha", "not an image");
  EXPECT_EQ(of("text.mha"), at + "text.mha: cannot be read as a MetaImage file");
  write_numbers<vtkMetaImageWriter>(folder / "halves.mhd", VTK_FLOAT, 0.5);
  EXPECT_EQ(of("halves.mhd"), at + "halves.mhd: voxel 1 is 0.5: labels must be whole numbers from 0 to 255");
  write_numbers<vtkMetaImageWriter>(folder / "large.mhd", VTK_SHORT, 100);
  EXPECT_EQ(of("large.mhd"), at + "large.mhd: voxel 3 is 300: labels must be whole numbers from 0 to 255");
  EXPECT_EQ(message([] {
              LabelledVolume(lumps(), {{1, skin}, {9, bone}});
            }),
            "there is no label 9; the labels are 0, 1, 2, 3");
}

// The volumes of the tissues are those of the data's README, from the count of the voxels: 0.125 mm^3 each.
TEST(LabelledVolume, TheNewYorkHead) {
  const std::filesystem::path file = DGTD_SHARED_HEADS "/ny_head_labels.nii.gz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "the real heads are not beside the project";
  const Voxels v = read_voxels(file, 1e-3, {});
  EXPECT_EQ(v.size, (std::array{394, 466, 620}));
  EXPECT_EQ(v.spacing, (Vec3{5e-4, 5e-4, 5e-4}));
  std::array<std::int64_t, 256> count{};
  for (const std::uint8_t label : v.label) ++count[label];
  EXPECT_NEAR(0.125e-3 * double(count[5]), 3413, 0.5);  // cm^3, skin and other soft tissue
  EXPECT_NEAR(0.125e-3 * double(count[4]), 627, 0.5);   // bone
  EXPECT_NEAR(0.125e-3 * double(count[3]), 352, 0.5);   // cerebrospinal fluid
  EXPECT_NEAR(0.125e-3 * double(count[1] + count[2]), 1656, 0.5);
  EXPECT_EQ(std::count_if(count.begin(), count.end(), [](std::int64_t n) { return n > 0; }), 7);
}

// Each file of the corpus has a type, an order of bytes, an encoding and axes of its own.
TEST(LabelledVolume, NrrdFilesAreRead) {
  const std::filesystem::path corpus(DGTD_NRRD_CORPUS);
  const OrientedVoxels raw = read_oriented_voxels(corpus / "raw.nrrd", 1e-3);
  EXPECT_EQ(raw.voxels.size, (std::array{4, 3, 2}));
  EXPECT_LT(norm(raw.voxels.spacing - Vec3{2e-3, 1.5e-3, 1e-3}), 1e-12);
  EXPECT_LT(norm(raw.axes[1] - Vec3{0, 0, 1}), 1e-12);
  EXPECT_LT(norm(raw.axes[2] - Vec3{0, -1, 0}), 1e-12);
  EXPECT_LT(norm(raw.from_voxels({1e-3, 0.75e-3, 0.5e-3}) - Vec3{-3e-3, 4.5e-3, 10e-3}), 1e-12);
  const Voxels packed = read_voxels(corpus / "packed.nrrd", 1e-3, {7, 8, 9});
  EXPECT_LT(norm(packed.spacing - Vec3{1e-3, 2e-3, 0.5e-3}), 1e-12);
  EXPECT_EQ(packed.corner, (Vec3{7, 8, 9}));
  for (std::size_t v = 0; v < 24; ++v) {
    EXPECT_EQ(raw.voxels.label.at(v), 7 * v % 4);
    EXPECT_EQ(packed.label.at(v), 7 * v % 4);
  }
  EXPECT_EQ(read_voxels(corpus / "real.nrrd", 1, {}).label, (std::vector<std::uint8_t>{0, 1, 2, 3}));
  // A head with its data apart.
  const mesh::testing::ScratchFolder folder("nhdr");
  folder.write("a.raw", std::string(125'000, '\1'));
  folder.write("a.nhdr", "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 50 50 50\nencoding: raw\ndata file: a.raw\n");
  EXPECT_EQ(read_voxels(folder / "a.nhdr", 1, {}).label.size(), 125'000u);
}

}  // namespace
}  // namespace dgtd::grid
