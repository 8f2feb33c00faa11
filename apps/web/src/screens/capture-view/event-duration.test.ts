import { expect, test } from "vitest";
import { durationTitle, eventDurationFigure, eventDurationText } from "./event-duration.ts";

const event = (duration: number | null, durationUnit: string | null) => ({
  name: "hadr_capture_log_block",
  mode: 1,
  duration,
  durationUnit,
});
const plain = (text: string | undefined) => text?.replaceAll("\u2009", " ");

test("a list has durations of one size: three digits, and no parts of milliseconds that an event does not know", () => {
  const figure = (duration: number | null, unit: string | null) =>
    plain(eventDurationFigure(event(duration, unit)));
  expect(figure(80_655, "µs")).toBe("80.7 ms");
  expect(figure(12, "ms")).toBe("12 ms");
  expect(figure(1_240, "ms")).toBe("1.24 s");
  expect(figure(7, null)).toBe("7 µs");
  expect(figure(null, null)).toBe("");
});

test("the exact value is at hand, with what it is of", () => {
  expect(plain(eventDurationText(event(127_802, "µs")))).toBe("127,802 µs");
  expect(plain(durationTitle(event(127_802, "µs")))).toBe(
    "127,802 µs. Capture of the block for a secondary begins; its processing time includes the wait for a block.",
  );
  expect(durationTitle(event(null, "µs"))).toBeUndefined();
});
