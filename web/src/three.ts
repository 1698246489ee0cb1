// SPDX-License-Identifier: MIT
/** three.js: shapes of geometries, poses of objects, a world that follows a scene, and what one looks at. */
import {
  Box3, BufferAttribute, type BufferGeometry, BufferGeometry as Geometry, Group, InstancedMesh, LineBasicMaterial,
  LineSegments, Matrix4, Mesh, MeshBasicMaterial, type Object3D, Quaternion, SphereGeometry, Vector3,
} from "three";
import type { Body, Budget, Collisions, Nearmiss, Shape, ShapeSettings, Traits, World, WorldContacts } from "./index.js";
import { contactStride, NearmissError } from "./index.js";

/** A scale within this share of 1, or two scales within it of each other, count as equal. */
const tolerance = 1e-6;

const place = new Vector3(), turn = new Quaternion(), size = new Vector3();

/**
 * The shape of a geometry, indexed or not, in the geometry's own frame. Interleaved and normalised attributes will do.
 * Morph targets and skins are not applied. Unless settings.weld says otherwise, vertices nearer to each other than a
 * millionth of the size are welded: geometries repeat vertices along seams.
 */
export function shapeOf(nearmiss: Nearmiss, geometry: BufferGeometry, settings: ShapeSettings = {}): Shape {
  const position = geometry?.getAttribute?.("position");
  if (!position) throw new TypeError("geometry must be a BufferGeometry with positions");
  if (position.itemSize !== 3)
    throw new RangeError(`geometry must have positions of three numbers, not ${position.itemSize}`);
  const vertices = new Float64Array(3 * position.count);
  for (let i = 0; i < position.count; ++i) {
    vertices[3 * i] = position.getX(i);
    vertices[3 * i + 1] = position.getY(i);
    vertices[3 * i + 2] = position.getZ(i);
  }
  const index = geometry.getIndex();
  const count = index ? index.count : position.count;
  const triangles = new Uint32Array(count - (count % 3));
  for (let i = 0; i < triangles.length; ++i) triangles[i] = index ? index.getX(i) : i;
  return nearmiss.Shape.fromArrays(vertices, triangles, { weld: 1e-6 * radiusOf(vertices), ...settings });
}

/** Returns the radius of the vertices around the centre of their bounding box; 0 if there are no vertices or one is not finite. */
function radiusOf(vertices: Float64Array): number {
  const box = new Box3().setFromArray(vertices as unknown as number[]);
  const radius = box.isEmpty() ? 0 : box.getSize(size).length() / 2;
  return Number.isFinite(radius) ? radius : 0;
}

/** Splits the world matrix of an object. Returns its uniform scale, and leaves the rest in `place` and `turn`. */
function split(object: Object3D): number {
  object.matrixWorld.decompose(place, turn, size);
  const name = object.name ? `"${object.name}"` : object.type;
  const scale = size.x, told = size.toArray().map((each) => Number(each.toPrecision(6))).join(", ");
  if (!(scale > 0 && size.y > 0 && size.z > 0))
    throw new NearmissError(`The scale of ${name} is ${told}, which mirrors it or makes it vanish.`);
  if (!(Math.abs(size.y - scale) <= tolerance * scale && Math.abs(size.z - scale) <= tolerance * scale))
    throw new NearmissError(
      `The scale of ${name} is ${told}. A pose has one scale for all axes: apply the scale to the geometry ` +
        "(geometry.scale()) before shapeOf().",
    );
  // An object's matrix is recomputed in each frame, and its scale differs by rounding
  return Number(scale.toPrecision(8));
}

/**
 * The pose of an object in the world, in `out`. Its world matrix must be up to date (object.updateWorldMatrix()).
 * Throws for a scale: use shape.scaled(scaleOf(object)) and poseOf(object, out, scaleOf(object)), or a NearmissWorld,
 * which does that.
 */
export function poseOf(object: Object3D, out = new Float64Array(7), scale = 1): Float64Array {
  const found = split(object);
  if (Math.abs(found - scale) > tolerance * scale)
    throw new NearmissError(
      `The scale of ${object.name ? `"${object.name}"` : object.type} is ${found}, but that of its shape is ${scale}: make ` +
        "the shape by shape.scaled().",
    );
  out[0] = place.x;
  out[1] = place.y;
  out[2] = place.z;
  out[3] = turn.x;
  out[4] = turn.y;
  out[5] = turn.z;
  out[6] = turn.w;
  return out;
}

/** The scale of an object in the world, the same along all axes. Throws if it is not. */
export function scaleOf(object: Object3D): number {
  return split(object);
}

/** How a mesh of a scene joins a NearmissWorld: its userData.nearmiss. `false` leaves it out. */
export interface Participation extends Traits {
  sensor?: boolean;
}

interface Entry {
  mesh: Mesh;
  body: Body;
  geometry: BufferGeometry;
  scale: number;
  seen: number;
}

/** A world whose bodies are the meshes of a scene. */
export class NearmissWorld {
  readonly world: World;
  private readonly entries = new Map<Mesh, Entry>();
  private readonly owners = new Map<Body, Mesh>();
  private readonly shapes = new Map<BufferGeometry, Map<number, Shape>>();
  private bodies = new Uint32Array(0);
  private poses = new Float64Array(0);
  private round = 0;
  private readonly pose = new Float64Array(7);

  constructor(private readonly nearmiss: Nearmiss, private readonly settings: ShapeSettings = {}) {
    this.world = nearmiss.World.create();
  }

  /**
   * Takes over which meshes are in the scene, and their poses. Meshes of one geometry share a shape, which is made when
   * the first of them appears. Invisible objects stay in; userData.nearmiss = false leaves a mesh out.
   */
  sync(scene: Object3D): void {
    scene.updateMatrixWorld();
    const round = ++this.round;
    let count = 0;
    scene.traverse((object) => {
      if (!(object as Mesh).isMesh || (object as InstancedMesh).isInstancedMesh) return;
      const mesh = object as Mesh, wish = mesh.userData["nearmiss"] as Participation | false | undefined;
      if (wish === false) return;
      let entry = this.entries.get(mesh);
      const scale = split(mesh);
      if (entry && (entry.geometry !== mesh.geometry || entry.scale !== scale)) {
        this.drop(entry);
        entry = undefined;
      }
      poseOf(mesh, this.pose, scale);
      if (!entry) entry = this.join(mesh, scale, wish);
      entry.seen = round;
      if (count === this.bodies.length) this.grow();
      this.bodies[count] = entry.body;
      this.poses.set(this.pose, 7 * count);
      ++count;
    });
    for (const entry of this.entries.values()) if (entry.seen !== round) this.drop(entry);
    this.world.setPoses(this.bodies.subarray(0, count), this.poses.subarray(0, 7 * count));
  }

  private grow(): void {
    const room = Math.max(16, 2 * this.bodies.length);
    const bodies = new Uint32Array(room), poses = new Float64Array(7 * room);
    bodies.set(this.bodies);
    poses.set(this.poses);
    this.bodies = bodies;
    this.poses = poses;
  }
  private join(mesh: Mesh, scale: number, wish: Participation | undefined): Entry {
    const body = this.world.add(this.shapeAt(mesh.geometry, scale), this.pose, wish);
    if (wish?.sensor) this.world.setSensor(body, true);
    const entry = { mesh, body, geometry: mesh.geometry, scale, seen: 0 };
    this.entries.set(mesh, entry);
    this.owners.set(body, mesh);
    return entry;
  }
  private drop(entry: Entry): void {
    this.world.remove(entry.body);
    this.entries.delete(entry.mesh);
    this.owners.delete(entry.body);
  }
  private shapeAt(geometry: BufferGeometry, scale: number): Shape {
    let scales = this.shapes.get(geometry);
    if (!scales) this.shapes.set(geometry, (scales = new Map([[1, shapeOf(this.nearmiss, geometry, this.settings)]])));
    let shape = scales.get(scale);
    if (!shape) scales.set(scale, (shape = scales.get(1)!.scaled(scale)));
    return shape;
  }

  /** The mesh of a body, or undefined. */
  meshOf(body: Body): Mesh | undefined {
    return this.owners.get(body);
  }
  /** The body of a mesh, or undefined. */
  bodyOf(mesh: Mesh): Body | undefined {
    return this.entries.get(mesh)?.body;
  }
  /** The shape of a mesh, or undefined. */
  shapeOf(mesh: Mesh): Shape | undefined {
    const entry = this.entries.get(mesh);
    return entry && this.shapes.get(entry.geometry)?.get(entry.scale);
  }
  collisions(options?: Budget): Collisions {
    return this.world.collisions(options);
  }
  contacts(options?: Budget & { margin?: number; maxPoints?: number }): WorldContacts {
    return this.world.contacts(options);
  }
  /** Frees the world and its shapes. */
  free(): void {
    this.world.free();
    for (const scales of this.shapes.values()) for (const shape of scales.values()) shape.free();
    this.shapes.clear();
    this.entries.clear();
    this.owners.clear();
  }
}

/** The spheres of a level as one instanced mesh, in the frame of the shape: add it to the object. */
export function spheresOf(shape: Shape, level: number, color = 0x4f9dff, opacity = 0.25): InstancedMesh {
  const spheres = shape.spheres(level), count = spheres.length / 4;
  const material = new MeshBasicMaterial({ color, opacity, transparent: true, depthWrite: false });
  const mesh = new InstancedMesh(new SphereGeometry(1, 16, 12), material, count);
  const matrix = new Matrix4();
  for (let i = 0; i < count; ++i) {
    const radius = spheres[4 * i + 3]!;
    matrix.makeScale(radius, radius, radius).setPosition(spheres[4 * i]!, spheres[4 * i + 1]!, spheres[4 * i + 2]!);
    mesh.setMatrixAt(i, matrix);
  }
  mesh.userData["nearmiss"] = false;
  mesh.computeBoundingSphere();
  return mesh;
}

/** Draws contacts as lines from surface to surface along their normals, and pairs as lines between their spheres. */
export class ContactView extends Group {
  private readonly normals = lines(0xff5533);
  private readonly bounds = lines(0xffcc33);
  /** @param length of a normal, metres */
  constructor(private readonly length = 0.1) {
    super();
    this.add(this.normals, this.bounds);
  }

  /** Shows the contact points of a world. */
  showContacts(contacts: WorldContacts): void {
    const { values, count } = contacts.points;
    const to = reserve(this.normals, count);
    for (let i = 0; i < count; ++i) {
      const from = contactStride * i;
      for (let k = 0; k < 3; ++k) {
        to[6 * i + k] = values[from + k]!;
        to[6 * i + 3 + k] = values[from + k]! + this.length * values[from + 6 + k]!;
      }
    }
    finish(this.normals, count);
  }
  /** Shows the pairs of spheres that prove, or could not disprove, each pair. */
  showBounds(collisions: Collisions): void {
    const { spheres, count } = collisions;
    const to = reserve(this.bounds, count);
    for (let i = 0; i < count; ++i)
      for (let k = 0; k < 3; ++k) {
        to[6 * i + k] = spheres[8 * i + k]!;
        to[6 * i + 3 + k] = spheres[8 * i + 4 + k]!;
      }
    finish(this.bounds, count);
  }
  dispose(): void {
    for (const each of [this.normals, this.bounds]) {
      each.geometry.dispose();
      (each.material as LineBasicMaterial).dispose();
    }
  }
}

function lines(color: number): LineSegments {
  const view = new LineSegments(new Geometry(), new LineBasicMaterial({ color, depthTest: false }));
  view.frustumCulled = false;
  return view;
}

function reserve(view: LineSegments, count: number): Float32Array {
  const position = view.geometry.getAttribute("position") as BufferAttribute | undefined;
  if (position && position.count >= 2 * count) return position.array as Float32Array;
  view.geometry.dispose();
  const numbers = new Float32Array(6 * Math.max(16, 2 * count));
  view.geometry.setAttribute("position", new BufferAttribute(numbers, 3));
  return numbers;
}

function finish(view: LineSegments, count: number): void {
  view.geometry.getAttribute("position").needsUpdate = true;
  view.geometry.setDrawRange(0, 2 * count);
}

/** The box of a geometry's shape in the world, from the spheres of its deepest level: never smaller than the mesh. */
export function boundsOf(shape: Shape, object: Object3D, out = new Box3()): Box3 {
  const scale = split(object), centre = new Vector3(), reach = new Vector3();
  out.makeEmpty();
  const spheres = shape.levelCount > 0 ? shape.spheres(shape.levelCount - 1) : Float64Array.of(0, 0, 0, shape.radius);
  for (let i = 0; i < spheres.length; i += 4) {
    centre.set(spheres[i]!, spheres[i + 1]!, spheres[i + 2]!).multiplyScalar(scale).applyQuaternion(turn).add(place);
    reach.setScalar(spheres[i + 3]! * scale);
    out.expandByPoint(centre.clone().add(reach)).expandByPoint(centre.sub(reach));
  }
  return out;
}
