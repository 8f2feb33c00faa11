import type { LivePicture } from "@aglens/contract";
import type { LiveModelPicture } from "@aglens/ag-model/live";
import { TestClock } from "@aglens/fixtures/clock";
import { filetimeOfUnixMs, type StreamRow } from "xel-parser/format";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Attachment } from "./attachment.ts";
import { Counters } from "./counters.ts";
import type { PictureListeners } from "./picture-thread.ts";
import type { PollReading } from "./polls.ts";
import { ServerClock } from "./server-clock.ts";
import { Happened } from "./happened.ts";
import { RunView } from "./run-view.ts";

/** Replaces the thread that makes pictures: a test decides which steps it accepts and when it answers. */
const thread = vi.hoisted(() => ({
  steps: [] as bigint[],
  gaps: [] as string[],
  watched: [] as string[],
  dispatch: [] as number[],
  clocks: [] as (readonly [aheadUs: number, boundUs: number])[],
  isBusy: false,
  isFull: false,
  isOver: false,
  whole: null as LiveModelPicture | null,
  listeners: null as PictureListeners | null,
}));

vi.mock("./picture-thread.ts", () => ({
  PictureThread: class {
    constructor(_: unknown, listeners: PictureListeners) {
      thread.listeners = listeners;
    }
    push = () => !thread.isFull;
    behind = () => 0;
    step(nowTicks: bigint): boolean {
      if (!thread.isBusy) thread.steps.push(nowTicks);
      return !thread.isBusy;
    }
    setDispatch = (replica: number, us: number) => void (thread.dispatch[replica] = us);
    setClockOffset = (replica: number, aheadUs: number, boundUs: number) =>
      void (thread.clocks[replica] = [aheadUs, boundUs]);
    gap = (replica: number, reason: string) => void thread.gaps.push(`${replica} ${reason}`);
    watchDatabase = (database: string, isWatched: boolean) =>
      void thread.watched.push(`${isWatched ? "+" : "-"}${database}`);
    whole = () => (thread.whole ? Promise.resolve(thread.whole) : Promise.reject(new Error("no picture")));
    last(nowTicks: bigint) {
      thread.steps.push(nowTicks);
      return this.whole();
    }
    end(): Promise<void> {
      thread.isOver = true;
      return Promise.resolve();
    }
  },
}));

const BEGAN = Date.UTC(2026, 10, 21, 2, 44);
const ROW = { type: 1, data: new Uint8Array(8) } as unknown as StreamRow;

let clock: TestClock;
beforeEach(() => {
  clock = new TestClock(BEGAN);
  Object.assign(thread, {
    steps: [],
    gaps: [],
    watched: [],
    dispatch: [],
    clocks: [],
    isBusy: false,
    isFull: false,
    isOver: false,
    whole: null,
    listeners: null,
  });
});

/** Times of the requests for pictures, ms of the run. */
const stepsAt = (): number[] => thread.steps.map((ticks) => Number(ticks - filetimeOfUnixMs(BEGAN)) / 10_000);

function attachmentOf(index: number) {
  const isReading: boolean = true;
  return {
    index,
    name: `SQL${index + 1}`,
    identity: { name: `SQL${index + 1}`, replicaId: "", role: "primary" },
    counters: new Counters(),
    isReading,
    serverClock: new ServerClock(),
    session: { dispatchMs: 1000 },
    description: () => ({ name: `SQL${index + 1}` }),
  };
}

function viewOf(...attachments: ReturnType<typeof attachmentOf>[]) {
  const real = attachments as unknown as Attachment[];
  const state = { state: "running", title: "", kept: null, captureId: null, endings: [] };
  const owner = {
    state: () => state as unknown as LivePicture,
    onFailed: () => undefined,
    onCounts: () => undefined,
  };
  const view = new RunView(real, clock, owner, 134_000_000, new Happened(real));
  return { view, row: (index: number) => view.takeRow(real[index]!, ROW), attachment: real };
}

/** A picture of the model whose time 0 is the run's, with a bin. */
const modelAt = (nowUs: number, decodedTo: number[] = [nowUs]): LiveModelPicture =>
  ({
    originTicks: filetimeOfUnixMs(BEGAN),
    now: nowUs,
    lanes: [],
    decodedTo,
    phases: [],
    judged: null,
    episodes: [],
    databases: ["Sales", "Stock"],
    held: { bytes: 41_000_000, from: nowUs - 58_000_000 },
    byDatabase: {},
    deliveries: decodedTo.map(() => ({
      lateUs: 1_200_000,
      waitedUs: 7_000_000,
      patienceUs: 10_000_000,
      silentSince: Number.NaN,
      tooLate: 3,
    })),
    bins: { width: 1 },
    overview: { width: 2 },
  }) as unknown as LiveModelPicture;

/** Follows a view; returns the pictures since the first one. */
async function followed(view: RunView) {
  const pictures: LivePicture[] = [];
  await view.follow((json) => pictures.push(JSON.parse(json) as LivePicture));
  pictures.shift();
  return pictures;
}

describe("a step", () => {
  test("comes 80 ms after every replica that is read brought a row", () => {
    const { row } = viewOf(attachmentOf(0), attachmentOf(1), { ...attachmentOf(2), isReading: false });
    row(0);
    row(0);
    clock.move(200);
    row(1);
    clock.move(79);
    expect(stepsAt()).toEqual([]);
    clock.move(1);
    expect(stepsAt()).toEqual([280]);
  });

  test("waits for every replica again after each one", () => {
    const { row } = viewOf(attachmentOf(0), attachmentOf(1));
    row(0);
    row(1);
    clock.move(500);
    row(1);
    clock.move(500);
    expect(stepsAt()).toEqual([80]);
    row(0);
    clock.move(500);
    expect(stepsAt()).toEqual([80, 1_080]);
  });

  test("comes at the earliest for rows 400 ms after the last one, and once for a burst", () => {
    const { row } = viewOf(attachmentOf(0));
    row(0);
    clock.move(80);
    clock.move(399);
    row(0);
    clock.move(200);
    expect(stepsAt()).toEqual([80]);
    row(0);
    row(0);
    clock.move(50);
    row(0);
    clock.move(300);
    expect(stepsAt()).toEqual([80, 759]);
    clock.move(129);
    row(0);
    clock.move(0);
    expect(clock.waiting).toBe(0);
    clock.move(1);
    row(0);
    clock.move(80);
    expect(stepsAt()).toEqual([80, 759, 1_239]);
  });

  test("comes each second without rows, not sooner", () => {
    const { view, row } = viewOf(attachmentOf(0));
    row(0);
    clock.move(80);
    clock.move(999);
    view.second();
    expect(stepsAt()).toEqual([80]);
    clock.move(1);
    view.second();
    expect(stepsAt()).toEqual([80, 1_080]);
    view.second();
    expect(stepsAt()).toEqual([80, 1_080]);
  });

  test("takes the place of one that waits for a burst", () => {
    const { view, row } = viewOf(attachmentOf(0));
    row(0);
    view.second();
    clock.move(500);
    expect(stepsAt()).toEqual([0]);
  });
});

describe("a thread that is still busy with the last step", () => {
  test("does not hold up states: they come without bins, which go with the next picture", async () => {
    const { view } = viewOf(attachmentOf(0));
    const pictures = await followed(view);
    view.second();
    thread.listeners!.onPicture(modelAt(1_000_000));
    expect(pictures.at(-1)).toMatchObject({ bins: { width: 1 }, overview: { width: 2 } });
    thread.isBusy = true;
    clock.move(1_000);
    view.second();
    expect(pictures).toHaveLength(2);
    expect(pictures.at(-1)).toMatchObject({ bins: null, overview: null, decodedTo: [1_000_000] });
    expect(pictures[1]!.sequence).toBe(pictures[0]!.sequence + 1);
  });

  test("counts as none: the next second asks again", () => {
    const { view } = viewOf(attachmentOf(0));
    thread.isBusy = true;
    view.second();
    thread.isBusy = false;
    clock.move(1);
    view.second();
    expect(stepsAt()).toEqual([1]);
  });
});

describe("rows that the model has no room for", () => {
  test("are a gap from the first one to the next row that it takes", async () => {
    const attachment = attachmentOf(0);
    const { view, row } = viewOf(attachment);
    thread.isFull = true;
    clock.move(100);
    row(0);
    clock.move(100);
    row(0);
    expect(thread.gaps).toEqual(["0 droppedByUs"]);
    expect(attachment.counters.figures()).toMatchObject({ droppedByUs: 2 });
    expect((await view.whole()).gaps).toMatchObject([{ from: 100_000, to: null, reason: "droppedByUs" }]);
    thread.isFull = false;
    clock.move(100);
    row(0);
    expect((await view.whole()).gaps).toMatchObject([{ from: 100_000, to: 300_000, replica: 0 }]);
  });
});

test("a step knows how late sessions may be, and how far servers' clocks are from ours", () => {
  const foreign = { ...attachmentOf(1), session: { dispatchMs: 30_000 } };
  foreign.serverClock.take({ askedMs: BEGAN, answeredMs: BEGAN + 20, serverMs: BEGAN + 5_010 });
  const { view } = viewOf(attachmentOf(0), foreign);
  clock.move(1_000);
  view.second();
  expect(thread.dispatch).toEqual([1_000_000, 30_000_000]);
  // Half of the 20 ms that asking took, and 16 ms of the server's own clock.
  expect(thread.clocks).toEqual([undefined, [5_000_000, 26_000]]);
});

describe("a loss", () => {
  test("begins where the replica was decoded to, and now where nothing was; a row ends it", async () => {
    const { view, row, attachment } = viewOf(attachmentOf(0), attachmentOf(1));
    clock.move(5_000);
    view.second();
    thread.listeners!.onPicture(modelAt(5_000_000, [3_000_000, Number.NaN]));
    view.takeLoss(attachment[0]!, "connection", "lost");
    view.takeLoss(attachment[1]!, "sessionStopped", "stopped");
    clock.move(1_000);
    row(0);
    expect((await view.whole()).gaps).toMatchObject([
      { replica: 0, from: 3_000_000, to: 6_000_000 },
      { replica: 1, from: 5_000_000, to: null },
    ]);
  });

  test("keeps its edges, however long a picture takes", async () => {
    const { view } = viewOf(attachmentOf(0));
    const at: number[] = [];
    for (const tookMs of [0, 300, 40]) {
      view.second();
      clock.move(tookMs);
      thread.listeners!.onPicture(modelAt(thread.steps.length * 1_000_000));
      if (at.length === 0) view.mark("here");
      at.push((await view.whole()).marks[0]!.at);
      clock.move(1_000 - tookMs);
    }
    expect(new Set(at).size).toBe(1);
    expect(view.mark("later").at).toBe(4_000_000);
  });

  test("at the server is the second before it was reported", async () => {
    const { view, attachment } = viewOf(attachmentOf(0));
    clock.move(5_000);
    view.takeDropped(attachment[0]!, "dropped");
    expect(thread.gaps).toEqual(["0 droppedByServer"]);
    expect((await view.whole()).gaps).toMatchObject([{ from: 4_000_000, to: 5_000_000 }]);
  });
});

describe("a picture of one database", () => {
  const narrowedAt = (now: number): LiveModelPicture => ({
    ...modelAt(now),
    figures: { commit: { n: 9, p50: 9, p95: 9, max: 9 } },
    byDatabase: {
      Stock: {
        figures: { commit: { n: 2, p50: 2, p95: 2, max: 2 } },
        bins: { width: 3 },
        overview: { width: 4 },
        blocksPerSecond: 2,
      } as unknown as LiveModelPicture["byDatabase"][string],
    },
  });
  const follow = async (view: RunView, database: string | null) => {
    const pictures: LivePicture[] = [];
    const end = await view.follow((json) => pictures.push(JSON.parse(json) as LivePicture), database);
    return { pictures, end };
  };

  test("goes to whoever asked for it, while they follow; the others get all databases", async () => {
    const { view } = viewOf(attachmentOf(0));
    const all = await follow(view, null);
    const stock = await follow(view, "Stock");
    expect(thread.watched).toEqual(["+Stock"]);
    thread.listeners!.onPicture(narrowedAt(1_000_000));
    expect(all.pictures.at(-1)).toMatchObject({
      database: null,
      figures: { commit: { n: 9 } },
      bins: { width: 1 },
    });
    expect(stock.pictures.at(-1)).toMatchObject({
      database: "Stock",
      databases: ["Sales", "Stock"],
      figures: { commit: { n: 2 } },
      bins: { width: 3 },
      overview: { width: 4 },
      blocksPerSecond: 2,
    });
    stock.end();
    stock.end();
    expect(thread.watched).toEqual(["+Stock", "-Stock"]);
  });

  test("has nothing of the other databases while nothing is known of its own", async () => {
    const { view } = viewOf(attachmentOf(0));
    const { pictures } = await follow(view, "Sales");
    thread.listeners!.onPicture(narrowedAt(1_000_000));
    expect(pictures.at(-1)).toMatchObject({ database: "Sales", figures: {}, bins: null, verdict: null });
  });

  test("comes without bins, as the other, while the thread is busy", async () => {
    const { view } = viewOf(attachmentOf(0));
    const { pictures } = await follow(view, "Stock");
    thread.listeners!.onPicture(narrowedAt(1_000_000));
    thread.isBusy = true;
    clock.move(1_000);
    view.second();
    expect(pictures.at(-1)).toMatchObject({ bins: null, overview: null, figures: { commit: { n: 2 } } });
  });

  test("is of all databases after the end, where nobody looked at that one then", async () => {
    const { view } = viewOf(attachmentOf(0));
    thread.whole = narrowedAt(7_000_000);
    await view.end();
    expect(await view.whole("Stock")).toMatchObject({ database: "Stock", figures: { commit: { n: 2 } } });
    expect(await view.whole("Sales")).toMatchObject({ database: null, figures: { commit: { n: 9 } } });
  });
});

test("a picture says what it holds in memory, of how much, and how far back", async () => {
  const { view } = viewOf(attachmentOf(0));
  const pictures = await followed(view);
  expect((await view.whole()).memory).toEqual({ bytes: 0, limit: 134_000_000, seconds: null });
  thread.listeners!.onPicture(modelAt(100_000_000));
  expect(pictures[0]!.memory).toEqual({ bytes: 41_000_000, limit: 134_000_000, seconds: 58 });
});

test("polls go out once, and are all in the whole picture", async () => {
  const { view, attachment } = viewOf(attachmentOf(0));
  const pictures = await followed(view);
  view.takePoll(attachment[0]!, { poll: {} } as unknown as PollReading, clock.now());
  for (const at of [1, 2]) thread.listeners!.onPicture(modelAt(at));
  expect(pictures.map(({ polls }) => polls.length)).toEqual([1, 0]);
  expect((await view.whole()).polls).toHaveLength(1);
});

test("an episode that began is a mark by rule at its first slow block, beside those of people", async () => {
  const { view } = viewOf(attachmentOf(0));
  view.second();
  thread.listeners!.onPicture({
    ...modelAt(5_000_000),
    episodes: [{ at: 3_250_000, label: "Slow network to SQL2" }],
  });
  clock.move(5_000);
  view.mark("backup began");
  const { marks } = await view.whole();
  expect(marks.map(({ label, byRule }) => [label, byRule])).toEqual([
    ["backup began", false],
    ["Slow network to SQL2", true],
  ]);
  expect(marks[1]!.at).toBe(3_250_000);
});

test("what is kept of the marks are those from an instant on, as UTC on the primary's clock", () => {
  const { view } = viewOf(attachmentOf(0));
  view.second();
  thread.listeners!.onPicture({
    ...modelAt(0),
    episodes: [
      { at: 1_250_000, label: "Slow log writes on SQL1" },
      { at: 4_250_000, label: "Slow network to SQL2" },
    ],
  });
  clock.move(1_500);
  view.mark("first");
  clock.move(2_000);
  view.mark("second");
  const ticksAt = (us: number): string => String(filetimeOfUnixMs(BEGAN) + BigInt(us * 10));
  expect(view.recordedMarks(BEGAN + 2_000)).toEqual([
    { ticks: ticksAt(3_500_000), label: "second", byRule: false },
    { ticks: ticksAt(4_250_000), label: "Slow network to SQL2", byRule: true },
  ]);
  expect(view.recordedMarks()).toHaveLength(4);
});

test("of the marks the newest 500 are kept", async () => {
  const { view } = viewOf(attachmentOf(0));
  for (let mark = 0; mark <= 500; mark++) view.mark(String(mark));
  clock.move(2_000);
  expect(view.mark("last")).toEqual({ at: 2_000_000, label: "last", byRule: false });
  const { marks } = await view.whole();
  expect(marks).toHaveLength(500);
  expect(marks[0]).toEqual({ at: 0, label: "2", byRule: false });
});

describe("the end", () => {
  test("takes one more step, then shows the last picture for ever", async () => {
    const { view, row } = viewOf(attachmentOf(0));
    const pictures = await followed(view);
    thread.whole = modelAt(7_000_000);
    row(0);
    // A step that is running has not seen the last rows.
    thread.isBusy = true;
    await view.end();
    expect(stepsAt()).toEqual([0]);
    expect(thread.isOver).toBe(true);
    thread.whole = modelAt(9_000_000);
    expect((await view.whole()).now).toBe(7_000_000);
    view.publishLast();
    expect(pictures.at(-1)).toMatchObject({ now: 7_000_000, bins: { width: 1 } });
    clock.move(1_000);
    expect(stepsAt()).toEqual([0]);
  });

  test("shows what there was where the thread gives no picture any more", async () => {
    const { view } = viewOf(attachmentOf(0));
    thread.listeners!.onPicture(modelAt(4_000_000));
    await view.end();
    expect((await view.whole()).now).toBe(4_000_000);
  });
});
