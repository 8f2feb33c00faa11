import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { beforeAll, describe, expect, test } from "vitest";
import { TABLES_FORMAT, type CaptureFile } from "@aglens/contract";
import { readEventPieces } from "@aglens/ag-model/events";
import { xmlText } from "@aglens/ag-model/replication";
import {
  decodeFacts,
  encodeFacts,
  readFacts,
  recognizeFile as recognizeEvidenceFile,
} from "@aglens/evidence";
import type { BytesAt } from "@aglens/zip";
import { analyzeFiles } from "../analysis/index.ts";
import { filesToAnalyze, groupedFiles, recognizeFile } from "../files/index.ts";
import { ProblemError } from "../problems/problems.ts";
import { aglensFileBytes, factsToPack, readAglensFile, TABLE_NAMES } from "./index.ts";
import { withReplacedNames } from "./replace-names.ts";
import type { AglensBounds, CaptureToPack } from "./index.ts";

const CAPTURE = new URL("../../../../fixtures/captures/slow-network/", import.meta.url);

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}

const bytesAt = (bytes: Uint8Array): BytesAt => ({
  size: bytes.length,
  read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
});

/** A committed capture, analyzed, with the bytes of its event files. */
async function analyzedCapture(): Promise<CaptureToPack> {
  const given = new Map<string, Uint8Array>();
  const received: CaptureFile[] = [];
  const paths = readdirSync(CAPTURE, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.x[em]l$/u.test(path),
  );
  for (const [index, path] of paths.entries()) {
    const bytes = new Uint8Array(readFileSync(new URL(path, CAPTURE)));
    const file = {
      name: basename(path),
      size: bytes.length,
      bytes: () => pieces(bytes),
      chunks: () => pieces(bytes),
      head: (length: number) => Promise.resolve(bytes.subarray(0, length)),
      tail: (length: number) => Promise.resolve(bytes.subarray(-length)),
    };
    const recognised = await recognizeFile(file, { replace: () => Promise.reject(new Error("no text")) });
    given.set(String(index), bytes);
    received.push({
      id: String(index),
      name: file.name,
      folder: null,
      path: "",
      sha256: "",
      size: file.size,
      ...recognised,
      given: {},
      role: "ignored",
      replica: "",
    });
  }
  const { files } = groupedFiles(received);
  const topologies = files
    .filter(({ kind }) => kind === "topology")
    .map(({ id }) => xmlText(given.get(id) ?? new Uint8Array()) ?? "");
  const used = filesToAnalyze(files);
  const {
    files: tables,
    verdict,
    severity,
    place,
  } = await analyzeFiles(
    {
      files: used,
      topologies,
      decode: ({ id }, name) => readEventPieces(pieces(given.get(id) ?? new Uint8Array()), name),
    },
    () => {},
  );
  const note = {
    id: "n1",
    fromTicks: "5",
    toTicks: "7",
    lsn: null,
    text: "SQL1: backup of Sales",
    written: "2026-01-02T00:00:00.000Z",
  };
  return {
    capture: {
      name: "SQL1, SQL2 - Sales",
      created: "2026-01-01T00:00:00.000Z",
      verdict,
      severity,
      place,
      files: [...files],
      notes: [note, { ...note, id: "n2", deleted: "2026-01-03T00:00:00.000Z" }],
    },
    tables,
    sources: used.map(({ id }) => ({ id, bytes: () => pieces(given.get(id) ?? new Uint8Array()) })),
    replacesNames: false,
  };
}

async function packed(capture: CaptureToPack): Promise<Uint8Array> {
  return collected(aglensFileBytes(capture));
}

async function collected(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of source) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}

/**
 * The position, or one in the contents before it: bytes between two entries are also described by the directory, which
 * counts.
 */
function inContents(zip: Uint8Array, at: number): number {
  const [descriptorBytes, headerBytes] = [16, 64];
  const header = Buffer.from(zip).indexOf("PK\u{3}\u{4}", at - headerBytes, "latin1");
  return header !== -1 && header <= at + descriptorBytes ? header - 2 * descriptorBytes : at;
}

/** Why a file is refused. */
const refusal = (bytes: Uint8Array, bounds?: AglensBounds): Promise<unknown> =>
  readAglensFile(bytesAt(bytes), bounds).then(
    () => null,
    (error: unknown) => (error instanceof ProblemError ? error.problem.code : error),
  );

/** The sentence with which a file is refused. */
const refusalText = (bytes: Uint8Array): Promise<string | null> =>
  readAglensFile(bytesAt(bytes)).then(
    () => null,
    (error: unknown) => String(error),
  );

let capture: CaptureToPack;
let file: Uint8Array;
beforeAll(async () => {
  capture = await analyzedCapture();
  file = await packed({ ...capture, sources: [] });
});

/** The file with its entries changed. */
function changed(change: (entries: Record<string, Uint8Array>) => void): Uint8Array {
  const entries = unzipSync(file);
  change(entries);
  return zipSync(entries, { level: 1 });
}

function withHead(change: (head: Record<string, unknown>) => void): Uint8Array {
  return changed((entries) => {
    const head = JSON.parse(strFromU8(entries["aglens.json"] ?? new Uint8Array())) as Record<string, unknown>;
    change(head);
    entries["aglens.json"] = strToU8(JSON.stringify(head));
  });
}

describe("an .aglens file", () => {
  test("gives back the tables to the byte, the record and the notes that are not deleted", async () => {
    const read = await readAglensFile(bytesAt(file));
    for (const name of TABLE_NAMES)
      expect(
        Buffer.compare(read.tables[name] ?? new Uint8Array(), capture.tables[name] ?? new Uint8Array(1)),
        name,
      ).toBe(0);
    expect(read.capture).toEqual({ ...capture.capture, notes: capture.capture.notes.slice(0, 1) });
    expect(read.sources).toEqual([]);
    // Any program for zips opens it.
    expect(Object.keys(unzipSync(file))).toEqual([
      "aglens.json",
      ...TABLE_NAMES.map((name) => `tables/${name}`),
    ]);
  });

  test("gives back the event files that go along", async () => {
    const { sources } = await readAglensFile(bytesAt(await packed(capture)));
    expect(sources.map((source) => source.file.id)).toEqual(capture.sources.map(({ id }) => id));
    for (const [index, source] of sources.entries()) {
      const sent = capture.sources[index]?.bytes() ?? pieces(new Uint8Array());
      expect(Buffer.compare(await collected(source.bytes()), await collected(sent))).toBe(0);
    }
  });

  test("takes event files of up to 4 GB together", async () => {
    const ofBytes = (size: number): Promise<Uint8Array> =>
      packed({
        ...capture,
        capture: { ...capture.capture, files: capture.capture.files.map((each) => ({ ...each, size })) },
      });
    expect(capture.sources).toHaveLength(4);
    await expect(ofBytes(1_000_000_001)).rejects.toMatchObject({ problem: { code: "too-big" } });
    expect((await ofBytes(1_000_000_000)).length).toBeGreaterThan(file.length);
  });

  test("with replaced names has none of them anywhere, and opens", async () => {
    const replaced = await packed({ ...capture, sources: [], replacesNames: true });
    const read = await readAglensFile(bytesAt(replaced));
    expect(read.capture).toMatchObject({
      name: "Group 1",
      notes: [{ text: "Replica 1: backup of Database 1" }],
    });
    expect(read.namesReplaced).toBe(true);
    const entries = Object.entries(unzipSync(replaced));
    for (const [name, bytes] of [...entries, ["the file itself", replaced] as const]) {
      for (const encoding of ["latin1", "utf16le"] as const)
        expect(Buffer.from(bytes).toString(encoding), name).not.toMatch(/SQL1|SQL2|Sales|AlwaysOn/iu);
    }
    // Without the replacement the file contains the names.
    expect(strFromU8(unzipSync(file)["tables/model.json"] ?? new Uint8Array())).toMatch(
      /SQL1.*Sales.*AlwaysOn/u,
    );
    const withOneFile = { ...capture, sources: capture.sources.slice(0, 1), replacesNames: true };
    await expect(packed(withOneFile)).rejects.toMatchObject({ problem: { code: "bad-request" } });
  });
});

describe("other files in it", () => {
  const LOG = [
    "2016-05-06 02:00:00.00 Server      UTC adjustment: 0:00",
    "2016-05-06 02:00:00.00 Server      Server name is 'SQL1'.",
    "2016-05-06 02:17:05.00 spid9s      The state of the local availability replica in availability group 'SALES-AG' has changed from 'PRIMARY_NORMAL' to 'RESOLVING_NORMAL'.",
    "2016-05-06 02:17:06.00 spid9s      Error: 823, Severity: 24, State: 2.",
    "2016-05-06 02:17:06.00 spid9s      The operating system returned an error to jdoe.",
  ].join("\n");
  const factsOf = async (keepSensitive: boolean): Promise<Uint8Array> => {
    const bytes = strToU8(LOG);
    const found = recognizeEvidenceFile("ERRORLOG", bytes, bytes.length);
    return encodeFacts(await readFacts(found, () => pieces(bytes), { keepSensitive }));
  };
  /** @param dropped null where statements were kept */
  const fileOf = (id: string, more: Partial<CaptureFile> = {}): CaptureFile => ({
    ...capture.capture.files[0]!,
    id,
    name: "ERRORLOG",
    kind: "evidence",
    given: {},
    role: "primary",
    dropped: { values: 0, bytes: 0 },
    ...more,
  });

  test("are those that are here and that the user didn't exclude; none with replaced names", () => {
    const files = [
      fileOf("1"),
      fileOf("2", { given: { role: "ignored" }, role: "ignored" }),
      fileOf("3", { isMissing: true }),
      fileOf("4", { dropped: null }),
      fileOf("5", { role: "ignored" }),
      ...capture.capture.files,
    ];
    expect(factsToPack(files, { replacesNames: false }).map(({ id }) => id)).toEqual(["1", "4", "5"]);
    expect(factsToPack(files, { replacesNames: true })).toEqual([]);
  });

  test.each([
    ["with event files as they are", true],
    ["without them, without sensitive texts", false],
  ])("that were kept with statements go %s", async (_, withFiles) => {
    const kept = await factsOf(true);
    const read = await readAglensFile(
      bytesAt(
        await packed({
          ...capture,
          capture: {
            ...capture.capture,
            files: [...capture.capture.files, fileOf("log", { dropped: null, size: kept.length })],
          },
          sources: [{ id: "log", bytes: () => pieces(kept) }],
          withFiles,
        }),
      ),
    );
    const bytes = await collected(read.sources[0]!.bytes());
    expect(strFromU8(bytes).includes("jdoe")).toBe(withFiles);
    const { events, keepsSensitive } = decodeFacts(bytes);
    expect([events.length, keepsSensitive]).toEqual([2, withFiles]);
  });

  test("that are damaged and were kept with statements don't go without event files", async () => {
    const files = [...capture.capture.files, fileOf("log", { dropped: null })];
    const sources = [{ id: "log", bytes: () => pieces(strToU8("jdoe")) }];
    const bytes = await packed({ ...capture, capture: { ...capture.capture, files }, sources });
    expect((await readAglensFile(bytesAt(bytes))).sources).toEqual([]);
  });

  test("alone: with replaced names there is no group in it", async () => {
    const facts = [{ bytes: await factsOf(false), utcOffsetMinutes: null, server: null }];
    const request = { files: [], topologies: [], facts, decode: () => expect.unreachable() };
    const { files: tables, verdict, severity, place } = await analyzeFiles(request, () => {});
    expect(verdict).toContain("SALES-AG");
    const alone = { ...capture.capture, verdict, severity, place, files: [], notes: [] };
    const bytes = await packed({ capture: alone, tables, sources: [], replacesNames: true });
    for (const [name, entry] of Object.entries(unzipSync(bytes)))
      expect(Buffer.from(entry).toString("latin1"), name).not.toMatch(/SALES|SQL1/u);
    expect((await readAglensFile(bytesAt(bytes))).capture.verdict).toBe(
      "The availability group failed over or went offline.",
    );
  });
});

test("with replaced names has numbers for applications and statements", () => {
  const model = {
    replicas: [],
    databases: [],
    files: [],
    clocks: [],
    warnings: [],
    clients: { applications: ["", "Shop"], statements: ["", "UPDATE Secret"], dropped: [] },
  };
  const tables = { ...capture.tables, "model.json": strToU8(JSON.stringify(model)) };
  const { tables: replaced } = withReplacedNames({ ...capture, tables });
  expect(JSON.parse(strFromU8(replaced["model.json"]!))).toMatchObject({
    clients: { applications: ["", "Application 1"], statements: ["", "Statement 1"], dropped: [] },
  });
});

describe("is refused", () => {
  test("when it is cut, at any place", async () => {
    for (const part of [0, 0.1, 0.5, 0.9, 0.999]) {
      expect([part, await refusal(file.subarray(0, Math.floor(file.length * part)))]).toEqual([
        part,
        "bad-aglens-file",
      ]);
    }
  });

  test("when a byte of it changed, wherever", async () => {
    for (let part = 1; part < 20; part++) {
      const damaged = file.slice();
      const at = inContents(file, Math.floor((damaged.length * part) / 20));
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      // In a run of equal values another distance back may result in the same bytes: then nothing is damaged.
      const code = await refusal(damaged);
      if (code === null) expect(unzipSync(damaged)).toEqual(unzipSync(file));
      else expect([part, code]).toEqual([part, "bad-aglens-file"]);
    }
  });

  test("when it is something else", async () => {
    expect(await refusal(strToU8("not a zip"))).toBe("bad-aglens-file");
    expect(await refusal(zipSync({ "a.xel": strToU8("x") }))).toBe("bad-aglens-file");
    expect(await refusal(zipSync({ "aglens.json": strToU8("{}") }))).toBe("bad-aglens-file");
    expect(await refusal(zipSync({ "aglens.json": strToU8("[") }))).toBe("bad-aglens-file");
  });

  test("when it is of another version, and says which one opens it", async () => {
    expect(await refusal(withHead((head) => (head["aglens"] = 2)))).toBe("newer-aglens-file");
    expect(await refusal(withHead((head) => (head["tablesFormat"] = TABLES_FORMAT + 1)))).toBe(
      "newer-aglens-file",
    );
    expect(await refusal(withHead((head) => (head["tablesFormat"] = TABLES_FORMAT - 1)))).toBe(
      "bad-aglens-file",
    );
    expect(await refusal(withHead(() => {}))).toBeNull();
    // Either of the two versions alone shows that the writer was an earlier one.
    for (const version of ["aglens", "tablesFormat"]) {
      const earlier = withHead((head) => (head[version] = Number(head[version]) - 1));
      await expect(readAglensFile(bytesAt(earlier)), version).rejects.toThrow("an older version of AG Lens");
    }
  });

  test("when its head is longer than 32 MB, before the head is read", async () => {
    const ofBytes = (bytes: number): Promise<unknown> => {
      const padded = changed((entries) => {
        const head = new Uint8Array(bytes).fill(32);
        head.set(entries["aglens.json"] ?? new Uint8Array());
        entries["aglens.json"] = head;
      });
      return refusalText(padded);
    };
    expect(await ofBytes(32 * 1024 * 1024)).toBeNull();
    expect(await ofBytes(32 * 1024 * 1024 + 1)).toContain("aglens.json is too long");
  });

  test("when an earlier version misread its event files, and says what to do", async () => {
    const misread = withHead((head) => {
      const { files } = head["capture"] as { files: { partnerIds: string[] }[] };
      files.at(-1)!.partnerIds = ["00000028-0010-0000-0097-b9fb51000000"];
    });
    expect(await refusal(misread)).toBe("bad-aglens-file");
    await expect(readAglensFile(bytesAt(misread))).rejects.toThrow("Analyze the original event files again.");
  });

  test.each([
    ["a record without files", (head: Record<string, unknown>) => (head["capture"] = { name: "x" })],
    ["checksums of no tables", (head: Record<string, unknown>) => (head["tables"] = {})],
    ["an event file that is not in it", (head: Record<string, unknown>) => (head["sources"] = [0])],
    ["an event file of no capture", (head: Record<string, unknown>) => (head["sources"] = [499])],
  ])("when its head names %s", async (_, change) => {
    expect(await refusal(withHead(change))).toBe("bad-aglens-file");
  });

  test.each(["../../etc/passwd", "tables/../x", "/abs", "C:\\x", "files/0", "tables/other.arrow"])(
    "when an entry is called %s",
    async (name) => {
      expect(await refusal(changed((entries) => (entries[name] = strToU8("x"))))).toBe("bad-aglens-file");
    },
  );

  test("when it inflates to more than a capture has, or than is allowed", async () => {
    // The directory claims a gigabyte for the last entry.
    const bomb = Buffer.from(file);
    bomb.writeUInt32LE(2 ** 30, bomb.lastIndexOf("PK\x01\x02") + 24);
    expect(await refusal(new Uint8Array(bomb))).toBe("too-big");
    // 300 times the file is not too big for one; that it is another size is found as it is read.
    const declaring = (bytes: number): Uint8Array => {
      const zip = Buffer.from(file);
      const at = zip.lastIndexOf("PK\x01\x02") + 24;
      const others = Object.values(unzipSync(file)).reduce((all, entry) => all + entry.length, 0);
      zip.writeUInt32LE(bytes - (others - zip.readUInt32LE(at)), at);
      return new Uint8Array(zip);
    };
    expect(await refusal(declaring(300 * file.length))).toBe("bad-aglens-file");
    expect(await refusal(declaring(300 * file.length + 1))).toBe("too-big");
    const sum = Object.values(capture.tables).reduce((bytes, table) => bytes + table.length, 0);
    expect(await refusal(file, { tableBytes: sum, sourceBytes: 0 })).toBeNull();
    expect(await refusal(file, { tableBytes: sum - 1, sourceBytes: 0 })).toBe("too-big");
  });

  test("when its sound tables are of no model", async () => {
    const other = await packed({
      ...capture,
      sources: [],
      tables: { ...capture.tables, "blocks.arrow": strToU8("ARROW1") },
    });
    expect(await refusal(other)).toBe("bad-aglens-file");
  });
});
