import pino from "pino";
import { expect, test } from "vitest";
import { systemClock } from "../clock.ts";
import type { UploadFiles } from "./upload-files.ts";
import { Uploads } from "./uploads.ts";
import type { UploadParts } from "./uploads.ts";

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
