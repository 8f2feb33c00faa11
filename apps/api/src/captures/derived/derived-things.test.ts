import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../test/service.ts";
import { DERIVED, isDerived } from "./derived-things.ts";

/** Cells of the table of a section, without its head. */
async function tableOf(document: string, section: string): Promise<string[][]> {
  const text = await readFile(join(ROOT, document), "utf8");
  const [, body = ""] = text.split(`## ${section}\n`);
  const lines = (body.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("the table in docs/contribute/architecture.md is the one in code", async () => {
  const rows = await tableOf("docs/contribute/architecture.md", "Which files are derived from a capture?");
  expect(rows.map((cells) => cells.slice(0, 4))).toEqual(
    Object.entries(DERIVED).map(([name, { of, when, keep }]) => [
      name,
      of.join(", "),
      when,
      typeof keep === "string" ? keep : keep.map((file) => `\`${file}\``).join(", "),
    ]),
  );
});

test.each([
  ["blocks.arrow", true],
  ["summary.json", true],
  ["preview.arrow", true],
  ["first-answers.bin", true],
  ["prepared.bin", true],
  ["prepared.bin.new", true],
  ["capture.json", true],
  ["abc.made", true],
  ["AbCdEfGhIjKlMnOpQrStUv", false],
  ["prepared.bins", false],
])("%s can be made again: %s", (key, is) => {
  expect(isDerived(key)).toBe(is);
});
