// SPDX-License-Identifier: MIT
/// A flight or a replay in a page, and its results as rows of numbers.
#pragma once

#include <engine/flight/simulation.h>
#include <engine/scene/scene.h>
#include <engine/session/session_player.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/pair.h>
#include <nearmiss/time_budget.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// Columns of each kind of rows, in order; enumerators below are in the same order.
struct PageColumns {
  static constexpr std::string_view input =
      "thrust,pitch,yaw,roll,stop,shots,levelCap,order,eyeX,eyeY,eyeZ,lookX,lookY,lookZ";
  static constexpr std::string_view bodies =
      "body,shape,x,y,z,qx,qy,qz,qw,vx,vy,vz,radius,thrust,shot";
  static constexpr std::string_view pairs =
      "a,b,verdict,depth,bound,conservative,proven,x,y,z,waited,level";
  static constexpr std::string_view collisions =
      "a,b,verdict,depth,bound,conservative,x,y,z,nx,ny,nz,points,deepest,waited";
  static constexpr std::string_view spheres = "x,y,z,radius";
  static constexpr std::string_view contact = "ax,ay,az,ar,bx,by,bz,br";
  static constexpr std::string_view statistics =
      "frame,time,detections,skipped,budget,spent,motion,broad,narrow,response,exhausted,steps,"
      "sphereTests,triangleTests,pairs,colliding,postponed,bodiesPostponed,forced,touching,"
      "responses,worstBound,medianBound,level0,level1,level2,level3,level4,exact,nextDetection,"
      "ships,late";
  static constexpr std::string_view distance = "lower,upper,ax,ay,az,bx,by,bz,canRefine";
  static constexpr std::string_view comparison =
      "verdict,depth,level,bound,conservative,colliding,work,sphereTests,triangleTests,canRefine,"
      "lower,upper,ax,ay,az,bx,by,bz,penetration,px,py,pz";

  /// Returns the columns of a kind by its name; empty for another name.
  [[nodiscard]] static std::string_view named(std::string_view kind) noexcept;
  [[nodiscard]] static constexpr std::size_t count(std::string_view columns) noexcept {
    std::size_t commas = 0;
    for (const char c : columns) commas += c == ',';
    return commas + 1;
  }
};

/// The input of a page, by its columns.
struct PageInput {
  double thrust = 0, pitch = 0, yaw = 0, roll = 0, stop = 0, shots = 0, levelCap = 0, order = 0;
  double eye[3]{}, look[3]{};
};
static_assert(sizeof(PageInput) == PageColumns::count(PageColumns::input) * sizeof(double));

class PageFlight {
 public:
  /// Errors: those of parseScene(), PageModels::shapesOf() and makeSimulation().
  static Result<std::unique_ptr<PageFlight>> open(std::string_view scene, bool shots);
  /// Errors: those of RecordedSession::fromBytes() and SessionPlayer::open().
  static Result<std::unique_ptr<PageFlight>> replay(std::string_view session);

  [[nodiscard]] PageInput& input() noexcept { return input_; }
  /// Errors: those of makeDetector(); Unsupported for a session.
  Result<Success> setMethod(const std::string& narrow);
  /// Errors: those of SessionPlayer::step(); Unsupported at the end of a session.
  Result<Success> step(Real dt, double budgetUs, bool counted);
  Result<Success> seek(std::uint64_t frame);

  [[nodiscard]] const std::string& about();
  [[nodiscard]] std::string_view difference() const noexcept;
  [[nodiscard]] std::uint64_t hash() const noexcept;

  // Rows of the last frame, valid until the next call.
  const std::vector<double>& bodies();
  const std::vector<double>& pairs();
  const std::vector<double>& collisions();
  const std::vector<double>& statistics();
  /// @pre shape is an index of the flight's shapes
  const std::vector<double>& spheres(std::uint32_t shape, int level);
  /// Empty for an index that pairs() does not have.
  const std::vector<double>& contact(std::uint32_t pair);
  /// Unknown, 0 to infinity, for bodies that do not exist.
  const std::vector<double>& distance(std::uint32_t a, std::uint32_t b);

  [[nodiscard]] const ShapeSet& shapes() const noexcept { return *shapes_; }

 private:
  [[nodiscard]] const Simulation& simulation() const noexcept {
    return player_ ? player_->simulation() : *simulation_;
  }
  [[nodiscard]] FrameInput frameInput(Real dt);
  void take(const FrameOutput& output);

  Scene scene_;
  std::shared_ptr<const ShapeSet> shapes_;
  WorkClock work_;
  SteadyClock wall_;
  std::unique_ptr<Simulation> simulation_;  ///< null for a session
  std::unique_ptr<SessionPlayer> player_;   ///< null for a flight
  const FrameOutput* output_ = nullptr;     ///< null before the first frame
  PageInput input_;
  std::vector<HandAct> acts_;
  std::vector<std::size_t> shown_;  ///< by row of pairs(): index in the detection
  std::vector<double> rows_;
  std::vector<SphereId> ids_;
  std::vector<ContactSpheres> contacts_;
  DistanceQuery query_;
  std::string about_;
};

}  // namespace nearmiss::engine
