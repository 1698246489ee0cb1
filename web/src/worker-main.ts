// SPDX-License-Identifier: MIT
// Runs in the worker, and builds the shapes that worker.ts requests.
import { type ErrorCode, Nearmiss, NearmissError, type ShapeSettings } from "./index.js";

export interface Task {
  source: string | BufferSource | WebAssembly.Module | undefined;
  vertices: Float64Array | Float32Array;
  triangles: Uint32Array | Uint16Array;
  settings: ShapeSettings;
}
export type Answer =
  | { kind: "progress"; stage: number; fraction: number }
  | { kind: "built"; bytes: Uint8Array }
  | { kind: "failed"; message: string; code: ErrorCode };

let instance: Nearmiss | null = null;

async function build(task: Task, answer: (answer: Answer, transfer: ArrayBuffer[]) => void): Promise<void> {
  try {
    if (!instance || instance.death) instance = await Nearmiss.load(task.source);
    const shape = instance.Shape.fromArrays(task.vertices, task.triangles, {
      ...task.settings,
      onProgress: (stage, fraction) => answer({ kind: "progress", stage, fraction }, []),
    });
    try {
      const bytes = shape.toBytes();
      answer({ kind: "built", bytes }, [bytes.buffer as ArrayBuffer]);
    } finally {
      shape.free();
    }
  } catch (fault) {
    const code = fault instanceof NearmissError ? fault.code : "UNSUPPORTED";
    answer({ kind: "failed", message: (fault as Error).message, code }, []);
  }
}

interface Scope {
  onmessage: ((event: MessageEvent<Task>) => void) | null;
  postMessage(answer: Answer, transfer: ArrayBuffer[]): void;
}
if (typeof (globalThis as { WorkerGlobalScope?: unknown }).WorkerGlobalScope !== "undefined") {
  const scope = globalThis as unknown as Scope;
  scope.onmessage = (event) => void build(event.data, (answer, transfer) => scope.postMessage(answer, transfer));
} else {
  const threads = "node:worker_threads"; // bundlers must not look for it
  const { parentPort } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ threads)) as
    typeof import("node:worker_threads");
  parentPort!.on("message", (task: Task) =>
    void build(task, (answer, transfer) => parentPort!.postMessage(answer, transfer)));
}
