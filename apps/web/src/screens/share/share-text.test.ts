import { expect, test } from "vitest";
import { parseBlockFilter, type Summary } from "@aglens/contract";
import { ROUNDED } from "../../../test/check.ts";
import { failoverOf, summaryOf } from "../../../test/summary.ts";
import { DEFAULT_VIEW, type View } from "../../state/view.ts";
import type { CaptureTab } from "../capture-view/capture-context.ts";
import { inZone, type ZonedSummary, zoneOf } from "../capture-view/zones.ts";
import { restoresText, titleFor } from "./share-text.ts";

const words = (tab: CaptureTab, view: Partial<View>, lsn: string | null = null): string =>
  restoresText(zonedSummary(view), tab, { ...DEFAULT_VIEW, ...view }, lsn).replaceAll("\u2009", " ");

const zonedSummary = ({ time }: Partial<View>): ZonedSummary => {
  const summary = summaryOf({ check: ROUNDED });
  return time == null ? summary : inZone(summary, zoneOf(time, summary));
};

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
    time: "offset",
    theme: "dark",
  };
  expect(words("timeline", view, "00000022:00000167")).toBe(
    "The link restores: Timeline, whole capture, filter SQL2 log write > 50 ms, hits only, block 00000022:00000167 selected, 2 blocks next to it, 02:16:58 to 02:16:59 UTC selected, lanes as they are now, 1 lane pinned, 1 lane isolated, commits colored by what released them, raw clocks, times from the start, dark theme.",
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
  expect(words("how-read", { expectation: "fractions" })).toBe(
    'The link restores: How this was read, whole capture, "Fractions of a millisecond" selected.',
  );
  expect(words("raw-events", { rows: "commits", eventText: "flush", eventNames: ["log_flush_start"] })).toBe(
    'The link restores: Raw events, whole capture, rows are the slowest commits, events that hold "flush", events of chosen names and replicas.',
  );
});

test("the title names the secondary that the episode was towards when it was, also after a change of roles", () => {
  const failover = failoverOf();
  const title = (from: number): string => {
    const means = { remoteHarden: 1_000 } as unknown as Summary["verdict"]["episodes"][number]["inside"];
    const episode = {
      label: "Slow network",
      cause: "network" as const,
      stage: "networkRoundTrip" as const,
      secondary: 0,
      blocks: 100,
      from,
      to: from + 1e6,
      inside: means,
      outside: means,
    };
    return titleFor({ ...failover, verdict: { ...failover.verdict, episodes: [episode] } }, DEFAULT_VIEW);
  };
  // SQL2 takes over from SQL1 at 4 to 6 s.
  expect([title(1e6), title(7e6)]).toEqual([
    "Slow network to SQL2, 02:16:56 to 02:16:57 UTC",
    "Slow network to SQL1, 02:17:02 to 02:17:03 UTC",
  ]);
});
