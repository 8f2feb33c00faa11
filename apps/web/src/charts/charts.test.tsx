import { render, screen } from "@testing-library/react";
import type { ReactElement } from "react";
import { describe, expect, it } from "vitest";
import { logCanvases } from "../../test/canvas.ts";
import { inOneLine } from "../../test/draw-log.ts";
import { fakeScreen } from "../../test/fake-screen.ts";
import { groundOf, overviewOf, stageSumsOf } from "../../test/overview.ts";
import { binWindow } from "../../test/window.ts";
import { BlockBar } from "./block-bar.tsx";
import { RunStrip } from "./live/run-strip.tsx";
import { MinimapPicture } from "./minimap-picture.tsx";
import { LatencyChart, RateChart, ShareChart } from "./overview/time-charts.tsx";
import { PictureAxis } from "./picture-axis.tsx";
import { ReadingPicture } from "./reading/reading-picture.tsx";

/** Renders a chart 1,000 px wide; `drawn` returns the calls since the last time, frame by frame. */
function shown(chart: ReactElement, height = 100) {
  const display = fakeScreen({ width: 1_000, height });
  const logOf = logCanvases();
  const view = render(chart);
  const drawn = (): string[] => {
    display.nextFrame();
    return logOf(view.container.querySelector("canvas")).take().map(inOneLine);
  };
  return { ...view, drawn };
}

const RANGE = { from: 0, to: 10_000_000 };
const OVERVIEW = overviewOf({ blocks: [50], stageSums: stageSumsOf({ secondaryFlush: [1] }) });

describe("charts of the overview", () => {
  it("draw the latencies of their range, and again when the range is another", () => {
    const dots = { at: Float64Array.of(1_000_000), value: Float64Array.of(10_000) };
    const chart = (to: number) => (
      <LatencyChart
        range={{ from: 0, to }}
        ground={groundOf()}
        bins={[]}
        dots={dots}
        domain={[1_000, 100_000]}
        height={100}
      />
    );
    const { drawn, rerender, container } = shown(chart(10_000_000));
    expect(container.querySelector<HTMLElement>(".plot")!.style.height).toBe("100px");
    expect(drawn().some((line) => line.startsWith("fill A 100 50"))).toBe(true);
    rerender(chart(5_000_000));
    expect(drawn().some((line) => line.startsWith("fill A 200 50"))).toBe(true);
  });

  it("draw the shares of each bin", () => {
    const { drawn } = shown(
      <ShareChart range={RANGE} ground={groundOf()} overview={OVERVIEW} height={100} />,
    );
    expect(drawn().some((line) => line.startsWith("fillRect 0 0 99.5 100"))).toBe(true);
  });

  it("draw the blocks per second on their scale", () => {
    const chart = <RateChart range={RANGE} ground={groundOf()} overview={OVERVIEW} most={100} height={100} />;
    expect(
      shown(chart)
        .drawn()
        .some((line) => line.startsWith("fillRect 0 50 99 50")),
    ).toBe(true);
  });
});

describe("a picture of a whole capture", () => {
  const window = binWindow(
    { localFlush: { max: [10_000, 10_000], p50: [1, 1] } },
    { from: 0, to: 10_000_000 },
  );

  it("says what it shows, and frames a part of it", () => {
    const { container } = shown(
      <MinimapPicture window={window} range={[2e6, 4e6]} height={42} label="The sample" />,
    );
    expect(screen.getByRole("img", { name: "The sample" })).toBeTruthy();
    expect(container.querySelector<HTMLElement>(".frame")!.style.left).toBe("20%");
    const [before, after] = Array.from(container.querySelectorAll<HTMLElement>(".wash"));
    expect([before.style.width, after.style.left]).toEqual(["20%", "40%"]);
  });

  it("frames nothing where nothing is framed, and draws nothing before it is there", () => {
    const { container, drawn } = shown(<MinimapPicture window={window} height={42} label="The sample" />);
    expect(container.querySelector(".frame")).toBeNull();
    expect(drawn().length).toBeGreaterThan(2);
    const empty = shown(<MinimapPicture window={null} range={[0, 1]} height={42} label="Empty" />);
    expect(empty.drawn()).toEqual(["clearRect 0 0 1000 100 none"]);
    expect(empty.container.querySelector(".frame")).toBeNull();
  });
});

describe("the axis under a picture", () => {
  const labels = (durationUs: number) => {
    const { container } = render(<PictureAxis durationUs={durationUs} />);
    return Array.from(container.querySelectorAll("span"), (span) => [
      span.textContent,
      span.style.left,
      span.className,
    ]);
  };

  it("has offsets from the origin, none where it would leave the picture", () => {
    expect(labels(50e6).slice(0, 2)).toEqual([
      ["0 s", "0%", "first"],
      ["+5 s", "10%", ""],
    ]);
    expect(labels(50e6).at(-1)?.[0]).toBe("+45 s");
  });

  it("has the capture's clock where a zone is chosen, as many times as have room", () => {
    const originTicks = String((BigInt(Date.UTC(2016, 4, 6, 2, 17)) + 11_644_473_600_000n) * 10_000n);
    const zone = { kind: "server", minutes: 120, name: null } as const;
    const { container } = render(
      <PictureAxis capture={{ originTicks, durationUs: 50e6, zone }} durationUs={50e6} />,
    );
    // The first label, 04:17:00, has no room at the left end.
    expect(
      Array.from(container.querySelectorAll("span"), (span) => [span.textContent, span.style.left]),
    ).toEqual([
      ["04:17:20", "40%"],
      ["04:17:40", "80%"],
    ]);
  });

  it("of a capture without length is empty", () => {
    expect(labels(0)).toEqual([]);
  });
});

describe("what is still read, and what runs", () => {
  it("has a name over each row of the reading picture", () => {
    const rows = ["SQL1", "SQL2"].map((name) => ({
      key: name,
      name,
      role: "primary" as const,
      steps: [],
      readTo: [50],
    }));
    const { container, drawn } = shown(
      <ReadingPicture from={0} to={100} rows={rows} height={104} label="Events per second" />,
      104,
    );
    expect(
      Array.from(container.querySelectorAll("span"), (span) => [span.textContent, span.style.top]),
    ).toEqual([
      ["SQL1", "2px"],
      ["SQL2", "56px"],
    ]);
    expect(drawn().filter((line) => line.startsWith("fillRect 500"))).toHaveLength(2);
    expect(screen.getByRole("img", { name: "Events per second" })).toBeTruthy();
  });

  it("has a sentence for the strip of the run", () => {
    const { drawn } = shown(
      <RunStrip
        bins={null}
        now={10e6}
        view={[0, 1e6]}
        gaps={[]}
        marks={[]}
        unawaited={new Set()}
        height={42}
        label="The whole run"
      />,
      42,
    );
    expect(screen.getByText("The whole run")).toBeTruthy();
    expect(drawn().at(-1)).toMatch(/^strokeRect/u);
  });
});

describe("the block bar", () => {
  const stages = {
    send: 1_000,
    wireOut: 3_000,
    secondaryFlush: 6_000,
    remoteHarden: 10_000,
    localFlush: 2_000,
  };
  const rects = (container: HTMLElement, name: string): (string | null)[][] =>
    Array.from(container.querySelectorAll(`rect.${name}`), (rect) =>
      ["x", "width", "height", "fill"].map((key) => rect.getAttribute(key)),
    );

  it("has the stages end to end to scale, and the local write as a line under them", () => {
    const { container } = render(
      <BlockBar stages={stages} scaleUs={20_000} localStart={1_000} height={14} />,
    );
    expect(rects(container, "stage")).toEqual([
      ["0.000%", "5.000%", "10", "var(--p-work)"],
      ["5.000%", "15.000%", "10", "var(--n-out)"],
      ["20.000%", "30.000%", "10", "var(--s-disk)"],
    ]);
    const line = container.querySelector("rect:last-child")!;
    expect(["x", "y", "width", "height"].map((key) => line.getAttribute(key))).toEqual([
      "5.000%",
      "12",
      "10.000%",
      "2",
    ]);
    expect(container.querySelector("svg")!.getAttribute("aria-hidden")).toBe("true");
  });

  it("has of a local write what lies within the bar: flow control may hold a block back until long after it", () => {
    const lineOf = (localStart: number): (string | null)[] | null => {
      const { container } = render(<BlockBar stages={stages} scaleUs={20_000} localStart={localStart} />);
      const line = container.querySelector('rect[fill="var(--p-disk)"]');
      return line && ["x", "width"].map((key) => line.getAttribute(key));
    };
    expect(lineOf(-175_000)).toBeNull();
    expect(lineOf(-500)).toEqual(["0.000%", "7.500%"]);
    expect(lineOf(19_000)).toEqual(["95.000%", "5.000%"]);
  });

  it("is as high as its row without a local write, and says itself where it has a sentence", () => {
    const { container } = render(
      <BlockBar stages={{ ...stages, localFlush: null }} scaleUs={20_000} label="10 ms" />,
    );
    expect(rects(container, "stage").map(([, , height]) => height)).toEqual(["14", "14", "14"]);
    expect(screen.getByRole("img", { name: "10 ms" })).toBeTruthy();
    expect(container.querySelectorAll("rect")).toHaveLength(6);
  });

  it("has the pattern of each place for forced colors", () => {
    const { container } = render(<BlockBar stages={stages} scaleUs={20_000} />);
    expect(Array.from(container.querySelectorAll(".cut"), (rect) => rect.getAttribute("class"))).toEqual([
      "cut p",
      "cut n",
      "cut s",
    ]);
  });
});
