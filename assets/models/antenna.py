# SPDX-License-Identifier: MIT
# The links of an unfolding antenna, 30 triangles each: a hub, and the struts of seven ribs, each turned its way about y.
#   python3 assets/models/antenna.py antenna_hub.glb       the link that the file's name ends with: hub, rib0 to rib6
#   python3 assets/models/antenna.py antenna.toml          all 50 links and their joints
import math
import os

from loft import loft, output_path, write

RIBS, STRUTS = 7, 7
HUB, LENGTH = 0.26, 0.36
STEEL = ('steel', '#9aa3ab', 0.9, 0.3)
GOLD = ('foil', '#d9a441', 0.8, 0.35)


def way(rib):
    """Unit vectors along the rib and along its hinges."""
    a = 2 * math.pi * rib / RIBS
    return (math.cos(a), 0.0, math.sin(a)), (-math.sin(a), 0.0, math.cos(a))


def hub():
    rings = [[(r * math.cos(2 * math.pi * i / 5), y, r * math.sin(2 * math.pi * i / 5)) for i in range(5)]
             for r, y in ((0.14, -0.12), (0.20, 0.0), (0.14, 0.12))]
    return loft(rings, (0.0, -0.16, 0.0), (0.0, 0.16, 0.0))


def strut(rib):
    """From joint to joint with a gap, thick at both ends and in the middle."""
    along, aside = way(rib)
    rings = []
    for share, r in ((0.06, 0.035), (0.25, 0.018), (0.5, 0.03), (0.75, 0.018), (0.94, 0.035)):
        ring = []
        for i in range(3):
            u, v = r * math.sin(2 * math.pi * i / 3), r * math.cos(2 * math.pi * i / 3)
            ring.append(tuple(share * LENGTH * a + u * b + v * c for a, b, c in zip(along, aside, (0.0, 1.0, 0.0))))
        rings.append(ring)
    at = lambda share: tuple(share * LENGTH * a for a in along)
    return loft(rings, at(0.02), at(0.98))


def numbers(values):
    return '[%s]' % ', '.join('%.4f' % (v + 0.0) for v in values)


def joints():
    lines = ['# SPDX-License-Identifier: MIT',
             '# An antenna that unfolds and folds: a hub and seven ribs of seven struts. Written by antenna.py.',
             'version = 1', '', '[[links]]', 'name = "hub"', 'model = "antenna_hub.glb"']
    for rib in range(RIBS):
        along, aside = way(rib)
        for k in range(STRUTS):
            lines += ['', '[[links]]', 'name = "rib %d.%d"' % (rib, k), 'model = "antenna_rib%d.glb"' % rib,
                      'parent = "%s"' % ('rib %d.%d' % (rib, k - 1) if k else 'hub'),
                      'pivot = ' + numbers((LENGTH if k else HUB) * c for c in along),
                      'axis = ' + numbers(aside),
                      'range = ' + ('[8.0, 68.0]' if k == 0 else '[-9.0, 6.0]'), 'period = 8.0']
    return '\n'.join(lines) + '\n'


path = output_path()
link = os.path.splitext(os.path.basename(path))[0].split('_')[-1]
if path.endswith('.toml'):
    with open(path, 'w', encoding='utf-8', newline='\n') as file:
        file.write(joints())
elif link == 'hub':
    write(path, *hub(), [GOLD], lambda t: 0)
else:
    write(path, *strut(int(link.removeprefix('rib'))), [STEEL], lambda t: 0)
