import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { filetimeText, readXelBytes } from "xel-parser/format";
import { analyze } from "./analyze.ts";
import { analyzeOneCapture } from "./analyzed-captures.ts";
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

  test.each(["xml", "csv"] as const)("on standard error and in the warnings: %s", async (kind) => {
    const output = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    try {
      const lines: string[] = [];
      expect(await analyze(["--primary", files[kind]], (text) => lines.push(text))).toBe(1);
      const errors = output.mock.calls.map(([text]) => String(text));
      expect(errors[0]).toMatch(/^.*lost\.(?:xml|csv): at byte \d+: .*(?:time is "once"|contains no event)/u);
      expect(lines.join("\n")).toMatch(/Parts of the files that could not be read: \d+\./u);
      output.mockClear();
      expect(await analyze(["--primary", XEL], () => {})).toBe(0);
      expect(output).not.toHaveBeenCalled();
    } finally {
      output.mockRestore();
    }
  });
});

test("a file of another version is analyzed with --force only", async () => {
  const path = join(temporary, "version11.xel");
  const bytes = readFileSync(XEL);
  bytes.writeUInt16LE(11, 4);
  writeFileSync(path, bytes);
  const output = vi.spyOn(console, "error").mockReturnValue();
  try {
    expect(await analyze(["--primary", path], () => {})).toBe(4);
    expect(output.mock.calls.flat().join()).toContain("format version 11;");
    expect(await analyze(["--primary", path, "--force"], () => {})).toBe(0);
  } finally {
    output.mockRestore();
  }
});

describe("files without roles", () => {
  const filesOf = (capture: string): string[] =>
    ["secondary", "primary"].flatMap((side) => {
      const folder = join(import.meta.dirname, "../../../fixtures/captures", capture, side);
      return readdirSync(folder).map((name) => join(folder, name));
    });
  const topology = join(FOLDER, "../topology.xml");

  test("are the same capture as with roles, in any order", async () => {
    const [secondary, primary] = [filesOf("slow-network").slice(0, 2), filesOf("slow-network").slice(2)];
    const print = async (...args: string[]): Promise<string> => {
      const lines: string[] = [];
      expect(await analyze([...args, "--json"], (text) => lines.push(text))).toBe(0);
      return lines.join("\n");
    };
    const withRoles = await print("--primary", ...primary, "--secondary", ...secondary);
    expect(await print(...secondary, ...primary)).toBe(withRoles);
    expect(await print(...primary.toReversed(), ...secondary)).toBe(withRoles);
    // The same file twice is used once.
    expect(await print(...primary, ...secondary, primary[0])).toBe(withRoles);
  });

  test("of two groups are two captures, one after the other, each with its name", async () => {
    const lines: string[] = [];
    const files = [...filesOf("slow-network"), ...filesOf("slow-secondary-disk")];
    expect(await analyze([...files, "--topology", topology], (text) => lines.push(text))).toBe(0);
    const text = lines.join("\n");
    expect(text.match(/^.+ · \d+ \w+ 20\d\d, \d\d:\d\d UTC$/gmu)).toHaveLength(2);
    expect(text).toMatch(/^TestAG · 6 May 2016, 02:16 UTC$/mu);
    // Stages are under the name of the secondary that they lead to, not under its id.
    expect(text).toMatch(/^To SQL2$/mu);
  });

  test("of two captures are refused where one is asked for", async () => {
    const files = [...filesOf("slow-network"), ...filesOf("slow-secondary-disk")];
    await expect(analyzeOneCapture(files)).rejects.toThrow(
      /^The files are 2 captures: .+; .+\. Provide the files of one\.$/u,
    );
  });

  test("may be named twice: what is left out is said", async () => {
    const lines: string[] = [];
    expect(await analyze([XEL, XEL], (text) => lines.push(text))).toBe(0);
    expect(lines.join()).toContain("is used once: it is the same file as");
  });

  test.each([[[]], [["--json"]], [["--primary"]], [["--unknown", XEL]]])(
    "%j is wrong usage",
    async (args) => {
      const output = vi.spyOn(console, "error").mockReturnValue();
      try {
        expect(await analyze(args, () => {})).toBe(2);
        expect(output.mock.calls.flat().join()).toContain("Usage: xel analyze PATH...");
      } finally {
        output.mockRestore();
      }
    },
  );
});

test("each finding is a line with its severity, rule and server", async () => {
  const lines: string[] = [];
  const capture = join(import.meta.dirname, "../../../fixtures/captures/slow-secondary-disk");
  const files = ["primary", "secondary"].flatMap((role) =>
    readdirSync(join(capture, role)).map((name) => join(capture, role, name)),
  );
  expect(await analyze(files, (text) => lines.push(text))).toBe(0);
  const [text] = lines;
  expect(text).toMatch(/^slow {3}D2 {3}secondary: .*a log write on secondary took/imu);
  // A fact that is true of every capture is no finding.
  expect(text).toMatch(/^How this was measured\n(?:.*\n)*?Commits wait for hardening, not for redo\./mu);
  expect(text).not.toMatch(/^info/mu);
  expect(text).not.toMatch(/D0/u);
});
