import pino from "pino";
import { expect, test, vi } from "vitest";
import { systemClock } from "../kernel/clock.ts";
import type { UploadFiles, UploadNote } from "./upload-files.ts";
import { Uploads } from "./uploads.ts";
import type { UploadParts } from "./uploads.ts";

const NOTE: UploadNote = {
  id: "u",
  captureId: "c",
  name: "a.xel",
  path: "a.xel",
  size: 3,
  head: null,
  begun: "2026-01-01T00:00:00.000Z",
};

test.each([
  ["by one server at once", false, ["fresh", "left"]],
  ["by several a minute after its last byte: one of them may be taking it in", true, ["left"]],
])("a whole upload that nobody is at is taken in %s", async (_, isShared, taken) => {
  const finished: string[] = [];
  const at = { fresh: 40_001, left: 40_000 };
  const files: Partial<UploadFiles> = {
    isShared,
    notes: () => Promise.resolve(Object.keys(at).map((id) => ({ ...NOTE, id }))),
    received: (id) => Promise.resolve({ bytes: 3, at: at[id as keyof typeof at] }),
  };
  const parts: Partial<UploadParts> = {
    files: files as UploadFiles,
    clock: { ...systemClock, now: () => 100_000 },
    log: pino({ level: "silent" }),
  };
  const uploads = new Uploads(parts as UploadParts);
  vi.spyOn(uploads, "finish").mockImplementation((id) => {
    finished.push(id);
    return Promise.resolve([]);
  });
  await uploads.finishWhole();
  expect(finished).toEqual(taken);
});

test("whole uploads that cannot be looked for are left to the next sweep, and the process lives on", async () => {
  const files: Partial<UploadFiles> = {
    isShared: true,
    notes: () => Promise.reject(new Error("The bucket does not answer.")),
  };
  const parts: Partial<UploadParts> = {
    files: files as UploadFiles,
    clock: systemClock,
    log: pino({ level: "silent" }),
  };
  await expect(new Uploads(parts as UploadParts).finishWhole()).resolves.toBeUndefined();
});
