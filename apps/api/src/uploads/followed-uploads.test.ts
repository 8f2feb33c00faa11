import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FollowedUpload } from "../captures/intake/intake.ts";
import { FollowedUploads } from "./followed-uploads.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const UPLOAD = { id: "u", size: 8 };
/** The first bytes of a .xel file. */
const XEL = new Uint8Array([0x5a, 0x37, 0xab, 0xef]);

/** Followed uploads, with a record of the messages to their readers. */
function followedUploads() {
  const said: string[] = [];
  const file = {
    cancel: () => Promise.resolve(void said.push("cancel")),
    arrived: (bytes: number) => void said.push(`arrived ${bytes}`),
  } as FollowedUpload;
  const uploads = new FollowedUploads(({ id }) => {
    said.push(`follow ${id}`);
    return Promise.resolve(file);
  });
  /** Stores a part. */
  const send = async (offset: number, ...pieces: readonly Uint8Array[]): Promise<void> => {
    for await (const _ of uploads.part(UPLOAD, offset, piecesOf(pieces))) continue;
  };
  return { said, file, uploads, send };
}

async function* piecesOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

test("a .xel file is followed over its parts, until it is taken", async () => {
  const { said, file, uploads, send } = followedUploads();
  await send(0, XEL, XEL.subarray(0, 1));
  vi.advanceTimersByTime(9_999);
  await send(5, XEL.subarray(1));
  expect(said).toEqual(["follow u", "arrived 4", "arrived 5", "arrived 8"]);
  vi.advanceTimersByTime(60_000);
  expect(uploads.take("u")).toBe(file);
  expect(uploads.take("u")).toBeNull();
  expect(said).not.toContain("cancel");
});

test("another file is not", async () => {
  const { said, uploads, send } = followedUploads();
  await send(0, new Uint8Array(4), XEL);
  expect(said).toEqual([]);
  expect(uploads.take("u")).toBeNull();
});

test("an upload whose next part does not come within ten seconds is not followed any further", async () => {
  const { said, send } = followedUploads();
  await send(0, XEL);
  vi.advanceTimersByTime(10_000);
  expect(said.at(-1)).toBe("cancel");
  await send(4, XEL);
  expect(said).toEqual(["follow u", "arrived 4", "cancel"]);
});

test("nor is one whose part broke off, or that goes on elsewhere than where it was", async () => {
  const { said, uploads, send } = followedUploads();
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield XEL;
    throw new Error("aborted");
  }
  const part = uploads.part(UPLOAD, 0, broken());
  await part.next();
  await expect(part.next()).rejects.toThrow("aborted");
  expect(said).toEqual(["follow u", "arrived 4", "cancel"]);
  await send(0, XEL);
  await send(3, XEL);
  expect(said.slice(3)).toEqual(["follow u", "arrived 4", "cancel"]);
});

test("how far it is read is told while it is followed", async () => {
  const { file, uploads, send } = followedUploads();
  const read = { bytes: 3, points: [{ at: "2016-05-06T02:16:56.0000000Z", events: 40 }] };
  Object.assign(file, { soFar: () => read });
  expect(uploads.soFar("u")).toBeNull();
  await send(0, XEL);
  expect(uploads.soFar("u")).toBe(read);
  await send(3, XEL);
  expect(uploads.soFar("u")).toBeNull();
});
