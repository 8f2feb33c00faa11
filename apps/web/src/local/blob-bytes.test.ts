import { afterEach, beforeEach, expect, test, vi } from "vitest";

/** Loads the module again in each test, so that it has not yet learned whether the page has to read. */
const load = async () => {
  vi.resetModules();
  return import("./blob-bytes.ts");
};
const gone = new DOMException("The I/O read operation failed.", "NotReadableError");

/** A blob that threads may not read, and the page may. */
function blobOfPage(text: string): Blob {
  const blob = new Blob([text]);
  const arrayBuffer = blob.arrayBuffer.bind(blob);
  return Object.assign(blob, { arrayBuffer: () => (isPage ? arrayBuffer() : Promise.reject(gone)) });
}
let isPage = false;

beforeEach(() => vi.stubGlobal("WorkerGlobalScope", Object));
afterEach(() => {
  isPage = false;
  vi.unstubAllGlobals();
});

test("what a thread may not read is read by its page, from the first time on without another attempt", async () => {
  const { bytesOf, readForThread } = await load();
  const asked = vi.fn<(data: unknown, ports: MessagePort[]) => void>((data, ports) => {
    isPage = true;
    expect(readForThread({ data, ports } as unknown as MessageEvent)).toBe(true);
    isPage = false;
  });
  vi.stubGlobal("postMessage", asked);
  expect(new TextDecoder().decode(await bytesOf(blobOfPage("events")))).toBe("events");
  const next = blobOfPage("more");
  const own = vi.spyOn(next, "arrayBuffer");
  expect(new TextDecoder().decode(await bytesOf(next))).toBe("more");
  expect([asked.mock.calls.length, own.mock.calls.length]).toEqual([2, 1]);
});

test("what the page cannot read either keeps its own error", async () => {
  const { bytesOf, readForThread } = await load();
  vi.stubGlobal("postMessage", (data: unknown, ports: MessagePort[]) =>
    readForThread({ data, ports } as unknown as MessageEvent),
  );
  await expect(bytesOf(blobOfPage("gone"))).rejects.toBe(gone);
});

test("the page asks nobody, and other messages are not questions", async () => {
  const { bytesOf, readForThread } = await load();
  vi.unstubAllGlobals();
  await expect(bytesOf(blobOfPage("gone"))).rejects.toBe(gone);
  expect(readForThread(new MessageEvent("message", { data: { kind: "bytes", more: 1 } }))).toBe(false);
});
