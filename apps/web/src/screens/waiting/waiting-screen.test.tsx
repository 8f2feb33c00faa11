import type { Waiting } from "@aglens/contract";
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { replicaSummary, summaryOf } from "../../../test/summary.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { networkRow, primaryRow, waitingRow } from "../../../test/replay.ts";
import { ProblemError } from "../../data/problem.ts";
import { WaitingScreen } from "./waiting-screen.tsx";
import { rate } from "./waiting-text.ts";

beforeEach(() => {
  fakeScreen({ width: 900, height: 400 });
});

const SLOW: Waiting = { rows: [primaryRow, networkRow, waitingRow()], worst: 2 };
const open = (answer: Waiting | Error, options: Parameters<typeof openCapture>[1] = {}) =>
  openCapture(<WaitingScreen />, { ...options, answers: { waiting: () => answer } });
/** A capture of this length, µs, which each file covers completely. */
const lasting = (durationUs: number) => ({
  durationUs,
  replicas: [
    replicaSummary({ role: "primary", to: durationUs }),
    replicaSummary({ name: "SQL2", to: durationUs }),
  ],
});
const database = (name: string) => ({ id: name, name, group: 0, replicaIds: [], localIds: [] });
const heading = (): string =>
  (screen.getByRole("heading", { level: 1 }).textContent ?? "").replaceAll("\u00a0", " ");
const band = (): HTMLElement => screen.getByRole("region", { name: "Waiting" });
/** How to check next. */
const checks = (): string[] =>
  [...band().querySelectorAll("div:last-child > ul > li")].map(({ textContent }) =>
    textContent.replaceAll(/[\u2009\u00a0]/gu, " "),
  );
const showAll = (): boolean => fireEvent.click(screen.getByRole("button", { name: "Show them" }));
const press = (key: string) => settled(() => fireEvent.keyDown(document.body, { key }));

test("the heading says what a bar is where there are more seconds than bars", async () => {
  const { unmount } = await open(SLOW);
  screen.getByRole("columnheader", { name: "Busy, share of each second" });
  unmount();
  const long = waitingRow({ busy: Array.from({ length: 3_076 }, () => 0.5) });
  await open({ rows: [long], worst: 0 }, { summary: lasting(3_076e6) });
  screen.getByRole("columnheader", { name: "Busy, share of the busiest second of 6" });
});

test("the heading and the sentence say of how many seconds a period is in a capture longer than a day", async () => {
  const long = waitingRow({ busy: Array.from({ length: 1_200 }, () => 0.95), busyUs: 3_000_000 });
  await open({ rows: [long], worst: 0 }, { summary: lasting(3_600e6) });
  screen.getByRole("columnheader", { name: "Busy, share of the busiest second of 6" });
  expect(document.body.textContent?.replaceAll("\u00a0", " ")).toContain(
    "full in 1200 of 1200 periods of 3.00 s",
  );
});

test("seconds of which a row's servers have no events are hatched, and the heading says so", async () => {
  // SQL1's file covers the complete capture, SQL2's ends at 9 of its 10 seconds.
  const replicas = [replicaSummary({ role: "primary" }), replicaSummary({ name: "SQL2", to: 9e6 })];
  await open(SLOW, { summary: { replicas }, view: { range: [0, 10e6] } });
  showAll();
  screen.getByRole("columnheader", { name: "Busy, share of each second; hatched: no events" });
  const hatched = (row: RegExp): (string | null)[] =>
    [...screen.getByRole("row", { name: row }).querySelectorAll('[fill="url(#hatch)"]')].map((each) =>
      each.getAttribute("x"),
    );
  expect(hatched(/^SQL1, primary/u)).toEqual([]);
  expect(hatched(/^SQL1 to SQL2/u)).toEqual(["90%"]);
  expect(hatched(/^SQL2, sync/u)).toEqual(["90%"]);
});

describe("the answer", () => {
  test("is slow and queued with both durations, how busy, and where it is full", async () => {
    await open(SLOW);
    expect(heading()).toBe(
      "SQL2's log writer is slow and queued: a write takes 26.8 ms, and a block waits 13.0 ms for its turn. It is busy 78 % of the time, and full in 2 of 4 seconds.",
    );
    expect(band().dataset.severity).toBe("slow");
    const text = band().textContent?.replaceAll(/[\u2009\u00a0]/gu, " ");
    expect(text).toContain("33 % of a block's time there is waiting for its turn");
    expect(text).toContain("it is full at 80 blocks/s, on average 51.0");
    expect(text).toContain("next busiest is SQL1's log writer, 13 %");
    expect(text).toContain("at 5 ms a write the wait would be 654 µs");
    expect(checks()).toEqual([
      "Query io_stall_write_ms of the log file in sys.dm_io_virtual_file_stats on SQL2",
      "Compare WRITELOG waits in sys.dm_os_wait_stats on SQL2",
      "Compare its storage with that of SQL1: 2.58 ms a write",
    ]);
  });

  test("follows the episode of the verdict, with what it is like otherwise", async () => {
    const episode = {
      stretches: [[2e6, 5e6]] as [number, number][],
      waitedUs: 10,
      servedUs: 1_300,
      roundTripUs: null,
    };
    const slow = waitingRow({
      servedUs: 32_000,
      busyMean: 0.98,
      fullPerSecond: 41,
      perSecond: 53.2,
      episode,
    });
    const { unmount } = await open({ rows: [primaryRow, networkRow, slow], worst: 2 });
    expect(heading()).toMatch(
      /^SQL2's log writer is slow and queued between \S+ and \S+\. A write takes 32\.0 ms instead of 1\.30 ms, and a block waits 13\.0 ms for its turn\. It is busy 98 % of that time, and full in 2 of 4 seconds\.$/u,
    );
    expect(band().textContent).toContain("it is full at 41 blocks/s, in the episode 53.2");
    expect(
      screen.getByRole("row", { name: /^SQL2, sync/u }).textContent?.replaceAll("\u2009", " "),
    ).toContain("in the episode, otherwise 1.31 ms");
    unmount();
    const several = {
      ...episode,
      stretches: [
        [1e6, 2e6],
        [3e6, 4e6],
      ] as [number, number][],
      roundTripUs: 600,
    };
    const network = { ...networkRow, servedUs: 74_000, roundTripUs: 150_000, isSlow: true, episode: several };
    await open({ rows: [primaryRow, network], worst: 1 });
    expect(heading()).toBe(
      "The network between SQL1 and SQL2 is slow in 2 episodes. A round trip takes 150 ms instead of 600 µs, and no block waits for its turn.",
    );
  });

  test("has one word where only one holds, and no color where none does", async () => {
    const { unmount } = await open({ rows: [waitingRow({ isSlow: false })], worst: 0 });
    expect(heading()).toContain("is queued:");
    unmount();
    await open({ rows: [primaryRow, networkRow], worst: 0 });
    expect(heading()).toContain(
      "No log writer or network is slow or queued. The longest is SQL1's log writer",
    );
    expect(band().dataset.severity).toBe("none");
  });

  test("says it of a network, without how busy: that is no measure of fullness", async () => {
    await open({
      rows: [primaryRow, { ...networkRow, servedUs: 6_000, roundTripUs: 6_269, isSlow: true }],
      worst: 1,
    });
    expect(heading()).toBe(
      "The network SQL1 to SQL2 is slow: a block takes 6.00 ms, and no block waits for its turn.",
    );
  });

  test("says it of the round trip where the clocks leave open which direction it is", async () => {
    const slow = { ...networkRow, servedUs: 12_200, errorUs: 6_000, roundTripUs: 24_300, isSlow: true };
    const { unmount } = await open({ rows: [primaryRow, slow], worst: 1 });
    expect(heading()).toBe(
      "The network between SQL1 and SQL2 is slow: a round trip takes 24.3 ms, and no block waits for its turn.",
    );
    const text = (): string => (band().textContent ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");
    expect(text()).toContain("each direction is known to ±6.00 ms");
    expect(screen.getByRole("row", { name: /SQL1 to SQL2/u }).textContent).toContain("±6.00");
    unmount();
    // 22.3 ms of 24.3 are more than two thirds whatever the error of the clocks.
    await open({ rows: [primaryRow, { ...slow, servedUs: 22_300, waitedUs: 33 }], worst: 1 });
    expect(checks()).toEqual([
      "Watch Resent Messages/sec and Flow Control Time of SQLServer:Availability Replica on SQL1",
      "Run psping from SQL1 to the endpoint port of SQL2, and compare its minimum with its average",
    ]);
    expect(heading()).toContain("The network SQL1 to SQL2 is slow: a block takes 22.3 ms");
    expect(text()).not.toContain("each direction");
  });

  test("says it of the round trip where both directions take about as long, however well they are known", async () => {
    const slow = { ...networkRow, servedUs: 14_400, errorUs: 270, roundTripUs: 28_000, isSlow: true };
    await open({ rows: [primaryRow, slow], worst: 1 });
    expect(heading()).toMatch(/^The network between SQL1 and SQL2 is slow: a round trip takes 28\.0 ms/u);
  });

  test("says how many blocks a network is shown without because a server was unresponsive", async () => {
    const text = async (pausedBlocks: number) => {
      const { unmount } = await open({
        rows: [primaryRow, { ...networkRow, pausedBlocks }, { ...waitingRow() }],
        worst: 2,
      });
      const words = band().textContent ?? "";
      unmount();
      return words;
    };
    expect(await text(213)).toContain("213 blocks were on their way while a server was unresponsive");
    expect(await text(1)).toContain("1 block was on its way while a server was unresponsive");
    expect(await text(0)).not.toContain("was unresponsive");
  });

  test("is of the chosen database's log writers, and of the networks that all databases share", async () => {
    const rows = [primaryRow, networkRow, waitingRow({ database: 1 })];
    const summary = { databases: [database("Sales1"), database("Sales2")] };
    await open({ rows, worst: 2 }, { summary, view: { database: "Sales1" } });
    expect(heading()).toContain("No log writer or network is slow or queued");
    expect(document.body.textContent).not.toContain("Sales2");
  });

  test("speaks of what commits wait for where a replica is asynchronous, which may be the busiest", async () => {
    const behind = waitingRow({ mode: "async", isSlow: false });
    await open({ rows: [primaryRow, networkRow, behind], worst: 0 });
    expect(heading()).toContain(
      "No log writer or network that commits wait for is slow or queued. The longest is SQL1's log writer",
    );
    expect(band().textContent).toContain("busier is SQL2's log writer, 78");
  });

  test("says nothing of networks that are not known", async () => {
    const { unmount } = await open({ rows: [primaryRow], worst: 0 });
    expect(heading()).toContain("SQL1's log writer is neither slow nor queued: a write takes 2.58 ms");
    expect(band().textContent).toContain("no network is known from these events");
    // There is no row to choose.
    expect(document.body.textContent).not.toContain("choose a row");
    unmount();
    await open({ rows: [primaryRow, waitingRow({ isSlow: false, isQueued: false })], worst: 0 });
    expect(heading()).toContain("No log writer is slow or queued. The longest is");
  });

  test("names the database where a server has a log writer for each", async () => {
    const rows = [primaryRow, { ...primaryRow, database: 1, busyMean: 0.12 }, waitingRow({ database: 1 })];
    const summary = { databases: [database("Sales1"), database("Sales2")] };
    await open({ rows, worst: 0 }, { summary });
    expect(heading()).toContain("The longest is SQL1's log writer for Sales1: a write takes");
    screen.getByRole("heading", { name: "Blocks that share one write, SQL1 for Sales1" });
    cleanup();
    // The other database's writer is another server's.
    await open({ rows: [primaryRow, waitingRow({ database: 1 })], worst: 0 }, { summary });
    expect(heading()).toContain("SQL1's log writer");
    expect(heading()).not.toContain("for Sales1");
  });

  test("names the role where a server had both", async () => {
    const rows = [primaryRow, waitingRow(), { ...primaryRow, replica: 1, servedUs: 1_620 }];
    await open({ rows, worst: 1 });
    expect(heading()).toContain("SQL2's log writer as secondary is slow and queued");
    expect(checks()[2]).toBe("Compare its storage with that of SQL2 as primary: 1.62 ms a write");
  });

  describe("of several phases", () => {
    const [phase] = summaryOf().phases;
    const failback = [0, 1, 0].map((primary, i) => ({
      ...phase,
      primary,
      from: 3e6 * i,
      to: 3e6 * i + 2e6,
    }));
    const back = { ...primaryRow, phase: 2, servedUs: 40_000, isSlow: true };
    const there = [primaryRow, { ...primaryRow, replica: 1, primary: 1, phase: 1 }, back];

    const rowNames = () =>
      within(screen.getByRole("table", { name: "Log writers and networks" }))
        .getAllByRole("rowheader")
        .map(({ textContent }) => textContent);

    test("names the phase of the log writer that is primary again, in the sentence and in each row", async () => {
      await open({ rows: there, worst: 2 }, { summary: { phases: failback } });
      expect(heading()).toMatch(/^SQL1's log writer in phase 3 is slow: a write takes 40\.0 ms/u);
      screen.getByRole("heading", { name: "Blocks that share one write, SQL1 in phase 3" });
      showAll();
      expect(rowNames()).toEqual([
        "SQL1, primaryLog write, phase 1",
        "SQL2, primaryLog write, phase 2",
        "SQL1, primaryLog write, phase 3",
      ]);
    });

    test("names the time before and after the only change", async () => {
      const phases = [phase, { ...phase, commitModes: ["async" as const] }];
      const network = { ...networkRow, servedUs: 6_000, roundTripUs: 6_269, isSlow: true };
      const rows = [primaryRow, network, { ...network, phase: 1, mode: "async" as const }];
      await open({ rows, worst: 1 }, { summary: { phases } });
      expect(heading()).toMatch(/^The network SQL1 to SQL2 before the change is slow/u);
    });

    test("shows one phase alone, and what is longest in it", async () => {
      await open({ rows: there, worst: 2 }, { summary: { phases: failback }, view: { phase: 1 } });
      expect(rowNames()).toEqual(["SQL2, primaryLog write, phase 2"]);
      expect(heading()).toMatch(/^SQL2's log writer is neither slow nor queued/u);
    });
  });

  test("says what is missing where no log write is known", async () => {
    await open({ rows: [], worst: -1 });
    expect(heading()).toContain("No log write of this capture is known");
    expect(screen.queryByRole("table")).toBeNull();
  });

  test("says that the primary's file is missing where log writes of the secondaries alone are known", async () => {
    const replicas = [
      replicaSummary({ role: "primary", name: "Primary", hasCapture: false }),
      replicaSummary({ name: "SQL2" }),
    ];
    await open({ rows: [], worst: -1 }, { summary: { replicas } });
    expect(heading()).toContain("Without the primary's file waiting is not known.");
  });

  test("says why there is none", async () => {
    await open(new ProblemError("internal", 500, "The disk of the server is full."));
    expect(screen.getByRole("alert").textContent).toContain("The disk of the server is full.");
  });
});

describe("the rows", () => {
  test("that are neither slow nor queued are one sentence until they are opened", async () => {
    await open(SLOW);
    const names = () => screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
    expect(names().slice(0, 2)).toEqual(["SQL2, syncLog write", "1"]);
    screen.getByText("2 other log writers and networks are neither slow nor queued.");
    const fold = screen.getByRole("button", { name: "Show them", expanded: false });
    fireEvent.click(fold);
    expect(names().slice(0, 3)).toEqual([
      "SQL1, primaryLog write",
      "SQL1 to SQL2Network out",
      "SQL2, syncLog write",
    ]);
    fireEvent.click(screen.getByRole("button", { name: "Hide them", expanded: true }));
    expect(names()[0]).toBe("SQL2, syncLog write");
  });

  test("of a healthy capture are the longest alone, and nothing is to be checked", async () => {
    await open({ rows: [primaryRow, networkRow, waitingRow({ isSlow: false, isQueued: false })], worst: 0 });
    expect(
      within(screen.getByRole("table", { name: "Log writers and networks" })).getAllByRole("rowheader"),
    ).toHaveLength(1);
    expect(band().textContent).not.toContain("Check");
    // 816 blocks a second were never sent: 99 are the most.
    expect(band().textContent).not.toContain("full at");
  });

  test("are in the order of the way, with what each waited and was served", async () => {
    await open(SLOW);
    showAll();
    const table = within(screen.getByRole("table", { name: "Log writers and networks" }));
    const rows = table.getAllByRole("row").map(({ textContent }) => textContent?.replaceAll("\u2009", " "));
    expect(rows[1]).toContain("SQL1, primaryLog write");
    expect(rows[2]).toContain("SQL1 to SQL2Network out");
    expect(rows[3]).toContain("SQL2, syncLog write");
    expect(rows[3]).toContain("13.0 ms + 26.8 ms");
    expect(table.getByRole("img", { name: /78.0.% *, at most 99.0/u })).toBeTruthy();
  });

  test("are chosen with digits, arrows and a click; the shared writes are those of the row", async () => {
    const { open: opened } = await open(SLOW);
    const rows = within(screen.getByRole("table", { name: "Log writers and networks" }));
    const chosen = () => rows.getByRole("button", { pressed: true }).textContent;
    expect(chosen()).toContain("SQL2, sync");
    expect(screen.getByRole("heading", { name: "Blocks that share one write, SQL2" })).toBeTruthy();
    expect(screen.getByText("405 writes")).toBeTruthy();
    showAll();
    await press("1");
    expect(chosen()).toContain("SQL1, primary");
    await press("9");
    expect(chosen()).toContain("SQL1, primary");
    await press("ArrowDown");
    expect(chosen()).toContain("SQL1 to SQL2");
    // A network has no writes to share.
    expect(screen.queryByRole("heading", { name: /share one write/u })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: /^SQL2, sync/u }));
    expect(chosen()).toContain("SQL2, sync");
    await press("Enter");
    expect(opened).toHaveBeenCalledWith("timeline");
    await press("Escape");
    expect(opened).toHaveBeenCalledWith("overview");
  });

  test("name a primary without a name once", async () => {
    const replicas = [replicaSummary({ name: "Primary" }), replicaSummary({ name: "Secondary" })];
    await open({ rows: [primaryRow], worst: 0 }, { summary: { replicas } });
    screen.getByRole("button", { name: "Primary Log write" });
  });

  test("have a column of waits where a block waits for its turn", async () => {
    const head = () => screen.queryByRole("columnheader", { name: "wait p95" });
    const { unmount } = await open(SLOW);
    expect(head()).toBeTruthy();
    unmount();
    await open({ rows: [waitingRow({ waitedP95Us: 0.4 }), networkRow], worst: 0 });
    expect(head()).toBeNull();
  });

  test("of a secondary without a file is one, and says so", async () => {
    await open({ rows: [primaryRow, { ...networkRow, kind: "unseen" }], worst: 0 });
    expect(screen.getByRole("button", { name: /SQL2, no file/u }).textContent).toContain("not separable");
  });
});

test("rates in words", () => {
  expect([null, 51.04, 999.4, 1_234].map(rate)).toEqual(["–", "51.0", "999.4", "1,234"]);
});

test("each direction of a network and each log writer has the color of its place", async () => {
  const back = { ...networkRow, kind: "networkBack" as const };
  await open({ rows: [primaryRow, networkRow, waitingRow(), back], worst: 2 });
  showAll();
  const placeOf = (name: RegExp): string =>
    screen.getByRole("button", { name }).style.getPropertyValue("--place");
  expect(placeOf(/^SQL1, primary.*Log write/u)).toBe("var(--p-disk)");
  expect(placeOf(/Network out/u)).toBe("var(--n-out)");
  expect(placeOf(/^SQL2, sync.*Log write/u)).toBe("var(--s-disk)");
  expect(placeOf(/Network back/u)).toBe("var(--n-back)");
});
