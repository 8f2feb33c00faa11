import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DROP, PERMISSIONS, sessionScript, STOP } from "./guide.ts";

const PAGE = join(import.meta.dirname, "../../../../../docs/guide/record.md");

test("the page about recording has the scripts of the capture guide", () => {
  const blocks = Array.from(readFileSync(PAGE, "utf8").matchAll(/```sql\n(.*?)\n```/gsu), ([, sql]) => sql);
  const withoutComments = (script: string): string => script.replaceAll(/^-- .*\n/gmu, "").trim();
  const scripts = [PERMISSIONS["2014"], PERMISSIONS["2022"], sessionScript("primary", true), STOP, DROP];
  expect(blocks).toEqual(scripts.map(withoutComments));
});
