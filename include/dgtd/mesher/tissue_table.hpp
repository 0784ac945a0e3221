#pragma once
// Table of tissues, a small text file: labels of an image, and how each tissue is prepared and meshed.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dgtd::mesher {

struct TissueRow {
  std::string name;
  std::vector<int> labels;  // of the image, 0 to 255
  double thickness = 0;     // m; parts that are thinner are given to what is around them; 0: all are kept
  double size = 0;          // m, element size; 0: from the wavelength
  std::string medium = {};  // name in the library of tissues (physics/tissue.hpp); empty: eps_r and sigma
  double permittivity = 1, conductivity = 0;  // relative, S/m
};

/// A layer that must have a thickness: `of` is put where `inner` is nearer to `outer` than `thickness`.
struct LayerRule {
  std::string of, inner, outer;
  double thickness = 0;  // m
};

/// The outermost part of a tissue, split off where it is nearer to the exterior than `thickness`.
struct ShellRule {
  std::string name, of;
  double thickness = 0;  // m
};

struct TissueTable {
  std::vector<TissueRow> tissues;  // in the order of the file; the first one is "air": the exterior and cavities
  std::vector<LayerRule> layers;   // carried out in this order
  std::vector<ShellRule> shells;
  std::string source;  // for messages

  /// Index in `tissues`, -1 if there is none of that name.
  int find(const std::string& name) const;
};

/// Lines of the file, # starts a comment:
///   NAME = LABEL...                      a tissue; the same label may not be in two of them
///   NAME.size | .thickness = METRES      .medium = NAME IN THE LIBRARY, .eps_r = 1, .sigma = S/m
///   layer NAME INNER OUTER METRES        LayerRule
///   shell NAME OF METRES                 ShellRule; NAME is a tissue without labels
/// Label 0 is air unless a tissue has it. Throws Error with file and line.
TissueTable read_tissue_table(const std::filesystem::path& file);

/// One tissue per label that the image has (1 to 255), called tissue_LABEL; label 0 is air.
TissueTable default_tissue_table(const std::vector<int>& labels);

}  // namespace dgtd::mesher
