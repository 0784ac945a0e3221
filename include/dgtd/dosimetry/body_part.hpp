#pragma once
// The part of a body whose local SAR a model has: limits differ.

namespace dgtd::dosimetry {

/// limb: upper arm, forearm, thigh, leg. extremity: hand, wrist, foot, ankle and the outer ear, which ICNIRP counts as
/// limbs.
enum class BodyPart { head, torso, limb, extremity };

}  // namespace dgtd::dosimetry
