import type { SqlResultColumn } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import { drawLog } from "../../../test/draw-log.ts";
import { NAMED } from "../../../test/tokens.ts";
import { paintPicture, pictureText, rowAt } from "./paint-picture.ts";
import { guessedChoice, pictureOf, type Picture, type PictureChoice } from "./picture.ts";

const SECOND = 1_000_000;
const column = (
  name: string,
  kind: SqlResultColumn["kind"],
  values: SqlResultColumn["values"],
  unit: string | null = null,
): SqlResultColumn => ({ name, kind, values, unit, type: "" });

/** Two replicas in three buckets of 5 s; SQL3 has no row in the second. */
const SPREAD = [
  column(
    "at",
    "time",
    [0, 0, 5, 10, 10].map((s) => s * SECOND),
  ),
  column("replica", "text", ["SQL2", "SQL3", "SQL2", "SQL2", "SQL3"]),
  column("writes", "number", [10, 10, 20, 30, 30]),
  column("p50", "number", [1000, 2000, 1000, 1000, 2000], "µs"),
  column("p95", "number", [10_000, 20_000, 10_000, 10_000, 20_000], "µs"),
  column("max", "number", [50_000, 90_000, 60_000, 70_000, 100_000], "µs"),
  column("over_20_ms", "number", [0, 1, 0, 0, 1]),
];

function drawn(columns: readonly SqlResultColumn[], choice = guessedChoice(columns)): Picture {
  const picture = choice === null ? null : pictureOf(columns, choice);
  if (picture === null) throw new Error("Nothing can be drawn.");
  return picture;
}

describe("the picture that a result suggests", () => {
  it("is percentiles over time, a panel per replica", () => {
    expect(guessedChoice(SPREAD)).toEqual({ x: "at", y: ["p50", "p95", "max"], panel: "replica" });
    const picture = drawn(SPREAD);
    expect(picture).toMatchObject({ kind: "spread", unit: "µs", step: 5 * SECOND, limitUs: 20_000 });
    expect([picture.from, picture.to]).toEqual([0, 15 * SECOND]);
    expect(picture.panels).toEqual([
      { label: "SQL2", rows: [0, 2, 3] },
      { label: "SQL3", rows: [1, 4] },
    ]);
    expect(pictureText(picture)).toBe("Line p50, bar to p95, dot max. Log axis, one scale for all panels.");
  });

  it("is percentiles over the size that they are by", () => {
    const columns = [
      column("size", "number", [512, 512, 1024, 1024], "bytes"),
      column("replica", "text", ["SQL2", "SQL3", "SQL2", "SQL3"]),
      ...SPREAD.slice(3, 5).map((each) => ({ ...each, values: each.values.slice(0, 4) })),
    ];
    expect(guessedChoice(columns)).toEqual({ x: "size", y: ["p50", "p95"], panel: "replica" });
  });

  it("is dots where nothing is known between instants, and lines between buckets", () => {
    const values = [column("latency", "number", [1, 2, 3], "µs")];
    const instants = column("utc", "time", [0, 1.234567 * SECOND, 30 * SECOND]);
    expect(drawn([instants, ...values]).kind).toBe("dots");
    const buckets = column("at", "time", [0, 5 * SECOND, 20 * SECOND]);
    expect(drawn([buckets, ...values])).toMatchObject({ kind: "lines", step: 5 * SECOND });
  });

  it("is bars over words", () => {
    const columns = [column("cause", "text", ["network", "none"]), column("captures", "number", [3, 1])];
    expect(drawn(columns)).toMatchObject({ kind: "bars", words: ["network", "none"], at: [0, 1] });
  });

  it("is none without a number, or for words that are not there", () => {
    expect(guessedChoice([column("cause", "text", ["network", "none"])])).toBeNull();
    const gone: PictureChoice = { x: "nosuch", y: ["p50"], panel: null };
    expect(pictureOf(SPREAD, gone)).toBeNull();
  });
});

describe("drawing it", () => {
  const [WIDTH, HEIGHT] = [666, 324];
  const draw = (picture: Picture, selected: number | null = null) => {
    const log = drawLog(null);
    const colors = picture.panels.map(() => ({ strong: "#00f", soft: "#0ff", columns: [] }));
    paintPicture(log.context, NAMED, { width: WIDTH, height: HEIGHT }, picture, { colors, selected });
    return log.take();
  };

  it("puts each bucket's bar at its time, from p50 to p95 on a log scale", () => {
    // 600 px for 15 s: 200 px a bucket, less a gap of 2.
    const bars = draw(drawn(SPREAD)).filter(({ call, color }) => call === "fillRect" && color === "#0ff");
    expect(bars.map(({ at: [left, , wide] }) => [left, wide])).toEqual([
      [54, 198],
      [254, 198],
      [454, 198],
      [54, 198],
      [454, 198],
    ]);
    // p95 is ten times p50 in every row.
    const heights = bars.map(({ at: [, , , high = 0] }) => Math.round(high * 1000));
    expect(new Set(heights).size).toBe(1);
  });

  it("frames the selected row in its own panel", () => {
    const [frame, ...others] = draw(drawn(SPREAD), 4).filter(({ call }) => call === "strokeRect");
    expect(others).toEqual([]);
    expect(frame?.at.slice(0, 1)).toEqual([452]);
    // The second panel: below the middle.
    expect(frame?.at[1]).toBeGreaterThan(HEIGHT / 2 - 10);
  });

  it("finds the row under a point, which a click selects", () => {
    const picture = drawn(SPREAD);
    expect(rowAt(picture, WIDTH, HEIGHT, 60, 80)).toBe(0);
    expect(rowAt(picture, WIDTH, HEIGHT, 360, 80)).toBe(2);
    expect(rowAt(picture, WIDTH, HEIGHT, 600, HEIGHT - 60)).toBe(4);
  });

  it("finds the row of a line's mark on either side of it: a mark is in the middle of its bucket", () => {
    const at = column("at", "time", [0, 5 * SECOND, 10 * SECOND]);
    const lines = drawn([at, column("latency", "number", [1, 2, 3], "µs")]);
    // 600 px for three buckets: marks at 154, 354 and 554.
    for (const [row, mark] of [154, 354, 554].entries())
      for (const beside of [-90, 0, 90]) expect(rowAt(lines, WIDTH, HEIGHT, mark + beside, 80)).toBe(row);
  });

  it("says that an axis is logarithmic where it is: nothing of 0 µs is on one", () => {
    const at = column("at", "time", [0, 5 * SECOND]);
    const words = (values: number[]) => pictureText(drawn([at, column("wake_up", "number", values, "µs")]));
    expect(words([10, 20])).toBe("wake_up. Log axis, one scale for all panels.");
    expect(words([0, 20])).toBe("wake_up. One scale for all panels.");
  });
});
