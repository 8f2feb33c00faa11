import type { Sequence } from "@aglens/contract";
import { render } from "@testing-library/react";
import type { ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { EVEN_ANCHORS, EVEN_BLOCK, frameOf, sequenceEvent } from "../../../test/sequence.ts";
import type { Frame } from "./frame.ts";
import { LensBox } from "./lens-box.tsx";
import { Lenses } from "./lenses.tsx";
import { NetworkLegs } from "./network-legs.tsx";
import { Commits, Handling, LocalFlush } from "./primary-bars.tsx";
import { SecondaryBars } from "./secondary-bars.tsx";
import { HeaderWrite, TimeBar } from "./time-bar.tsx";
import { TypicalBlock } from "./typical-block.tsx";
import { RemoteUnknown, Uncovered } from "./uncovered.tsx";

const drawn = (part: ReactElement): SVGSVGElement =>
  render(<svg>{part}</svg>).container.querySelector("svg")!;

/** Attributes of the elements that a selector finds. */
const attributes = (
  svg: Element,
  selector: string,
  ...names: readonly string[]
): (string | number | null)[][] =>
  Array.from(svg.querySelectorAll(selector), (element) =>
    names.map((name) => {
      const value = element.getAttribute(name);
      return value === null || Number.isNaN(Number(value)) ? value : Number(Number(value).toFixed(6));
    }),
  );

/** The classes of an element by their names in the style sheet, which makes them unique by a suffix. */
const namesOf = (element: Element): string | null =>
  element.classList.length === 0
    ? null
    : Array.from(element.classList, (name) => name.replace(/^_(.+)_[^_]+$/u, "$1")).join(" ");

/** Words with their place: text, x, y, anchor, class. */
const words = (svg: Element): (string | number | null)[][] =>
  Array.from(svg.querySelectorAll("text"), (text) => [
    text.textContent.replaceAll("\u2009", " "),
    Number(text.getAttribute("x")),
    Number(text.getAttribute("y")),
    text.getAttribute("text-anchor"),
    namesOf(text),
  ]);

const withAnchors = (more: Partial<typeof EVEN_ANCHORS>, frame: Partial<Frame> = {}): Frame => {
  const [hop] = EVEN_BLOCK.hops;
  return frameOf({
    sequence: { ...EVEN_BLOCK, hops: [{ ...hop, anchors: { ...EVEN_ANCHORS, ...more } }] },
    ...frame,
  });
};
const withLocal = (more: Partial<Sequence["local"]>, frame: Partial<Sequence> = {}): Frame =>
  frameOf({ sequence: { ...EVEN_BLOCK, ...frame, local: { ...EVEN_BLOCK.local, ...more } } });

describe("a bar between two instants", () => {
  const bar = (from: number | null, to: number | null) =>
    attributes(
      drawn(<TimeBar from={from} to={to} x={(t) => t} y={5} height={7} fill="red" />),
      "rect",
      "x",
      "width",
      "y",
      "height",
      "fill",
    );

  it("is as long as they are apart, at least 1.5 px", () => {
    expect(bar(10, 30)).toEqual([[10, 20, 5, 7, "red"]]);
    expect(bar(10, 11)).toEqual([[10, 1.5, 5, 7, "red"]]);
  });

  it("is none where one is missing", () => {
    expect([bar(null, 30), bar(10, null)]).toEqual([[], []]);
  });
});

describe("the write of a VLF's header", () => {
  const header = (from: number, to: number): SVGSVGElement =>
    drawn(<HeaderWrite write={[from, to]} x={(t) => t} y={10} height={18} fill="blue" />);

  it("is paler, on a ground of its own", () => {
    expect(attributes(header(10, 30), "rect", "x", "width", "fill", "opacity")).toEqual([
      [10, 20, "var(--surface)", null],
      [10, 20, "blue", 0.5],
    ]);
    expect(attributes(header(10, 11), "rect", "width")).toEqual([[1.5], [1.5]]);
  });

  it("says how long it took where that has room", () => {
    expect(words(header(0, 159))).toEqual([]);
    expect(words(header(0, 160))).toEqual([["VLF header write 160 µs", 8, 23, null, "barLabel"]]);
    expect(
      attributes(drawn(<HeaderWrite write={null} x={(t) => t} y={0} height={1} fill="" />), "rect", "x"),
    ).toEqual([]);
  });
});

describe("commits", () => {
  const commits = (n: number): Sequence["commits"] =>
    Array.from({ length: n }, (_, i) => ({
      ...EVEN_BLOCK.commits[0],
      start: 1_000 * i,
      end: 51_000 - 1_000 * i,
    }));
  const bars = (n: number) =>
    attributes(
      drawn(<Commits {...frameOf({ sequence: { ...EVEN_BLOCK, commits: commits(n) } })} />),
      "rect",
      "x",
      "y",
      "width",
      "height",
    );

  it("share the height of one, with half a pixel between them", () => {
    expect(bars(1)).toEqual([[152, 144, 510, 18]]);
    expect(bars(3)).toEqual([
      [152, 144, 510, 5.5],
      [162, 150, 490, 5.5],
      [172, 156, 470, 5.5],
    ]);
    expect(bars(12)).toHaveLength(8);
    expect(bars(8)[1]).toEqual([162, 146, 490, 1.5]);
  });

  it("have their words in the middle of the first", () => {
    const one = drawn(<Commits {...frameOf({ sequence: { ...EVEN_BLOCK, commits: commits(1) } })} />);
    expect(words(one)).toEqual([["commit waited 51.0 ms", 407, 157, "middle", "barLabel"]]);
    const eight = drawn(<Commits {...frameOf({ sequence: { ...EVEN_BLOCK, commits: commits(8) } })} />);
    expect(words(eight)[0][0]).toBe("8 commits, longest waited 51.0 ms");
  });

  it("have their words behind a bar that is too short for them, else before it: never over the names at the left", () => {
    const at = (start: number, end: number) =>
      words(
        drawn(
          <Commits
            {...frameOf({
              sequence: { ...EVEN_BLOCK, commits: [{ ...EVEN_BLOCK.commits[0], start, end }] },
            })}
          />,
        ),
      )[0].slice(1);
    // 10 px a ms from 152 px on: 4.57 ms are 45 px, the words need some 110.
    expect(at(0, 4_570)).toEqual([152 + 45.7 + 8, 157, "start", "barLabel halo"]);
    expect(at(95_000, 99_570)).toEqual([1_102 - 8, 157, "end", "barLabel halo"]);
  });

  it("are a pixel at least", () => {
    const [short] = [{ ...EVEN_BLOCK.commits[0], start: 5, end: 6 }];
    const svg = drawn(<Commits {...frameOf({ sequence: { ...EVEN_BLOCK, commits: [short] } })} />);
    expect(attributes(svg, "rect", "width")).toEqual([[1]]);
  });
});

describe("the local log write", () => {
  it("has its duration inside where it has room, and the wait after it as a dotted line", () => {
    const svg = drawn(<LocalFlush {...frameOf()} />);
    expect(words(svg)).toEqual([["10.0 ms", 170, 179, null, "barLabel onStrong"]]);
    expect(attributes(svg, "line", "x1", "x2", "y1", "y2")).toEqual([[262, 1_152, 175, 175]]);
  });

  it("has its duration behind it where it is short, the line after the words", () => {
    // 7 ms are 70 px: not more than that.
    const svg = drawn(<LocalFlush {...withLocal({ localFlushEnd: 8_000 })} />);
    const sentence = "local write done, commit still waits 92.0 ms for SQL2";
    expect(words(svg)).toEqual([
      ["7.00 ms", 240, 179, null, "barLabel halo"],
      [sentence, 298, 179, null, "halo"],
    ]);
    expect(attributes(svg, "line", "x1")).toEqual([[232 + 66 + sentence.length * 5.6]]);
    expect(words(drawn(<LocalFlush {...withLocal({ localFlushEnd: 8_100 })} />))[0][4]).toBe(
      "barLabel onStrong",
    );
  });

  it("says nothing more where the sentence has no room", () => {
    const late = (commitEnd: number, width: number) =>
      words(drawn(<LocalFlush {...{ ...withLocal({ localFlushEnd: 2_000, commitEnd }), width }} />)).length;
    // From 172 px on 66 and 350 px.
    expect([late(100_000, 588), late(100_000, 589)]).toEqual([1, 2]);
  });

  it("names no replica that did not let the commit go", () => {
    const svg = drawn(<LocalFlush {...withLocal({ localFlushEnd: 2_000 }, { gate: 3 })} />);
    expect(words(svg)[1][0]).toBe("local write done, commit still waits 98.0 ms");
  });

  it("has no line where the commit ended with it, and is none where it is not known", () => {
    const ends = (commitEnd: number | null): number =>
      attributes(drawn(<LocalFlush {...withLocal({ commitEnd })} />), "line", "x1").length;
    // 4 px are too short for a wait.
    expect([ends(11_400), ends(11_401), ends(null)]).toEqual([0, 1, 0]);
    expect(attributes(drawn(<LocalFlush {...withLocal({ localFlushEnd: null })} />), "rect", "x")).toEqual(
      [],
    );
  });
});

describe("the primary's handling", () => {
  it("is the send, the acknowledgment and the wake-up", () => {
    expect(attributes(drawn(<Handling {...frameOf()} />), "rect", "x", "width", "fill")).toEqual([
      [162, 10, "var(--p-work)"],
      [1_052, 10, "var(--p-work)"],
      [1_062, 90, "var(--wait)"],
    ]);
  });

  it("waits in a dotted line where something else released the commits later", () => {
    const lines = (commitEnd: number) =>
      attributes(drawn(<Handling {...withLocal({ commitEnd }, { gate: 1 })} />), "line", "x1", "x2", "y1");
    expect(lines(100_000)).toEqual([[1_062, 1_152, 200]]);
    expect(lines(91_000)).toEqual([]);
  });
});

describe("the legs over the network", () => {
  it("have their area above a falling line and above a rising one", () => {
    const svg = drawn(<NetworkLegs {...frameOf()} />);
    expect(attributes(svg, "polygon[opacity]", "points")).toEqual([
      ["172,210 452,210 452,300"],
      ["772,300 1052,300 1052,210"],
    ]);
    expect(attributes(svg, "line", "y1", "y2")).toEqual([
      [210, 300],
      [300, 210],
    ]);
  });

  it("have an arrowhead of 9 px at their end", () => {
    const [[points]] = attributes(drawn(<NetworkLegs {...frameOf()} />), "polygon:not([opacity])", "points");
    const [tip, ...wings] = String(points)
      .split(" ")
      .map((point) => point.split(",").map(Number));
    expect(tip).toEqual([452, 300]);
    expect(wings.map(([x, y]) => Number(Math.hypot(x - 452, y - 300).toFixed(6)))).toEqual([9, 9]);
    expect(wings.every(([x]) => x < 452)).toBe(true);
  });

  it("without the clock say the way only", () => {
    const [first, note] = words(drawn(<NetworkLegs {...frameOf()} />));
    expect([first[0], note[0]]).toEqual(["28.0 ms", "network out"]);
    expect(Number(note[2]) - Number(first[2])).toBe(15);
  });

  it("name the server that was unresponsive instead of the network", () => {
    const { stages } = EVEN_BLOCK.hops[0];
    const hop = {
      ...EVEN_BLOCK.hops[0],
      pause: { end: "secondary" as const, us: 27_000 },
      stages: stages.map((stage) => ({ ...stage, isPaused: stage.id === "wireOut" })),
    };
    const notes = words(drawn(<NetworkLegs {...frameOf({ hop })} />)).map(([text]) => text);
    expect(notes).toContain("SQL2 was unresponsive");
    expect(notes).toContain("network back");
    expect(notes).not.toContain("network out");
  });

  it("that are not known are skipped", () => {
    const svg = drawn(<NetworkLegs {...withAnchors({ received: null })} />);
    expect(attributes(svg, "line", "x1")).toEqual([[772]]);
  });
});

describe("the secondary's log write", () => {
  const label = (frame: Frame) => words(drawn(<SecondaryBars {...frame} />)).at(-1);

  it("says its duration inside where that has room", () => {
    expect(label(frameOf())).toEqual(["log write 30.0 ms", 612, 318, "middle", "barLabel onStrong"]);
    // 12 ms are 120 px: not more than that.
    expect(label(withAnchors({ secondaryFlushEnd: 43_000, ackSent: 43_000 }))?.slice(3)).toEqual([
      "start",
      "barLabel halo",
    ]);
    expect(label(frameOf({ asynchronous: true }))?.[4]).toBe("barLabel halo");
  });

  it("else behind what the secondary did, else before it", () => {
    // From 31 to 41 ms; the acknowledgment ends at 42 ms, 572 px.
    const short = { secondaryFlushEnd: 41_000, ackSent: 42_000 };
    expect(label(withAnchors(short))).toEqual(["log write 10.0 ms", 586, 318, "start", "barLabel halo"]);
    expect(label(withAnchors(short, { width: 586 + 120 + 34 }))?.[3]).toBe("start");
    expect(label(withAnchors(short, { width: 586 + 119 + 34 }))).toEqual([
      "log write 10.0 ms",
      452 - 14,
      318,
      "end",
      "barLabel halo",
    ]);
    // Without room before the handling: at the write itself, which begins at 462 px.
    expect(label(withAnchors({ ...short, received: 3_000 }, { width: 600 }))?.[1]).toBe(454);
    // Not over the names at the left.
    const early = { ...short, received: 3_000, secondaryFlushStart: 5_000, secondaryFlushEnd: 6_000 };
    expect(label(withAnchors(early, { width: 600 }))?.[1]).toBe(272);
  });

  it("keeps its label off its fade", () => {
    const short = { secondaryFlushEnd: 41_000, ackSent: 41_000 };
    // The fade reaches 30 px further than 562.
    expect(label(withAnchors(short, { uncertaintyUs: 3_000 }))?.[1]).toBe(562 + 30 + 14);
    expect(
      label(withAnchors({ ...short, received: 31_000 }, { uncertaintyUs: 3_000, width: 700 }))?.[1],
    ).toBe(462 - 30 - 14);
  });

  it("is clipped to the plot", () => {
    const svg = drawn(<SecondaryBars {...frameOf()} />);
    expect(attributes(svg, "clipPath rect", "x", "width", "height")).toEqual([[148, 1_008, 336]]);
  });

  it("is cut over all that the secondary did where nobody waits for it", () => {
    const cut = (frame: Frame) =>
      attributes(drawn(<SecondaryBars {...frame} />), 'rect[fill="url(#cuts)"]', "x", "width");
    expect(cut(frameOf({ asynchronous: true }))).toEqual([[452, 320]]);
    expect(cut(frameOf({ asynchronous: true, uncertaintyUs: 1_000 }))).toEqual([[442, 340]]);
    expect(cut(withAnchors({ received: null, ackSent: null }, { asynchronous: true }))).toEqual([[462, 300]]);
    // Cut at the edges of the plot.
    expect(cut(withAnchors({ received: -9_000, ackSent: 990_000 }, { asynchronous: true }))).toEqual([
      [148, 1_008],
    ]);
    expect(cut(frameOf())).toEqual([]);
  });

  it("of the first block of a VLF has the header's write before it", () => {
    const events = [31_000, 40_000].flatMap((at) => [
      sequenceEvent(1, "log_flush_start", at),
      sequenceEvent(1, "log_flush_complete", at + 5_000),
    ]);
    const svg = drawn(
      <SecondaryBars {...frameOf({ sequence: { ...EVEN_BLOCK, vlfStart: true, events } })} />,
    );
    expect(attributes(svg, 'rect[opacity="0.5"]', "x", "width")).toEqual([[462, 50]]);
  });
});

describe("a secondary without a file", () => {
  const label = (frame: Frame) => words(drawn(<RemoteUnknown {...frame} />))[0];

  it("is one bar with its words inside, behind it, or before it", () => {
    expect(label(frameOf())).toEqual(["network and SQL2, 88.0 ms", 612, 262, "middle", "barLabel"]);
    // 21 ms are 210 px: not more than that.
    const short = { ackReceived: 23_000 };
    expect(label(withAnchors(short))).toEqual([
      "network and SQL2, 21.0 ms",
      392,
      262,
      "start",
      "barLabel halo",
    ]);
    expect(label(withAnchors(short, { width: 392 + 210 + 34 }))[3]).toBe("start");
    expect(label(withAnchors(short, { width: 392 + 209 + 34 })).slice(1, 4)).toEqual([162, 262, "end"]);
  });

  it("whose bar is not known says why in the middle", () => {
    expect(label(withAnchors({ ackReceived: null }))).toEqual([
      "no acknowledgment of SQL2 in the capture",
      593,
      262,
      "middle",
      "barLabel halo",
    ]);
    expect(label(withAnchors({ ackReceived: null, sendStart: null }))[0]).toBe(
      "SQL1's file does not hold this block",
    );
  });

  it("has a bar of at least 2 px, and its disk hatched", () => {
    const svg = drawn(<RemoteUnknown {...withAnchors({ ackReceived: 2_000 })} />);
    expect(attributes(svg, 'rect[opacity="0.35"]', "x", "width", "y")).toEqual([[172, 2, 236]]);
    expect(attributes(svg, 'rect[fill="url(#no-file-300)"]', "x", "y", "width", "height")).toEqual([
      [148, 300, 1_008, 24],
    ]);
  });

  it("says that it has none", () => {
    expect(words(drawn(<RemoteUnknown {...frameOf()} />))[1]).toEqual([
      "no file of SQL2 in this capture: its network and its disk appear as one bar",
      652,
      316,
      "middle",
      "halo",
    ]);
  });
});

describe("what no file covers", () => {
  it("is hatched over the plot, as far as there is one", () => {
    const hatched = (width: number) =>
      attributes(
        drawn(<Uncovered top={10} bottom={40} width={width} />),
        "rect[x]",
        "x",
        "y",
        "width",
        "height",
        "fill",
      );
    expect(hatched(1_186)).toEqual([[148, 10, 1_008, 30, "url(#no-file-10)"]]);
    expect(hatched(100)[0][2]).toBe(0);
  });
});

describe("a typical block", () => {
  const [hop] = EVEN_BLOCK.hops;
  const typical = {
    ...hop.typical,
    remoteHarden: 20_000,
    wireOut: 5_000,
    secondaryFlush: 15_000,
    localFlush: 4_000,
  };
  const block = (more: Partial<typeof hop.typical> = {}): SVGSVGElement =>
    drawn(
      <TypicalBlock
        {...frameOf({ hop: { ...hop, typical: { ...typical, ...more } } })}
        place={{ left: 300, extra: 40 }}
      />,
    );

  it("has its stages end to end, the local write under them, and its words", () => {
    expect(attributes(block(), "rect", "x", "y", "width", "height", "fill")).toEqual([
      [300, 488, 50, 10, "var(--n-out)"],
      [350, 488, 150, 10, "var(--s-disk)"],
      [300, 500, 40, 2, "var(--p-disk)"],
    ]);
    expect(words(block())).toEqual([
      ["Typical block, same scale", 300, 481, null, null],
      ["20.0 ms", 508, 498, null, "barLabel"],
    ]);
  });

  it("has strokes for what is too short to see, and no line without a local write", () => {
    expect(attributes(block({ wireOut: 10, localFlush: 10 }), "rect", "width").flat()).toEqual([0.5, 150, 1]);
    expect(attributes(block({ localFlush: null }), 'rect[height="2"]', "x")).toEqual([]);
  });
});

describe("a lens", () => {
  const lens = {
    key: "send",
    events: [
      sequenceEvent(0, "log_flush_start", 100),
      sequenceEvent(0, "hadr_log_block_send_complete", 300, { begin: 200 }),
    ],
    from: 100,
    to: 300,
    length: 200,
    hidden: 0,
  } as const;
  const box = (place: "p" | "s" = "p"): SVGSVGElement =>
    drawn(<LensBox lens={lens} title="First 200 µs" x={40} y={8} height={60} origin={50} place={place} />);

  it("has a row per event with its place, how long it took, and when it fired", () => {
    const svg = box();
    expect(svg.querySelector("[data-testid=lens]")!.getAttribute("transform")).toBe("translate(40,8)");
    expect(attributes(svg, "circle", "cx", "cy", "fill")).toEqual([
      [12, 28, "var(--p-disk)"],
      [100, 40.2, "var(--p-disk)"],
    ]);
    expect(attributes(svg, 'rect[height="3"]', "x", "y", "width", "fill")).toEqual([
      [56, 38.7, 44, "var(--p-work)"],
    ]);
    expect(words(svg).map(([text, x, y]) => [text, x, y])).toEqual([
      ["First 200 µs", 10, 15],
      ["log_flush_start", 110, 31.5],
      ["+50 µs", 362, 31.5],
      ["log_block_send_complete", 110, 43.7],
      ["+250 µs", 362, 43.7],
    ]);
    expect(box("s").querySelector("circle")!.getAttribute("fill")).toBe("var(--s-disk)");
  });

  it("has room between the longest name and an offset of seconds", () => {
    const event = sequenceEvent(0, "log_block_pushed_to_logpool", 12_880_391);
    const svg = drawn(
      <LensBox
        lens={{ ...lens, events: [event], from: 12_880_300, to: 12_880_500 }}
        title="First 200 µs"
        x={0}
        y={0}
        height={60}
        origin={0}
        place="p"
      />,
    );
    const [, [name, from], [offset, end]] = words(svg);
    expect([name, offset]).toEqual(["log_block_pushed_to_logpool", "+12,880.391 ms"]);
    // As measured in the font of the picture: 5.9 px a letter of the name, 6.1 px a letter of the offset.
    expect(Number(from) + 27 * 5.9 + 6).toBeLessThan(Number(end) - 14 * 6.1);
  });

  it("has leaders from its edges to the stretch it magnifies, and its place above or below the bars", () => {
    const events = [
      sequenceEvent(0, "hadr_log_block_send_complete", 2_000),
      sequenceEvent(1, "hadr_transport_receive_log_block_message", 30_000),
    ];
    const svg = drawn(<Lenses {...frameOf({ sequence: { ...EVEN_BLOCK, events } })} />);
    // 22 px of head, a row of 12.2 and 6 px of foot, from 8 px on: the first ends at 48.2.
    expect(attributes(svg, "[data-testid=leader]", "d")).toEqual([
      ["M158,48.2 L172,142 M272,48.2 L172,142"],
      ["M276,350 L452,328 M390,350 L452,328"],
    ]);
    expect(attributes(svg, "[data-testid=lens]", "transform")).toEqual([
      ["translate(148,8)"],
      ["translate(266,350)"],
    ]);
  });
});
