/** Files of other facts: which they are, also damaged, and the capture that they go with. */
import type { CaptureFile, CaptureGroup, EvidenceOfFile } from "@aglens/contract";
import { decodeFacts } from "@aglens/evidence";
import { createXelWriter } from "xel-parser/writer";
import { describe, expect, test } from "vitest";
import { groupsOfEvidence } from "./evidence-files.ts";
import { groupedFiles } from "./grouped-files.ts";
import { recognizeFile } from "./recognise.ts";
import type { ReadableFile } from "./readable-file.ts";
import { NOTHING, type Recognized } from "./recognised.ts";

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const readable = (name: string, bytes: Uint8Array): ReadableFile => ({
  name,
  size: bytes.length,
  bytes: () => once(bytes),
  chunks: () => once(bytes),
  head: (length) => Promise.resolve(bytes.subarray(0, length)),
  tail: (length) => Promise.resolve(bytes.subarray(-length)),
});

async function recognized(name: string, bytes: Uint8Array) {
  const kept: Uint8Array[] = [];
  const found: Recognized = await recognizeFile(readable(name, bytes), {
    replace: async (pieces) => {
      for await (const piece of pieces) kept.push(piece);
      return readable(name, kept[0]!);
    },
  });
  return { found, kept };
}

/** An event file of a session with these events. */
function session(...names: string[]): Uint8Array {
  const events = names.map((name) => ({ name, columns: [] }));
  const writer = createXelWriter({ packages: [{ name: "sqlserver", id: 2, events }] });
  for (const [i, name] of names.entries()) writer.write(name, (i + 1) * 1e7, {});
  return writer.finish();
}

describe("an event file", () => {
  test("of AlwaysOn_health is kept as facts", async () => {
    const { found, kept } = await recognized("a.xel", session("availability_group_lease_expired"));
    expect(found).toMatchObject({ kind: "evidence", evidenceFile: { kind: "alwaysOnHealth", events: 1 } });
    expect(decodeFacts(kept[0]!).events).toMatchObject([{ kind: "lease" }]);
    expect(found.size).toBe(kept[0]!.length);
  });

  test("of a session that has movement events, too, is read for these", async () => {
    const both = session("availability_group_lease_expired", "log_flush_start");
    const { found, kept } = await recognized("a.xel", both);
    expect([found.kind, found.events, kept]).toEqual(["xel", 2, []]);
  });

  test("whose description of events is damaged is read for movement, as far as that works", async () => {
    const bytes = session("availability_group_lease_expired");
    const { found, kept } = await recognized("a.xel", bytes.fill(0xa5, 100, bytes.length));
    expect([found.kind, found.gaps.length, kept]).toEqual(["xel", 1, []]);
  });
});

test.each([
  ["a.dat", "hello", "unknown"],
  ["a.out", "name value\n---- -----\na    1\n", "scriptOutput"],
  ["cluster.log", "00000b54.00000f8c::2026/05/14-02:16:30.123 INFO  [RES] SQL\n", "clusterLog"],
])("no bytes of a file without a use are kept: %s", async (name, text, kind) => {
  const bytes = new TextEncoder().encode(text);
  const { found, kept } = await recognized(name, bytes);
  expect(found).toMatchObject({
    kind: "evidence",
    evidenceFile: { kind, state: "notUsed", events: 0 },
    dropped: { values: 0, bytes: bytes.length },
  });
  expect(new TextDecoder().decode(kept[0])).not.toContain("hello");
});

const evidenceFile = (changes: Partial<EvidenceOfFile>): EvidenceOfFile => ({
  kind: "errorlog",
  server: null,
  serverFrom: null,
  utcOffsetMinutes: null,
  state: "used",
  use: "ERRORLOG",
  events: 1,
  samples: 0,
  notUnderstood: { count: 0, first: [] },
  ...changes,
});

const fileOf = (
  id: string,
  { replicaNames = {}, ...of }: Partial<EvidenceOfFile> & Pick<Partial<CaptureFile>, "replicaNames"> = {},
): CaptureFile => ({
  ...NOTHING,
  id,
  name: id,
  folder: null,
  path: "",
  sha256: id,
  size: 1,
  kind: "evidence",
  evidenceFile: evidenceFile(of),
  replicaNames,
  given: {},
  role: "ignored",
  replica: "",
});

const groupOf = (...servers: { readonly name: string; readonly id: string }[]): CaptureGroup => ({
  name: servers.map(({ name }) => name).join(", "),
  group: null,
  servers: servers.map(({ name, id }) => ({
    name,
    nameFrom: "topology",
    ids: [id],
    role: "primary",
    files: [],
    roles: [],
  })),
  databases: [],
  withoutFile: [],
  foreign: false,
  warnings: [],
});

describe("evidence goes", () => {
  const first = groupOf({ name: "SQL1", id: "a" }, { name: "SQL2", id: "b" });
  const second = groupOf({ name: "SQL2", id: "c" }, { name: "SQL3", id: "d" });
  test.each([
    ["with the capture of its server", { server: "sql1" }, [first]],
    ["with both captures of its server", { server: "SQL2" }, [first, second]],
    ["with the capture of a replica that it names", { replicaNames: { d: "SQL3" } }, [second]],
    ["with all captures where it names another server", { server: "SQL9" }, [first, second]],
    ["with all captures where it names no server", {}, [first, second]],
  ])("%s", (_, file, wanted) => {
    expect(groupsOfEvidence(fileOf("e", file), [first, second])).toEqual(wanted);
  });
});

test("a file in local time is used by its own choice first, then by the newest ERRORLOG of its server", () => {
  const log = (id: string, utcOffsetMinutes: number) => fileOf(id, { server: "SQL1", utcOffsetMinutes });
  const local = fileOf("waits", { kind: "waits", server: "sql1", isLocal: true, samples: 2 });
  const older = fileOf("ERRORLOG.2", { server: "SQL1", isLocal: true });
  const { files } = groupedFiles([older, log("ERRORLOG.1", 60), log("ERRORLOG", 120), local]);
  expect(files.map(({ role, evidenceFile: of }) => [role, of?.state, of?.utcOffsetMinutes])).toEqual([
    ["ignored", "notUsed", null],
    ["primary", "used", 60],
    ["primary", "used", 120],
    ["primary", "used", null],
  ]);
  const chosen = groupedFiles([{ ...older, given: { utcOffsetMinutes: -60 } }]).files[0]!;
  expect(chosen).toMatchObject({ role: "primary", evidenceFile: { state: "used", utcOffsetMinutes: -60 } });
  // The same after it is grouped again.
  expect(groupedFiles([chosen]).files[0]).toEqual(chosen);
  expect(groupedFiles([{ ...chosen, given: {} }]).files[0]).toMatchObject({
    evidenceFile: { state: "notUsed", utcOffsetMinutes: null },
  });
});
