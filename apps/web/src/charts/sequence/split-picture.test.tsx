import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { SLOW_BLOCK } from "../../../test/sequence.ts";
import { SplitPicture } from "./split-picture.tsx";

const names = { primary: "SQL1", secondary: "SQL2" };
const [hop] = SLOW_BLOCK.hops;
const plain = (text: string | null | undefined): string => (text ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");
const words = (): string[] =>
  [...document.querySelectorAll("svg text")].map((text) => plain(text.textContent));

/** The secondary's log write takes 523,692 µs; the picture has 652 µs of SLOW_BLOCK per px from 152 px on at 1,196 px. */
const split = { queue: 52_000, device: 461_692, completion: 10_000 };

const open = (block: typeof SLOW_BLOCK): void => {
  render(<SplitPicture sequence={block} secondary={0} names={names} width={1_196} />);
};

/** Left edge and width of the bars of a color, px. */
const bars = (fill: string): number[][] =>
  [...document.querySelectorAll(`rect[fill="${fill}"]`)].map((rect) =>
    ["x", "width"].map((name) => Math.round(Number(rect.getAttribute(name)))),
  );

test("the parts of a log write are to scale below it, and end where it ends", () => {
  open({ ...SLOW_BLOCK, hops: [{ ...hop, split }] });
  // 658,546 µs are 1,010 px. The write: 83,677.5 to 607,369.5 µs after the first instant.
  const perUs = 1_010 / 658_546;
  const at = (us: number): number => Math.round(152 + us * perUs);
  const [write, device] = bars("var(--s-disk)");
  expect(write).toEqual([at(83_677.5), Math.round(523_692 * perUs)]);
  expect(device).toEqual([at(83_677.5 + 52_000), Math.round(461_692 * perUs)]);
  const [queue, completion] = bars("var(--s-work)");
  expect(queue).toEqual([at(83_677.5), Math.round(52_000 * perUs)]);
  expect(completion).toEqual([at(607_369.5 - 10_000), Math.round(10_000 * perUs)]);
  expect(words()).toEqual(
    expect.arrayContaining([
      "log write on SQL2, 524 ms",
      "SQL Server's queue 52.0 ms",
      "device 462 ms, 88 %",
      "completion 10.0 ms",
      "file_write_enqueued",
    ]),
  );
  expect(plain(screen.getByRole("img").getAttribute("aria-label"))).toContain("device 462 ms, 88 %");
});

test("a log write with several file writes has their number", () => {
  const event = { ...SLOW_BLOCK.events[0], replica: 1, name: "file_write_completed" };
  const events = [
    { ...event, fire: 500_000 },
    { ...event, fire: 597_000 },
    // The header of the VLF was written before this log write.
    { ...event, fire: 83_000 },
    { ...event, replica: 0, fire: 500_000 },
  ];
  open({ ...SLOW_BLOCK, events, hops: [{ ...hop, split }] });
  expect(words()).toContain("file_write_completed, 2");
});

test("without parts a log write is one bar", () => {
  open(SLOW_BLOCK);
  expect(words()).not.toContain("split");
  expect(bars("var(--s-work)")).toEqual([]);
});

test("of a short log write each event has a line, and all words are in the picture", () => {
  const local = { ...SLOW_BLOCK, split: { queue: 100, device: 5_216, completion: 100 } };
  open(local);
  const lines = [...document.querySelectorAll("circle")].map((dot) => dot.getAttribute("cy"));
  expect(new Set(lines).size).toBe(4);
  expect(words()).toContain("SQL Server's queue 100 µs, completion 100 µs");
});
