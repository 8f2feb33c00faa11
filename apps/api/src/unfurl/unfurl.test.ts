/** Picture of a pasted link: figures calculated by hand, and a canvas that records all that is drawn on it. */
import { readFileSync } from "node:fs";
import type { Summary } from "@aglens/contract";
import { modelOf } from "@aglens/ag-model/model-for-tests";
import { summarise, windowOf } from "@aglens/ag-model/query";
import { expect, test } from "vitest";
import { linkFigures } from "./link-figures.ts";
import { paintClosedLink, paintLink, type Canvas } from "./paint-link.ts";
import { PALETTES } from "./palette.ts";

/** Ten seconds from 2016-05-06 02:16:55 UTC with a slow period of the network from 2 to 4 s. */
const model = modelOf([{ at: 0 }, { at: 3e6, hops: [{ wireOut: 80_000 }] }, { at: 9e6 }], { duration: 10e6 });
const whole = summarise(model, "id", "Friday", {
  sentence: "The network to SQL2 takes 71 % of remote harden time.",
  severity: "slow",
  episodes: [
    {
      label: "Slow network",
      cause: "network",
      from: 2e6,
      to: 4e6,
      blocks: 1,
      stage: "networkRoundTrip",
      secondary: 0,
      inside: {
        send: 1_000,
        wireOut: 80_000,
        secondaryFlush: 9_000,
        wireBack: 70_000,
        remoteHarden: 160_000,
      },
      outside: { send: 200, wireOut: 300, secondaryFlush: 3_000, wireBack: 300, remoteHarden: 3_800 },
    },
  ],
  evidence: [],
  checkNext: [],
  findings: [],
} as never) as unknown as Summary;
const window = windowOf(model, { from: 0, to: 10e6, limit: 100, bins: 10 });

interface Drawn {
  readonly words: string[];
  readonly fills: (readonly [color: unknown, x: number, y: number, width: number, height: number])[];
}

/** A canvas on which each letter is half as wide as it is high. */
function drawn(paint: (canvas: Canvas) => void): Drawn {
  const words: string[] = [];
  const fills: Drawn["fills"] = [];
  const canvas = {
    fillStyle: "" as unknown,
    font: "",
    fillText: (text: string) => words.push(text),
    fillRect(...box: [number, number, number, number]) {
      fills.push([this.fillStyle, ...box]);
    },
    measureText(text: string) {
      return { width: (text.length * Number(/(\d+)px/u.exec(this.font)?.[1])) / 2 };
    },
    beginPath: () => {},
    moveTo: () => {},
    lineTo: () => {},
    stroke: () => {},
  };
  paint(canvas as unknown as Canvas);
  return { words, fills };
}

const light = PALETTES.light;

test("the picture has the sentence, both means on one scale, and where it was slow", () => {
  const figures = linkFigures(whole, window, 0, null);
  const { words, fills } = drawn((canvas) => paintLink(canvas, light, figures));
  for (const part of [
    "Slow network",
    "Otherwise",
    "160\u2009ms",
    "3.80\u2009ms",
    "network out",
    "network back",
  ])
    expect(words).toContain(part);
  expect(words.join(" ")).toContain("The network to SQL2 takes 71 % of remote harden time.");
  expect(words).toContain("Friday, 6 May 2016, 02:16:57 to 02:16:59 UTC");
  const lengthOf = (top: number): number =>
    fills
      .filter(([, , y, , height]) => y === top && height === 46)
      .reduce((sum, [, , , width]) => sum + width, 0);
  expect(lengthOf(228) / lengthOf(283)).toBeCloseTo(160_000 / 3_800);
  expect(fills).toContainEqual([light["c-bad"], 0, 0, 14, 630]);
});

test("the episode is the longest one of the secondary that the link shows", () => {
  const [slow] = whole.verdict.episodes;
  const episodes = [
    slow!,
    { ...slow!, label: "Slow disk", from: 4e6, to: 9e6, secondary: 1 },
    { ...slow!, label: "Slow network again", from: 5e6, to: 6e6 },
  ];
  const labels = (secondary: number): unknown[] => {
    const summary = { ...whole, verdict: { ...whole.verdict, episodes } };
    const { framed, bars } = linkFigures(summary, window, secondary, null);
    return [framed, bars[0]?.label];
  };
  expect(labels(0)).toEqual([[2e6, 4e6], "Slow network"]);
  expect(labels(1)).toEqual([[4e6, 9e6], "Slow disk"]);
});

test("a range of the link is framed in place of the episode", () => {
  const { words } = drawn((canvas) => paintLink(canvas, light, linkFigures(whole, window, 0, [5e6, 6e6])));
  expect(words).toContain("Friday, 6 May 2016, 02:17:00 to 02:17:01 UTC");
});

test("each block of the minimap is a bar at its place, in the color of what decided it", () => {
  const figures = linkFigures({ ...whole, verdict: { ...whole.verdict, episodes: [] } }, window, 0, null);
  const bars = drawn((canvas) => paintLink(canvas, light, figures)).fills.filter(
    ([, , y, width]) => width === 1 && y > 408,
  );
  const first = bars.filter(([, x], i) => i === 0 || x > (bars[i - 1]?.[1] ?? 0) + 1);
  expect(first.map(([color, x]) => [color, x])).toEqual([
    [light["s-disk"], 48],
    [light["n-out"], 48 + Math.floor(0.3 * 1_104)],
    [light["s-disk"], 48 + Math.floor(0.9 * 1_104)],
  ]);
});

test("a sentence that is too long for large letters gets smaller ones, and ends in an ellipsis at last", () => {
  const said = (sentence: string): string => {
    const figures = { ...linkFigures(whole, window, 0, null), sentence };
    return drawn((canvas) => paintLink(canvas, light, figures)).words.join(" ");
  };
  const long = Array.from({ length: 24 }, (_, i) => `words${i}`).join(" ");
  expect(said(long)).toContain("words23");
  expect(said(`${long} ${long} ${long}`)).toContain("…");
});

test("a closed link says nothing but that a capture was shared", () => {
  const { words } = drawn((canvas) => paintClosedLink(canvas, light));
  expect(words.filter((each) => each !== "")).toEqual(["AG Lens", "A capture shared with AG Lens"]);
});

test("the picture's colors are the app's", () => {
  const css = readFileSync(new URL("../../../web/src/ui/tokens.css", import.meta.url), "utf8");
  const [lightCss = "", darkCss = ""] = css.split('[data-theme="dark"]', 3).slice(0, 2);
  for (const [theme, rules] of [
    ["light", lightCss],
    ["dark", darkCss],
  ] as const) {
    for (const [name, color] of Object.entries(PALETTES[theme]))
      expect(new RegExp(`--${name}:\\s*(#[0-9a-f]{6})`, "u").exec(rules)?.[1]).toBe(color);
  }
});

test("where another server took over, a bar of both has no server's name", () => {
  const changed = whole.phases.map((phase) => ({ ...phase, primary: 1, from: 5e6 }));
  const moved = { ...whole, phases: [...whole.phases, ...changed] };
  const words = (summary: Summary): string[] =>
    linkFigures(summary, window, 0, null).legend.map((each) => each.words);
  expect(words(whole)).toContain(`${whole.replicas[1]?.name} log write`);
  expect(words(moved)).toContain("Secondary log write");
});
