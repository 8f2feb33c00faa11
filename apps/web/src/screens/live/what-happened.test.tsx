import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { FailoverCause, HappenedEvent } from "@aglens/contract";
import { afterEach, expect, test, vi } from "vitest";
import { withAnswers } from "../../../test/answers.tsx";
import { livePicture, liveReplica } from "../../../test/live.ts";
import { ticksOf, UTC } from "../../ui/zone.ts";
import { keepControl } from "./control.ts";
import { type LiveRun, LiveRunContext } from "./live-run-context.ts";
import { WhatHappened } from "./what-happened.tsx";

afterEach(() => vi.unstubAllGlobals());

const event = (second: number, text: string, files: readonly string[]): HappenedEvent =>
  HappenedEvent.parse({
    kind: "role",
    at: second * 1e6,
    from: null,
    plusMinusUs: 21_000,
    server: "SQL1",
    group: "SALES-AG",
    database: null,
    replica: null,
    message: null,
    states: null,
    count: 1,
    text,
    sources: files.map((file) => ({ file, place: 1, text: null, plusMinusUs: 1_000 })),
    block: null,
  });

const FAILOVER = FailoverCause.parse({
  kind: "leaseTimeout",
  text: "SALES-AG failed over from SQL1 to SQL2 at 07:00:04 UTC, because the lease expired.",
  isProven: true,
  at: 4e6,
  until: 9e6,
  group: "SALES-AG",
  fromServer: "SQL1",
  toServer: "SQL2",
  events: [0],
});

function live(picture: Parameters<typeof livePicture>[0], more: Partial<LiveRun> = {}) {
  const state = { ...livePicture(picture), bins: null, overview: null };
  const clock = { originTicks: String(ticksOf(state.origin)), durationUs: 10e6, zone: UTC };
  const run = { id: "run", state, clock, canControl: true, isRunning: true, ...more } as unknown as LiveRun;
  return (
    <LiveRunContext value={run}>
      <WhatHappened />
    </LiveRunContext>
  );
}

const show = (...args: Parameters<typeof live>) => render(live(...args), { wrapper: withAnswers() });

const rowsOf = () =>
  within(screen.getByRole("table"))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));

test("events are listed newest first, each with its only source or their number", () => {
  show({
    happened: [
      event(4, "The lease of SALES-AG expired on SQL1.", ["AlwaysOn_health on SQL1"]),
      event(5, "The replica on SQL1 changed.", ["AlwaysOn_health on SQL1", "Polls of SQL1"]),
      event(9, "Orders on SQL2 changed.", ["Polls of SQL1"]),
    ],
    failovers: [FAILOVER],
  });
  expect(rowsOf()).toEqual([
    ["07:00:09.0", "Orders on SQL2 changed", "polls"],
    ["07:00:05.0", "The replica on SQL1 changed", "2 sources"],
    ["07:00:04.0", "The lease of SALES-AG expired on SQL1", "AlwaysOn_health"],
  ]);
  expect(screen.getByText(FAILOVER.text)).toBeDefined();
});

test("the sentence about a failover names the zone of its time", () => {
  const clock = {
    originTicks: String(ticksOf(livePicture({}).origin)),
    durationUs: 10e6,
    zone: { kind: "server", minutes: 120, name: null },
  };
  show({ failovers: [FAILOVER] }, { clock } as unknown as LiveRun);
  const sentence = screen.getByText(/failed over/u).textContent;
  expect(sentence).toMatch(/^SALES-AG failed over from SQL1 to SQL2 at 09:00:04 UTC\+2, because/u);
});

test("only the newest twelve are listed, with the number of the others", () => {
  show({ happened: Array.from({ length: 14 }, (_, i) => event(i, `Event ${i}.`, ["Polls of SQL1"])) });
  expect(rowsOf().map(([, text]) => text)).toEqual(
    [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => `Event ${n}`),
  );
  expect(screen.getByText("2 earlier events.")).toBeDefined();
});

test("the switch is for the user who controls the run, and sends the request", async () => {
  const sent: [string, unknown][] = [];
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    sent.push([url, init?.body]);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  keepControl("run", "key");
  show({});
  expect(screen.getByText("No role, synchronization state or suspension changed.")).toBeDefined();
  fireEvent.click(screen.getByRole("checkbox", { name: "Read AlwaysOn_health" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.[0]).toMatch(/\/live\/runs\/run\/health$/u);
  expect(sent[0]?.[1]).toBe('{"isOn":true}');
});

test("after the picture has the switch's state, it follows the picture", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 204 })));
  keepControl("run", "key");
  const box = () => screen.getByRole<HTMLInputElement>("checkbox", { name: "Read AlwaysOn_health" });
  const { rerender } = show({});
  const follow = (readsHealth: boolean) => rerender(live({ readsHealth }));
  fireEvent.click(box());
  await waitFor(() => expect(box().checked).toBe(true));
  follow(true);
  expect(box().checked).toBe(true);
  // Another user turns it off.
  follow(false);
  expect(box().checked).toBe(false);
});

test("a viewer has no switch, and no section before something happened", () => {
  const { unmount } = show({}, { canControl: false });
  expect(screen.queryByText("What happened")).toBeNull();
  unmount();
  show({ readsHealth: true }, { canControl: false });
  expect(screen.getByText("What happened")).toBeDefined();
  expect(screen.queryByRole("checkbox")).toBeNull();
});

test("a replica whose files can't be read has a sentence, and one with too many events", () => {
  const health = { state: "reading", problem: null, readSeconds: 1, isCut: false } as const;
  show({
    readsHealth: true,
    replicas: [
      liveReplica({
        name: "SQL1",
        health: { ...health, state: "failed", problem: { detail: "Can't read it.", sql: "GRANT;" } },
      }),
      liveReplica({ index: 1, name: "SQL2", health: { ...health, isCut: true } }),
    ],
  });
  expect(screen.getByText("Can't read it.")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: /show the T-SQL/iu }));
  expect(screen.getByText("GRANT;")).toBeDefined();
  expect(screen.getByText("Some events of SQL2 are missing: its files have too many.")).toBeDefined();
});
