import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test, vi } from "vitest";
import { readEvents } from "@aglens/ag-model/events";
import { prepareEvents } from "@aglens/ag-model/replication";
import { shownName } from "@aglens/zip";
import { piecesOf } from "./blob-file.ts";
import { type ReadFile, readDropped } from "./read-file.ts";

const CAPTURE = new URL("../../../../fixtures/captures/two-secondaries/", import.meta.url);

const PRIMARY = "primary/AlwaysOn_Data_Movement_Tracing_SQL1_0_131532631476045530.xel";

const bytesOf = (path: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(new URL(path, CAPTURE)));

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Reads a file and sums up its reported bytes. */
async function read(
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  mostPrepared = 4,
): Promise<{ files: ReadFile[]; sum: number }> {
  const shown = shownName(name);
  if (shown === null) throw new Error("The test's name is none.");
  let sum = 0;
  const files = await readDropped(
    { blob: new Blob([bytes]), name: shown, mostPrepared },
    (more) => (sum += more),
  );
  return { files, sum };
}

describe("a dropped file", () => {
  test("is what its events say, with the SHA-256 of its bytes and its events for the analysis", async () => {
    const bytes = bytesOf(PRIMARY);
    const { files, sum } = await read("SQL1/primary.xel", bytes);
    expect(files).toHaveLength(1);
    const [file] = files;
    expect(file?.name).toEqual({ name: "primary.xel", folder: "SQL1", path: "SQL1" });
    expect(file?.recognised).toMatchObject({ kind: "xel", detectedRole: "primary", gaps: [] });
    expect(file?.sha256).toBe(sha256(bytes));
    const columns = await readEvents(piecesOf(new Blob([bytes])), "primary.xel");
    expect(file?.prepared).toEqual(prepareEvents(columns));
    expect(file?.columns).toBeNull();
    expect(sum).toBe(bytes.length);
  });

  test("has the same SHA-256 where the browser has none of its own", async () => {
    const bytes = bytesOf(PRIMARY);
    const digest = vi.spyOn(crypto.subtle, "digest");
    vi.stubGlobal("crypto", {});
    try {
      const { files } = await read("primary.xel", bytes);
      expect(files[0]?.sha256).toBe(sha256(bytes));
      expect(digest).not.toHaveBeenCalled();
    } finally {
      vi.unstubAllGlobals();
      digest.mockRestore();
    }
  });

  test("that is cut keeps no events: reading it again reports its gap", async () => {
    const whole = bytesOf(PRIMARY);
    const { files } = await read("cut.xel", whole.slice(0, whole.length - 100));
    expect(files[0]?.recognised.gaps.length).toBeGreaterThan(0);
    expect([files[0]?.columns, files[0]?.prepared]).toEqual([null, null]);
    expect(files[0]?.sha256).toBe(sha256(whole.slice(0, whole.length - 100)));
  });

  test("that is none says so, and where", async () => {
    const { files } = await read("notes.xel", strToU8("not an event file"));
    expect(files[0]?.recognised).toMatchObject({ kind: "unreadable" });
    expect(files[0]?.recognised.message).toMatch(/^notes\.xel, byte 0: /u);
  });

  test("with a topology has its names", async () => {
    const { files } = await read("topology.xml", bytesOf("topology.xml"));
    expect(files[0]?.recognised.kind).toBe("topology");
    expect(Object.values(files[0]?.recognised.replicaNames ?? {}).length).toBeGreaterThan(1);
  });

  test("with events that were saved as text is a .xel file from then on", async () => {
    const event = `<event name="log_flush_start" package="sqlserver" timestamp="2016-05-06T02:16:55.8000000Z"><data name="database_id"><value>5</value></data></event>`;
    const { files } = await read("events.xml", strToU8(`<events>${event}</events>`));
    expect(files[0]?.recognised).toMatchObject({ kind: "xel", events: 1 });
    expect(files[0]?.blob.size).toBe(files[0]?.recognised.size);
    expect(files[0]?.columns).toBeNull();
  });
});

describe("a zip", () => {
  test("is its files, named by its folders", async () => {
    const bytes = bytesOf(PRIMARY);
    const zip = zipSync({
      "SQL1/primary.xel": bytes,
      "__MACOSX/x": new Uint8Array(3),
      "readme.txt": strToU8("x"),
    });
    const { files, sum } = await read("all.zip", zip);
    expect(files.map(({ name }) => name)).toEqual([
      { name: "primary.xel", folder: "SQL1", path: "all.zip/SQL1" },
      { name: "readme.txt", folder: null, path: "all.zip" },
    ]);
    expect(files.map(({ recognised }) => recognised.kind)).toEqual(["xel", "evidence"]);
    expect(files[0]?.sha256).toBe(sha256(bytes));
    expect(sum).toBe(zip.length);
  });

  test("of few files has their events prepared, one of more than the capture has left has not", async () => {
    const bytes = bytesOf(PRIMARY);
    const zip = zipSync({ "a.xel": bytes, "b.xel": bytes });
    for (const [mostPrepared, isPrepared] of [
      [2, true],
      [1, false],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { files } = await read("all.zip", zip, mostPrepared);
      expect(files.map(({ prepared }) => prepared !== null)).toEqual([isPrepared, isPrepared]);
      expect(files.every(({ columns }) => (columns === null) === isPrepared)).toBe(true);
    }
  });

  test("inside a zip is to be unpacked first", async () => {
    const zip = zipSync({ "inner.zip": zipSync({ "a.xel": new Uint8Array(5) }) });
    const { files } = await read("outer.zip", zip);
    expect(files[0]?.recognised.message).toContain("zip inside a zip");
  });

  test("with an entry that another CRC was written for is refused, and names it", async () => {
    const zip = zipSync({ "SQL1/a.xel": bytesOf(PRIMARY), "b.txt": strToU8("b") }, { level: 0 });
    // A byte in the middle of the first entry's data, which is only stored.
    zip[5000] = (zip[5000] ?? 0) ^ 1;
    await expect(read("damaged.zip", zip)).rejects.toMatchObject({
      problem: { code: "bad-zip", detail: expect.stringContaining("a.xel in the zip is damaged") as string },
    });
  });

  test("is read where there is no Buffer, as in every browser", async () => {
    const zip = zipSync({ "a.txt": strToU8("x") });
    vi.stubGlobal("Buffer", undefined);
    try {
      await expect(read("all.zip", zip)).resolves.toMatchObject({ files: [{ name: { name: "a.txt" } }] });
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test("that was cut is refused", async () => {
    const zip = zipSync({ "a.xel": bytesOf(PRIMARY) });
    const cut = zip.slice(0, zip.length - 40);
    await expect(read("cut.zip", cut)).rejects.toMatchObject({ problem: { code: "bad-zip" } });
  });
});
