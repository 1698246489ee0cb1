// SPDX-License-Identifier: MIT
/**
 * Builds shapes in a worker, so that a page never waits. A build can be cancelled at any time: its worker is ended, and
 * the next build starts a new one.
 */
import { type ModuleSource, NearmissError, type ShapeSettings } from "./index.js";
import type { Answer, Task } from "./worker-main.js";

export interface BuildOptions extends Omit<ShapeSettings, "onProgress"> {
  onProgress?: (stage: number, fraction: number) => void;
  /** Cancels the build: its promise is then rejected with an AbortError. */
  signal?: AbortSignal;
}

/** What browsers and node call a worker, as far as it is needed here. */
interface Port {
  post(task: Task, transfer: ArrayBuffer[]): void;
  /** No build is under way: a program in node may end. */
  rest(): void;
  end(): void;
}

/** Builds one shape after the other. */
export class ShapeBuilder {
  private port: Promise<Port> | null = null;
  private current: { resolve: (bytes: Uint8Array) => void; reject: (fault: unknown) => void; progress: BuildOptions["onProgress"] } | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private ended = false;

  /** @param source of nearmiss.wasm: an address, bytes or a compiled module. By default the file of this package */
  constructor(private readonly source?: Exclude<ModuleSource, Response>) {}

  /** Builds a shape from triangles. Resolves to the bytes for Shape.fromBytes(), and does not change the arrays. */
  build(vertices: Float64Array | Float32Array, triangles: Uint32Array | Uint16Array, options: BuildOptions = {}): Promise<Uint8Array> {
    const { onProgress, signal, ...settings } = options;
    const task: Task = { source: plain(this.source), vertices: vertices.slice(), triangles: triangles.slice(), settings };
    const run = this.queue.then(() => this.run(task, onProgress, signal));
    this.queue = run.catch(() => undefined);
    return run;
  }

  private async run(task: Task, progress: BuildOptions["onProgress"], signal: AbortSignal | undefined): Promise<Uint8Array> {
    if (this.ended) throw new NearmissError("This ShapeBuilder was ended.", "CANCELLED");
    signal?.throwIfAborted();
    const port = await (this.port ??= open((answer) => this.answered(answer), (fault) => this.failed(fault)));
    const abort = () => this.failed(signal!.reason);
    try {
      return await new Promise<Uint8Array>((resolve, reject) => {
        this.current = { resolve, reject, progress };
        if (signal?.aborted) return abort();
        signal?.addEventListener("abort", abort);
        port.post(task, [task.vertices.buffer as ArrayBuffer, task.triangles.buffer as ArrayBuffer]);
      });
    } finally {
      signal?.removeEventListener("abort", abort);
      this.current = null;
      port.rest();
    }
  }

  private answered(answer: Answer): void {
    if (!this.current) return;
    if (answer.kind === "progress") this.current.progress?.(answer.stage, answer.fraction);
    else if (answer.kind === "built") this.current.resolve(answer.bytes);
    else this.current.reject(new NearmissError(answer.message, answer.code));
  }
  /** Ends the worker, whatever it does. */
  private failed(fault: unknown): void {
    void this.port?.then((port) => port.end(), () => undefined);
    this.port = null;
    this.current?.reject(fault);
  }

  /** Ends the worker; builds under way are rejected. */
  end(): void {
    this.ended = true;
    this.failed(new NearmissError("This ShapeBuilder was ended.", "CANCELLED"));
  }
}

/** Addresses relative to the page, because those in a worker are relative to its file. */
function plain(source: Exclude<ModuleSource, Response> | undefined): Task["source"] {
  if (typeof source === "string" || source instanceof URL)
    return new URL(source, typeof document === "undefined" ? import.meta.url : document.baseURI).href;
  return source;
}

async function open(answered: (answer: Answer) => void, failed: (fault: unknown) => void): Promise<Port> {
  if (typeof Worker !== "undefined") {
    const worker = new Worker(new URL("./worker-main.js", import.meta.url), { type: "module", name: "nearmiss" });
    worker.onmessage = (event: MessageEvent<Answer>) => answered(event.data);
    worker.onerror = (event) =>
      failed(new NearmissError(`The worker of nearmiss failed: ${event.message ?? "its file cannot be loaded"}`, "DEAD"));
    return { post: (task, transfer) => worker.postMessage(task, transfer), rest: () => {}, end: () => worker.terminate() };
  }
  const threads = "node:worker_threads"; // bundlers must not look for it
  const { Worker: Thread } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ threads)) as
    typeof import("node:worker_threads");
  const thread = new Thread(new URL("./worker-main.js", import.meta.url));
  thread.unref();
  let over = false;
  thread.on("message", answered);
  thread.on("error", (fault) => failed(new NearmissError(`The worker of nearmiss failed: ${fault.message}`, "DEAD")));
  thread.on("exit", () => {
    if (!over) failed(new NearmissError("The worker of nearmiss ended.", "DEAD"));
  });
  return {
    post: (task, transfer) => {
      thread.ref();
      thread.postMessage(task, transfer);
    },
    rest: () => thread.unref(),
    end: () => {
      over = true;
      void thread.terminate();
    },
  };
}
