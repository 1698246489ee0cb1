# SPDX-License-Identifier: MIT
# A station with a bay: a body of revolution about z, open towards +z, closed and facing outwards.
#   python3 assets/models/station.py >assets/models/station.obj
import math

SIDES = 32
# Radius and z, from the middle of the back around the outside and the mouth to the middle of the bay's back wall
PROFILE = [(0.0, -4.6), (1.4, -4.6), (1.4, -3.6), (3.6, -3.4), (4.2, -2.6), (4.2, -0.9), (5.6, -0.5), (5.6, 0.5),
           (4.2, 0.9), (4.2, 2.4), (3.8, 3.0), (3.0, 3.0), (2.7, 2.6), (2.7, -2.0), (0.0, -2.0)]
BANDS = ['hull', 'hull', 'hull', 'hull', 'hull', 'ring', 'ring', 'ring', 'hull', 'hull', 'mouth', 'mouth', 'bay', 'bay']

print('# SPDX-License-Identifier: MIT')
print('mtllib station.mtl')
first = []
count = 0
for r, z in PROFILE:
    first.append(count + 1)
    for side in range(SIDES if r else 1):
        angle = 2 * math.pi * side / SIDES
        print(f'v {r * math.cos(angle):.5f} {r * math.sin(angle):.5f} {z:.5f}')
        count += 1
for band, material in enumerate(BANDS):
    print('usemtl', material)
    (r, _), (s, _) = PROFILE[band], PROFILE[band + 1]
    for side in range(SIDES):
        a, b = ((first[band] + (side + k) % SIDES) if r else first[band] for k in (0, 1))
        c, d = ((first[band + 1] + (side + k) % SIDES) if s else first[band + 1] for k in (0, 1))
        if r:
            print('f', a, b, c)
        if s:
            print('f', b, d, c)
