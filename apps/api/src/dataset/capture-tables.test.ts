import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { encodeModel } from "@aglens/contract";
import { diagnose } from "@aglens/ag-model/diagnosis";
import { summarise } from "@aglens/ag-model/query";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { analyse } from "@aglens/fixtures/analyse-for-tests";
import { slowNetwork } from "@aglens/fixtures/scenarios";
import { checksumOf } from "../store/checksum.ts";
import type { Checksum } from "../store/checksum.ts";
import { type ShareToWrite, type TablesToWrite, writeCaptureTables, writeShare } from "./capture-tables.ts";

let folder: string;
let stored: Record<string, Checksum>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-capture-tables-"));
  const { model } = await analyse({ ...slowNetwork, maxEvents: 1_000 });
  const summary = JSON.stringify(summarise(model, "", "", diagnose(model)));
  stored = {};
  for (const [name, bytes] of Object.entries({
    ...encodeModel(model),
    [SUMMARY_FILE]: new TextEncoder().encode(summary),
  })) {
    await writeFile(join(folder, name), bytes);
    stored[name] = checksumOf(bytes);
  }
});
afterEach(() => rm(folder, { recursive: true }));

const request = (to: string, evidence: TablesToWrite["evidence"] = { sources: [], paths: {} }) => ({
  from: folder,
  stored,
  evidence,
  to: join(folder, to),
  metadata: { group: "G" },
});
const nothing = (): void => {};
const noReader = (): never => {
  throw new Error("Nobody else was to be asked.");
};

test("two threads write the same files as one, each from the same bytes in memory", async () => {
  const { files: alone } = await writeCaptureTables(request("alone"), nothing, noReader);
  const asked: ShareToWrite[] = [];
  const { files: both } = await writeCaptureTables(
    request("both"),
    nothing,
    (share) => {
      asked.push(share);
      return writeShare(share, nothing);
    },
    0,
  );
  expect(asked.map(({ tables }) => tables)).toEqual([["blocks", "commits", "stages"]]);
  expect(
    Object.values(asked[0]?.files ?? {}).every(({ buffer }) => buffer instanceof SharedArrayBuffer),
  ).toBe(true);
  expect(both).toEqual(alone);
  expect((await readdir(join(folder, "both"))).toSorted()).toEqual(Object.keys(alone).toSorted());
});

test("where one half fails the other has ended before anybody hears of it", async () => {
  let hasEnded = false;
  const failed = writeCaptureTables(
    request("both"),
    () => {
      throw new Error("The disk is full.");
    },
    async (share) => {
      const written = await writeShare(share, nothing);
      hasEnded = true;
      return written;
    },
    0,
  );
  await expect(failed).rejects.toThrow("The disk is full.");
  expect(hasEnded).toBe(true);
});
