/** Each screen once on a capture that has several of everything, with the answers that it really gets; expected values are the simulator's truth. */
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { richWorld } from "@aglens/fixtures/rich";
import { CompareScreen } from "../compare/compare-screen.tsx";
import { DistributionScreen } from "../distribution/distribution-screen.tsx";
import { ExportDialog } from "../export/export-dialog.tsx";
import * as saving from "../../frame/save-file.ts";
import { HowReadScreen } from "../how-read/how-read-screen.tsx";
import { OverviewScreen } from "../overview/overview-screen.tsx";
import { RawEventsScreen } from "../raw/raw-events-screen.tsx";
import { SequenceScreen } from "../sequence/sequence-screen.tsx";
import type { View } from "../../state/view.ts";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture, type Opened } from "../../../test/open-capture.tsx";
import { richPage } from "../../../test/rich.ts";
import { TimelineScreen } from "../timeline/timeline-screen.tsx";
import { WaitingScreen } from "../waiting/waiting-screen.tsx";
import { WhatIfScreen } from "../what-if/what-if-screen.tsx";

const { truth, files } = richWorld();
const [archive, sales] = truth.databases;
const commits = truth.databases.flatMap(({ commits: { in_capture } }) => in_capture.filter(Boolean)).length;

const plain = (words: string | null | undefined): string => (words ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");
const shown = (): string => plain(document.body.textContent);
/** Waits until a screen shows the text. */
const words = (expected: RegExp | string): Promise<void> =>
  waitFor(() => expect(shown()).toMatch(expected), { timeout: 20_000 });

beforeEach(() => {
  fakeScreen({ width: 1_000, height: 400 });
  logCanvases();
  // The document of tests loads no fonts.
  Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
  vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(new Response("font")));
  // React reports duplicate keys there.
  vi.spyOn(console, "error").mockImplementation((...said: unknown[]) => {
    throw new Error(said.map(String).join(" "));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const open = async (which: React.ReactNode, view: Partial<View> = {}): Promise<Opened> =>
  openCapture(which, { page: await richPage(), view });

test("the overview names both changes of roles and both episodes", async () => {
  await open(<OverviewScreen />);
  const heading = plain(screen.getByRole("heading", { level: 1 }).textContent);
  expect(heading).toMatch(/NODE2 took over from NODE1;.*NODE1 took over from NODE2;/u);
  await words(/a log write on NODE2 took 3\d ms instead of 1\.\d ms/u);
  await words(/the round trip to NODE3 was 3\d ms instead of 5\.\d ms/u);
});

test("waiting has the log writers of each phase, and none of a database that a replica does not have", async () => {
  await open(<WaitingScreen />);
  fireEvent.click(await screen.findByRole("button", { name: "Show them" }));
  const rows = (await screen.findAllByRole("rowheader")).map(({ textContent }) => plain(textContent));
  // NODE1 is the primary before the failover and after the failback: each of its rows names the phase.
  expect(rows.filter((row) => row.startsWith("NODE1, primary"))).toEqual(
    [1, 3].flatMap((phase) =>
      ["Archive", "Sales"].map((name) => `NODE1, primaryLog write, ${name}, phase ${phase}`),
    ),
  );
  expect(new Set(rows).size).toBe(rows.length);
  expect(rows.filter((row) => row.startsWith("NODE2, primary"))).toHaveLength(2);
  expect(rows.filter((row) => row.startsWith("NODE3, sync"))).toEqual(
    [1, 2, 3].map((phase) => `NODE3, syncLog write, Sales, phase ${phase}`),
  );
  expect(rows.filter((row) => row.includes("NODE3 to") && row.includes("Archive"))).toEqual([]);
});

test("what if counts the commits of all phases, and offers each replica", async () => {
  await open(<WhatIfScreen />);
  await words(`of ${commits.toLocaleString("en-US")} commits`);
  for (const name of ["NODE2 asynchronous", "NODE3 asynchronous", "NODE4 synchronous"]) await words(name);
  expect(shown()).not.toContain("NODE4 asynchronous");
});

test("raw events are those of all files, each with its server's roles", async () => {
  await open(<RawEventsScreen />);
  const written = truth.servers.reduce((sum, { events }) => sum + events.written, 0);
  // Writes of system databases, six events each ten seconds, are no part of the availability group.
  await waitFor(() => expect(shown()).toMatch(/1[12]\d,\d{3} events/u));
  const [, listed] = /([\d,]+) events/u.exec(shown())!;
  const count = Number(listed.replaceAll(",", ""));
  expect(count).toBeLessThanOrEqual(written);
  expect(written - count).toBeLessThan(200);
  await words("NODE1, primary \u203A secondary \u203A primary");
  await words("NODE2, secondary \u203A primary \u203A secondary");
});

test("how the files were read counts the files of all servers", async () => {
  await open(<HowReadScreen />);
  const xel = files.filter(({ path }) => path.endsWith(".xel")).length;
  await words(`events in ${xel} files`);
  await words("4 of 4 servers");
});

test("the distribution is of all commits", async () => {
  await open(<DistributionScreen />);
  await words(`Commit${commits.toLocaleString("en-US")}, p50`);
});

/** Row of a block that was written 40 blocks after the beginning of a phase. */
async function blockOf(database: typeof sales, phase: number): Promise<number> {
  const { source, summary } = await richPage();
  const id = BigInt(database.blocks.id[database.blocks.phase.indexOf(phase) + 40]);
  const hex = (value: bigint): string => value.toString(16).padStart(8, "0");
  const lsn = `${hex(id >> 32n)}:${hex(id & 0xffffffffn)}`;
  const { rows } = await source.findLsn(lsn).ask(new AbortController().signal);
  return rows.find((each) => summary.databases[each.database]?.id === database.group_database_id)!.row;
}

test.each([
  [0, "NODE1", "NODE2"],
  [1, "NODE2", "NODE1"],
  [2, "NODE1", "NODE2"],
])(
  "the sequence of a block of phase %i has the servers of that phase alone",
  async (phase, primary, secondary) => {
    await open(<SequenceScreen />, { block: await blockOf(sales, phase) });
    await words(`${primary} log write`);
    await words(`${secondary} log write`);
    expect(shown()).not.toMatch(/(?:Log write, |for |^)NODE1 \u203A NODE2/u);
    expect(within(document.body).queryByText(/NODE1 \u203A NODE2 \u203A NODE1/u)).toBeNull();
  },
);

test("the sequence of a block of a database that one replica does not have shows no way to that", async () => {
  await open(<SequenceScreen />, { block: await blockOf(archive, 0), secondary: 1 });
  await words("remote harden is not known: the capture has no event of its way to NODE3");
  // Its log write is shown, so its file does contain the block.
  await words("NODE1 log write");
  expect(shown()).not.toContain("NODE1's file does not hold this block");
});

test("before and after are of one phase each", async () => {
  await open(<CompareScreen />);
  const [first, second] = truth.phases;
  const lasted = ({ from, to }: typeof first): number => (to - from) / 1e6;
  await words(/, 1[\d.]+ sB, filled/u);
  const [, a, b] = /to [\d:.]+, ([\d.]+) sB, filled.*to [\d:.]+, ([\d.]+) s/u.exec(shown())!;
  expect(Math.abs(Number(a) - lasted(first))).toBeLessThan(1);
  expect(Math.abs(Number(b) - lasted(second))).toBeLessThan(1);
});

/** Commits of each phase that the primary's files have. */
const commitsOfPhases = truth.phases.map((_, phase) =>
  truth.databases
    .map(({ blocks, commits: { block, in_capture } }) =>
      block.filter((row, c) => in_capture[c] && blocks.phase[row] === phase),
    )
    .reduce((sum, { length }) => sum + length, 0),
);
const counted = (n: number): string => n.toLocaleString("en-US");

test("the timeline has the figures of each phase, both changes of roles, and lanes of each server in its turn", async () => {
  await open(<TimelineScreen />);
  await words(`${truth.phases.length} phases`);
  for (const [phase, commits] of commitsOfPhases.entries())
    await words(`Phase ${phase + 1}, ${counted(commits)}`);
  const moved = [
    ...shown().matchAll(
      /The primary moved\.\s*(NODE\d) released its last commit at [\d:.]+, (NODE\d) its first/gu,
    ),
  ];
  expect(moved.map(([, from, to]) => `${from} to ${to}`)).toEqual(["NODE1 to NODE2", "NODE2 to NODE1"]);
  // NODE1 is the secondary of the first slot while NODE2 is the primary.
  await words("NODE2 \u203A NODE1 \u203A NODE2");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toMatch(/^Timeline of /u);
});

test("the timeline of one phase has that phase's commits, and no change of roles", async () => {
  const { source, summary } = await richPage();
  const page = { source: source.scoped({ database: null, phase: 1 }), summary };
  const { from, to } = summary.phases[1];
  await openCapture(<TimelineScreen />, { page, view: { phase: 1, range: [from, to] } });
  await words(`${counted(commitsOfPhases[1])} commits`);
  expect(shown()).not.toContain("The primary moved.");
});

/** Text of the file that the dialog saves. */
async function saved(what: RegExp, phase: number | null): Promise<string> {
  const save = vi.spyOn(saving, "saveFile").mockImplementation(() => undefined);
  const { source, summary } = await richPage();
  const page = { source: source.scoped({ database: null, phase }), summary };
  await openCapture(<ExportDialog open onOpenChange={() => {}} />, { page, view: { phase } });
  fireEvent.click(screen.getByRole("radio", { name: what }));
  fireEvent.click(screen.getByRole("radio", { name: /^Whole capture/u }));
  const button = await screen.findByRole("button", { name: /^Save/u });
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("false"), { timeout: 20_000 });
  fireEvent.click(button);
  const content = save.mock.calls[0]?.[0].content;
  return new Response(content as BodyInit).text();
}

test.each([null, 0, 1, 2])(
  "the exported table of commits of phase %s has those of the truth",
  async (phase) => {
    const [, ...rows] = (await saved(/^Commits/u, phase)).trim().split("\n");
    expect(rows).toHaveLength(phase === null ? commits : commitsOfPhases[phase]);
  },
);

test("the exported report names both changes of roles, each server once, and the commits of the capture", async () => {
  const report = new DOMParser().parseFromString(await saved(/^Report/u, null), "text/html");
  const told = plain(report.body.textContent);
  expect(told).toMatch(/NODE2 took over from NODE1;.*NODE1 took over from NODE2;/u);
  expect(told).toContain(`${counted(commits)} commits`);
  const [, ...replicas] =
    /(NODE1) [\d,]+ events, (NODE2) [\d,]+ events, (NODE3) [\d,]+ events, (NODE4)/u.exec(told) ?? [];
  expect(replicas).toEqual(["NODE1", "NODE2", "NODE3", "NODE4"]);
  const [first] = report.querySelectorAll("#slowest tbody tr");
  expect(plain(first?.textContent)).toMatch(/^\d\d:\d\d:\d\d/u);
});
