import type { WatchRehearsal } from "@aglens/contract";
import { expect, test } from "vitest";
import { countsIn, rehearsalMarks } from "./watch-facts.ts";

const trigger = (rule: "state" | "schedule", at: string, refusal: string | null) => ({
  rule,
  at,
  refusal,
  text: "",
  value: null,
  limit: null,
  usual: null,
});
const REHEARSAL: WatchRehearsal = {
  days: 7,
  triggers: [
    trigger("state", "2026-11-24T02:41:25Z", null),
    trigger("state", "2026-11-24T02:50:00Z", "Hold-off until 03:00:00 UTC."),
    trigger("schedule", "2026-11-25T02:00:00Z", null),
    trigger("schedule", "2026-11-25T02:00:00Z", "The limit is 1 a day."),
  ],
};

test("triggers of schedules are counted apart from those of polls", () => {
  expect(countsIn(REHEARSAL)).toEqual({ starts: 2, recorded: 1, refused: 1, scheduled: 1 });
  expect(countsIn({ triggers: [] })).toEqual({ starts: 0, recorded: 0, refused: 0, scheduled: 0 });
});

test("each is a mark at its time", () => {
  expect(rehearsalMarks(REHEARSAL).map(({ at, kind, place }) => [at, kind, place])).toEqual([
    [Date.UTC(2026, 10, 24, 2, 41, 25), "recorded", "none"],
    [Date.UTC(2026, 10, 24, 2, 50), "refused", "none"],
    [Date.UTC(2026, 10, 25, 2), "recorded", "none"],
    [Date.UTC(2026, 10, 25, 2), "refused", "none"],
  ]);
});
