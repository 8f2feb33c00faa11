import { expect, test } from "vitest";
import type { Capture, CaptureFile } from "@aglens/contract";
import { captureFile } from "../../../../test/capture-file.ts";
import { evidence } from "../../../../test/evidence-file.ts";
import { folderLead, folderTitle, supportFolder } from "./support-folder.ts";

type Draft = Pick<Capture, "files" | "groups" | "unused">;

const movement = captureFile({ id: "m1", name: "AlwaysOn_Data_Movement_target_0_1.xel", size: 5_000 });

const group = (files: readonly string[]): Capture["groups"][number] => ({
  name: "SALES-AG · 14 May 2026",
  group: "SALES-AG",
  servers: [
    { name: "SQL1", nameFrom: "topology", ids: ["a1"], role: "primary", files: [...files], roles: [] },
  ],
  databases: [],
  withoutFile: [],
  foreign: false,
  warnings: [],
});

const draft = (files: readonly CaptureFile[], more: Partial<Draft> = {}): Draft => ({
  files: [...files],
  groups: [group(files.flatMap(({ kind, id }) => (kind === "xel" ? [id] : [])))],
  unused: [],
  ...more,
});

const folderOf = (files: readonly CaptureFile[], more?: Partial<Draft>) => supportFolder(draft(files, more))!;
const rowsOf = (files: readonly CaptureFile[], more?: Partial<Draft>) =>
  folderOf(files, more).groups.flatMap(({ servers }) =>
    servers.map(({ name, rows, used, files }) => [name, rows.map((row) => row.names), used, files]),
  );

const errorlog = evidence("ERRORLOG", "errorlog", { utcOffsetMinutes: -300 });
const older = evidence("ERRORLOG.1", "errorlog");
const health = evidence("AlwaysOn_health_0_1.xel", "alwaysOnHealth", { events: 88 });

test("a draft without facts of evidence files is no support folder", () => {
  expect(supportFolder(draft([movement]))).toBeNull();
  expect(supportFolder(draft([movement, evidence("SQL1_cluster.log", "clusterLog")]))).toBeNull();
  expect(supportFolder(draft([movement, captureFile({ kind: "topology", name: "t.xml" })]))).toBeNull();
});

test("each file is once in a list, and the three counts add up", () => {
  const files = [
    movement,
    captureFile({ id: "m2", name: "b.xel", role: "ignored" }),
    captureFile({ id: "bad", name: "c.xml", kind: "unreadable", message: "No end." }),
    errorlog,
    older,
    health,
    evidence("Perfmon.blg", "counterLog"),
    evidence("SQL1_cluster.log", "clusterLog"),
    evidence("diskspd.txt", "diskspd", { server: null }),
    evidence("empty.out", "unknown", { state: "damaged", server: null }),
    evidence("half.xel", "systemHealth", { state: "damaged", events: 12, use: "The file is cut." }),
  ];
  const folder = folderOf(files);
  expect([folder.used, folder.toConvert, folder.unused]).toEqual([6, 1, 4]);
  const listed = [
    ...folder.groups.flatMap(({ servers }) => servers.flatMap(({ rows }) => rows)),
    ...folder.convert,
    ...folder.notUsed,
  ].flatMap((row) => row.files.map(({ id }) => id));
  expect(listed.toSorted()).toEqual(files.map(({ id }) => id).toSorted());
  expect(rowsOf(files)).toEqual([
    [
      "SQL1",
      [
        "AlwaysOn_Data_Movement_target_0_1.xel",
        "AlwaysOn_health_0_1.xel",
        "half.xel",
        "ERRORLOG, ERRORLOG.1",
      ],
      5,
      8,
    ],
    [null, ["diskspd.txt"], 1, 3],
  ]);
  expect(folder.notUsed.map(({ names, state }) => [names, state])).toEqual([
    ["c.xml", "damaged"],
    ["empty.out", "damaged"],
    ["b.xel", "notUsed"],
    ["SQL1_cluster.log", "notUsed"],
  ]);
  // The result of Diskspd, which is used, is not one of them.
  expect(folder.withoutServer).toBe(2);
});

test("local times count once the file, the server's ERRORLOG or the user states their zone", () => {
  const statesOf = (files: readonly CaptureFile[]) => {
    const { groups, used, unused } = folderOf(files, { groups: [] });
    return [
      groups.flatMap(({ servers }) => servers.flatMap(({ rows }) => rows.map((row) => row.state))),
      used,
      unused,
    ];
  };
  const counters = evidence("Perfmon.csv", "counters");
  expect(statesOf([counters])).toEqual([["zone"], 0, 1]);
  expect(statesOf([older])).toEqual([["zone"], 0, 1]);
  expect(statesOf([errorlog, older, counters])).toEqual([["used", "used"], 3, 0]);
  expect(statesOf([evidence("Perfmon.csv", "counters", {}, { given: { utcOffsetMinutes: 0 } })])).toEqual([
    ["used"],
    1,
    0,
  ]);
  const other = evidence("ERRORLOG", "errorlog", { server: "SQL2", utcOffsetMinutes: 0 });
  expect(statesOf([other, counters])).toEqual([["zone", "used"], 1, 1]);
});

test("a file that names no server is of the server of its folder, servers without movement events follow", () => {
  const files = [
    { ...movement, path: "case/SQL1" },
    evidence("diskspd.txt", "diskspd", { server: null }, { path: "case/SQL1" }),
    evidence("NODE3_ERRORLOG", "errorlog", { server: "sql3", utcOffsetMinutes: 0 }, { path: "case/SQL3" }),
    evidence("waits.csv", "waits", { server: null, utcOffsetMinutes: 0 }, { path: "case" }),
  ];
  expect(rowsOf(files)).toEqual([
    ["SQL1", ["AlwaysOn_Data_Movement_target_0_1.xel", "diskspd.txt"], 2, 2],
    ["sql3", ["NODE3_ERRORLOG"], 1, 1],
    [null, ["waits.csv"], 1, 1],
  ]);
});

test("a skipped file can be used again", () => {
  const skipped = { ...health, given: { role: "ignored" as const } };
  const { used, notUsed } = folderOf([movement, skipped, errorlog]);
  expect([used, notUsed.map(({ names, use }) => [names, use])]).toEqual([
    2,
    [["AlwaysOn_health_0_1.xel", "You skip this file."]],
  ]);
});

test("names are listed by id, both where two files contradict each other, and ids without a name", () => {
  const named = { ...health, replicaNames: { a1: "SQL1", b2: "SQL2" }, groupNames: ["SALES-AG"] };
  const topology = captureFile({
    id: "t",
    name: "t.xml",
    kind: "topology",
    replicaNames: { a1: "sql1", b2: "OLD2" },
    databaseNames: { d1: "Orders" },
    groupNames: ["SALES-AG"],
  });
  const unnamed = group(["m1"]);
  unnamed.servers.push({ ...unnamed.servers[0], name: "c3c3", nameFrom: "id", ids: ["c3c3"], files: [] });
  const { names, namesFrom } = folderOf([movement, topology, named], { groups: [unnamed] });
  expect(namesFrom).toEqual(["alwaysOnHealth", "topology"]);
  expect(names.map(({ kind, name, id, isDisputed }) => [kind, name, id, isDisputed])).toEqual([
    ["group", "SALES-AG", null, false],
    ["replica", "SQL1", "a1", false],
    ["replica", "SQL2", "b2", true],
    ["replica", "OLD2", "b2", true],
    ["replica", null, "c3c3", false],
    ["database", "Orders", "d1", false],
  ]);
});

test("the title and the sentence under it", () => {
  const inZip = (file: CaptureFile): CaptureFile => ({ ...file, path: "LogScout.zip" });
  const files = [movement, errorlog, evidence("Perfmon.blg", "counterLog"), evidence("c.log", "clusterLog")];
  expect(folderTitle(folderOf(files))).toBe("1 capture in 4 files");
  expect(folderTitle(folderOf(files.map(inZip)))).toBe("1 capture in a support folder of 4 files");
  expect(folderTitle(folderOf(files.slice(1).map(inZip), { groups: [] }))).toBe(
    "No data-movement events in a support folder of 3 files",
  );
  expect(folderLead(folderOf(files))).toBe(
    "1 server, 8.0\u2009kB. 2 files are used, 1 needs conversion, 1 isn't used.",
  );
  const scout = { ...health, name: "SQL1_20260514T0205001234_AlwaysOn_health_0_1.xel" };
  expect(folderLead(folderOf([scout], { groups: [] }))).toBe(
    "SQL LogScout, 1 server, 1.0\u2009kB. 1 file is used.",
  );
});
