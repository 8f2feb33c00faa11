import { existsSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import setup, { OWN_TEMPORARY } from "./own-temporary.ts";

test("tests write below a temporary directory that goes with the run", () => {
  expect(basename(tmpdir())).toMatch(new RegExp(`^${OWN_TEMPORARY}`, "u"));
});

test("what tests left in it goes with it, and the one of before is there again", async () => {
  const before = tmpdir();
  const end = setup();
  const own = tmpdir();
  expect(dirname(own)).toBe(before);
  await writeFile(join(await mkdtemp(join(own, "left-")), "file"), "left");
  end();
  expect(existsSync(own)).toBe(false);
  expect(tmpdir()).toBe(before);
});
