// SPDX-License-Identifier: MIT
/** The same as the main entry, with the module inside: for pages that can load only one file. */
import { type LoadOptions, Nearmiss as Instance } from "./index.js";
import { packed } from "./packed.js";

export * from "./index.js";

async function unpacked(): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** Loads an instance from the bytes inside this file. */
export async function load(options: LoadOptions = {}): Promise<Instance> {
  return Instance.load(await unpacked(), options);
}
