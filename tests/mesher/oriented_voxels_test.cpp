// The axes of an image's header.
#include <gtest/gtest.h>
#include <vtkImageData.h>
#include <vtkMatrix4x4.h>
#include <vtkMetaImageWriter.h>
#include <vtkNIFTIImageWriter.h>
#include <vtkNew.h>

#include "dgtd/grid/labelled_volume.hpp"
#include "mesh/scratch_folder.hpp"
#include "mesher_images.hpp"
#include "support/error_message.hpp"

namespace dgtd::grid {
namespace {

/// Labels x + 2 y + 4 z of 2 x 2 x 3 voxels of 1 x 2 x 4 mm.
vtkNew<vtkImageData> numbers() {
  vtkNew<vtkImageData> image;
  image->SetDimensions(2, 2, 3);
  image->SetSpacing(1, 2, 4);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 1);
  for (int p = 0; p < 12; ++p) image->SetScalarComponentFromDouble(p % 2, p / 2 % 2, p / 4, 0, p);
  return image;
}

void write_nifti(const std::filesystem::path& file, const std::array<double, 16>& matrix) {
  const auto image = numbers();
  vtkNew<vtkMatrix4x4> sform;
  sform->DeepCopy(matrix.data());
  vtkNew<vtkNIFTIImageWriter> writer;
  writer->SetInputData(image);
  writer->SetSFormMatrix(sform);
  writer->SetQFormMatrix(sform);
  writer->SetFileName(file.c_str());
  writer->Write();
}

// x of the header is -y of the voxels, y is x; the first voxel's centre is at 10 20 30 mm.
TEST(OrientedVoxels, NiftiRotationAndOffset) {
  const mesh::testing::ScratchFolder folder("oriented");
  write_nifti(folder / "a.nii", {0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30, 0, 0, 0, 1});
  const OrientedVoxels v = read_oriented_voxels(folder / "a.nii", 1e-3);
  EXPECT_EQ(v.voxels.size, (std::array{2, 2, 3}));
  EXPECT_LT(norm(v.from_voxels({0.5e-3, 1e-3, 2e-3}) - Vec3{0.010, 0.020, 0.030}), 1e-9);
  EXPECT_LT(norm(v.from_voxels({1.5e-3, 1e-3, 2e-3}) - Vec3{0.010, 0.021, 0.030}), 1e-9);
  EXPECT_LT(norm(v.from_voxels({0.5e-3, 3e-3, 2e-3}) - Vec3{0.008, 0.020, 0.030}), 1e-9);
  EXPECT_LT(norm(v.to_voxels({0.008, 0.020, 0.030}) - Vec3{0.5e-3, 3e-3, 2e-3}), 1e-9);
}

TEST(OrientedVoxels, SkewedAxesAreRefused) {
  const mesh::testing::ScratchFolder folder("skewed");
  write_nifti(folder / "a.nii", {1, 0.5, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  EXPECT_EQ(
      message([&] { (void)read_oriented_voxels(folder / "a.nii", 1e-3); }),
      (folder / "a.nii").string() + ": the header's axes must be across each other, with the voxels' own spacing");
  EXPECT_EQ(read_voxels(folder / "a.nii", 1e-3, {}).size, (std::array{2, 2, 3}));  // which ignores them
}

TEST(OrientedVoxels, MetaImageAndNrrd) {
  const mesh::testing::ScratchFolder folder("formats");
  const auto image = numbers();
  image->SetOrigin(50, 60, 70);
  vtkNew<vtkMetaImageWriter> writer;
  writer->SetInputData(image);
  writer->SetFileName((folder / "a.mhd").c_str());
  writer->SetRAWFileName((folder / "a.raw").c_str());
  writer->Write();
  const OrientedVoxels meta = read_oriented_voxels(folder / "a.mhd", 1e-3);
  EXPECT_EQ(meta.voxels.size, (std::array{2, 2, 3}));
  EXPECT_LT(norm(meta.voxels.spacing - Vec3{1e-3, 2e-3, 4e-3}), 1e-9);
  EXPECT_LT(norm(meta.from_voxels({0.5e-3, 1e-3, 2e-3}) - Vec3{0.050, 0.060, 0.070}), 1e-9);

  const std::string text =
      mesher::testing::nrrd(34, 2, [](const Vec3& x) { return x.x > 0 && x.y < 0 && x.z > 20 ? 3 : 1; });
  folder.write("a.nrrd", text);
  const OrientedVoxels straight = read_oriented_voxels(folder / "a.nrrd", 1e-3);
  EXPECT_EQ(straight.voxels.size, (std::array{34, 34, 34}));
  EXPECT_LT(norm(straight.voxels.spacing - Vec3{2e-3, 2e-3, 2e-3}), 1e-9);
  EXPECT_LT(norm(straight.from_voxels({3e-3, 1e-3, 1e-3}) - Vec3{-0.031, -0.033, -0.033}), 1e-9);
  EXPECT_EQ(straight.voxels.label[(33 * 34 + 0) * 34 + 33], 3);
  EXPECT_EQ(straight.voxels.label[0], 1);
  std::string rotated = text;
  const std::string directions = "(2,0,0) (0,2,0) (0,0,2)";
  rotated.replace(rotated.find(directions), directions.size(), "(0,2,0) (-2,0,0) (0,0,2)");
  folder.write("turned.nrrd", rotated);
  const OrientedVoxels turned = read_oriented_voxels(folder / "turned.nrrd", 1e-3);
  EXPECT_LT(norm(turned.from_voxels({3e-3, 1e-3, 1e-3}) - Vec3{-0.033, -0.031, -0.033}), 1e-9);
  EXPECT_LT(norm(turned.from_voxels({1e-3, 3e-3, 1e-3}) - Vec3{-0.035, -0.033, -0.033}), 1e-9);
  EXPECT_EQ(message([&] { (void)read_oriented_voxels(folder / "a.png", 1); }),
            (folder / "a.png").string() + ": a labelled image must be .nii, .nii.gz, .mha, .mhd, .nrrd or .nhdr");
  folder.write("bad.nrrd", "not an image");
  EXPECT_EQ(message([&] { (void)read_oriented_voxels(folder / "bad.nrrd", 1); }),
            (folder / "bad.nrrd").string() + ": cannot be read as an NRRD file");
}

}  // namespace
}  // namespace dgtd::grid
