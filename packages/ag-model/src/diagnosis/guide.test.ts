import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CAUSES } from "./verdict.ts";

const GUIDE = join(import.meta.dirname, "../../../../docs/guide");

/** Rules of docs/contribute/model/diagnosis.md 6.2; D12 and D14 are no findings any more. */
const RULES = "D0 D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D13 D15 D16 D17 D18 D19 D20".split(" ");

test("each cause and each rule of the verdict has a section of the guide", () => {
  const pages = ["verdict.md", "findings.md"].map((page) => readFileSync(join(GUIDE, page), "utf8"));
  const sections = pages.join("\n").split(/^## /mu);
  const named = sections.flatMap((section) =>
    Array.from(section.matchAll(/\*\*In tables:\*\* `(\w+)` \((D\d+)\)/gu), ([, cause, rule]) => ({
      cause,
      rule,
    })),
  );
  expect(named.map(({ cause }) => cause).toSorted()).toEqual(CAUSES.toSorted());
  expect(new Set(named.map(({ rule }) => rule))).toEqual(new Set(RULES));
});
