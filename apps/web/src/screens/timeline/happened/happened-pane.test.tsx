import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { EvidenceAnswer } from "@aglens/contract";
import {
  evidenceAnswer,
  evidenceMetric,
  failoverCause,
  happenedEvent,
  LEASE,
  leaseFailover,
} from "../../../../test/evidence.ts";
import { openCapture } from "../../../../test/open-capture.tsx";
import { summaryOf } from "../../../../test/summary.ts";
import { InTimeline } from "../../../../test/timeline.tsx";
import type { View } from "../../../state/view.ts";
import { HappenedPane } from "./happened-pane.tsx";
import { HappenedTable } from "./happened-table.tsx";
import { happenedOf } from "./use-happened.ts";

const plain = (words: string | null | undefined): string => (words ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");

async function pane(
  answer: EvidenceAnswer,
  selected: number | null = null,
  view: Partial<View> = {},
  summary = summaryOf({ durationUs: 60e6 }),
  range: readonly [number, number] = [0, 60e6],
) {
  const events = {
    selected,
    isActive: true,
    select: vi.fn(),
    step: vi.fn(),
    showsSource: false,
    showSource: vi.fn(),
  };
  const happened = happenedOf(answer, view.evidence ?? null, summary);
  const shown = (showsSource: boolean) => (
    <InTimeline parts={{ happened, range, events: { ...events, showsSource } }}>
      <HappenedPane />
      <HappenedTable />
    </InTimeline>
  );
  const opened = await openCapture(shown(view.tour === 1), { view, summary });
  return { ...opened, events, text: () => plain(opened.container.textContent) };
}

test("the cause is a sentence with the time without a primary, and a table of its events", async () => {
  const { text, events } = await pane(leaseFailover());
  expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("Cause of the failover");
  expect(text()).toContain("12.5 s without a primary");
  expect(text()).toContain("Lease timeout on SQL1. SALES-AG failed over from SQL1 to SQL2");
  const table = screen.getByRole("table", { name: "Events of the failover" });
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows.map((row) => within(row).getByRole("button").textContent)).toEqual([
    "19407: The lease of SALES-AG expired on SQL1",
    "19406: SQL1 is resolving",
    "19406: SQL2 is primary",
  ]);
  expect(rows.map((row) => within(row).getAllByRole("cell").at(-1)?.textContent)).toEqual([
    "2 sources",
    "ERRORLOG",
    "ERRORLOG",
  ]);
  fireEvent.click(within(rows[2]).getByRole("button"));
  expect(events.select.mock.calls).toEqual([[LEASE.primary]]);
});

test("the selected event has its files with line or number, text and uncertainty", async () => {
  const { text, events } = await pane(leaseFailover(), LEASE.expired);
  expect(text()).toContain('Sources of "The lease of SALES-AG expired on SQL1"');
  expect(text()).toContain("AlwaysOn_health_0_1.xelevent 3, ±1 µs");
  expect(text()).toContain("ERRORLOGline 19, ±1.00 sThe lease has expired.");
  fireEvent.click(screen.getByRole("button", { name: /Open file and line/u }));
  expect(events.showSource.mock.calls).toEqual([[true]]);
});

test("Enter on the selected event in the table opens its source, as elsewhere", async () => {
  const { events } = await pane(leaseFailover(), LEASE.expired);
  const table = screen.getByRole("table", { name: "Events of the failover" });
  fireEvent.click(within(table).getByRole("button", { name: /lease of SALES-AG expired/u }));
  expect(events.showSource.mock.calls).toEqual([[true]]);
  expect(events.select).not.toHaveBeenCalled();
});

/** A capture of 60 s in one phase. */
function longSummary(): ReturnType<typeof summaryOf> {
  const summary = summaryOf({ durationUs: 60e6 });
  return { ...summary, phases: summary.phases.map((phase) => ({ ...phase, to: 60e6 })) };
}

test("a slow time in view cites what its server reported, and one of another cause nothing", async () => {
  const times = { from: 20e6, to: 44e6 };
  const summary = longSummary();
  const [finding] = summary.verdict.findings;
  const episode = { ...times, blocks: 9, stage: "secondaryFlush", secondary: 0, inside: {}, outside: {} };
  const verdict = {
    ...summary.verdict,
    // The finding is about a part of the slow time.
    findings: [{ ...finding, cause: "secondary_disk", replica: 1, windows: [{ from: 24e6, to: 28e6 }] }],
    episodes: [
      { ...episode, label: "Slow log writes, SQL2", cause: "secondary_disk" },
      { ...episode, label: "Flow control", cause: "flow_control" },
    ],
  } as typeof summary.verdict;
  const slow = happenedEvent({
    kind: "slowIo",
    server: "SQL2",
    at: 40e6,
    message: 833,
    count: 3,
    text: String.raw`3 I/O requests took at least 15 s on SQL2: F:\Log\Orders_log.ldf (Orders).`,
  });
  const { text } = await pane(
    evidenceAnswer({ events: [slow] }),
    null,
    {},
    { ...summary, verdict },
    [30e6, 60e6],
  );
  expect(text()).toContain("Slow log writes, SQL2. SQL2 reported 3 requests over 15 s on F: in this time.");
  expect(text()).not.toContain("Flow control");
});

test("two servers of one cause have a sentence each", async () => {
  const times = { from: 20e6, to: 44e6 };
  const summary = longSummary();
  const [finding] = summary.verdict.findings;
  const replicas = [...summary.replicas, { ...summary.replicas[1], name: "SQL3" }];
  const slow = {
    ...times,
    cause: "secondary_disk",
    blocks: 9,
    stage: "secondaryFlush",
    inside: {},
    outside: {},
  };
  const verdict = {
    ...summary.verdict,
    findings: [1, 2].map((replica) => ({ ...finding, cause: "secondary_disk", replica, windows: [times] })),
    episodes: ["SQL2", "SQL3"].map((server, secondary) => ({
      ...slow,
      label: `Slow log writes, ${server}`,
      secondary,
    })),
  } as unknown as typeof summary.verdict;
  const events = ["SQL2", "SQL3"].map((server, i) =>
    happenedEvent({
      kind: "slowIo",
      server,
      at: 40e6,
      message: 833,
      count: 3 + i,
      text: String.raw`I/O requests took at least 15 s on ${server}: F:\Log\Orders_log.ldf (Orders).`,
    }),
  );
  const { text } = await pane(evidenceAnswer({ events }), null, {}, { ...summary, replicas, verdict });
  expect(text()).toContain("Slow log writes, SQL2. SQL2 reported 3 requests over 15 s on F: in this time.");
  expect(text()).toContain("Slow log writes, SQL3. SQL3 reported 4 requests over 15 s on F: in this time.");
});

test("an event outside of the failover has its own sentence", async () => {
  const { text } = await pane(leaseFailover(), LEASE.timeout);
  expect(text()).toContain("±1.00 s: The connection to SQL1 timed out on SQL2.");
});

test("contradictions are first and have a cross; rules that agree are folded after the fourth", async () => {
  const rule = (agrees: boolean | null, words: string) => ({
    rule: "logDisk",
    agrees,
    server: "SQL1",
    text: words,
    sources: [],
    from: 0,
    to: 1,
  });
  const agreement = [
    rule(false, "Against"),
    ...Array.from({ length: 5 }, (_, i) => rule(i === 4 ? null : true, `Rule ${i}`)),
  ];
  await pane({ ...leaseFailover(), agreement });
  const listed = (): string[] =>
    screen
      .getAllByRole("listitem")
      .map((item) => plain(item.textContent))
      .filter((words) => /Agrees|Contradicts|Not decided/u.test(words));
  expect(listed()).toEqual(["Contradicts: Against", "Agrees: Rule 0", "Agrees: Rule 1", "Agrees: Rule 2"]);
  expect(screen.getByText(/2 more rules without a contradiction/u)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Show them" }));
  expect(listed().at(-1)).toBe("–Not decided: Rule 4");
});

test("without a failover the pane is about the events, and about the agreement of the sources where there is one", async () => {
  const { text } = await pane(evidenceAnswer({ events: [happenedEvent()] }));
  expect(screen.getByRole("heading", { level: 2 }).textContent).toBe("What happened");
  expect(text()).toContain("1 event in view, no failover");
  expect(text()).not.toContain("Check next");
});

test("each cause has its first words and its checks", async () => {
  const answer = leaseFailover();
  const unknown = failoverCause({
    kind: "notShown",
    until: null,
    text: "SALES-AG went offline on SQL1 at 02:17:10 UTC. These files don't show the cause.",
  });
  const { text } = await pane({
    ...answer,
    failovers: [unknown],
    withoutClock: ["SQL3"],
    eventsLeftOut: 2,
    notShown: "Can't read.",
  });
  expect(text()).toContain("no file shows a new primary");
  expect(text()).toContain("Add ERRORLOG and AlwaysOn_health of SQL1 from the minutes before.");
  expect(text()).toContain("Times of SQL3 are as written");
  expect(text()).toContain("2 more events aren't shown.Can't read");
});

test("a capture without data-movement events names the files for facts that it doesn't show", async () => {
  const answer = leaseFailover();
  const failovers = answer.failovers.map((one) => ({ ...one, isProven: false }));
  const summary = summaryOf({ durationUs: 60e6 });
  const replicas = summary.replicas.map((replica) => ({ ...replica, hasCapture: false }));
  const { text } = await pane({ ...answer, failovers, metrics: [] }, null, {}, { ...summary, replicas });
  expect(screen.getByRole("heading", { name: "Can't determine" })).toBeTruthy();
  expect(text()).toContain("Cause of the failoveradd ERRORLOG, SQLDIAG");
  expect(text()).toContain("Commits that waitedrecord data-movement events");
  expect(text()).toContain("Slow disk or networkadd performance counters");
});

test("a metric becomes a lane by one press, and all lanes are hidden by another", async () => {
  const answer = {
    ...leaseFailover(),
    metrics: [evidenceMetric({ metric: "disk queue", of: "F:", form: "sample" })],
  };
  const { view } = await pane(answer);
  fireEvent.click(screen.getByRole("checkbox", { name: /Disk queue/u, hidden: true }));
  expect(view().evidence).toEqual(["role", "lease", "ddl", "connectivity", "disk queue@F:@SQL1"]);
  fireEvent.click(screen.getByRole("button", { name: /Hide lanes/u }));
  expect(view().evidence).toEqual([]);
});

test("screen readers get a table of the events in view", async () => {
  await pane(leaseFailover());
  const table = screen.getByRole("table", { name: "Events on the servers: 6 in view" });
  const [, first] = within(table).getAllByRole("row");
  expect(plain(first?.textContent)).toContain("±1 µsThe lease of SALES-AG expired on SQL1.2 sources");
});

test("the lines of the event are open in a dialog, as the files have them", async () => {
  await pane(leaseFailover(), LEASE.expired, { tour: 1 });
  const dialog = screen.getByRole("dialog", { name: "The lease of SALES-AG expired on SQL1." });
  expect(plain(dialog.textContent)).toContain("SQL1/ERRORLOGline 19, ±1.00 sThe lease has expired.");
  expect(plain(dialog.textContent)).toContain("The file has no text for it");
});
