import { readFileSync } from "node:fs";
import { join } from "node:path";
import { USUAL_CHOICES, type SessionChoices } from "@aglens/ag-model/events";
import { expect, test } from "vitest";
import { DROP, PERMISSIONS, sessionScript, STOP } from "./guide.ts";

const GUIDE = join(import.meta.dirname, "../../../../../docs/guide");

const scriptsOf = (page: string): (string | undefined)[] =>
  Array.from(readFileSync(join(GUIDE, page), "utf8").matchAll(/```sql\n(.*?)\n```/gsu), ([, sql]) => sql);

const session = (choices: Partial<SessionChoices> = {}): string =>
  sessionScript("primary", { ...USUAL_CHOICES, ...choices });

test("the page about recording has the scripts of the capture guide", () => {
  const withoutComments = (script: string): string => script.replaceAll(/^-- .*\n/gmu, "").trim();
  const scripts = [PERMISSIONS["2014"], PERMISSIONS["2022"], session(), STOP, DROP];
  expect(scriptsOf("record.md")).toEqual(scripts.map(withoutComments));
});

test("the page about the split has the lines that the capture guide adds", () => {
  const before = session({ numbers: false }).split("\n");
  const added = session({ numbers: false, fileWrites: true })
    .split("\n")
    .filter((line) => line.includes("file_write"));
  expect(added.filter((line) => before.includes(line))).toEqual([]);
  expect(scriptsOf("log-write-split.md")).toEqual([`${added.join("\n")},`]);
});
