/** The examples of the README run, and equal those in the README. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { timeSpan } from "../examples/browser-file.ts";
import { flushes } from "../examples/columns-to-arrow.ts";
import { jsonLines } from "../examples/event-xml.ts";
import { reportOf } from "../examples/file-report.ts";
import { liveEvents } from "../examples/live-rows.ts";
import { countByName } from "../examples/node-stream.ts";
import { capturedBytes } from "../examples/one-event-type.ts";
import { eventAt } from "../examples/single-event.ts";
import { writeSample } from "../examples/write-file.ts";
import { filetimeText, readXelBytes, toJson } from "./format/index.ts";

const PACKAGE = join(import.meta.dirname, "..");
const CAPTURE = join(PACKAGE, "../../fixtures/captures/slow-network");
const fileOf = (role: string): string => join(CAPTURE, role, readdirSync(join(CAPTURE, role))[0]);
const primary = fileOf("primary");
const secondary = fileOf("secondary");
const temporary = mkdtempSync(join(tmpdir(), "xel-readme-"));
afterAll(() => rmSync(temporary, { recursive: true }));

const { events } = readXelBytes(readFileSync(primary));
const named = (name: string) => events.filter((event) => event.name === name);

test("the README has each example as it is", () => {
  const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```(?:ts|html)\n(?:\/\/|<!--) examples\/(\S+)(?: -->)?\n([^]*?)```/gu)];
  const shown = Object.fromEntries(blocks.map(([, name, code]) => [name, code]));
  const files = readdirSync(join(PACKAGE, "examples"));
  expect(shown).toEqual(
    Object.fromEntries(files.map((name) => [name, readFileSync(join(PACKAGE, "examples", name), "utf8")])),
  );
});

describe("the examples", () => {
  test("a stream in Node", async () => {
    const counts = await countByName(primary);
    expect(counts.get("hadr_capture_log_block")).toBe(named("hadr_capture_log_block").length);
    expect([...counts.values()].reduce((sum, n) => sum + n, 0)).toBe(events.length);
  });

  test("what was lost", async () => {
    const cut = join(temporary, "cut.xel");
    writeFileSync(cut, readFileSync(primary).subarray(0, 100_000));
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    expect((await reportOf(cut)).gaps).toMatchObject([{ code: "truncated" }]);
    expect(warned).toHaveBeenCalledOnce();
  });

  test("a file in the browser", async () => {
    const ticks = events.map((event) => event.ticks).toSorted((a, b) => Number(a - b));
    const span = await timeSpan(new File([readFileSync(primary)], "a.xel"));
    expect(span).toEqual({ from: filetimeText(ticks[0]), to: filetimeText(ticks[ticks.length - 1]) });
    expect(await timeSpan(new File([readFileSync(primary).subarray(0, 512)], "empty.xel"))).toBeNull();
  });

  test("one event type", async () => {
    const sizes = named("hadr_capture_log_block").map(({ fields }) => Number(fields["log_block_size"]) * 512);
    expect(await capturedBytes(primary)).toBe(sizes.reduce((sum, bytes) => sum + bytes, 0));
  });

  test("columns into Arrow", async () => {
    const table = await flushes(secondary);
    const acks = readXelBytes(readFileSync(secondary)).events.filter(
      ({ name }) => name === "hadr_send_harden_lsn_message",
    );
    expect(acks.length).toBeGreaterThan(0);
    expect([...table].map((row) => [row["block"], row["microseconds"], row["replica"]])).toEqual(
      acks.map(({ fields }) => [
        fields["log_block_id"],
        Number(fields["processing_time"]),
        fields["availability_replica_id"],
      ]),
    );
  });

  test("one event by its offset", async () => {
    expect(toJson(await eventAt(primary, events[700].offset))).toBe(toJson(events[700]));
  });

  test("a live stream", async () => {
    const bytes = readFileSync(primary);
    async function* rows() {
      yield { type: 2, data: bytes.subarray(0, 512) };
      for (let at = 512; at < bytes.length;) {
        const end = at + bytes.readUInt32LE(at + 16);
        yield { type: bytes.readUInt16LE(at + 14), data: bytes.subarray(at, end) };
        at = end;
      }
    }
    let count = 0;
    for await (const event of liveEvents(rows())) expect(event.name).toBe(events[count++].name);
    expect(count).toBe(events.length);
  });

  test("event XML", async () => {
    const path = join(temporary, "events.xml");
    writeFileSync(
      path,
      '<event name="log_flush_start" package="sqlserver" timestamp="2026-01-02T03:04:05.006Z">' +
        '<data name="database_id"><value>5</value></data></event>',
    );
    const lines = [];
    for await (const line of jsonLines(path)) lines.push(JSON.parse(line));
    expect(lines).toMatchObject([{ name: "log_flush_start", fields: { database_id: 5 } }]);
  });

  test("writing a file", async () => {
    const path = join(temporary, "sample.xel");
    await writeSample(path);
    const written = readXelBytes(readFileSync(path)).events;
    expect(written.map(({ fields }) => fields)).toEqual([{ duration: 56n, statement: "select 1" }]);
  });
});
