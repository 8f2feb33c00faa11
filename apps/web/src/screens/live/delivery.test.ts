import { expect, test } from "vitest";
import { whyOld } from "./delivery.ts";

const prompt = { behindSeconds: 12, lateSeconds: 1.4, waitedSeconds: null, unheardSince: null };

test.each([
  ["nothing to say of 3 s, which a session, the way and a picture take", { behindSeconds: 3 }, null],
  ["before the first event", { behindSeconds: null, lateSeconds: null }, null],
  ["events that come at once, and none came lately", {}, "noEvent"],
  ["events that come old, one row after the other", { lateSeconds: 11 }, "late"],
  ["a lateness that nobody measured", { lateSeconds: null }, "late"],
  ["rows that waited for each other", { waitedSeconds: 14 }, "rowsWait"],
  ["only rows that waited for each other", { lateSeconds: null, waitedSeconds: 14 }, "rowsWait"],
  ["rows that wait, of a replica that is late too", { lateSeconds: 11, waitedSeconds: 14 }, "late"],
  ["nothing for longer than it is waited for", { waitedSeconds: 14, unheardSince: 5 }, "notHeard"],
])("%s: %j is %j", (_, change, why) => {
  expect(whyOld({ ...prompt, ...change })).toBe(why);
});
