import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import type { Distribution } from "@aglens/contract";
import { settled } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { distributionOf, histogramOf } from "../../../test/distribution.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { SLOW_BLOCK } from "../../../test/sequence.ts";
import { SequenceScreen } from "./sequence-screen.tsx";

beforeEach(() => {
  fakeScreen({ width: 1_200, height: 700 });
  logCanvases();
});

const plain = (text: string | null | undefined): string => (text ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");

const row = (stage: Distribution["stage"], p95: number) => ({ stage, ranges: [histogramOf({ p95 })] });
const SPLIT = distributionOf({
  rows: [
    row("secondaryFlush", 21_400),
    row("secondaryQueue", 1_900),
    row("secondaryDevice", 19_600),
    row("secondaryCompletion", 310),
  ],
  splits: [
    {
      stage: "secondaryFlush",
      writes: 2_841,
      split: 2_800,
      sums: { queue: 80, device: 900, completion: 20 },
    },
  ],
});

const open = (distribution: Distribution, split: "log" | null = "log") =>
  openCapture(<SequenceScreen />, {
    view: { block: SLOW_BLOCK.row, split },
    answers: { sequence: () => SLOW_BLOCK, distribution: () => distribution },
  });

describe("the sequence with split log writes", () => {
  test("says which part takes most, with shares of sums", async () => {
    await open(SPLIT);
    expect(plain(document.body.textContent)).toContain("The device takes 90 % of the log writes on SQL2.");
    expect(plain(document.body.textContent)).toContain("SQL Server's queue: p95 1.90 ms.");
    const table = screen.getByRole("table", { name: "Log write on SQL2, split" });
    const shares = within(table)
      .getAllByRole("row")
      .slice(1)
      .map((line) => plain(within(line).getAllByRole("cell").at(-1)?.textContent));
    expect(shares).toEqual(["100 %", "8 %", "90 %", "2 %"]);
    expect(screen.getByTestId("split-picture")).toBeTruthy();
    expect(screen.queryByTestId("sequence-picture")).toBeNull();
  });

  test("names SQL Server's queue where that takes most", async () => {
    const [split] = SPLIT.splits;
    await open({ ...SPLIT, splits: [{ ...split, sums: { queue: 700, device: 280, completion: 20 } }] });
    expect(plain(document.body.textContent)).toContain(
      "SQL Server's queue takes 70 % of the log writes on SQL2. Device: p95 19.6 ms.",
    );
  });

  test("without file writes shows that, and leads to the capture guide", async () => {
    await open(distributionOf());
    expect(screen.getByText("Not recorded.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Add to recording" }).getAttribute("href")).toBe(
      "/guide?split=log",
    );
  });

  test("offers to record the other server where one is split, and nothing where both are", async () => {
    const { unmount } = await open(SPLIT);
    expect(screen.getByRole("link", { name: "Add to recording" })).toBeTruthy();
    unmount();
    const [split] = SPLIT.splits;
    await open({ ...SPLIT, splits: [split, { ...split, stage: "localFlush" }] });
    expect(screen.queryByRole("link", { name: "Add to recording" })).toBeNull();
  });

  test("is chosen and ended by s", async () => {
    const { view } = await open(SPLIT, null);
    expect(screen.queryByTestId("split-picture")).toBeNull();
    await settled(() => fireEvent.keyDown(document.body, { key: "s" }));
    expect(view().split).toBe("log");
    expect(screen.getByTestId("split-picture")).toBeTruthy();
    await settled(() => fireEvent.keyDown(document.body, { key: "s" }));
    expect(view().split).toBeNull();
  });

  test("asks for no distribution without a split", async () => {
    const { source } = await open(SPLIT, null);
    expect(source.asked.map(([name]) => name)).not.toContain("distribution");
  });
});
