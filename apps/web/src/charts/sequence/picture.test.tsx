import type { Sequence } from "@aglens/contract";
import { HOP_ANCHORS, recordOf } from "@aglens/ag-model/replication";
import { render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { EVEN_ANCHORS as ANCHORS, EVEN_BLOCK as BLOCK, SLOW_BLOCK } from "../../../test/sequence.ts";
import type { PictureProps } from "./frame.ts";
import { LensList } from "./lenses.tsx";
import { SequencePicture } from "./picture.tsx";

type Hop = Sequence["hops"][number];

const withHop = (more: Partial<Hop>): Sequence => ({ ...BLOCK, hops: [{ ...BLOCK.hops[0], ...more }] });

function shown(more: Partial<PictureProps> = {}): HTMLElement {
  const { container } = render(
    <SequencePicture
      sequence={BLOCK}
      secondary={0}
      names={{ primary: "SQL1", secondary: "SQL2" }}
      secondaryHolds
      missing="no file of SQL2 in this capture"
      asynchronous={false}
      uncertaintyUs={240}
      even={false}
      lenses={false}
      // The plot is from 152 to 1,152 px.
      width={1_186}
      headline={<p>658 ms</p>}
      {...more}
    />,
  );
  return within(container).getByRole("img");
}

/** A place in the picture to a millionth of a pixel. */
const round = (place: string | null): number => Number(Number(place).toFixed(6));

/** Left edge and width of each bar of a color, px. */
const bars = (picture: HTMLElement, fill: string, top: number): number[][] =>
  Array.from(picture.querySelectorAll(`rect[fill="${fill}"][y="${top}"]`), (bar) =>
    ["x", "width"].map((name) => round(bar.getAttribute(name))),
  );

const text = (words: string | RegExp): HTMLElement => screen.getByText(words);
const thin = (words: string): string => words.replaceAll(" ms", "\u2009ms").replaceAll(" µs", "\u2009µs");

describe("the classic picture", () => {
  it("says in a sentence what it shows", () => {
    expect(shown().getAttribute("aria-label")).toBe(
      thin(
        "Log block 00000022:00000167 from SQL1 to SQL2 and back: wireOut 28.0 ms, networkRoundTrip 56.0 ms",
      ),
    );
    expect(text("658 ms")).toBeTruthy();
    expect(text("SQL1, primary")).toBeTruthy();
    expect(text("SQL2, secondary")).toBeTruthy();
  });

  it("says the role on a line of its own where bars would cover it", () => {
    const names = { primary: "SQLNODE1-LONDON", secondary: "SQLNODE2" };
    shown({ names });
    expect(text("SQLNODE1-LONDON")).toBeTruthy();
    expect(text("Primary")).toBeTruthy();
    expect(text("SQLNODE2")).toBeTruthy();
    expect(text("Secondary, log write")).toBeTruthy();
  });

  it("draws each bar where and as long as it was", () => {
    const picture = shown({ uncertaintyUs: null });
    expect(bars(picture, "var(--p-disk)", 166)).toEqual([[162, 100]]);
    // Send, then the acknowledgment's arrival; the wake-up after it is waiting.
    expect(bars(picture, "var(--p-work)", 190)).toEqual([
      [162, 10],
      [1_052, 10],
    ]);
    expect(bars(picture, "var(--wait)", 190)).toEqual([[1_062, 90]]);
    expect(bars(picture, "var(--s-work)", 304)).toEqual([
      [452, 10],
      [762, 10],
    ]);
    expect(bars(picture, "var(--s-disk)", 304)).toEqual([[462, 300]]);
    expect(bars(picture, "var(--wait)", 144)).toEqual([[152, 1_000]]);
    expect(text(/^commit waited/u).textContent).toBe(thin("commit waited 100 ms"));
  });

  it("has an axis to scale", () => {
    shown();
    expect(screen.getAllByText(/^(0|\d+ ms)$/u).map((label) => label.textContent)).toEqual(
      expect.arrayContaining(["0", "20 ms", "100 ms"]),
    );
    expect(text("20 ms").getAttribute("x")).toBe("352");
  });

  it("draws both ways over the network with their durations, how sure they are, and the exact round trip", () => {
    const picture = shown();
    const lines = Array.from(picture.querySelectorAll('line[stroke-width="3"]'), (line) => [
      round(line.getAttribute("x1")),
      round(line.getAttribute("x2")),
      line.getAttribute("stroke"),
    ]);
    expect(lines).toEqual([
      [172, 452, "var(--n-out)"],
      [772, 1052, "var(--n-back)"],
    ]);
    expect(picture.querySelector("line[stroke-dasharray='9 5']")).toBeNull();
    expect(screen.getAllByText("28.0 ms")).toHaveLength(2);
    expect(text("network out, ±0.24 ms")).toBeTruthy();
    expect(text(/^, exact/u).parentElement!.textContent).toBe(thin("round trip 56.0 ms, exact"));
  });

  it("fades the secondary's log write by the clock's uncertainty", () => {
    const picture = shown({ uncertaintyUs: 1_000 });
    // 10 px to either side of 462 to 762.
    const bar = picture.querySelector('rect[fill="url(#secondary-flush)"]')!;
    expect(["x", "width"].map((name) => round(bar.getAttribute(name)))).toEqual([452, 320]);
    const offsets = Array.from(picture.querySelectorAll("#secondary-flush stop"), (stop) =>
      stop.getAttribute("offset"),
    );
    expect(offsets).toEqual(["0", "0.0625", "0.9375", "1"]);
    expect(text(/^log write/u).textContent).toBe(thin("log write 30.0 ms"));
  });

  it("leaves out a fade that nobody would see", () => {
    expect(shown({ uncertaintyUs: 99 }).querySelector("#secondary-flush")).toBeNull();
  });

  it("of an asynchronous secondary dashes the network and cuts the secondary's bars", () => {
    const picture = shown({ asynchronous: true });
    expect(picture.querySelectorAll('line[stroke-dasharray="9 5"]')).toHaveLength(2);
    expect(picture.querySelector('rect[fill="url(#cuts)"]')).toBeTruthy();
    expect(text("SQL2, async")).toBeTruthy();
  });

  it("in even steps has no axis and says why, and gives every instant a step", () => {
    const picture = shown({ even: true, uncertaintyUs: 5_000 });
    expect(text(/^Even steps/u)).toBeTruthy();
    expect(screen.queryByText("20 ms")).toBeNull();
    // 15 instants: 0, 500, 1,000 (two), 1,500, ... in 14 steps over 1,000 px; the local write begins at the third.
    const [[left]] = bars(picture, "var(--p-disk)", 166);
    expect(left).toBeCloseTo(152 + (2 * 1_000) / 14, 6);
    expect(picture.querySelector("#secondary-flush")).toBeNull();
  });

  it("shows how long the commit still waited after its local log write, where there is room", () => {
    shown();
    // The local write is as wide as its own figure, so the sentence has no room.
    expect(screen.queryByText(/^local write done/u)).toBeNull();
  });

  it("says so beside a short local log write", () => {
    shown({ sequence: { ...BLOCK, local: { ...BLOCK.local, localFlushEnd: 2_000 } } });
    expect(text(/^local write done/u).textContent).toBe(
      thin("local write done, commit still waits 98.0 ms for SQL2"),
    );
  });

  it("draws waiting as a dotted line where something else let the commit go", () => {
    const picture = shown({ sequence: { ...BLOCK, gate: 1 } });
    expect(bars(picture, "var(--wait)", 190)).toEqual([]);
    expect(picture.querySelector('line[y1="200"][stroke-dasharray="2 3"]')).toBeTruthy();
  });

  it("shows up to eight commits as bars and counts the rest", () => {
    const commits = Array.from({ length: 11 }, (_, i) => ({ ...BLOCK.commits[0], start: i * 1_000 }));
    const picture = shown({ sequence: { ...BLOCK, commits } });
    expect(picture.querySelectorAll('rect[opacity="0.4"]')).toHaveLength(8);
    expect(text(/^11 commits/u).textContent).toBe(thin("11 commits, longest waited 100 ms, + 3 more"));
  });

  it("without commits says nothing of them", () => {
    shown({ sequence: { ...BLOCK, commits: [] } });
    expect(screen.queryByText(/waited/u)).toBeNull();
  });
});

describe("what is missing", () => {
  it("of the secondary's file is one bar for its network and its disk", () => {
    const picture = shown({ secondaryHolds: false });
    const unknown = picture.querySelector('rect[fill="var(--wait)"][opacity="0.35"]')!;
    expect(["x", "width"].map((name) => round(unknown.getAttribute(name)))).toEqual([172, 880]);
    expect(text(/^network and SQL2/u).textContent).toBe(thin("network and SQL2, 88.0 ms"));
    expect(text("no file of SQL2 in this capture: its network and its disk appear as one bar")).toBeTruthy();
  });

  it("of the acknowledgment is said", () => {
    const anchors = { ...ANCHORS, ackReceived: null };
    shown({ secondaryHolds: false, sequence: withHop({ anchors }) });
    expect(text("no acknowledgment of SQL2 in the capture")).toBeTruthy();
  });

  it("of the round trip is said in its place", () => {
    shown({ sequence: withHop({ stages: [], anchors: { ...ANCHORS, sendStart: null } }) });
    expect(text("SQL1's file does not hold this block")).toBeTruthy();
  });

  it("of a block that no event shows on its way is said, and not that the primary's file lacks it", () => {
    const anchors = recordOf(HOP_ANCHORS, () => null);
    shown({ secondaryHolds: false, sequence: withHop({ stages: [], anchors }) });
    expect(text("no event of its way to SQL2")).toBeTruthy();
    expect(text("no file of SQL2 in this capture")).toBeTruthy();
  });

  it("of the primary's file is hatched", () => {
    const local = { ...BLOCK.local, localFlushStart: null };
    const picture = shown({ sequence: { ...withHop({ anchors: { ...ANCHORS, sendStart: null } }), local } });
    expect(picture.querySelector('rect[fill="url(#no-file-140)"]')).toBeTruthy();
    expect(shown().querySelector('rect[fill^="url(#no-file"]')).toBeNull();
  });
});

describe("a typical block", () => {
  const typical = {
    ...BLOCK.hops[0].typical,
    remoteHarden: 20_000,
    wireOut: 5_000,
    secondaryFlush: 15_000,
    localFlush: 4_000,
  };

  it("stands beside one that took more than twice as long, on the same scale", () => {
    const picture = shown({ sequence: withHop({ typical }) });
    expect(text("Typical block, same scale")).toBeTruthy();
    const widths = Array.from(picture.querySelectorAll('rect[height="10"]'), (bar) =>
      Number(bar.getAttribute("width")),
    );
    expect(widths).toEqual([50, 150]);
    expect(text("20.0 ms")).toBeTruthy();
  });

  it("is left out for one that is no slower, in even steps, and where nothing is typical", () => {
    for (const more of [
      { sequence: withHop({ typical: { ...typical, remoteHarden: 45_001 } }) },
      { sequence: withHop({ typical }), even: true },
      {},
    ]) {
      shown(more);
      expect(screen.queryAllByText("Typical block, same scale")).toEqual([]);
    }
  });
});

describe("lenses", () => {
  it("magnify what is too short to see, with leaders to where it was", () => {
    const picture = shown({ sequence: SLOW_BLOCK, lenses: true, width: 1_600 });
    expect(text("First 488 µs on SQL1")).toBeTruthy();
    expect(text("SQL2 receives, 172 µs")).toBeTruthy();
    expect(text("SQL2 acknowledges, 330 µs")).toBeTruthy();
    expect(text("Last 121 µs on SQL1")).toBeTruthy();
    expect(picture.querySelectorAll('[data-testid="leader"]')).toHaveLength(4);
  });

  it("have no leaders in even steps, where lengths are no times", () => {
    const picture = shown({ sequence: SLOW_BLOCK, lenses: true, width: 1_600, even: true });
    expect(picture.querySelectorAll('[data-testid="lens"]')).toHaveLength(4);
    expect(picture.querySelectorAll('[data-testid="leader"]')).toHaveLength(0);
  });

  it("show each event where it fired in the lens, and when after the block's start", () => {
    const picture = shown({ sequence: SLOW_BLOCK, lenses: true, width: 1_600 });
    const first = picture.querySelector<HTMLElement>('[data-testid="lens"]')!;
    const dots = Array.from(first.querySelectorAll("circle"), (dot) => Number(dot.getAttribute("cx")));
    // From 42 to 530 µs on 88 px from 12 on: 42, 146 and 530 µs.
    expect(dots.map((x) => Number(x.toFixed(2)))).toEqual([12, 30.75, 100]);
    expect(within(first).getByText("log_block_send_complete")).toBeTruthy();
    expect(within(first).getByText("+530 µs")).toBeTruthy();
  });

  it("are a list where there is no room for them", () => {
    const { container } = render(
      <LensList sequence={SLOW_BLOCK} secondary={0} names={{ primary: "SQL1", secondary: "SQL2" }} />,
    );
    expect(Array.from(container.querySelectorAll("h2"), (head) => head.textContent)).toEqual([
      thin("First 488 µs on SQL1"),
      thin("SQL2 receives, 172 µs"),
      thin("SQL2 acknowledges, 330 µs"),
      thin("Last 121 µs on SQL1"),
    ]);
    expect(container.querySelector("li")?.textContent).toBe("log_block_pushed_to_logpool+42\u2009µs");
  });
});
