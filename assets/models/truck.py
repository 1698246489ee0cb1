# SPDX-License-Identifier: MIT
# Truck chassis ship: ladder frame, axles, springs, wheels, engine, driveline, tanks and an open cab frame.
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from ship_model import Model, output_path
from ship_solids import Vector, arc, ball, beam, box, lathe, ngon, prism, rod, sweep, tube

m = Model('truck', 10172)
m.material('frame', '#6b7682', 0.45, 0.5)
m.material('rubber', '#505459', 0.0, 0.85)
m.material('rim', '#b6bcc3', 0.7, 0.35)
m.material('steel', '#98a1aa', 0.8, 0.35)
m.material('cast', '#868b91', 0.5, 0.6)
m.material('paint', '#3f74a8', 0.15, 0.4)
m.material('red', '#b5483c', 0.1, 0.45)
m.material('yellow', '#d0a03c', 0.1, 0.5)
m.material('seat', '#7a5844', 0.0, 0.75)
m.material('rust', '#8c6a55', 0.6, 0.6)
m.material('lamp', '#fff0cc', 0.0, 0.3, emission='#fff0c8')
m.material('tail', '#d8352a', 0.0, 0.4, emission='#e02a20')
m.material('amber', '#e89a30', 0.0, 0.4, emission='#f09020')

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
FRONT, REAR = 0.62, (-0.42, -0.80)  # axle positions
AXLE = -0.15                        # axle height


# ---- wheels

def wheel(x, y, wide):
    """Right-hand wheel; the outside faces +X."""
    w = 0.066 * wide
    o = (x, y, AXLE)
    tyre = [(0.108, -0.80), (0.153, -1.0), (0.190, -0.62), (0.190, 0.62), (0.153, 1.0), (0.118, 0.84)]
    rim = [(0.101, 0.62)]
    m.add_pair(lathe([(r, h * w) for r, h in tyre + rim], 20, o, X, closed=True, bands=[0] * 5 + [1] * 2),
               ['rubber', 'rim'], 42)
    # five-sided hub, so that every spoke meets one flat
    m.add_pair(lathe([(0.056, -0.022), (0.052, 0.016)], 5, o, X, up=Z), 'rim', 10)
    m.add_pair(lathe([(0.026, 0.010), (0.020, 0.052)], 7, o, X), 'steel', 55)
    spoke = [(-0.027, 0.034), (-0.0135, 0.106), (0.0135, 0.106), (0.027, 0.034)]
    for k in range(5):
        m.add_pair(prism(spoke, 0.020, o, X, Z).rotated('X', 72 * k, o), 'rim', 10)


wheel(0.335, FRONT, 1.0)
for y in REAR:
    wheel(0.325, y, 1.22)

# ---- frame: two C-section rails tied by cross-members

c_section = [(0.200, -0.055), (0.200, 0.055), (0.148, 0.055), (0.148, 0.043), (0.188, 0.043),
             (0.188, -0.043), (0.148, -0.043), (0.148, -0.055)]
m.add_pair(prism(c_section, 2.005, (0, -0.0345, 0), Y, Z), 'frame', 10)

for y, z, r in ((0.245, -0.012, 0.026), (-0.055, 0.011, 0.026), (-0.905, 0.0, 0.030)):
    m.add(rod((-0.207, y, z), (0.207, y, z), r, 7), 'frame', 55)
hat = [(-0.045, -0.030), (-0.045, -0.020), (-0.026, -0.020), (-0.020, 0.030), (0.020, 0.030), (0.026, -0.020),
       (0.045, -0.020), (0.045, -0.030), (0.017, -0.030), (0.012, 0.020), (-0.012, 0.020), (-0.017, -0.030)]
for y, z in ((-0.255, 0.008), (-0.61, 0.002)):
    m.add(prism(hat, 0.388, (0, y, z), X, Z), 'frame', 10)
m.add(beam((-0.194, 0.905, -0.012), (0.194, 0.905, -0.012), 0.036, 0.060, bevel=0.008), 'frame', 10)

# ---- axles

i_section = [(0.026, -0.022), (0.026, 0.022), (0.014, 0.022), (0.014, 0.008), (-0.014, 0.008), (-0.014, 0.022),
             (-0.026, 0.022), (-0.026, -0.022), (-0.014, -0.022), (-0.014, -0.008), (0.014, -0.008), (0.014, -0.022)]
drop = [(-0.290, FRONT, -0.150), (-0.190, FRONT, -0.184)]
m.add(sweep(drop + [(-x, y, z) for x, y, z in drop[::-1]], i_section, up=Z), 'cast', 10)
m.add_pair(rod((0.262, FRONT, AXLE), (0.340, FRONT, AXLE), 0.026, 8), 'steel', 50)
m.add_pair(box((0.282, FRONT, -0.151), (0.046, 0.064, 0.104)), 'cast', 10)
m.add_pair(beam((0.284, FRONT, -0.168), (0.252, FRONT - 0.110, -0.168), 0.026, 0.018), 'cast', 10)
m.add(rod((-0.252, FRONT - 0.098, -0.168), (0.252, FRONT - 0.098, -0.168), 0.0115, 6), 'steel', 62)

for y in REAR:
    axle = [(0.032, -0.330), (0.032, -0.125), (0.056, -0.05), (0.056, 0.05), (0.032, 0.125), (0.032, 0.330)]
    m.add(lathe(axle, 7, (0, y, AXLE), X, up=Z), 'cast', 55)
    housing = [(0.030, 0.110), (0.034, 0.072), (0.084, 0.022), (0.084, -0.010), (0.046, -0.062), (0.030, -0.100)]
    m.add(lathe(housing, 8, (0, y, AXLE), Y, up=Z), 'cast', 46)


# ---- leaf springs under the rails


def spring(y, half, low, sag):
    radius = half * half / (2 * sag)
    centre = (0.172, y, low + radius)
    for k, (share, width, steps) in enumerate(((1.0, 0.040, 4), (0.6, 0.034, 2))):
        a = math.degrees(share * half / radius)
        path = arc(centre, radius + 0.0105 * k, Y, Z, -90 - a, -90 + a, steps)
        leaf = [(0.007, -width / 2), (0.007, width / 2), (-0.007, width / 2), (-0.007, -width / 2)]
        m.add_pair(sweep(path, leaf, up=Z), 'steel', 20)
    a = math.degrees(half / radius)
    for end in (-1, 1):
        p = arc(centre, radius, Y, Z, -90 + end * a, -90 + end * a, 1)[0]
        m.add_pair(beam((0.172, p.y, p.z - 0.014), (0.172, p.y + end * 0.006, -0.049), 0.048, 0.026, up=Y), 'frame', 10)
    m.add_pair(box((0.172, y, low - 0.022), (0.052, 0.060, 0.050)), 'cast', 10)


spring(FRONT, 0.215, -0.118, 0.036)
for y in REAR:
    spring(y, 0.145, -0.106, 0.028)

# ---- engine: V block with covers, pan, manifolds, fan drive

EY = 0.625
m.add(box((0, EY, 0.050), (0.170, 0.270, 0.165)), 'cast', 10)
m.add(box((0, EY + 0.02, -0.062), (0.118, 0.200, 0.085)), 'frame', 10)
head = box((0.048, EY + 0.004, 0.140), (0.078, 0.250, 0.075))
cover = box((0.048, EY + 0.001, 0.187), (0.060, 0.226, 0.045), 0.012)
m.add_pair(head.rotated('Y', 24, (0, 0, 0.05)), 'cast', 10)
m.add_pair(cover.rotated('Y', 24, (0, 0, 0.05)), 'red', 10)
m.add(box((0, EY, 0.150), (0.060, 0.180, 0.070)), 'cast', 10)
cleaner = [(0.028, 0.16), (0.028, 0.250), (0.074, 0.254), (0.074, 0.290), (0.062, 0.299)]
m.add(lathe(cleaner, 12, (0, EY, 0)), 'yellow', 40)
for y in (EY - 0.065, EY + 0.055):
    m.add_pair(tube([(0.098, y, 0.134), (0.160, y - 0.012, 0.102)], 0.0125, 6), 'rust', 62)
m.add_pair(beam((0.075, EY + 0.075, -0.004), (0.193, EY + 0.075, -0.012), 0.050, 0.028), 'frame', 10)

# exhaust: log, pipe below the rail, muffler and stack behind the cab
pipe = [(0.158, EY + 0.105, 0.098), (0.158, 0.475, 0.098), (0.112, 0.400, 0.020), (0.105, 0.360, -0.095),
        (0.105, -0.120, -0.104), (0.212, -0.168, -0.100),
        (0.240, -0.168, -0.060), (0.240, -0.168, 0.620), (0.240, -0.215, 0.705)]
m.add_pair(tube(pipe, 0.020, 6, up=Z, mouth=(0.78, 0.05, 0.7)), ['rust', 'rubber'], 62)
muffler = [(0.024, 0.10), (0.042, 0.125), (0.042, 0.430), (0.024, 0.455)]
m.add_pair(lathe(muffler, 8, (0.240, -0.168, 0), up=Y), 'steel', 46)
for z in (0.165, 0.375):
    m.add_pair(beam((0.250, -0.150, z + 0.009), (0.266, -0.058, z + 0.009), 0.014, 0.010), 'frame', 10)

# pulleys, belt and fan
FAN_Z = 0.150


def pulley(x, z, r):
    m.add(lathe([(r * 0.4, 0.735), (r * 0.4, 0.758), (r, 0.758), (r, 0.782)], 10, (x, 0, z), Y), 'steel', 40)


pulley(0, 0.005, 0.044)
pulley(0, FAN_Z, 0.034)
m.add(rod((0, 0.780, FAN_Z), (0, 0.822, FAN_Z), 0.022, 8), 'steel', 50)
blade = box((0, 0.808, FAN_Z + 0.061), (0.034, 0.004, 0.096))
for k in range(6):
    m.add(blade.rotated('Z', 28, (0, 0.808, FAN_Z)).rotated('Y', 60 * k, (0, 0.808, FAN_Z)), 'yellow', 10)

# radiator with an open core
RY = 0.868
m.add(box((0, RY, 0.310), (0.330, 0.050, 0.046)), 'frame', 10)
m.add(box((0, RY, 0.052), (0.290, 0.050, 0.050)), 'frame', 10)
for i in range(-4, 5):
    if abs(i) == 4:
        m.add(box((i * 0.0355, RY, 0.18), (0.020, 0.042, 0.242)), 'frame', 10)
    else:
        m.add(box((i * 0.0355, RY, 0.18), (0.009, 0.030, 0.250)), 'steel', 10)
m.add_pair(beam((0.120, RY, 0.045), (0.172, RY, 0.048), 0.034, 0.036), 'frame', 10)
m.add(rod((0, RY, 0.325), (0, RY, 0.348), 0.018, 8), 'steel', 50)
hose = [(0.020, EY + 0.060, 0.165), (0.020, EY + 0.075, 0.215), (0.030, EY + 0.120, 0.262), (0.060, EY + 0.190, 0.305),
        (0.080, RY, 0.312)]
m.add(tube(hose, 0.014, 6), 'rubber', 62)

# ---- driveline

m.add(lathe([(0.080, 0.515), (0.082, 0.482), (0.056, 0.425), (0.050, 0.395)], 12, (0, 0, 0.045), Y), 'cast', 40)
m.add(box((0, 0.345, 0.030), (0.104, 0.150, 0.112), 0.014), 'cast', 10)
m.add(lathe([(0.040, 0.285), (0.040, 0.225), (0.026, 0.205), (0.026, 0.165)], 10, (0, 0, 0.022), Y), 'cast', 40)
m.add(tube([(0, 0.335, 0.070), (-0.02, 0.289, 0.244)], 0.0085, 5), 'steel', 60)
m.add(ball((-0.02, 0.289, 0.246), 0.019, 6, 2), 'red', 60)


def shaft(a, b, r):
    """Drive shaft with a flange at both ends."""
    d = Vector(b) - Vector(a)
    n = d.length
    profile = [(0.036, -0.010), (0.036, 0.010), (r, 0.024), (r, n - 0.024), (0.036, n - 0.010), (0.036, n + 0.010)]
    m.add(lathe(profile, 8, a, d, up=X), 'steel', 46)


shaft((0, 0.160, 0.022), (0, REAR[0] + 0.132, -0.146), 0.019)
shaft((0, REAR[0] - 0.110, -0.150), (0, REAR[1] + 0.130, -0.150), 0.017)

# ---- fuel tanks, steps, air tanks

TX, TZ = 0.292, -0.040
tank = [(0.068, -0.134), (0.085, -0.116), (0.085, -0.066), (0.085, -0.044), (0.085, 0.130), (0.085, 0.152),
        (0.085, 0.216), (0.068, 0.234)]
m.add_pair(lathe(tank, 12, (TX, 0, TZ), Y, up=Z, bands=[0, 0, 1, 0, 1, 0, 0]), ['paint', 'steel'], 50)
for y in (-0.055, 0.141):
    m.add_pair(beam((0.194, y, -0.030), (0.250, y, -0.034), 0.030, 0.040), 'frame', 10)
m.add_pair(rod((TX + 0.02, 0.045, TZ + 0.07), (TX + 0.028, 0.045, TZ + 0.100), 0.019, 8), 'steel', 50)

# ---- cab frame of bent tubes


def bevelled(points, r):
    """Closed path at X = 0.27 through (y, z) points, corners cut off."""
    out = []
    n = len(points)
    for i in range(n):
        p, a, b = (Vector((0.270, *points[k])) for k in (i, i - 1, (i + 1) % n))
        out += [p + (a - p).normalized() * r, p + (b - p).normalized() * r]
    return out


side = bevelled([(-0.060, 0.105), (0.400, 0.105), (0.400, 0.300), (0.250, 0.600), (-0.060, 0.600)], 0.07)
m.add_pair(tube(side, 0.017, 4, up=X, closed=True), 'yellow', 25)
for y, z in ((0.020, 0.105), (0.140, 0.105), (0.400, 0.240), (0.220, 0.600), (0.010, 0.600), (-0.060, 0.340),
             (-0.060, 0.175)):
    m.add(rod((-0.272, y, z), (0.272, y, z), 0.0125, 4, up=Z), 'yellow', 25)
m.add_pair(rod((0.270, -0.058, 0.180), (0.270, 0.396, 0.285), 0.0115, 4), 'yellow', 25)
m.add_pair(rod((0.270, 0.110, 0.222), (0.270, 0.110, 0.597), 0.0115, 4, up=X), 'yellow', 25)
m.add_pair(rod((0.262, -0.060, 0.350), (0.010, -0.060, 0.175), 0.0095, 4, up=Y), 'yellow', 25)
for y in (0.005, 0.330):
    m.add_pair(beam((0.184, y, 0.0555), (0.270, y, 0.104), 0.040, 0.022), 'frame', 10)

# seats, steering, mirrors, roof lights
m.add_pair(box((0.130, 0.072, 0.143), (0.172, 0.190, 0.066), 0.014), 'seat', 10)
m.add_pair(box((0.130, -0.012, 0.275), (0.165, 0.046, 0.230), 0.014).rotated('X', 8, (0.13, 0, 0.16)), 'seat', 10)
gear, hub = Vector((-0.222, 0.790, 0.012)), Vector((-0.140, 0.205, 0.352))
up_column = (hub - gear).normalized()
m.add(box((-0.220, 0.792, 0.006), (0.056, 0.100, 0.070)), 'cast', 10)
m.add(rod(gear, hub + up_column * 0.006, 0.0105, 8), 'steel', 50)
m.add(beam((-0.232, 0.812, -0.010), (-0.232, 0.780, -0.130), 0.018, 0.026, up=Y), 'cast', 10)
m.add(rod((-0.232, 0.780, -0.122), (-0.268, FRONT + 0.010, -0.128), 0.009, 6), 'steel', 62)
turn = up_column.to_track_quat('Z', 'Y').to_matrix()
ring = [hub + turn @ Vector((a, b, 0)) for a, b in ngon(0.078, 11)]
m.add(tube(ring, 0.0085, 5, closed=True, up=up_column), 'rubber', 80)
m.add(lathe([(0.018, -0.010), (0.016, 0.010)], 6, hub, up_column), 'rubber', 50)
for t in (90, 210, 330):
    d = turn @ Vector((math.cos(math.radians(t)), math.sin(math.radians(t)), 0))
    m.add(beam(hub, hub + d * 0.077, 0.011, 0.006, up=up_column), 'steel', 10)
m.add_pair(rod((0.268, 0.350, 0.400), (0.352, 0.385, 0.400), 0.008, 5), 'steel', 80)
m.add_pair(box((0.352, 0.389, 0.403), (0.050, 0.018, 0.150)), 'frame', 10)
for i in (-2, 0, 2):
    m.add(box((i * 0.105, 0.223, 0.613), (0.040, 0.026, 0.022)), 'amber', 10)

# ---- mudguards, bumper, lights


def guard(path, x, width):
    s = [(0.005, -width / 2), (0.005, width / 2), (-0.005, width / 2), (-0.005, -width / 2)]
    m.add_pair(sweep([(x, p.y, p.z) for p in path], s, up=Z), 'paint', 35)


guard(arc((0, FRONT, AXLE), 0.222, Y, Z, 12, 168, 7), 0.335, 0.142)
guard(arc((0, REAR[0], AXLE), 0.222, Y, Z, 16, 90, 3) + arc((0, REAR[1], AXLE), 0.222, Y, Z, 90, 164, 3), 0.325, 0.168)
for y, z0, z1 in ((FRONT, 0.025, 0.060), (REAR[0], 0.030, 0.064), (REAR[1], 0.030, 0.064)):
    m.add_pair(rod((0.193, y, z0), (0.300, y, z1), 0.010, 4), 'frame', 10)
bumper = [(-0.395, 0.890), (-0.385, 0.942), (-0.270, 0.985), (0.270, 0.985), (0.385, 0.942), (0.395, 0.890),
          (0.370, 0.890), (0.362, 0.926), (0.262, 0.960), (-0.262, 0.960), (-0.362, 0.926), (-0.370, 0.890)]
m.add(prism(bumper, 0.092, (0, 0, -0.030), Z, Y, bevel=0.007), 'rim', 10)
hook = [(0.970, -0.056), (1.018, -0.056), (1.034, -0.030), (1.018, -0.004), (0.970, -0.004)]
m.add_pair(tube([(0.110, y, z) for y, z in hook], 0.0095, 6), 'red', 62)
headlight = [(0.028, -0.060), (0.055, -0.018), (0.055, 0.020), (0.046, 0.020), (0.042, 0.006)]
m.add_pair(lathe(headlight, 10, (0.292, 0.950, 0.094), Y, bands=[0, 0, 0, 0, 1]), ['rim', 'lamp'], 40)
m.add_pair(rod((0.292, 0.957, 0.000), (0.292, 0.948, 0.060), 0.011, 6), 'frame', 62)
m.add_pair(box((0.372, 0.953, -0.030), (0.030, 0.034, 0.040)), 'amber', 10)

m.add(beam((-0.385, -1.030, -0.010), (0.385, -1.030, -0.010), 0.030, 0.074), 'frame', 10)
m.add_pair(box((0.335, -1.046, -0.010), (0.066, 0.022, 0.048)), 'tail', 10)
m.add_pair(box((0.250, -1.046, -0.010), (0.060, 0.022, 0.048)), 'amber', 10)

# ---- coupling plate over the rear axles

plate = [(p.y, p.z) for p in arc((0, 0, 0), 0.150, Y, Z, -62, 242, 11)]
plate = plate + [(-0.030, -0.030), (-0.020, 0.010), (0.020, 0.010), (0.030, -0.030)]
m.add(prism(plate, 0.030, (0, -0.610, 0.128), Z, Y, bevel=0.007), 'cast', 10)
bracket = [(-0.090, 0.045), (-0.045, 0.122), (0.045, 0.122), (0.090, 0.045)]
m.add_pair(prism(bracket, 0.022, (0.110, -0.610, 0), X, Z), 'frame', 10)
m.add_pair(beam((0.108, -0.610, 0.050), (0.172, -0.610, 0.050), 0.150, 0.024), 'frame', 10)

m.build(output_path(), fit_tolerance=0.004)
