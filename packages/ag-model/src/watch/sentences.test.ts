import { expect, test } from "vitest";
import { delayText, listText, periodText, queueText, timeText } from "./sentences.ts";

const plain = (text: string): string => text.replaceAll("\u00A0", " ");

test("limits are written as they were entered", () => {
  expect([0.1, 15, 12.5, 999.99, 1000, 1500, 60_000].map((ms) => plain(delayText(ms)))).toEqual([
    "0.1 ms",
    "15 ms",
    "12.5 ms",
    "999.99 ms",
    "1 s",
    "1.5 s",
    "60 s",
  ]);
  expect([1, 15, 59, 60, 90, 300, 3600, 5400, 7200, 7201].map((s) => plain(periodText(s)))).toEqual([
    "1 s",
    "15 s",
    "59 s",
    "1 min",
    "90 s",
    "5 min",
    "60 min",
    "90 min",
    "2 h",
    "7201 s",
  ]);
});

test("queues are in units of 1,024, as SQL Server counts them", () => {
  expect([1, 862, 1023, 1024, 1536, 102_400, 1_048_576, 2 ** 41].map((kb) => plain(queueText(kb)))).toEqual([
    "1 KB",
    "862 KB",
    "1023 KB",
    "1 MB",
    "1.5 MB",
    "100 MB",
    "1 GB",
    "2048 TB",
  ]);
});

test("times are of the day, UTC", () => {
  expect(timeText(Date.UTC(2026, 10, 24, 14, 32, 2, 400))).toBe("14:32:02");
});

test("names are in a list with an and", () => {
  expect([[], ["A"], ["A", "B"], ["A", "B", "C"]].map(listText)).toEqual(["", "A", "A and B", "A, B and C"]);
});
