import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describeReference } from "@aglens/reference-data";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { check } from "./check.ts";

const CAPTURES = fileURLToPath(new URL("../../../fixtures/captures/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "aglens-check-"));
afterAll(() => rmSync(folder, { recursive: true }));

let errors: string[];
beforeEach(() => {
  errors = [];
  vi.spyOn(console, "error").mockImplementation((text: string) => void errors.push(text));
});
afterEach(() => void vi.restoreAllMocks());

async function checked(...args: string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const code = await check(args, (more) => (text += more));
  return { code, text };
}

/** Without the simulator's truth, which is a file of another kind. */
const foldersOf = (capture: string): string[] =>
  ["primary", "secondary"].map((server) => join(CAPTURES, capture, server));

test("folders with one capture: one screen of text, nothing of the customer in it, exit code 0", async () => {
  const { code, text } = await checked(...foldersOf("two-secondaries"));
  expect(code).toBe(0);
  expect(errors).toEqual([]);
  expect(text.split("\n")[1]).toMatch(/^\d+ of 15 expectations are met|^All 15 expectations are met\.$/u);
  expect(text).not.toMatch(/SQL\d|Sales|\.xel|[0-9a-f]{8}-[0-9a-f]{4}-/u);
  expect(text.split("\n").length).toBeLessThan(50);
});

test("two captures in one folder have a report each", async () => {
  const { text } = await checked(join(CAPTURES, "slow-network"), join(CAPTURES, "slow-secondary-disk"));
  expect(text.match(/^AG Lens check 1$/gmu)).toHaveLength(2);
});

test("--report writes the same text to a file", async () => {
  const { text } = await checked(...foldersOf("slow-network"));
  const path = join(folder, "check.txt");
  expect(await checked(...foldersOf("slow-network"), "--report", path)).toEqual({ code: 0, text: "" });
  expect(readFileSync(path, "utf8")).toBe(text);
});

/**
 * The files of both servers, with metadata that is changed to place GUIDs inline, as an earlier version expected of
 * every file.
 */
function misread(): string[] {
  return globSync("slow-secondary-disk/*/*.xel", { cwd: CAPTURES }).map((name) => {
    const bytes = readFileSync(join(CAPTURES, name));
    const guid = Buffer.from("guid\0\0", "utf16le");
    bytes[bytes.indexOf(guid) + guid.length] = 16;
    const path = join(folder, basename(name));
    writeFileSync(path, bytes);
    return path;
  });
}

test("files in a layout that is read wrong are checked though they make no capture: payload bytes say what is wrong", async () => {
  const files = misread();
  expect(files).toHaveLength(2);
  const { code, text } = await checked(...files);
  expect(code).toBe(5);
  expect(text).toMatch(/^NOT MET Payload bytes claimed/mu);
  expect(text).toMatch(
    /sqlserver\.hadr_capture_log_block: [\d,]+ bytes in [\d,]+ events, the first at byte/u,
  );
  expect(text.split("\n")[1]).toMatch(/expectations about these files (isn't|aren't) met/u);
});

test("no file that can be read: nothing to print, exit code 4; wrong usage: 2", async () => {
  const path = join(folder, "ERRORLOG");
  writeFileSync(path, "2026-11-24 Error: 833");
  expect(await checked(path)).toEqual({ code: 4, text: "" });
  expect(errors.join("\n")).toContain("isn't an event file");
  expect(await checked("--unknown")).toEqual({ code: 2, text: "" });
});

describeReference(
  {
    folder: "captures",
    tests: 2,
    prove: "two captures of real servers are as expected, but for columns that their version lacks",
  },
  (captures) => {
    test.each(["2016-one-secondary", "2017-two-secondaries"])("%s", async (name) => {
      const { code, text } = await checked(
        join(captures, name, "primary"),
        join(captures, name, "secondary"),
      );
      expect(code).toBe(0);
      expect(text).toContain("0 payload bytes unclaimed");
      expect(text).not.toContain("NOT MET");
      expect(text).toContain("hadr_db_commit_mgr_harden.wait_log_block is missing");
    });
  },
);

describeReference(
  { folder: "xel-real", tests: 1, prove: "files of real servers without events of log blocks have every payload byte claimed" },
  (real) => {
    test("both", async () => {
      const { code, text } = await checked(real);
      expect(code).toBe(4);
      expect(text).toContain("178 events in 2 files, 0 payload bytes unclaimed");
      expect(text).toMatch(/^met     Payload bytes claimed +178 +0 {2}events$/mu);
      // One of the files has the action.
      expect(text).toMatch(/^met     Numbered events +149 +0 {2}events$/mu);
    });
  },
); // prettier-ignore
