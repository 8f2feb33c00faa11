import { STAGE_IDS } from "@aglens/ag-model/replication";
import { expect, test } from "vitest";
import { slugOf } from "./causes.ts";
import { definitionOf, isTerm } from "./terms.ts";

test("every stage has a sentence, its source events and a section of the guide", () => {
  for (const id of STAGE_IDS) {
    const { sentence, source, help } = definitionOf(id);
    expect(sentence).toMatch(/^[A-Z].+\.$/u);
    expect(source).not.toBe("");
    expect(help).toMatch(/^stages\/[a-z-]+$/u);
  }
  expect(definitionOf("secondaryFlush").help).toBe("stages/secondary-log-write");
  expect(definitionOf("secondaryFlush").source).toBe(
    "log_flush_start to log_flush_complete on the secondary",
  );
});

test("a name without a definition is no term", () => {
  expect(["p95", "releasedBy", "commit", "bad", "localFlush"].every(isTerm)).toBe(true);
  expect(["", "toString", "gate"].some(isTerm)).toBe(false);
});

test("sections have the addresses that GitHub gives them", () => {
  expect(slugOf("Share of remote harden")).toBe("share-of-remote-harden");
  expect(slugOf("Classes of log writes")).toBe("classes-of-log-writes");
  expect(slugOf("± (uncertainty)")).toBe("-uncertainty");
});
