import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { filetimeText, readXelBytes } from "xel-parser/format";
import { analyze } from "./analyze.ts";
import { columnsIn } from "./source.ts";

const temporary = mkdtempSync(join(tmpdir(), "xel-analyze-"));
afterAll(() => rmSync(temporary, { recursive: true }));

const FOLDER = join(import.meta.dirname, "../../../fixtures/captures/slow-network/primary");
const XEL = join(FOLDER, readdirSync(FOLDER)[0]);
const EVENT = '<event name="x" package="p" timestamp="2026-01-02T03:04:05.006Z"></event>';

function written(name: string, text: string): string {
  const path = join(temporary, name);
  writeFileSync(path, text);
  return path;
}

/** The capture's events as sys.fn_xe_file_target_read_file prints them, with all decimals of their times. */
function printed(): string[] {
  return readXelBytes(readFileSync(XEL)).events.map(({ name, ticks, fields }) => {
    const data = Object.entries(fields).map(
      ([field, value]) => `<data name="${field}"><value>${String(value)}</value></data>`,
    );
    return `<event name="${name}" package="sqlserver" timestamp="${filetimeText(ticks)}">${data.join("")}</event>`;
  });
}

describe("analysis of text reports what was lost as that of .xel files does", () => {
  const events = printed();
  const untimed = '<event name="log_flush_start" package="sqlserver" timestamp="once"></event>';
  const files = {
    xml: written("lost.xml", [...events, untimed, EVENT.slice(0, 40)].join("\n")),
    csv: written(
      "lost.csv",
      ["event_data", ...[...events, untimed].map((text) => `"${text.replaceAll('"', '""')}"`)].join("\r\n"),
    ),
  };

  test("in the columns", async () => {
    const whole = await columnsIn(XEL);
    for (const [kind, path] of Object.entries(files)) {
      const columns = await columnsIn(path);
      expect(columns.ticks, kind).toEqual(whole.ticks);
      const [file] = columns.files;
      expect(file).toMatchObject({ name: path, size: readFileSync(path).length, events: events.length });
      expect(file.gaps[0]).toMatchObject({ code: "bad-event" });
      expect(file.gaps).toHaveLength(kind === "xml" ? 2 : 1);
    }
  });

  test.each(["xml", "csv"] as const)("on standard error and in the notes: %s", async (kind) => {
    const output = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      const lines: string[] = [];
      expect(await analyze(["--primary", files[kind]], (text) => lines.push(text))).toBe(1);
      const errors = output.mock.calls.map(([text]) => String(text));
      expect(errors[0]).toMatch(/^.*lost\.(?:xml|csv): at byte \d+: .*(?:time is "once"|holds no event)/u);
      expect(lines.join("\n")).toMatch(/Parts of the files that could not be read: \d+\./u);
      output.mockClear();
      expect(await analyze(["--primary", XEL], () => {})).toBe(0);
      expect(output).not.toHaveBeenCalled();
    } finally {
      output.mockRestore();
    }
  });
});

test("a file of another version is analysed with --force only", async () => {
  const path = join(temporary, "version11.xel");
  const bytes = readFileSync(XEL);
  bytes.writeUInt16LE(11, 4);
  writeFileSync(path, bytes);
  const output = vi.spyOn(console, "error").mockReturnValue();
  try {
    expect(await analyze(["--primary", path], () => {})).toBe(1);
    expect(output.mock.calls.flat().join()).toContain("format version 11;");
    expect(await analyze(["--primary", path, "--force"], () => {})).toBe(0);
  } finally {
    output.mockRestore();
  }
});
