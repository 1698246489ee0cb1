# SPDX-License-Identifier: MIT
# Closed meshes from rings of points, and their files. Needs Python only.
import json
import math
import struct
import sys


def loft(rings, first, last):
    """Triangles of the surface through equally long rings, from the point `first` to the point `last`."""
    n = len(rings[0])
    points = [first, *(p for ring in rings for p in ring), last]
    end = len(points) - 1
    triangles = []
    for i in range(n):
        k = (i + 1) % n
        triangles.append((0, 1 + i, 1 + k))
        for r in range(len(rings) - 1):
            a, b = 1 + r * n, 1 + (r + 1) * n
            triangles += [(a + i, b + i, b + k), (a + i, b + k, a + k)]
        triangles.append((end, end - n + k, end - n + i))
    return points, outward(points, triangles)


def outward(points, triangles):
    """The triangles, all turned if they enclose a negative volume."""
    volume = sum(_dot(points[a], _cross(points[b], points[c])) for a, b, c in triangles)
    return triangles if volume > 0 else [(a, c, b) for a, b, c in triangles]


def write(path, points, triangles, materials, material_of, crease=40.0):
    """
    Writes a binary glTF file. materials: (name, '#rrggbb', metallic, roughness); material_of(triangle) gives an
    index. Normals are smooth where faces of one material meet at less than `crease` degrees.
    """
    points = [struct.unpack('<3f', struct.pack('<3f', *p)) for p in points]
    normals = [_normal(*(points[v] for v in t)) for t in triangles]
    kinds = [material_of(t) for t in triangles]
    around = {}
    for i, t in enumerate(triangles):
        for v in t:
            around.setdefault(v, []).append(i)
    binary, views, accessors, primitives = bytearray(), [], [], []

    def add(data, kind, component, count, **more):
        views.append({'buffer': 0, 'byteOffset': len(binary), 'byteLength': len(data)})
        accessors.append({'bufferView': len(views) - 1, 'componentType': component, 'count': count, 'type': kind, **more})
        binary.extend(data + b'\0' * (-len(data) % 4))
        return len(accessors) - 1

    for kind in range(len(materials)):
        corners, indices = {}, []
        for i, t in enumerate(triangles):
            if kinds[i] != kind:
                continue
            for v in t:
                near = [normals[k] for k in around[v]
                        if kinds[k] == kind and _dot(normals[i], normals[k]) >= math.cos(math.radians(crease))]
                smooth = _unit([sum(n[c] for n in near) for c in range(3)])
                corner = struct.pack('<6f', *points[v], *smooth)
                indices.append(corners.setdefault(corner, len(corners)))
        places = [c[:12] for c in corners]
        columns = list(zip(*(struct.unpack('<3f', p) for p in places)))
        position = add(b''.join(places), 'VEC3', 5126, len(places), min=[min(c) for c in columns],
                       max=[max(c) for c in columns])
        normal = add(b''.join(c[12:] for c in corners), 'VEC3', 5126, len(places))
        index = add(struct.pack('<%dH' % len(indices), *indices), 'SCALAR', 5123, len(indices))
        primitives.append({'attributes': {'POSITION': position, 'NORMAL': normal}, 'indices': index, 'material': kind})
    document = {
        'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': [{'mesh': 0}],
        'meshes': [{'primitives': primitives}], 'accessors': accessors, 'bufferViews': views,
        'buffers': [{'byteLength': len(binary)}],
        'materials': [{'name': name, 'pbrMetallicRoughness': {
            'baseColorFactor': [*_linear(colour), 1], 'metallicFactor': metallic, 'roughnessFactor': roughness}}
            for name, colour, metallic, roughness in materials]}
    text = json.dumps(document, separators=(',', ':')).encode()
    text += b' ' * (-len(text) % 4)
    with open(path, 'wb') as file:
        file.write(struct.pack('<4sII', b'glTF', 2, 28 + len(text) + len(binary)))
        file.write(struct.pack('<I4s', len(text), b'JSON') + text)
        file.write(struct.pack('<I4s', len(binary), b'BIN\0') + binary)


def output_path():
    """The path on the command line."""
    if len(sys.argv) != 2:
        sys.exit('usage: python3 %s OUT.glb' % sys.argv[0])
    return sys.argv[1]


def _dot(p, q):
    return sum(a * b for a, b in zip(p, q))


def _cross(p, q):
    return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]


def _unit(v):
    length = math.sqrt(_dot(v, v))
    return [c / length for c in v]


def _normal(a, b, c):
    return _unit(_cross([q - p for p, q in zip(a, b)], [r - p for p, r in zip(a, c)]))


def _linear(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [round(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4, 6) for c in parts]
