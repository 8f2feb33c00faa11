import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { TestService } from "../../../test/service.ts";
import { readTopology } from "@aglens/ag-model/replication";
import { recoverRun, removeEmptied, topologyXml, writeNote } from "./keep.ts";
import { until } from "../../../test/until.ts";

const KEEP_AND_DIE = join(import.meta.dirname, "../../../dist/keep-and-die.js");
const REPLICA = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
const DATABASE = "0e984725-c51c-4bf4-9960-e1c80e27aba0";
const NO_TOPOLOGY = { replicas: new Map(), databases: new Map() };

let service: TestService;
let run: string;
beforeEach(async () => {
  service = await testService({}, stubAnalyzer());
  run = await mkdtemp(join(tmpdir(), "aglens-run-"));
});
afterEach(async () => {
  await service.end();
  await rm(run, { recursive: true, force: true });
});

const record = (name: string, bytes = "abc"): Promise<void> => writeFile(join(run, name), bytes);
const isThere = async (path: string): Promise<boolean> =>
  readdir(path).then(
    () => true,
    () => false,
  );

describe("a run that was cut off", () => {
  test("becomes a capture under its title, with each replica's name, and its directory is gone", async () => {
    await writeNote(run, {
      title: "Night",
      replicas: [
        { name: "SQL1", role: "primary" },
        { name: "SQL 2", role: "secondary" },
      ],
      marks: [{ ticks: "134082480000000000", label: "backup began", byRule: false }],
      topology: {
        replicas: new Map([[REPLICA, { name: "SQL1", commitMode: "sync" }]]),
        databases: new Map(),
        serverOffsets: new Map([[REPLICA, 120]]),
      },
    });
    for (const name of ["0_0000.xel", "0_0001.xel", "1_0000.xel"]) await record(name);
    const note: unknown = JSON.parse(await readFile(join(run, "run.json"), "utf8"));
    expect(note).toMatchObject({ topology: { serverOffsets: [[REPLICA, 120]] } });
    const id = await recoverRun(service.captures, run);
    const { name, files, state } = await service.captures.get(id as string);
    expect(name).toBe("Night");
    expect((await service.captures.records.get(id as string)).marks).toMatchObject([
      { label: "backup began" },
    ]);
    expect(state).toBe("analysing");
    expect(files.map((file) => `${file.name}, ${file.replica}, ${file.role}`).toSorted()).toEqual([
      "SQL1_1.xel, SQL1, primary",
      "SQL1_2.xel, SQL1, primary",
      "SQL_2_1.xel, SQL 2, secondary",
      "topology.xml, Topology, primary",
    ]);
    expect(await isThere(run)).toBe(false);
  });

  test.each([
    ["cut off", '{"title":"Night","replicas":[{"na'],
    ["of another shape", '{"title":1}'],
    ["absent", null],
  ])("keeps its recording when its note is %s", async (_, note) => {
    if (note !== null) await writeFile(join(run, "run.json"), note);
    await record("1_0000.xel");
    const id = await recoverRun(service.captures, run);
    const { name, files } = await service.captures.get(id as string);
    expect(name).toBe("Live run that was cut off");
    expect(files).toMatchObject([{ name: "Replica_2_1.xel", replica: "Replica 2", size: 3 }]);
  });

  test("with a replica more than its note has keeps that one's recording too", async () => {
    await writeNote(run, {
      title: "Night",
      replicas: [{ name: "SQL1", role: "primary" }],
      marks: [],
      topology: NO_TOPOLOGY,
    });
    await record("0_0000.xel");
    await record("1_0000.xel");
    const id = await recoverRun(service.captures, run);
    expect((await service.captures.get(id as string)).files.map(({ replica }) => replica).toSorted()).toEqual(
      ["Replica 2", "SQL1"],
    );
  });

  test("without a recording is no capture", async () => {
    await writeNote(run, { title: "Night", replicas: [], marks: [], topology: NO_TOPOLOGY });
    await record("0_0000.xel", "");
    expect(await recoverRun(service.captures, run)).toBeNull();
    expect(await service.captures.records.all()).toEqual([]);
    expect(await isThere(run)).toBe(false);
  });

  test("that cannot be made a capture stays for the next start", async () => {
    await record("0_0000.xel");
    const folder = join(service.config.dataDirectory, "captures");
    await rm(folder, { recursive: true });
    await writeFile(folder, "");
    await expect(recoverRun(service.captures, run)).rejects.toThrow("ENOTDIR");
    expect(await readFile(join(run, "0_0000.xel"), "utf8")).toBe("abc");
    await rm(folder);
    await mkdir(folder);
  });
});

test("a run whose process is killed at any step of keeping it is one whole capture after the next start", async () => {
  let steps = 0;
  for (; (await keptAndKilled(steps)) !== 0; steps += 1);
  // The plan, the capture, three files moved and recorded, the topology stored and recorded, the start, the removal.
  expect(steps).toBeGreaterThanOrEqual(12);
}, 300_000);

/**
 * Keeps a run in a process that is killed before a step, and checks the data of the next process. @returns the exit
 * code
 */
async function keptAndKilled(steps: number): Promise<number | null> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "aglens-killed-"));
  const directory = join(dataDirectory, "recorded");
  await mkdir(directory, { recursive: true });
  const contents = { "0_0000.xel": "first", "0_0001.xel": "second", "1_0000.xel": "third" };
  for (const [name, bytes] of Object.entries(contents)) await writeFile(join(directory, name), bytes);
  await writeNote(directory, {
    title: "Night",
    marks: [],
    replicas: [
      { name: "SQL1", role: "primary" },
      { name: "SQL2", role: "secondary" },
    ],
    topology: { replicas: new Map([[REPLICA, { name: "SQL1", commitMode: "sync" }]]), databases: new Map() },
  });
  const child = spawn(process.execPath, [KEEP_AND_DIE, dataDirectory, directory, String(steps)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors = text(child.stderr);
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  expect([code, signal], await errors).toContainEqual(code === null ? "SIGKILL" : 0);
  const next = await testService({ dataDirectory }, stubAnalyzer());
  await until(async () => (await readdir(join(dataDirectory, "live"))).length === 0);
  expect((await next.captures.records.all()).map(({ name }) => name)).toEqual(["Night"]);
  const [{ id, files } = { id: "", files: [] }] = await next.captures.records.all();
  const kept = await Promise.all(
    files
      .filter(({ kind }) => kind === "xel")
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(async (file) => [
        file.name,
        file.replica,
        file.role,
        await readFile(next.captures.files.pathOf(id, file.id), "utf8"),
      ]),
  );
  expect(kept).toEqual([
    ["SQL1_1.xel", "SQL1", "primary", "first"],
    ["SQL1_2.xel", "SQL1", "primary", "second"],
    ["SQL2_1.xel", "SQL2", "secondary", "third"],
  ]);
  expect(files.filter(({ kind }) => kind === "topology")).toHaveLength(1);
  await next.close();
  await rm(dataDirectory, { recursive: true });
  return code;
}

test("a directory with a recording is never removed", async () => {
  await record("0_0000.xel");
  await record("other.txt");
  await removeEmptied(run);
  expect((await readdir(run)).toSorted()).toEqual(["0_0000.xel", "other.txt"]);
  await rm(join(run, "0_0000.xel"));
  await removeEmptied(run);
  expect(await isThere(run)).toBe(false);
});

test("a note takes the place of the one before as a whole: that one is never written over", async () => {
  const note = (title: string): Promise<void> =>
    writeNote(run, { title, replicas: [], marks: [], topology: NO_TOPOLOGY });
  await note("First");
  const before = await open(join(run, "run.json"));
  await note("Second");
  expect(JSON.parse(await before.readFile("utf8"))).toMatchObject({ title: "First" });
  await before.close();
  expect(JSON.parse(await readFile(join(run, "run.json"), "utf8"))).toMatchObject({ title: "Second" });
  expect(await readdir(run)).toEqual(["run.json"]);
});

test("names and clocks of a topology come back as they were, whatever they hold", () => {
  const topology = {
    replicas: new Map([
      [REPLICA, { name: 'SQL"1" <&amp;>', commitMode: "sync" as const }],
      [DATABASE, { name: "SQL2", commitMode: "async" as const }],
      ["11111111-2222-3333-4444-555555555555", { name: "SQL3", commitMode: null }],
    ]),
    databases: new Map([[DATABASE, "O'Brien & <Sons>"]]),
    serverOffsets: new Map([
      [REPLICA, 330],
      [DATABASE, -210],
    ]),
  };
  const read = readTopology(topologyXml(topology));
  expect(read.replicas).toEqual(topology.replicas);
  expect(read.databases).toEqual(topology.databases);
  expect(read.serverOffsets).toEqual(topology.serverOffsets);
});
