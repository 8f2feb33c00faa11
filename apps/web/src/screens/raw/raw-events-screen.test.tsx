import type { RawEvent, RawEvents } from "@aglens/contract";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { sequenceEvent } from "../../../test/sequence.ts";
import { replicaSummary } from "../../../test/summary.ts";
import type { RawEventsOptions } from "../../data/capture-source.ts";
import type { View } from "../../state/view.ts";
import { unlistedSentence } from "./event-text.ts";
import { RawEventsScreen } from "./raw-events-screen.tsx";

// Ten rows of 23 px.
beforeEach(() => {
  fakeScreen({ width: 900, height: 230 });
});

const NAMES = ["log_flush_start", "hadr_capture_log_block", "log_flush_complete"];

/** Event i fires i ms after the origin; three of each block, every third of the secondary. */
function rawEvent(i: number): RawEvent {
  const name = NAMES[i % 3];
  return {
    ...sequenceEvent(i % 3 === 2 ? 1 : 0, name, i * 1_000, { lsn: `00000022:0000${i}`, file: "SQL.xel" }),
    mode: i % 3 === 1 ? 1 : null,
    fields: { write_size: 512 + i },
    offset: 100 + i,
    position: i,
    block: Math.floor(i / 3),
    database: 0,
    onPrimary: i % 3 !== 2,
    fileIndex: 0,
    durationField: null,
  };
}

/** The server's answer for a capture of `total` such events. */
const answerOf =
  (total: number) =>
  ({ names, text, first, read }: RawEventsOptions): RawEvents => {
    const position =
      "position" in first ? first.position : "block" in first ? first.block * 3 : first.offset - 100;
    const length = Math.min(read, total - position);
    const events = Array.from({ length }, (_, i) => rawEvent(position + i));
    return {
      total,
      position,
      read: length,
      next: position + length < total ? position + length : null,
      events: events.filter(
        ({ name, lsn }) => (names.length === 0 || names.includes(name)) && lsn?.includes(text) === true,
      ),
      names: NAMES.map((name, i) => ({ name, replica: i === 2 ? 1 : 0, count: Math.floor(total / 3) })),
      unreadable: 0,
      unlisted: { ofNoBlock: [3, 0], withoutInstant: 0 },
    };
  };

const open = (total: number, view: Partial<View> = {}) =>
  openCapture(<RawEventsScreen />, { view, answers: { rawEvents: answerOf(total) } });
const grid = (): HTMLElement => screen.getByRole("grid", { name: "Raw events" });
const rows = (): HTMLElement[] => within(grid()).getAllByRole("row");
const chosenRow = (): string =>
  within(grid()).getByRole("row", { selected: true }).getAttribute("aria-rowindex") ?? "";
const detail = (): HTMLElement => screen.getByRole("complementary", { name: "Event" });
const foundText = (words: string) =>
  waitFor(() => expect(screen.getByText(/found in/u).textContent).toBe(words));
const press = (key: string, shiftKey = false) =>
  settled(() => fireEvent.keyDown(document.body, { key, shiftKey }));
const scrollTo = (top: number) =>
  settled(() => {
    grid().scrollTop = top;
    fireEvent.scroll(grid());
  });

describe("the list", () => {
  test("has every event of the range, of which only those on screen are drawn, with the gap to the one before", async () => {
    await open(1_000);
    expect(grid().getAttribute("aria-rowcount")).toBe("1000");
    expect(rows().length).toBeLessThan(30);
    expect(rows()[1].textContent).toContain("+1.00\u2009ms");
    expect(rows()[2].textContent).toContain("log_flush_complete");
    expect(screen.getByText(/Not listed, of no log block, whole capture: SQL1 3\./u)).toBeDefined();
  });

  test("says what a mode is: its time can be longer than the event's distance from the one before", async () => {
    await open(1_000);
    expect(within(rows()[1]).getByText("1").title).toBe(
      "Capture of the block for a secondary begins; its processing time includes the wait for a block.",
    );
    expect(within(rows()[2]).queryByTitle(/wait for a block/u)).toBeNull();
  });

  test("asks for the pages that are scrolled to, at a seam for both", async () => {
    const { source } = await open(1_000);
    await scrollTo(400 * 23);
    await within(grid()).findByText("00000022:0000401");
    const asked = source.asked
      .filter(([name]) => name === "rawEvents")
      .map(([, options]) => (options as RawEventsOptions).first);
    expect(asked).toContainEqual({ position: 200 });
    expect(asked).toContainEqual({ position: 400 });
    expect(asked).not.toContainEqual({ position: 600 });
  });

  test("parts very many rows into stretches that browsers can scroll", async () => {
    await open(300_001);
    expect(screen.getByText("1 to 300,000 of 300,001")).toBeDefined();
    await press("j");
    await settled(() => fireEvent.click(screen.getByRole("button", { name: "Later" })));
    expect(rows().map((row) => row.getAttribute("aria-rowindex"))).toEqual(["300001"]);
  });
});

describe("an event", () => {
  test("is chosen with J and K, and shows fields and its place in the file; link and selection follow", async () => {
    const { view } = await open(30);
    await press("j");
    await press("j");
    await press("j");
    await press("k");
    expect(chosenRow()).toBe("2");
    expect(view()).toMatchObject({ event: { file: 0, offset: 101 }, block: 0 });
    expect(detail().textContent).toContain("write_size513");
    expect(detail().textContent).toContain("SQL.xel");
    expect(detail().textContent).toContain("101, 0x65");
    await press("J", true);
    expect(chosenRow()).toBe("3");
    await press("J", true);
    expect(chosenRow()).toBe("3");
  });

  test("is named to screen readers while it is drawn, and not after it was scrolled away", async () => {
    await open(1_000);
    await press("j");
    const id = grid().getAttribute("aria-activedescendant") ?? "";
    expect(document.getElementById(id)?.getAttribute("aria-rowindex")).toBe("1");
    await scrollTo(400 * 23);
    expect(grid().hasAttribute("aria-activedescendant")).toBe(false);
  });

  test("opens its block's sequence with Enter and the timeline around its instant with L", async () => {
    const { open: opened } = await open(300, { event: { file: 0, offset: 300 } });
    await waitFor(() => expect(chosenRow()).toBe("201"));
    await within(grid()).findByText("00000022:0000200");
    await press("Enter");
    expect(opened).toHaveBeenLastCalledWith("sequence", { block: 66 });
    await press("l");
    expect(opened).toHaveBeenLastCalledWith("timeline", { block: 66, range: [170_000, 230_000] });
  });

  test("is the first of the selected block where no event is in the link", async () => {
    await open(300, { block: 50 });
    await waitFor(() => expect(chosenRow()).toBe("151"));
  });
});

test("a link's block is scrolled to when its row is known before the number of rows", async () => {
  // A browser scrolls no further than what is there.
  const scroll = vi.spyOn(Element.prototype, "scrollTo").mockImplementation(function (this: Element, ...to) {
    const [{ top = 0 }] = to as unknown as [ScrollToOptions];
    const length = Number.parseFloat((this.firstElementChild as HTMLElement).style.height);
    this.scrollTop = Math.min(top, Math.max(0, length - 230));
  });
  const answer = answerOf(300);
  let sendPage = (): void => undefined;
  const page = new Promise<void>((resolve) => {
    sendPage = resolve;
  });
  await openCapture(<RawEventsScreen />, {
    view: { block: 50 },
    answers: {
      rawEvents: async (options) => {
        if ("position" in options.first && options.names.length === 0) await page;
        return answer(options);
      },
    },
  });
  await settled(sendPage);
  await waitFor(() => expect(chosenRow()).toBe("151"));
  scroll.mockRestore();
});

test("a press on the density strip scrolls to the events of that time, and chooses none", async () => {
  const density = {
    from: 0,
    to: 1e6,
    counts: [Array.from({ length: 10 }, () => 60), Array.from({ length: 10 }, () => 40)],
  };
  const { view } = await openCapture(<RawEventsScreen />, {
    answers: { rawEvents: answerOf(1_000), eventDensity: () => density },
  });
  const strip = screen.getByRole("complementary", { name: "Events over time" }).querySelector("div")!;
  expect(strip.parentElement!.textContent).toContain("SQL1: 600 events, none in 0 of 10 equal periods");
  strip.setPointerCapture = vi.fn();
  vi.spyOn(strip, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 60, 200));
  await settled(() =>
    fireEvent(strip, new MouseEvent("pointerdown", { clientY: 100, buttons: 1, bubbles: true })),
  );
  // Half of the strip: the first row of the sixth of ten bins of a hundred events.
  await within(grid()).findByText("00000022:0000500");
  expect(view().event).toBeNull();
});

test("the density of some replicas says nothing of the others", async () => {
  const counts = [Array.from({ length: 10 }, () => 0), Array.from({ length: 10 }, () => 40)];
  await openCapture(<RawEventsScreen />, {
    view: { eventReplicas: [1] },
    answers: { rawEvents: answerOf(1_000), eventDensity: () => ({ from: 0, to: 1e6, counts }) },
  });
  const strip = screen.getByRole("complementary", { name: "Events over time" });
  expect(strip.querySelector(".sr-only")?.textContent).toBe(
    "SQL2: 400 events, none in 0 of 10 equal periods",
  );
});

test("the density is hatched where a replica's file has no events because it does not cover the time", async () => {
  const display = fakeScreen({ width: 900, height: 230 });
  const logOf = logCanvases();
  const counts = [Array.from({ length: 10 }, () => 40), [...Array.from({ length: 9 }, () => 40), 0]];
  // SQL2's file ends at 9 of ten seconds.
  const replicas = [replicaSummary({ role: "primary" }), replicaSummary({ name: "SQL2", to: 9e6 })];
  await openCapture(<RawEventsScreen />, {
    summary: { replicas },
    answers: { rawEvents: answerOf(1_000), eventDensity: () => ({ from: 0, to: 10e6, counts }) },
  });
  display.nextFrame();
  const strip = screen.getByRole("complementary", { name: "Events over time" });
  const hatched = logOf(strip.querySelector("canvas"))
    .take()
    .filter(({ call }) => call === "stroke");
  // The canvas is 900 by 230 px here: its right half, the last tenth.
  expect(hatched.map(({ clip }) => clip)).toEqual([["R 450 207 450 23"]]);
});

test("beside the density there is room for minutes, seconds and milliseconds of the clock", async () => {
  const counts = [Array.from({ length: 10 }, () => 40)];
  await openCapture(<RawEventsScreen />, {
    view: { time: "utc" },
    answers: { rawEvents: answerOf(1_000), eventDensity: () => ({ from: 0, to: 1e6, counts }) },
  });
  const strip = screen.getByRole("complementary", { name: "Events over time" }).querySelector("div")!;
  const labels = [...strip.querySelectorAll("span")].map(({ textContent }) => textContent);
  expect(labels).toHaveLength(7);
  for (const label of labels) expect(label).toMatch(/^\d\d:\d\d\.\d{3}$/u);
});

test("the listed events are saved as CSV, and the screen says how many", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:events");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await open(2_001);
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "CSV" })));
  expect(await screen.findByText("2,001 events saved")).toBeTruthy();
  expect(saved).toEqual(["slow-network-events.csv"]);
  vi.restoreAllMocks();
});

test("leaving the screen ends the reading for CSV: no further page is asked for, and nothing is saved", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:events");
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  const pages: { readonly signal: AbortSignal; readonly answer: () => void }[] = [];
  const page = answerOf(6_001);
  const { source, unmount } = await open(6_001);
  source.rawEvents = (asked) => ({
    key: JSON.stringify(asked),
    ask: (signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<RawEvents>();
      signal.addEventListener("abort", () => reject(signal.reason as Error));
      pages.push({ signal, answer: () => resolve(page(asked)) });
      return promise;
    },
  });
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "CSV" })));
  await settled(() => pages[0].answer());
  expect(pages).toHaveLength(2);
  expect(pages[1].signal.aborted).toBe(false);
  unmount();
  expect(pages[1].signal.aborted).toBe(true);
  await settled(() => pages[1].answer());
  expect(pages).toHaveLength(2);
  expect(click).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

describe("a filter", () => {
  test("lists the ticked names, says how many were read for that, and reads on when asked", async () => {
    const { view } = await open(12_000);
    await settled(() => fireEvent.click(screen.getByRole("checkbox", { name: /^log_flush_start/u })));
    expect(view().eventNames).toEqual(["log_flush_start"]);
    // 2,000 events are read at a time, a third of them has the name, and 500 rows are enough at first.
    await foundText("667 found in the first 2,000 of 12,000 events");
    await settled(() => fireEvent.click(screen.getByRole("button", { name: "No filter" })));
    await waitFor(() => expect(screen.getByRole("status").textContent).toBe("12,000 events"));
  });

  test("of one name alone is an Alt+click on it", async () => {
    const { view } = await open(30, { eventNames: ["log_flush_start", "log_flush_complete"] });
    const box = screen.getByRole("checkbox", { name: /^hadr_capture_log_block/u });
    await settled(() => fireEvent.click(box, { altKey: true }));
    expect(view().eventNames).toEqual(["hadr_capture_log_block"]);
  });

  test("of the filter's blocks is what is listed and saved while there is one", async () => {
    const where = [{ kind: "gate" as const, secondary: null }];
    const { source } = await open(30, { where });
    const asked = source.asked.filter(([name]) => name === "rawEvents");
    expect(asked.every(([, options]) => (options as RawEventsOptions).where === where)).toBe(true);
    await foundText("30 found in 30 events");
    expect(screen.getByText(/^Only events of the filter's blocks; the strip has all\./u)).toBeDefined();
  });

  test("of a text reads a bounded number of events by itself, then on request", async () => {
    await open(12_001, { eventText: "0000no" });
    await foundText("0 found in the first 10,000 of 12,001 events");
    await settled(() => fireEvent.click(screen.getByRole("button", { name: "Read on" })));
    await foundText("0 found in 12,001 events");
    expect(screen.getByText(/No event here/u)).toBeDefined();
  });
});

test("what no list has is counted by replica, and not mentioned where there is nothing", () => {
  const replicas = [{ name: "SQL1" }, { name: "SQL2" }] as never;
  expect(unlistedSentence({ ofNoBlock: [0, 1_200], withoutInstant: 2 }, { replicas })).toBe(
    "Not listed, of no log block, whole capture: SQL2 1,200. 2 without a known instant are not listed.",
  );
  expect(unlistedSentence({ ofNoBlock: [0, 0], withoutInstant: 0 }, { replicas })).toBeNull();
});
