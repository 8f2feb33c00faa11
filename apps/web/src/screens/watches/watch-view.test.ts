import { describe, expect, test } from "vitest";
import { WATCH_NOW, watchEpisode, watchEpisodes } from "../../../test/watch.ts";
import {
  chosenEpisode,
  episodeBy,
  frameOf,
  longestIn,
  moved,
  nightOf,
  recordedOf,
  zoomed,
} from "./watch-view.ts";

const at = (iso: string): number => Date.parse(iso);
const iso = (period: readonly number[]): string[] =>
  period.map((ms) => new Date(ms).toISOString().slice(0, 19));

describe("the chosen trigger", () => {
  const episodes = watchEpisodes();

  test("is that of the address, otherwise the newest", () => {
    expect(chosenEpisode(episodes, "e2")?.id).toBe("e2");
    expect(chosenEpisode(episodes, "gone")?.id).toBe("e3");
    expect(chosenEpisode([], null)).toBeNull();
  });

  test("next is later and previous earlier, up to the ends", () => {
    const [newest = null, middle = null, oldest = null] = episodes;
    expect(episodeBy(episodes, middle, 1)).toBe(newest);
    expect(episodeBy(episodes, middle, -1)).toBe(oldest);
    expect(episodeBy(episodes, newest, 1)).toBeNull();
    expect(episodeBy(episodes, oldest, -1)).toBeNull();
    expect(episodeBy(episodes, null, 1)).toBeNull();
  });
});

describe("periods", () => {
  test("a night is eight full hours from four before the trigger's hour, and ends with the current hour", () => {
    expect(iso(nightOf(at("2026-11-24T02:41:25Z"), WATCH_NOW))).toEqual([
      "2026-11-23T22:00:00",
      "2026-11-24T06:00:00",
    ]);
    expect(iso(nightOf(at("2026-11-24T07:38:10Z"), WATCH_NOW))).toEqual([
      "2026-11-24T00:00:00",
      "2026-11-24T08:00:00",
    ]);
  });

  test("zoom keeps the place of the trigger, within ten minutes and 90 days", () => {
    const night = [at("2026-11-23T22:00:00Z"), at("2026-11-24T06:00:00Z")] as const;
    // 02:00 is in the middle.
    expect(iso(zoomed(night, at("2026-11-24T02:00:00Z"), 0.5, WATCH_NOW))).toEqual([
      "2026-11-24T00:00:00",
      "2026-11-24T04:00:00",
    ]);
    // Twice as long would end at 10:00, after the current hour.
    expect(iso(zoomed(night, at("2026-11-24T02:00:00Z"), 2, WATCH_NOW))).toEqual([
      "2026-11-23T16:00:00",
      "2026-11-24T08:00:00",
    ]);
    const short = [at("2026-11-24T02:40:00Z"), at("2026-11-24T02:50:00Z")] as const;
    expect(zoomed(short, at("2026-11-24T02:45:00Z"), 0.5, WATCH_NOW)).toEqual(short);
    const [from, to] = zoomed([WATCH_NOW - 80 * 86_400_000, WATCH_NOW], 0, 2, WATCH_NOW);
    expect(to - from).toBe(90 * 86_400_000);
  });

  test("a move is a share of the period, and ends at the current hour", () => {
    const night = [at("2026-11-23T22:00:00Z"), at("2026-11-24T06:00:00Z")] as const;
    expect(iso(moved(night, -0.5, WATCH_NOW))).toEqual(["2026-11-23T18:00:00", "2026-11-24T02:00:00"]);
    expect(iso(moved(night, 0.5, WATCH_NOW))).toEqual(["2026-11-24T00:00:00", "2026-11-24T08:00:00"]);
  });
});

describe("the recording of a trigger", () => {
  test("has the ring until the trigger", () => {
    expect(recordedOf(watchEpisode(), WATCH_NOW)).toEqual({
      from: at("2026-11-24T02:40:55Z"),
      to: at("2026-11-24T02:45:30Z"),
      ringTo: at("2026-11-24T02:41:25Z"),
    });
  });

  test("without a ring begins at the trigger or after it, lasts until now while it runs, and is null for a refused episode", () => {
    const late = watchEpisode({ recordedFrom: "2026-11-24T02:41:26Z" });
    expect(recordedOf(late, WATCH_NOW)?.ringTo).toBeNull();
    const running = watchEpisode({ state: "recording", recordedFrom: null, recordedTo: null });
    expect(recordedOf(running, WATCH_NOW)).toEqual({
      from: at("2026-11-24T02:41:25Z"),
      to: WATCH_NOW,
      ringTo: null,
    });
    expect(
      recordedOf(watchEpisode({ state: "refused", recordedFrom: null, recordedTo: null }), WATCH_NOW),
    ).toBeNull();
  });

  test("that is being analyzed lasts from the trigger to its end", () => {
    const analyzing = watchEpisode({ state: "analyzing", recordedFrom: null, recordedTo: null });
    expect(recordedOf(analyzing, WATCH_NOW)).toEqual({
      from: at("2026-11-24T02:41:25Z"),
      to: at("2026-11-24T02:44:30Z"),
      ringTo: null,
    });
  });

  test("its frame is the full minutes around all of it, with a minute before and after", () => {
    expect(iso(frameOf(watchEpisode(), WATCH_NOW))).toEqual(["2026-11-24T02:39:00", "2026-11-24T02:47:00"]);
    // 22:03:50 to 22:05:00
    expect(iso(frameOf(watchEpisodes()[2], WATCH_NOW))).toEqual([
      "2026-11-20T22:02:00",
      "2026-11-20T22:06:00",
    ]);
    expect(iso(frameOf(watchEpisode({ ended: null }), WATCH_NOW))[1]).toBe("2026-11-24T07:41:00");
  });
});

test("the longest poll of a period; a period without polls has none", () => {
  const polls = { from: 1_000, width: 10, delay: [], usualLow: [], usualHigh: [], polled: [] };
  expect(longestIn({ ...polls, longest: [3, null, 40, 7] })).toEqual({ from: 1_020, to: 1_030, ms: 40 });
  expect(longestIn({ ...polls, longest: [null] })).toBeNull();
});
