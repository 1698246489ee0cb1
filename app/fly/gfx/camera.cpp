// SPDX-License-Identifier: MIT
#include "fly/gfx/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace nearmiss::app::fly {
namespace {

constexpr double radiansPerPixel = 0.005;
constexpr double pitchLimit = 1.5;
constexpr double turnRate = 5.0;    ///< 1/s: rotation of the chase camera after the ship
constexpr double speedRate = 3.0;   ///< 1/s: adaptation to a new speed
constexpr double lookRate = 6.0;    ///< 1/s: tracking of the focus
constexpr double lookRoom = 1.3;    ///< relative to the distance at which the focus fills the view
constexpr double kickRate = 9.0;    ///< 1/s: decay of a shake
constexpr double maxKick = 0.5;     ///< ship radii
constexpr double widening = 0.11;   ///< radians, of the view of a ship at `widest`
constexpr double widest = 8.0;      ///< m/s
constexpr double lagSeconds = 0.1;  ///< that the chase camera is behind the ship
constexpr double freeTurn = 1.2;    ///< radians per second at full stick
constexpr double glideRate = 2.0;   ///< 1/s: approach of a gliding eye
constexpr double glanceRate = 1.5;  ///< 1/s: return of a glance

/// Position of the chase camera in the ship's axes: above the line of flight, so that the ship does
/// not hide what it flies at.
constexpr Vec3 chasePlace(0.0, 0.42, 1.0);

/// Fraction of a difference that is covered in `seconds` at `rate` per second.
double approach(double rate, double seconds) { return 1.0 - std::exp(-rate * seconds); }

Quat yawPitch(double yaw, double pitch) {
  return glm::angleAxis(yaw, Vec3(0, 1, 0)) * glm::angleAxis(pitch, Vec3(1, 0, 0));
}

/// Rotation that looks along `forward`, with `up` as vertical as possible.
Quat facing(const Vec3& forward, const Vec3& up) {
  const Vec3 back = -glm::normalize(forward);
  Vec3 right = glm::cross(up, back);
  const double length = glm::length(right);
  right = length > 1e-6 ? right / length : Vec3(1, 0, 0);
  return glm::normalize(glm::quat_cast(glm::dmat3(right, glm::cross(back, right), back)));
}

}  // namespace

glm::mat4 Camera::viewRotation() const {
  return glm::mat4(glm::mat4_cast(glm::conjugate(pose.rotation)));
}

glm::mat4 Camera::projection(double aspect) const {
  return glm::mat4(glm::perspective(fieldOfView, aspect, nearPlane, farPlane));
}

void CameraRig::setMode(CameraMode mode) noexcept {
  looking_ = false;
  mode_ = mode;
  glanceYaw_ = glancePitch_ = 0.0;
}

void CameraRig::drag(double dx, double dy) noexcept {
  const double yaw = -dx * radiansPerPixel, pitch = -dy * radiansPerPixel;
  if (mode_ == CameraMode::Orbit || looking_) {
    orbitYaw_ += yaw;
    orbitPitch_ = std::clamp(orbitPitch_ - pitch, -pitchLimit, pitchLimit);
  } else if (mode_ == CameraMode::Free) {
    camera_.pose.rotation = glm::normalize(camera_.pose.rotation * yawPitch(yaw, pitch));
  } else {
    glanceYaw_ += yaw;
    glancePitch_ = std::clamp(glancePitch_ + pitch, -pitchLimit, pitchLimit);
  }
}

void CameraRig::zoom(double notches) noexcept {
  distance_ = std::clamp(distance_ * std::pow(0.88, notches), 1.8, 60.0);
}

Quat CameraRig::orbitRotation(double yaw, double pitch) noexcept { return yawPitch(yaw, -pitch); }

void CameraRig::face(double yaw, double pitch) noexcept {
  orbitYaw_ = yaw;
  orbitPitch_ = std::clamp(pitch, -pitchLimit, pitchLimit);
}

void CameraRig::glide(double distance, double turn, double seconds) noexcept {
  distance_ = glm::mix(distance_, distance, approach(glideRate, seconds));
  orbitYaw_ += turn * seconds;
}

void CameraRig::moveFree(const Vec3& own, double seconds) noexcept {
  if (mode_ != CameraMode::Free || looking_) return;
  const Vec3 along(own.x, own.y, -own.z);
  camera_.pose.position += camera_.pose.rotation * along * (4.0 * shipRadius_ * seconds);
}

void CameraRig::turnFree(double left, double seconds) noexcept {
  if (mode_ != CameraMode::Free || looking_) return;
  camera_.pose.rotation =
      glm::normalize(camera_.pose.rotation * yawPitch(freeTurn * left * seconds, 0.0));
}

void CameraRig::startFreeCamera() noexcept {
  looking_ = false;
  mode_ = CameraMode::Free;
}

void CameraRig::widen(double notches) noexcept {
  constexpr double narrowest = 0.15, widestView = 1.9;  // radians
  fieldOfView_ = std::clamp(fieldOfView_ * std::pow(1.08, notches), narrowest, widestView);
}

void CameraRig::reset() noexcept {
  const CameraMode mode = mode_;
  *this = CameraRig();
  // Resetting a free camera returns it to the ship.
  if (mode != CameraMode::Free) mode_ = mode;
}

void CameraRig::lookAt(const std::optional<Sphere>& focus) noexcept {
  focus_ = focus;
  if (!focus_) looking_ = false;
  if (!looking_) lookBegun_ = false;
}

void CameraRig::moveAs(const CameraRig& other) noexcept {
  mode_ = other.mode_;
  distance_ = other.distance_;
  orbitYaw_ = other.orbitYaw_;
  orbitPitch_ = other.orbitPitch_;
  glanceYaw_ = other.glanceYaw_;
  glancePitch_ = other.glancePitch_;
  looking_ = other.looking_;
  if (mode_ == CameraMode::Free) camera_.pose = other.camera_.pose;
}

void CameraRig::kick(const Vec3& push) noexcept {
  kick_ += push;
  const double length = glm::length(kick_);
  if (length > maxKick) kick_ *= maxKick / length;
}

void CameraRig::chase(const Pose& ship, double seconds) {
  followed_ = glm::slerp(followed_, ship.rotation, approach(turnRate, seconds));
  const Quat glance = followed_ * yawPitch(glanceYaw_, glancePitch_);
  // The faster the ship, the more the eye lags behind and looks ahead of the ship.
  const Vec3 lag = -velocity_ * lagSeconds;
  const double limit = 1.2 * shipRadius_;
  const double length = glm::length(lag);
  const Vec3 behind = length > limit ? lag * (limit / length) : lag;
  const Vec3 up = glance * Vec3(0, 1, 0);
  camera_.pose.position =
      ship.position + behind + glance * (glm::normalize(chasePlace) * distance_ * shipRadius_);
  const Vec3 target = ship.position + glance * Vec3(0.0, -0.05 * distance_, -3.0) * shipRadius_;
  camera_.pose.rotation = facing(target - camera_.pose.position, up);
  placeShip(ship);
}

/// Turns the eye sideways, so that its target is in the middle of the free area.
void CameraRig::placeMiddle() {
  const double aside = std::atan(middle_ * std::tan(0.5 * camera_.fieldOfView));
  camera_.pose.rotation = glm::normalize(camera_.pose.rotation * yawPitch(aside, 0.0));
}

/// Turns the eye so that panels do not cover the ship.
void CameraRig::placeShip(const Pose& ship) {
  placeMiddle();
  const double halfHeight = std::tan(0.5 * camera_.fieldOfView);
  const Vec3 seen = glm::conjugate(camera_.pose.rotation) * (ship.position - camera_.pose.position);
  const double away = glm::length(seen);
  if (away <= shipRadius_ || seen.z >= 0.0) return;
  const double below = std::atan2(-seen.y, -seen.z) + std::asin(shipRadius_ / away);
  const double allowed = std::atan(halfHeight * (2.0 * floor_ - 1.0));
  if (below <= allowed) return;
  camera_.pose.rotation = glm::normalize(camera_.pose.rotation * yawPitch(0.0, allowed - below));
}

void CameraRig::orbit(const Pose& ship) {
  const Quat turn = orbitRotation(orbitYaw_, orbitPitch_);
  camera_.pose.position = ship.position + turn * Vec3(0, 0, distance_ * shipRadius_);
  camera_.pose.rotation = turn;
  placeMiddle();
}

/// Looks from the orbit, far enough that the whole sphere fits next to the panels.
void CameraRig::look(double seconds) {
  if (!lookBegun_) looked_ = *focus_;
  lookBegun_ = true;
  const double part = approach(lookRate, seconds);
  looked_.centre = glm::mix(looked_.centre, focus_->centre, part);
  looked_.radius = glm::mix(looked_.radius, focus_->radius, part);
  // The part that the smoothed focus lags behind must be in view as well
  const double reach =
      std::max(looked_.radius, glm::distance(looked_.centre, focus_->centre) + focus_->radius);
  const double whole = reach / std::sin(0.5 * camera_.fieldOfView);
  const Quat turn = orbitRotation(orbitYaw_, orbitPitch_);
  camera_.pose.position = looked_.centre + turn * Vec3(0, 0, lookRoom * whole * distance_ / 6.0);
  camera_.pose.rotation = turn;
  placeMiddle();
}

const Camera& CameraRig::update(const Pose& ship, double shipRadius, double seconds) {
  shipRadius_ = shipRadius;
  if (!started_) {
    followed_ = ship.rotation;
    lastPosition_ = ship.position;
    velocity_ = Vec3(0.0);
    started_ = true;
    if (mode_ == CameraMode::Free) chase(ship, 0.0);
  }
  if (seconds > 0.0) {
    const Vec3 moved = ship.position - lastPosition_;
    // A ship that jumped has no speed.
    const bool jumped = glm::length(moved) > 4.0 * shipRadius + 20.0 * shipRadius * seconds;
    const Vec3 speed = jumped ? Vec3(0.0) : moved / seconds;
    velocity_ = jumped ? speed : glm::mix(velocity_, speed, approach(speedRate, seconds));
    kick_ -= kick_ * approach(kickRate, seconds);
    glanceYaw_ -= glanceYaw_ * approach(glanceRate, seconds);
    glancePitch_ -= glancePitch_ * approach(glanceRate, seconds);
  }
  lastPosition_ = ship.position;
  const double rush = std::min(glm::length(velocity_) / widest, 1.0);
  camera_.fieldOfView = fieldOfView_ + (looksAhead() ? widening * rush : 0.0);

  if (looking_ && focus_) {
    look(seconds);
    return camera_;
  }
  switch (mode_) {
    case CameraMode::Chase:
      chase(ship, seconds);
      camera_.pose.position += kick_ * shipRadius;
      break;
    case CameraMode::Cockpit:
      followed_ = ship.rotation;
      camera_.pose.rotation = ship.rotation * yawPitch(glanceYaw_, glancePitch_);
      // In front of the nose, so that the hull does not hide the view.
      camera_.pose.position = ship.position + ship.rotation * Vec3(0, 0.1, -1.02) * shipRadius;
      camera_.pose.position += 0.3 * kick_ * shipRadius;
      break;
    case CameraMode::Orbit:
      orbit(ship);
      break;
    case CameraMode::Free:
      break;
  }
  return camera_;
}

bool project(const Camera& camera, int width, int height, const Vec3& world, glm::vec2& pixel) {
  const Vec3 p = glm::conjugate(camera.pose.rotation) * (world - camera.pose.position);
  const double depth = -p.z;
  if (depth < camera.nearPlane) return false;
  const double scale = 0.5 * height / (std::tan(0.5 * camera.fieldOfView) * depth);
  pixel = glm::vec2(0.5 * width + p.x * scale, 0.5 * height - p.y * scale);
  return true;
}

Vec3 unproject(const Camera& camera, int width, int height, const glm::vec2& pixel, double depth) {
  const double scale = 0.5 * height / (std::tan(0.5 * camera.fieldOfView) * depth);
  const Vec3 p((pixel.x - 0.5 * width) / scale, (0.5 * height - pixel.y) / scale, -depth);
  return camera.pose.position + camera.pose.rotation * p;
}

}  // namespace nearmiss::app::fly
