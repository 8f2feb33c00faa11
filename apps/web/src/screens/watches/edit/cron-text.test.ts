import { expect, test } from "vitest";
import { cronText } from "./cron-text.ts";

test.each([
  ["0 2 * * 0", "Sundays 02:00 UTC"],
  ["0 2 * * 7", "Sundays 02:00 UTC"],
  ["30 23 * * sat,sun", "Saturdays, Sundays 23:30 UTC"],
  ["5 6 * * 1-5", "Mondays to Fridays 06:05 UTC"],
  ["5 6 * * MON-FRI", "Mondays to Fridays 06:05 UTC"],
  ["0 2 * * *", "daily 02:00 UTC"],
  ["0 2 1 * *", "on day 1 of each month, 02:00 UTC"],
  ["*/15 * * * *", "every 15\u2009min"],
  ["7 * * * *", "hourly at :07"],
  // Without a short text.
  ["*/7 * * * *", null],
  ["0 2 * * 2-4", null],
  ["0 2 1 * 0", null],
  ["0 2,3 * * *", null],
  ["0 2 * 1 *", null],
  ["0 * * * 1", null],
  ["0 2 * *", null],
])("%s is %s", (cron, text) => {
  expect(cronText(cron)).toBe(text);
});
