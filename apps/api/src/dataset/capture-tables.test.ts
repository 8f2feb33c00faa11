import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { encodeModel } from "@aglens/contract";
import { encodeFacts, noFacts, recognizeFile, type EvidenceEvent } from "@aglens/evidence";
import { originUsOf } from "@aglens/ag-model/evidence";
import { diagnose } from "@aglens/ag-model/diagnosis";
import { summarise } from "@aglens/ag-model/query";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { analyse } from "@aglens/fixtures/analyse-for-tests";
import { slowNetwork } from "@aglens/fixtures/scenarios";
import { checksumOf } from "../store/checksum.ts";
import type { Checksum } from "../store/checksum.ts";
import {
  type ShareToWrite,
  type TablesResult,
  type TablesToWrite,
  writeCaptureTables,
  writeShare,
} from "./capture-tables.ts";

let folder: string;
let stored: Record<string, Checksum>;
let originUs: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-capture-tables-"));
  const { model: unnamed } = await analyse({ ...slowNetwork, maxEvents: 1_000 });
  const model = { ...unnamed, databases: unnamed.databases.map((each) => ({ ...each, name: "Orders" })) };
  originUs = originUsOf(model);
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

/** An event of SQL1, so many seconds after the origin of the capture. */
const eventAt = (seconds: number, of: Partial<EvidenceEvent>): EvidenceEvent => ({
  kind: "role",
  atUs: originUs + seconds * 1e6,
  fromUs: null,
  server: "SQL1",
  group: "SALES-AG",
  database: null,
  replica: null,
  message: null,
  states: null,
  count: 1,
  text: "An event.",
  sources: [{ file: "ERRORLOG", place: 1, text: null, plusMinusUs: 10_000 }],
  lsn: null,
  ...of,
});

/** A failover of a group because its lease expired or without a known cause. */
const failoverAt = (seconds: number, group: string, isLease: boolean): EvidenceEvent[] => [
  ...(isLease ? [eventAt(seconds - 0.1, { kind: "lease", group })] : []),
  eventAt(seconds, { group, states: ["PRIMARY_NORMAL", "RESOLVING_NORMAL"] }),
  eventAt(seconds + 2, { group, server: "SQL2", states: ["RESOLVING_NORMAL", "PRIMARY_NORMAL"] }),
];

/** Writes tables with a file of evidence. */
async function writtenWith(facts: Uint8Array): Promise<TablesResult> {
  await writeFile(join(folder, "facts"), facts);
  const source = { id: "f", name: "ERRORLOG", utcOffsetMinutes: 0, server: "SQL1" };
  const evidence = { sources: [source], paths: { f: join(folder, "facts") } };
  return writeCaptureTables(request("evidence", evidence), nothing, noReader);
}

/** Cause of the last failover in tables with these events. */
async function failoverOf(events: readonly EvidenceEvent[]): Promise<unknown> {
  const head = new TextEncoder().encode("2016-05-06 02:00:00.00 Server      UTC adjustment: 0:00");
  const facts = { ...noFacts(recognizeFile("ERRORLOG", head, head.length)), events };
  const { failover, notShown } = await writtenWith(encodeFacts(facts));
  expect(notShown).toBeNull();
  return failover;
}

const SYNCHRONIZED: Partial<EvidenceEvent> = { kind: "synchronization", database: "orders" };

test("the last failover is the last one of the capture's group during the capture", async () => {
  const events = [
    ...failoverAt(0.1, "SALES-AG", true),
    ...failoverAt(0.3, "HR-AG", false),
    eventAt(5, SYNCHRONIZED),
    eventAt(5, { kind: "synchronization", group: "HR-AG", database: "Staff" }),
  ];
  expect(await failoverOf(events)).toBe("leaseTimeout");
});

test("a failover of another group, or before the capture, is not its last failover", async () => {
  const events = [
    ...failoverAt(-600, "SALES-AG", true),
    eventAt(-500, SYNCHRONIZED),
    ...failoverAt(0.3, "HR-AG", false),
  ];
  expect(await failoverOf(events)).toBeNull();
});

test("a failover of a group without known databases counts", async () => {
  expect(await failoverOf(failoverAt(0.3, "HR-AG", true))).toBe("leaseTimeout");
});

test("files of evidence that can't be read are named", async () => {
  const { files, notShown } = await writtenWith(Uint8Array.of(1, 2));
  expect(notShown).toBe("Can't read ERRORLOG. Remove the file and add it again.");
  expect(files["evidence_events.parquet"]?.bytes).toBeGreaterThan(0);
});
