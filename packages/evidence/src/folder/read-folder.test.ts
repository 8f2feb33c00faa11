import { createXelWriter } from "xel-parser/writer";
import { describe, expect, test } from "vitest";
import { SystemEvent } from "../health/event-names.ts";
import type { FolderEvidence } from "../facts/merge-facts.ts";
import { readFolder, recognizeFolder, type SourceFile } from "./read-folder.ts";

const OPTIONS = { unreadable: (error: unknown) => `unreadable: ${String(error)}` };
const ERRORLOG = [
  "2026-05-13 19:00:00.00 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) ",
  "2026-05-13 19:00:00.00 Server      UTC adjustment: -7:00",
  "2026-05-13 19:00:00.00 spid11s     Server name is 'SQL1'. This is an informational message only.",
  "2026-05-13 19:17:10.74 spid9s      SQL Server has encountered 3 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [F:\\Orders_log.ldf] in database id 7.",
  "",
].join("\r\n");
const WAITS = "WaitType,Wait_S,Resource_S,Signal_S,WaitCount,Percentage\nWRITELOG,5.00,4.90,0.10,10,9.00\n";

/** A file of these bytes; after `until` bytes the disk fails. */
function file(name: string, content: string | Uint8Array, until = Infinity): SourceFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return {
    name,
    size: bytes.length,
    read: (offset, length) =>
      until === 0
        ? Promise.reject(new Error("no permission"))
        : Promise.resolve(bytes.subarray(offset, offset + length)),
    // oxlint-disable-next-line typescript/require-await -- a file's bytes arrive later
    async *open() {
      for (let at = 0; at < bytes.length; at += 64) {
        if (at >= until) throw new Error("the disk is gone");
        yield bytes.subarray(at, at + 64);
      }
    },
  };
}

async function folder(...files: SourceFile[]): Promise<FolderEvidence> {
  return readFolder(files, await recognizeFolder(files, OPTIONS), OPTIONS);
}

test("events, samples and the server's UTC offset are one answer", async () => {
  const found = await folder(file("a/ERRORLOG", ERRORLOG), file("a/waits.csv", WAITS));
  const [event] = found.events;
  expect(event).toMatchObject({ kind: "slowIo", server: "SQL1", count: 3 });
  expect(new Date(event!.atUs / 1000).toISOString()).toBe("2026-05-14T02:17:10.740Z");
  expect(found.offsets).toEqual([{ server: "SQL1", utcOffsetMinutes: -420 }]);
  expect(found.series.length).toBeGreaterThan(0);
});

test("counts of the health check are series next to the samples", async () => {
  const columns = ["component", "state", "data"].map((name) => ({ name, type: "unicode_string" }) as const);
  const events = [SystemEvent.component, SystemEvent.wait].map((name) => ({ name, columns }));
  const writer = createXelWriter({ packages: [{ name: "sqlserver", id: 2, events }] });
  for (const [at, total] of [2, 9].entries())
    writer.write(SystemEvent.component, (at + 1) * 3e9, {
      component: "IO_SUBSYSTEM",
      state: "WARNING",
      data: `<ioSubsystem ioLatchTimeouts="0" intervalLongIos="0" totalLongIos="${total}"/>`,
    });
  const found = await folder(file("system_health_0_1.xel", writer.finish()), file("waits.csv", WAITS));
  expect(found.series.map(({ metric }) => metric)).toEqual(
    expect.arrayContaining(["requests over 15 s", "wait time"]),
  );
});

describe("a file that names no server", () => {
  const serverOf = async (name: string): Promise<string | null> => {
    const other = ERRORLOG.replace("'SQL1'", "'SQL2'");
    const files = [file("a/ERRORLOG", ERRORLOG), file("b/ERRORLOG", other), file(name, WAITS)];
    return (await recognizeFolder(files, OPTIONS))[2]!.server;
  };

  test("is of the server of its folder", async () => {
    expect(await serverOf("a/waits.csv")).toBe("SQL1");
    expect(await serverOf("b/waits.csv")).toBe("SQL2");
  });

  test("is of no server in a folder without one, or with several", async () => {
    expect(await serverOf("waits.csv")).toBeNull();
    const both = [file("ERRORLOG", ERRORLOG), file("SQL2_cluster.log", "text"), file("waits.csv", WAITS)];
    expect((await recognizeFolder(both, OPTIONS))[2]!.server).toBeNull();
  });
});

test("a file that can't be read is damaged with the reason, and the others are read", async () => {
  const none = await folder(file("a/ERRORLOG", ERRORLOG), file("a/waits.csv", WAITS, 0));
  expect(none.files[1]).toMatchObject({ state: "damaged", use: "unreadable: Error: no permission" });
  expect(none.events.length).toBe(1);
  const part = await folder(file("a/ERRORLOG", ERRORLOG), file("a/ERRORLOG.1", ERRORLOG, 128));
  expect(part.files[1]).toMatchObject({ state: "damaged", use: "unreadable: Error: the disk is gone" });
  expect(part.events.length).toBe(1);
});
