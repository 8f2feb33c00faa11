import { render, screen, within } from "@testing-library/react";
import type { LiveReplica } from "@aglens/contract";
import { expect, test, vi } from "vitest";
import { withAnswers } from "../../../test/answers.tsx";
import { liveReplica as replica } from "../../../test/live.ts";
import { LiveRunContext, type LiveRun } from "./live-run-context.ts";
import type { LiveState } from "./picture.ts";
import { SidePane } from "./sessions.tsx";

/** The counters of each session that the pane shows, by name. */
function countersOf(...replicas: readonly LiveReplica[]): Record<string, string>[] {
  const state = {
    state: "running",
    verdict: null,
    replicas,
    gaps: [],
    unattached: [],
    lanes: [],
    shares: [],
    polls: [],
    clocks: [],
    happened: [],
    failovers: [],
    readsHealth: false,
    phases: [],
    database: null,
    decodedTo: replicas.map(() => null),
    origin: 0,
    stopsAt: null,
    memory: { bytes: 41_200_000, limit: 134_000_000, seconds: 58.2 },
    kept: { bytes: 0, limit: 1, droppedBytes: 0, lostBytes: 0 },
  } as unknown as LiveState;
  const run = {
    id: "run",
    state,
    canControl: false,
    isRunning: false,
    gaugeChoice: {},
    chooseGauge: vi.fn(),
    retry: vi.fn(),
    alarm: { isOn: false, limitMs: 50, switchTo: vi.fn(), setLimitMs: vi.fn() },
  } as unknown as LiveRun;
  render(
    <LiveRunContext value={run}>
      <SidePane />
    </LiveRunContext>,
    { wrapper: withAnswers() },
  );
  const pane = screen.getByRole("complementary", { name: "Verdict and sessions" });
  return [...pane.querySelectorAll("dl")].map((list) =>
    Object.fromEntries(
      within(list)
        .getAllByRole("term")
        .map((term) => [term.textContent ?? "", term.parentElement?.querySelector("dd")?.textContent ?? ""]),
    ),
  );
}

test("each counter of a session has its own value", () => {
  const [counters] = countersOf(replica());
  expect(counters).toMatchObject({
    "Events read": "1,001",
    "Events dropped by SQL Server": "1,004",
    "Buffers dropped by SQL Server": "1,005",
    "Buffers dropped by AG Lens": "1,006",
    "Disconnected by SQL Server": "1,007",
    "Events too late for the picture": "1,010",
    "Buffers not decoded": "1,011",
    "Largest delay in a minute": "1012.0\u2009s",
    "Events delayed by SQL Server": "up to 1013.0\u2009s",
    "Buffers waiting for AG Lens": "1,008, 1009.0\u2009s",
  });
});

test("the pane says how far back the run is held in memory", () => {
  countersOf(replica());
  expect(document.body.textContent?.replaceAll(/\s/gu, " ")).toContain(
    "In memory: the last 58 s, 41.2 MB of at most 134 MB.",
  );
});

test("each replica has its own counters", () => {
  const all = countersOf(replica(), replica({ index: 1, name: "SQL2", events: 7, droppedByServer: 0 }));
  expect(all.map((each) => [each["Events read"], each["Events dropped by SQL Server"]])).toEqual([
    ["1,001", "1,004"],
    ["7", "0"],
  ]);
});
