import type { PredictionDetail, WhatIf } from "@aglens/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { predictedChange, predictionDetail, whatIfOf } from "../../../test/replay.ts";
import { summaryOf, replicaSummary } from "../../../test/summary.ts";
import { ProblemError } from "../../data/problem.ts";
import { partsOf } from "./own-figure.tsx";
import { effectText, predictionSentences } from "./what-if-text.ts";
import { WhatIfScreen } from "./what-if-screen.tsx";

beforeEach(() => {
  fakeScreen({ width: 900, height: 400 });
});

/** @param answer also for the list, except for an error */
const open = async (answer: WhatIf | Error, view = {}) => {
  const answers = {
    whatIf: () => (answer instanceof Error ? whatIfOf() : answer),
    prediction: () => answer,
  };
  const opened = await openCapture(<WhatIfScreen />, { answers, view });
  await waitFor(() => expect(opened.source.asked).not.toHaveLength(0));
  await settled();
  return opened;
};
const heading = (): string => screen.getByRole("heading", { level: 1 }).textContent ?? "";
const press = (key: string) => settled(() => fireEvent.keyDown(document.body, { key }));

describe("a prediction", () => {
  test("says what commits would take instead of now, between which figures, and what it costs", async () => {
    await open(whatIfOf());
    expect(heading().replaceAll("\u00a0", " ")).toBe(
      "With SQL2 asynchronous, commits would finish in 6.01 ms (p95) instead of 70.7 ms. The local log write would then release 100 % of them.",
    );
    const band = screen.getByRole("region", { name: "Prediction" }).textContent?.replaceAll("\u2009", " ");
    expect(band).toContain("p95 between 5.70 ms to 6.31 ms");
    expect(band).toContain("SQL2 would be 56.5 ms behind (p95), at most 53.2 kB");
    expect(band).toContain("replayed unchanged p95 70.7 ms, measured 70.7 ms");
    expect(band).toContain("A failover to SQL2 would lose what it is behind");
    expect(screen.getByText(/3,797 of 3,799 commits joined/u)).toBeTruthy();
  });

  test("stands in a table: now, then, between, and who releases", async () => {
    await open(whatIfOf());
    const table = screen.getByRole("table", { name: "Commits now and then" });
    const rows = within(table)
      .getAllByRole("row")
      .map(({ textContent }) => textContent?.replaceAll("\u2009", " "));
    expect(rows[1]).toContain("70.7 ms");
    expect(rows[1]).toContain("0.0 %100.0 %");
    expect(rows[2]).toContain("6.01 ms");
    expect(rows[3]).toContain("5.70 ms to 6.31 ms");
    expect(screen.getByRole("img", { name: /^Commit latency: p95/u })).toBeTruthy();
  });

  test("cannot tell where the replay of the capture as it was is too far off", async () => {
    await open(whatIfOf({ canTell: false, ownError: 0.14 }));
    expect(heading()).toContain("Can't predict commits because the unchanged replay");
    expect(heading()).toContain("14");
    expect(screen.queryByRole("table")).toBeNull();
    expect(screen.queryByText(/p95 between/u)).toBeNull();
  });

  test("cannot tell of a capture without a measured commit, whose replay is not what is wrong", async () => {
    const none = { n: 0, p50: null, p95: null, p99: null, max: null, mean: null };
    const cannot = { canTell: false, p95: null, between: [null, null] as [null, null] };
    const detail = predictionDetail({ canTell: false, commits: 0, measured: none, predicted: none });
    await open({ of: 0, changes: [predictedChange(cannot)], chosen: detail });
    expect(heading()).toContain("Can't predict commits because each commit lacks some of its times");
    const list = screen.getByRole("list", { name: "Changes" });
    expect(list.textContent).toContain("can't determineno commit known");
  });

  test("is none for a capture that allows no change", async () => {
    await open({ of: 0, changes: [], chosen: null });
    expect(heading()).toContain("allows no prediction");
    expect(screen.queryByRole("list", { name: "Changes" })).toBeNull();
  });
});

describe("the list of changes", () => {
  test("shows each with its effect, and which is chosen", async () => {
    await open(whatIfOf());
    const list = within(screen.getByRole("list", { name: "Changes" }));
    const buttons = list
      .getAllByRole("button")
      .map(({ textContent }) => textContent?.replaceAll("\u2009", " "));
    expect(buttons).toEqual([
      "SQL2 asynchronouscommits do not wait for it6.01 ms÷ 12",
      "SQL2's log write at most its p50now 25.2 ms (p50), no slower one51.0 ms÷ 1.4",
      "Network to SQL2 200 µsround trip now 499 µs (p50)70.4 msno change",
    ]);
    expect(list.getByRole("button", { pressed: true }).textContent).toContain("SQL2 asynchronous");
  });

  test("is walked with the arrows and a click, and the address says which", async () => {
    const { view, open: opened } = await open(whatIfOf());
    await press("ArrowDown");
    expect(view().change).toBe("write:SQL2:p50");
    await press("ArrowDown");
    await press("ArrowDown");
    expect(view().change).toBe("network:SQL2:200us");
    await press("ArrowUp");
    expect(view().change).toBe("write:SQL2:p50");
    fireEvent.click(screen.getByRole("button", { name: /^SQL2 asynchronous/u }));
    expect(view().change).toBe("async:SQL2");
    await press("Escape");
    expect(opened).toHaveBeenCalledWith("overview");
  });

  test("is asked for once, behind the change of the address, which is shown without waiting for it", async () => {
    const list = Promise.withResolvers<WhatIf>();
    const { source } = await openCapture(<WhatIfScreen />, {
      answers: { whatIf: () => list.promise, prediction: () => ({ ...whatIfOf(), changes: [] }) },
      view: { change: "async:SQL2" },
    });
    await screen.findByRole("heading", { level: 1, name: /^With SQL2 asynchronous/u });
    expect(screen.getByText("Replaying the other changes …")).toBeTruthy();
    expect(screen.getByRole("list", { name: "Changes" }).children).toHaveLength(1);
    await settled(() => list.resolve(whatIfOf()));
    expect(screen.getByRole("list", { name: "Changes" }).children).toHaveLength(3);
    expect(screen.queryByText("Replaying the other changes …")).toBeNull();
    await press("ArrowDown");
    await waitFor(() => expect(source.asked).toHaveLength(3));
    expect(source.asked).toEqual([
      ["prediction", "async:SQL2"],
      ["whatIf"],
      ["prediction", "write:SQL2:p50"],
    ]);
  });

  test("alone is asked for where the address has no change: it has the largest effect in full", async () => {
    const { source } = await open(whatIfOf());
    expect(source.asked).toEqual([["whatIf"]]);
  });

  test("has the figure of one's own among the others", async () => {
    const own = { change: "write:SQL2:5000us", name: "SQL2's log write 5.00 ms", p95: 11_100 };
    await open(whatIfOf({ ...own, kind: "write", behind: null }), { change: own.change });
    const list = within(screen.getByRole("list", { name: "Changes" }));
    expect(list.getAllByRole("button")[1]?.textContent).toContain("SQL2's log write 5.00 ms");
  });
});

describe("a figure of one's own", () => {
  test("asks with each number that is one, and not with another text", async () => {
    const { view } = await open(whatIfOf());
    const input = screen.getByRole("textbox", { name: "ms" });
    fireEvent.change(screen.getByRole("combobox"), { target: { value: "write:SQL2" } });
    fireEvent.change(input, { target: { value: "5" } });
    expect(view().change).toBe("write:SQL2:5ms");
    fireEvent.change(input, { target: { value: "5," } });
    expect(view().change).toBe("write:SQL2:5ms");
    fireEvent.change(input, { target: { value: "5,25" } });
    expect(view().change).toBe("write:SQL2:5.25ms");
    fireEvent.change(screen.getByRole("combobox"), { target: { value: "network:SQL2" } });
    expect(view().change).toBe("network:SQL2:5.25ms");
    expect(screen.queryByText("Diskspd result …")).toBeNull();
  });

  test("takes what Diskspd prints, and says when there is no latency of writes in it", async () => {
    const { view } = await open(whatIfOf());
    const area = screen.getByRole("textbox", { name: /Diskspd/u, hidden: true });
    fireEvent.change(area, { target: { value: "hello" } });
    expect(screen.getByText("No percentiles of write latency in this text.")).toBeTruthy();
    expect(view().change).toBeNull();
    const printed = "   50th |  N/A |  0.500 |  0.500\n   95th |  N/A |  1.250 |  1.250";
    fireEvent.change(area, { target: { value: printed } });
    expect(view().change).toBe("write:SQL1:p50=0.5ms,p95=1.25ms");
    expect(screen.queryByText("No percentiles of write latency in this text.")).toBeNull();
  });

  test("is offered for what the capture shows", () => {
    const heads = (more: Parameters<typeof replicaSummary>[0]) =>
      partsOf(
        summaryOf({
          replicas: [
            replicaSummary({ role: "primary", name: "SQL1" }),
            replicaSummary({ name: "SQL2", ...more }),
          ],
        }),
      ).map(({ head }) => head);
    expect(heads({})).toEqual(["write:SQL1", "write:SQL2", "network:SQL2", "compression:SQL2"]);
    expect(heads({ hasCapture: false })).toEqual(["write:SQL1", "compression:SQL2"]);
    expect(heads({ commitMode: "async" })).toEqual(["write:SQL1"]);
  });
});

test("what the capture does not allow is said, with the way back to what it does", async () => {
  const { view } = await open(new ProblemError("bad-change", 422, "SQL9 is not a secondary."), {
    change: "async:SQL9",
  });
  expect(screen.getByRole("alert").textContent).toContain("SQL9 is not a secondary.");
  fireEvent.click(screen.getByRole("button", { name: "Show the changes that this capture allows" }));
  expect(view().change).toBeNull();
});

describe("words", () => {
  test("of an effect: no change under a tenth, on both sides", () => {
    expect([109, 111, 91, 89].map((now) => effectText(100, now).replace("\u2009", ""))).toEqual([
      "no change",
      "×1.1",
      "no change",
      "÷1.1",
    ]);
    expect(effectText(null, 5)).toBe("–");
    expect(effectText(4_080, 6_020_000)).toBe("×\u20091,475");
  });

  test("of a change without effect, and of one on the network", () => {
    const sentence = (more: Partial<PredictionDetail>) =>
      predictionSentences(predictionDetail(more), summaryOf())[0]?.replaceAll("\u2009", " ");
    const p95 = { n: 9, p50: 1_000, p95: 70_000, p99: 80_000, max: 90_000, mean: 2_000 };
    expect(sentence({ predicted: p95, kind: "network", name: "Network to SQL2 200 µs" })).toBe(
      "With network to SQL2 200 µs, commits would take about as long as now: 70.0 ms (p95) instead of 70.7 ms.",
    );
  });
});

test("leaves out a percentile that is not told, and says why", async () => {
  const measured = { n: 3_797, p50: 40_000, p95: 70_700, p99: 80_000, max: 90_000, mean: 45_000 };
  const chosen = {
    measured,
    unchanged: { ...measured, p99: 100_000 },
    predicted: { n: 3_797, p50: 3_000, p95: 6_010, p99: null, max: 9_000, mean: 3_200 },
    intervals: {
      p50: [2_900, 3_100],
      p95: [5_700, 6_310],
      p99: [null, null],
    } as PredictionDetail["intervals"],
  };
  await open(whatIfOf(chosen));
  const table = screen.getByRole("table", { name: "Commits now and then" });
  expect(
    within(table)
      .getAllByRole("row")
      .map((row) => row.children[3]?.textContent?.replaceAll("\u2009", " ")),
  ).toEqual(["p99", "80.0 ms", "–", "–"]);
  screen.getByText(/^Can't predict p99: replayed unchanged, it is 25.% off\.$/u);
});

test("says of how many commits it is once that is known", async () => {
  const { status } = await openCapture(<WhatIfScreen />, {});
  expect(status()).toBeNull();
});

describe("changes without effect", () => {
  const change = (name: string, p95: number) => predictedChange({ change: name, name, p95 });
  /** Measured are 7.34 ms. */
  const of = (best: number, rest: readonly number[]): WhatIf => ({
    ...whatIfOf({
      change: "best",
      name: "SQL2 asynchronous",
      measured: { n: 9, p50: 4_000, p95: 7_340, p99: 8_000, max: 9_000, mean: 4_000 },
      predicted: { n: 9, p50: 4_000, p95: best, p99: 8_000, max: 9_000, mean: 4_000 },
    }),
    changes: [change("best", best), ...rest.map((us) => change(`to ${us}`, us))],
  });
  const shown = () => within(screen.getByRole("list", { name: "Changes" })).getAllByRole("button");

  test("are one sentence until they are opened", async () => {
    const { view } = await open(of(5_000, [7_000, 7_100, 7_300, 60_000]));
    expect(shown()).toHaveLength(2);
    screen.getByText("3 other changes move p95 by less than 10 %.");
    await press("ArrowDown");
    expect(view().change).toBe("to 60000");
    fireEvent.click(screen.getByRole("button", { name: "Show them" }));
    expect(shown()).toHaveLength(5);
    expect(heading()).not.toContain("Nothing");
  });

  test("are the answer where no other change shortens commits", async () => {
    // 6.94 of 7.34 ms are 5.4 % less.
    await open(of(6_940, [7_000, 7_300, 58_600]));
    expect(heading().replaceAll(/[\u2009\u00a0]/gu, " ")).toBe(
      "Nothing that was tried shortens commits by more than 6 %. SQL2 asynchronous has the largest effect: 6.94 ms (p95) instead of 7.34 ms.",
    );
  });

  test("are the answer without a figure where commits never become shorter", async () => {
    await open(of(7_340, [7_340]));
    expect(heading()).toBe("Nothing that was tried shortens commits.");
  });

  test("are shown when the address has one of them", async () => {
    const answer = of(6_940, [7_000, 7_300, 7_340]);
    const chosen = answer.chosen && { ...answer.chosen, change: "to 7300", name: "to 7300" };
    await open({ ...answer, chosen }, { change: "to 7300" });
    expect(shown().map(({ textContent }) => textContent?.slice(0, 7))).toEqual(["bestcom", "to 7300"]);
    expect(heading()).toContain("With to 7300, commits would take about as long as now");
  });
});
