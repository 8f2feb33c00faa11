import type { ClientGroup, Summary, WhoWaited, WhoWaitedRow } from "@aglens/contract";
import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { openCapture } from "../../../test/open-capture.tsx";
import { summaryOf } from "../../../test/summary.ts";
import type { View } from "../../state/view.ts";
import { WaitingScreen } from "./waiting-screen.tsx";
import { lostSentence } from "./who-waited-text.ts";

const NONE = {
  commitQueue: 0,
  localFlush: 0,
  network: 0,
  secondaryFlush: 0,
  handling: 0,
  unresponsive: 0,
  unknown: 0,
};
const row = (
  value: number,
  application: string | null,
  ms: number,
  more: Partial<WhoWaitedRow> = {},
): WhoWaitedRow => ({
  value,
  application,
  statement: null,
  replica: null,
  commits: 100,
  sessions: 3,
  waitedUs: 1_000 * ms,
  p50Us: 5_000,
  p95Us: 20_000,
  places: { ...NONE, network: 600 * ms, secondaryFlush: 400 * ms },
  ...more,
});
const ROWS = [
  row(1, "OrderEntry", 6_000),
  row(2, "Billing batch", 3_000, { p95Us: 188_000, commits: 40, sessions: 1 }),
  row(0, null, 1_000, { commits: 12, p95Us: null }),
];
const answer = (by: ClientGroup, changes: Partial<WhoWaited> = {}): WhoWaited => ({
  by,
  recorded: { sessions: "recorded", applications: "recorded", statements: "dropped" },
  rows: ROWS,
  others: null,
  all: { ...row(0, null, 10_000), commits: 152, sessions: 7 },
  applications: 2,
  matched: null,
  ...changes,
});
const CLIENTS = {
  sessions: "recorded",
  applications: "recorded",
  statements: "dropped",
  names: ["", "OrderEntry", "Billing batch"],
} as const;
const open = (answered: (by: ClientGroup) => WhoWaited, options: Parameters<typeof openCapture>[1] = {}) =>
  openCapture(<WaitingScreen />, {
    summary: { clients: { ...CLIENTS, names: [...CLIENTS.names] }, durationUs: 10e6 },
    ...options,
    answers: { whoWaited: (by) => answered(by) },
  });
const plain = (text: string | null): string => (text ?? "").replaceAll(/[\u2009\u00A0]/gu, " ");
const heading = (): string => plain(screen.getByRole("heading", { level: 1 }).textContent);
const names = (): string[] =>
  [...document.querySelectorAll('[data-row="client"] > span')].map(({ textContent }) => textContent);
const press = (key: string) => settled(() => fireEvent.keyDown(document.body, { key }));

test("says which application takes most of the wait, and in which place", async () => {
  await open((by) => answer(by));
  expect(heading()).toBe(
    "OrderEntry takes 60 % of commit wait time: 6.00 s of 10.0 s in 10.0 s. Most of it is the network.",
  );
  const band = screen.getByRole("region", { name: "Who waited" });
  expect(plain(band.textContent)).toContain("152 commits of 7 sessions");
  expect(plain(band.textContent)).toContain("Billing batch has the highest p95, 188 ms");
  expect(names()).toEqual(["OrderEntry", "Billing batch", "No application name"]);
  const cells = within(screen.getByRole("row", { name: /^Billing batch/u })).getAllByRole("cell");
  expect(cells.slice(0, 5).map(({ textContent }) => plain(textContent))).toEqual([
    "30.0 %",
    "40",
    "5.00 ms",
    "188 ms",
    "3.00 s",
  ]);
  // A p95 over 50 ms is in the color of severity; a row of 12 commits has none.
  expect(
    [...document.querySelectorAll('[data-slow="true"]')].map(({ textContent }) => plain(textContent)),
  ).toEqual(["188 ms"]);
  // The longest bar is as wide as its column, others on its scale; their parts are the places.
  const bars = screen.getAllByRole("img").map((bar) => bar.getAttribute("aria-label"));
  expect(plain(bars[0] ?? "")).toBe("Network 3.60 s, Log write, secondary 2.40 s");
  const [billing] = document.querySelectorAll<HTMLElement>('tr:nth-child(2) i[data-place="network"]');
  expect(billing?.style.width).toBe("30%");
});

test("a row with the longest wait and the highest p95 is named once", async () => {
  await open((by) =>
    answer(by, { rows: [row(1, "OrderEntry", 6_000, { p95Us: 188_000 }), ...ROWS.slice(2)] }),
  );
  expect(heading()).toMatch(/^OrderEntry takes 60 %/u);
  expect(document.body.textContent).not.toContain("highest p95");
});

test("a press on a row filters to it, Ctrl adds one, and Esc clears that alone", async () => {
  const gate = { kind: "gate", secondary: null } as const;
  const { view } = await open((by) => answer(by), { view: { where: [gate] } });
  const rowOf = (name: string) => screen.getByRole("button", { name: new RegExp(`^${name}`, "u") });
  await settled(() => fireEvent.click(rowOf("OrderEntry")));
  const client = (...values: number[]) => ({ kind: "client", column: "application", values });
  expect(view().where).toEqual([gate, client(1)]);
  expect(rowOf("OrderEntry").getAttribute("aria-pressed")).toBe("true");
  await settled(() => fireEvent.click(rowOf("Billing batch"), { ctrlKey: true }));
  expect(view().where).toEqual([gate, client(1, 2)]);
  await settled(() => fireEvent.click(rowOf("OrderEntry"), { ctrlKey: true }));
  expect(view().where).toEqual([gate, client(2)]);
  await settled(() => fireEvent.click(rowOf("Billing batch")));
  expect(view().where).toEqual([gate]);
  await settled(() => fireEvent.click(rowOf("No application name")));
  expect(view().where).toEqual([gate, client(0)]);
  await press("Escape");
  expect(view().where).toEqual([gate]);
});

test("the filter's pane counts its commits, and leads to the timeline", async () => {
  const { open: opened } = await open((by) => answer(by, { matched: 100 }), {
    view: { where: [{ kind: "client", column: "application", values: [1] }] },
  });
  expect(screen.getByText('app:"OrderEntry"')).toBeTruthy();
  expect(plain(document.body.textContent)).toContain("100 commits of 152 match.");
  fireEvent.click(screen.getByRole("button", { name: "Show in timeline" }));
  expect(opened).toHaveBeenCalledWith("timeline");
});

test("the filter's pane has a line for each condition on clients", async () => {
  const reported = vi.spyOn(console, "error").mockReturnValue();
  const kind = "client";
  const where: View["where"] = [
    { kind, column: "application", values: [1] },
    { kind, column: "session", values: [57] },
  ];
  await open((by) => answer(by), { view: { where } });
  expect(screen.getByText('app:"OrderEntry"')).toBeTruthy();
  expect(screen.getByText("session:57")).toBeTruthy();
  // React reports equal keys.
  expect(reported).not.toHaveBeenCalled();
});

test("u switches the rows, j and k go through them, and heads sort", async () => {
  const { view, source } = await open((by) => answer(by));
  await press("j");
  expect(document.activeElement?.textContent).toMatch(/^OrderEntry/u);
  fireEvent.keyDown(document.activeElement!, { key: "j" });
  expect(document.activeElement?.textContent).toMatch(/^Billing batch/u);
  fireEvent.keyDown(document.activeElement!, { key: "k" });
  expect(document.activeElement?.textContent).toMatch(/^OrderEntry/u);
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Sort by p95" })));
  expect(names()).toEqual(["Billing batch", "OrderEntry", "No application name"]);
  await press("u");
  expect(view().waitingBy).toBe("statement");
  expect(source.asked.at(-1)).toEqual(["whoWaited", "statement", { from: 0, to: 10e6 }, null]);
  expect(heading()).toBe("Statement texts were dropped on receipt.");
  await press("u");
  expect(view().waitingBy).toBe("queues");
  await press("u");
  expect(view().waitingBy).toBe("session");
});

test("sessions have their server where several were primaries", async () => {
  const phase = (primary: number) => ({
    databases: [0],
    primary,
    from: 0,
    to: 5e6,
    commitModes: ["sync" as const],
  });
  await open(
    (by) => answer(by, { rows: [row(57, null, 6_000, { replica: 1 }), row(57, null, 1, { replica: 0 })] }),
    {
      summary: { phases: [phase(0), phase(1)] },
      view: { waitingBy: "session" },
    },
  );
  expect(names()).toEqual(["Session 57 on SQL2", "Session 57 on SQL1"]);
});

test("without the action the rows are log writers, and the screen says what to add", async () => {
  const recorded = { sessions: "absent", applications: "absent", statements: "absent" } as const;
  const empty = { recorded, rows: [], applications: null };
  const { view } = await openCapture(<WaitingScreen />, {
    answers: {
      whoWaited: (by) => answer(by, empty),
      waiting: () => ({ rows: [], worst: -1 }),
    },
  });
  expect(heading()).toBe("No log write of this capture is known from start to end.");
  await press("u");
  expect(view().waitingBy).toBe("session");
  await settled();
  expect(heading()).toBe("Session ids weren't recorded.");
  expect(screen.getByLabelText("Copy the event").textContent).toBe(
    "ADD EVENT sqlserver.recovery_unit_harden_log_timestamps (ACTION (sqlserver.session_id))",
  );
});

test("groups beyond the rows are one row, and a link's statements have numbers", async () => {
  const statement = (value: number): WhoWaitedRow => {
    const { statement: _, ...rest } = row(value, null, 1_000);
    return rest;
  };
  await open(
    (by) =>
      answer(by, {
        recorded: { sessions: "recorded", applications: "recorded", statements: "recorded" },
        rows: [statement(3)],
        others: { groups: 12, ...row(0, null, 500) },
      }),
    { view: { waitingBy: "statement" } },
  );
  expect(names()).toEqual(["Statement 3"]);
  screen.getByRole("row", { name: /^12 other rows/u });
  screen.getByText("Links don't show statements.");
});

test("events that event_sequence counts as lost are exact, on the primary replica alone", () => {
  const lost = (replica: number, secondary: number, events: number) => ({
    replica,
    database: -1,
    secondary,
    anchor: null,
    events,
    places: [],
  });
  const { replicas } = summaryOf();
  const sentence = (missing: Summary["missing"]): string =>
    lostSentence({ lost: [lost(0, -1, 9), lost(0, -1, 3), lost(1, 0, 5)], missing, replicas });
  expect(sentence([])).toBe("SQL1 lost exactly 12 events, so up to 12 commits can be missing.");
  expect(sentence([{ replica: 0, from: 0, to: 1e6 }])).toBe(
    "SQL1 lost exactly 12 events outside of its gaps, so up to 12 commits can be missing.",
  );
});

test("lost events of commits are counted", async () => {
  const lost = (anchor: "commitEnd" | "received", secondary: number) => ({
    replica: 0,
    database: 0,
    secondary,
    anchor,
    events: 4,
    places: [],
  });
  await open((by) => answer(by), {
    summary: { clients: { ...CLIENTS, names: [] }, lost: [lost("commitEnd", -1), lost("received", 0)] },
  });
  expect(plain(document.body.textContent)).toContain(
    "12 commits have no application name. At least 4 events of commits are lost, so commits are missing.",
  );
});
