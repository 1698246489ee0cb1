# SPDX-License-Identifier: MIT
# A ship as a Blender model: materials, exact union of its solids, triangle count, export.
"""
The glTF exporter turns Blender's X right, Y towards the nose, Z up into X right, Y up, nose towards
-Z.
"""
import math
import os
import sys

import bmesh
import bpy

from ship_mesh import TriMesh


class Model:
    def __init__(self, name, triangles):
        self.name = name
        self.triangles = triangles
        self.materials = {}
        self.parts = []    # (material name, smoothing angle) of each part number
        self.solids = []   # (Solid, part number of each band)
        bpy.ops.wm.read_factory_settings(use_empty=True)

    def material(self, name, colour, metallic=0.0, roughness=0.5, emission=None):
        """colour and emission are '#rrggbb' in sRGB."""
        mat = bpy.data.materials.new(name)
        mat.use_nodes = True
        mat.use_backface_culling = True  # exported as single-sided
        node = mat.node_tree.nodes['Principled BSDF']
        node.inputs['Base Color'].default_value = _linear(colour)
        node.inputs['Metallic'].default_value = metallic
        node.inputs['Roughness'].default_value = roughness
        if emission:
            node.inputs['Emission'].default_value = _linear(emission)
            node.inputs['Emission Strength'].default_value = 1.0
        self.materials[name] = mat

    def add(self, solid, materials, smooth=40.0):
        """Add a solid. materials names one material, or one per band; edges sharper than smooth stay sharp."""
        if isinstance(materials, str):
            materials = [materials]
        first = len(self.parts)
        for m in materials:
            self.parts.append((m, smooth))
        self.solids.append((solid, [first + b for b in range(len(materials))]))

    def add_pair(self, solid, materials, smooth=40.0):
        """Add a solid and its mirror image."""
        self.add(solid, materials, smooth)
        self.add(solid.mirrored(), materials, smooth)

    def _union(self):
        tags = [bpy.data.materials.new('part%04d' % i) for i in range(len(self.parts))]
        rest = bpy.data.collections.new('rest')
        bpy.context.scene.collection.children.link(rest)
        first = None
        for solid, numbers in self.solids:
            mesh = bpy.data.meshes.new('solid')
            mesh.from_pydata([tuple(v) for v in solid.verts], [], solid.faces)
            for tag in tags:
                mesh.materials.append(tag)
            for poly, band in zip(mesh.polygons, solid.bands):
                poly.material_index = numbers[band]
            obj = bpy.data.objects.new('solid', mesh)
            if first is None:
                first = obj
                bpy.context.scene.collection.objects.link(obj)
            else:
                rest.objects.link(obj)
        if len(self.solids) > 1:
            mod = first.modifiers.new('union', 'BOOLEAN')
            mod.operation = 'UNION'
            mod.solver = 'EXACT'
            mod.operand_type = 'COLLECTION'
            mod.collection = rest
        graph = bpy.context.evaluated_depsgraph_get()
        mesh = bpy.data.meshes.new_from_object(first.evaluated_get(graph))
        bm = bmesh.new()
        bm.from_mesh(mesh)
        for obj in [first] + list(rest.objects):
            bpy.data.objects.remove(obj)
        bpy.data.collections.remove(rest)
        for tag in tags:
            bpy.data.materials.remove(tag)
        return bm

    def build(self, path, short=0.004, tolerance=0.0015, fit_tolerance=0.01):
        bm = self._union()
        bmesh.ops.remove_doubles(bm, verts=bm.verts[:], dist=1e-6)
        bmesh.ops.triangulate(bm, faces=bm.faces[:], quad_method='BEAUTY', ngon_method='BEAUTY')
        bm.verts.index_update()
        tri = TriMesh([v.co for v in bm.verts], [[v.index for v in f.verts] for f in bm.faces],
                      [f.material_index for f in bm.faces])
        bm.free()
        raw = len(tri.t)
        # drop vertices that carry no shape, then tiny edges, then bad triangles
        tri.collapse_until(lambda: False, 2e-6)
        tri.flip_slivers()
        flat = len(tri.t)
        tri.collapse_until(lambda: False, tolerance, short)
        tri.collapse_until(lambda: False, tolerance, short / 2, loose=True)
        tri.fold_caps()
        tri.flip_slivers()
        clean = len(tri.t)
        worst = tri.collapse_until(lambda: len(tri.t) <= self.triangles, fit_tolerance)
        tri.fold_caps()
        tri.flip_slivers()
        fitted = len(tri.t)
        tri.split_until(self.triangles)
        print('%s: union %d, flat merged %d, short edges %d, collapsed %d (error %.4f), final %d triangles' %
              (self.name, raw, flat, clean, fitted, worst, len(tri.t)))
        self._export(path, *tri.arrays())

    def _export(self, path, verts, tris, parts):
        mesh = bpy.data.meshes.new(self.name)
        mesh.from_pydata(verts, [], tris)
        slots = sorted({self.parts[p][0] for p in parts}, key=list(self.materials).index)
        for name in slots:
            mesh.materials.append(self.materials[name])
        for poly, p in zip(mesh.polygons, parts):
            poly.material_index = slots.index(self.parts[p][0])
            poly.use_smooth = True
        # an edge is sharp between two parts, or where a part bends by more than its smoothing angle
        bm = bmesh.new()
        bm.from_mesh(mesh)
        bm.faces.ensure_lookup_table()
        for e in bm.edges:
            a, b = e.link_faces
            pa, pb = parts[a.index], parts[b.index]
            e.smooth = pa == pb and e.calc_face_angle(0.0) <= math.radians(self.parts[pa][1])
        bm.to_mesh(mesh)
        bm.free()
        mesh.use_auto_smooth = True
        mesh.auto_smooth_angle = math.pi
        obj = bpy.data.objects.new(self.name, mesh)
        bpy.context.scene.collection.objects.link(obj)
        bpy.ops.export_scene.gltf(filepath=path, export_format='GLB', export_texcoords=False, export_normals=True,
                                  export_materials='EXPORT', export_colors=False, export_animations=False,
                                  export_skins=False, export_morph=False, export_cameras=False, export_lights=False,
                                  export_yup=True)


def _linear(colour):
    out = []
    for i in (1, 3, 5):
        c = int(colour[i:i + 2], 16) / 255
        out.append(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)
    return (*out, 1.0)


def output_path():
    """The path after '--' on the Blender command line."""
    if '--' not in sys.argv or sys.argv.index('--') + 1 >= len(sys.argv):
        sys.exit('usage: blender -b --factory-startup --python SCRIPT.py -- OUT.glb')
    return sys.argv[sys.argv.index('--') + 1]


def output_link():
    """The same, and the link that its name ends with."""
    path = output_path()
    return path, os.path.splitext(os.path.basename(path))[0].split('_')[-1]
