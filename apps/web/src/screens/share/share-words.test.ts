import { expect, test } from "vitest";
import { parseBlockFilter } from "@aglens/contract";
import { summaryOf } from "../../../test/summary.ts";
import { DEFAULT_VIEW, type View } from "../../state/view.ts";
import type { CaptureTab } from "../capture-context.ts";
import { restoresWords } from "./share-words.ts";

const words = (tab: CaptureTab, view: Partial<View>, lsn: string | null = null): string =>
  restoresWords(summaryOf(), tab, { ...DEFAULT_VIEW, ...view }, lsn).replaceAll("\u2009", " ");

test("a plain view is its screen and its stretch", () => {
  expect(words("overview", {})).toBe("The link restores: Overview, whole capture.");
  expect(words("raw-events", { range: [1e6, 2e6] })).toBe(
    "The link restores: Raw events, 02:16:56 to 02:16:57 UTC.",
  );
});

test("whatever else a link restores is said", () => {
  const view: Partial<View> = {
    where: parseBlockFilter("secondaryFlush@1>50000"),
    others: "hide",
    block: 7,
    kept: [3, 4],
    selected: [3e6, 4e6],
    gates: true,
    lanes: { commit: true },
    pinned: ["commit"],
    isolated: ["commit"],
    clock: "raw",
    time: "utc",
    theme: "dark",
  };
  expect(words("timeline", view, "00000022:00000167")).toBe(
    "The link restores: Timeline, whole capture, filter SQL2 log write > 50 ms, hits only, block 00000022:00000167 selected, 2 blocks beside it, 02:16:58 to 02:16:59 UTC selected, lanes as they are now, 1 lane pinned, 1 lane isolated, commits coloured by what released them, raw clocks, times as UTC, dark theme.",
  );
  expect(words("overview", { sort: "wireOut", metric: "harden", list: "commits" })).toBe(
    "The link restores: Overview, whole capture, remote harden in place of commits, blocks ordered by Network out, slowest first, slowest commits.",
  );
  expect(words("distribution", { stage: "wireOut", other: [3e6, 4e6] })).toBe(
    "The link restores: Distribution, whole capture, Network out, against 02:16:58 to 02:16:59 UTC.",
  );
  expect(words("sql", { sql: "SELECT 1", sqlRow: 9 })).toBe(
    "The link restores: SQL, whole capture, the query, which is run again, row 10 selected.",
  );
  expect(words("raw-events", { rows: "commits", eventText: "flush", eventNames: ["log_flush_start"] })).toBe(
    'The link restores: Raw events, whole capture, rows are the slowest commits, events that hold "flush", events of chosen names and replicas.',
  );
});
