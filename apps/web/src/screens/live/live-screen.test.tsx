import { fireEvent, render, screen, within } from "@testing-library/react";
import type { LiveLane, LivePicture } from "@aglens/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { FakeEvents } from "../../../test/fake-events.ts";
import { livePicture, liveReplica } from "../../../test/live.ts";
import { databaseState, poll } from "../../../test/polls.ts";
import { openPath } from "../../state/navigate.ts";
import { forgetControl, keepControl } from "./control.ts";
import { LiveScreen } from "./live-screen.tsx";

const punctual = {
  behindSeconds: 0.2,
  buffersBehind: 0,
  lateSeconds: null,
  waitedSeconds: null,
};
const primary = liveReplica(punctual);
const secondary = liveReplica({
  ...punctual,
  index: 1,
  name: "SQL2",
  replicaId: "b",
  role: "secondary",
  eventsPerSecond: 801.4,
});
const lane = (key: string, label: string, more: Partial<LiveLane> = {}): LiveLane => ({
  key,
  label,
  heading: "",
  place: "primary",
  secondary: -1,
  replica: -1,
  commitMode: "undetermined",
  ...more,
});
const running = livePicture({
  title: "Load test, run 3",
  replicas: [primary, secondary],
  decodedTo: [10e6, 10e6],
  lanes: [
    lane("localFlush", "Log write", { heading: "SQL1, primary" }),
    lane("hop0.wireOut", "Network out", { heading: "To SQL2", place: "network", secondary: 0, replica: 1 }),
  ],
  figures: {
    localFlush: { n: 40, p50: 700, p95: 1_400, max: 2_000 },
    "hop0.wireOut": { n: 40, p50: 900, p95: 480_000, max: 500_000 },
  },
});

let sent: string[];

/** The screen of a run that sent these pictures. */
async function follow(...pictures: readonly LivePicture[]): Promise<void> {
  render(<LiveScreen id="run" />, { wrapper: withAnswers() });
  for (const picture of pictures) await settled(() => FakeEvents.newest?.tell("picture", picture));
}

const plain = (text: string | null): string => (text ?? "").replaceAll(/[\u00a0\u2009]/gu, " ");

beforeEach(() => {
  sent = [];
  logCanvases();
  window.history.replaceState(null, "", "/live/run");
  vi.stubGlobal("EventSource", FakeEvents);
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => {
    sent.push(`${init?.method ?? "GET"} ${path.replace(/^.*\/live/u, "")}`);
    return Promise.resolve(Response.json({ captureId: "kept" }));
  });
});
afterEach(() => {
  forgetControl("run");
  window.localStorage.clear();
  vi.unstubAllGlobals();
});

test("before the first picture the screen says that it attaches", async () => {
  await follow();
  expect(screen.getByText("Attaching.")).toBeTruthy();
  expect(FakeEvents.newest?.address).toMatch(/\/live\/runs\/run\/events$/u);
});

test("the strip names each replica with its role and the rate of its events", async () => {
  await follow({
    ...running,
    unattached: [{ replicaId: "c", name: "SQL3", role: "secondary", commitMode: "async" }],
    blocksPerSecond: 60.2,
    commitsPerSecond: 91.8,
  });
  const words = plain(screen.getByRole("region", { name: "Replicas" }).textContent);
  expect(words).toContain("PrimarySQL11,002 events/s");
  expect(words).toContain("Secondary, syncSQL2801 events/s");
  expect(words).toContain("Secondary, async, not attachedSQL3");
  expect(words).toContain("60 blocks/s, 92 commits/s");
});

test("each lane has its p50 and p95, and a click makes it tall or thin", async () => {
  await follow(running);
  const lanes = within(screen.getByRole("group", { name: "Lanes" }));
  const [write, out] = lanes.getAllByRole("button");
  expect(plain(write?.textContent ?? "")).toContain("Log write700 µs1.40 ms");
  expect(plain(out?.textContent ?? "")).toContain("Network out900 µs480 ms");
  const before = write?.getAttribute("aria-expanded");
  if (write !== undefined) fireEvent.click(write);
  expect(lanes.getAllByRole("button")[0]?.getAttribute("aria-expanded")).toBe(
    before === "true" ? "false" : "true",
  );
});

test("the lanes are told in words to those who do not see them", async () => {
  await follow(running);
  expect(screen.getByText(/^Lanes of the last 30 s up to 07:00:10.* UTC, 2 lanes\./u)).toBeTruthy();
});

test("times are shown by the primary's clock where the reader chooses it, and the link keeps that", async () => {
  await follow({ ...running, replicas: [{ ...primary, utcOffsetMinutes: 330 }, secondary] });
  const heard = within(screen.getByRole("complementary", { name: "Verdict and sessions" }));
  expect(heard.getByText("SQL1 to 07:00:10.0, SQL2 to 07:00:10.0 UTC")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Times: UTC" })).toBeTruthy();
  fireEvent.keyDown(document.body, { key: "t" });
  expect(window.location.search).toBe("?time=server");
  expect(screen.getByRole("button", { name: "Times: UTC+5:30, server" })).toBeTruthy();
  expect(heard.getByText("SQL1 to 12:30:10.0, SQL2 to 12:30:10.0 UTC+5:30")).toBeTruthy();
  expect(screen.getByText(/^Lanes of the last 30 s up to 12:30:10 UTC\+5:30, 2 lanes\./u)).toBeTruthy();
});

test("the table of replicas has SQL Server's own terms, with the column of each", async () => {
  await follow({ ...running, polls: [poll({ at: 9e6, databases: [databaseState({ replicaId: "b" })] })] });
  const table = within(screen.getByRole("region", { name: "Replicas by the primary's views" }));
  const names = table.getAllByRole("rowheader");
  expect(names.map(({ textContent }) => textContent)).toEqual([
    "Synchronization state",
    "Connected",
    "Suspended",
    "Log send queue",
    "Log send rate",
    "Redo queue",
    "Redo rate",
    "Secondary lag",
    "Estimated data loss (RPO)",
    "Estimated recovery time, redo only (RTO)",
    "Flow control time",
    "Newest event",
  ]);
  for (const { title } of names) expect(title).toMatch(/^[A-Z][^()]+ \([\w ,/]+\)$/u);
});

test("a paused view stays at its time until it follows again", async () => {
  await follow(running);
  fireEvent.click(screen.getByRole("button", { name: /^Pause view/u }));
  expect(screen.getByText(/^Paused .* before now, recording continues$/u)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: /^Follow now/u }));
  expect(screen.getByText("Following now")).toBeTruthy();
});

test("who has only the link can look on, no more", async () => {
  await follow(running);
  expect(screen.getByText("Read only")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Stop/u })).toBeNull();
});

test("the tab that started the run marks, and discards only when asked twice", async () => {
  keepControl("run", "secret");
  await follow(running);
  await settled(() => fireEvent.click(screen.getByRole("button", { name: /^Mark/u })));
  expect(sent).toContain("POST /runs/run/marks");
  fireEvent.click(screen.getByRole("button", { name: "Stop and discard" }));
  expect(sent).not.toContain("POST /runs/run/stop");
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Discard permanently" })));
  expect(sent).toContain("POST /runs/run/stop");
});

test("a run that has ended says how, and opens its capture", async () => {
  const endings = ["SQL1: the session was dropped."];
  await follow(running, { ...running, state: "stopped", captureId: "kept", endings });
  const ended = within(screen.getByRole("region", { name: "The run has ended" }));
  expect(ended.getByRole("listitem").textContent).toBe("SQL1: the session was dropped.");
  fireEvent.click(ended.getByRole("button", { name: "Open the capture" }));
  expect(openPath()).toBe("/captures/kept");
});

test("a line that breaks is said, and a picture takes that back", async () => {
  await follow(running);
  await settled(() => FakeEvents.newest?.dispatchEvent(new Event("error")));
  expect(screen.getByText(/^The connection to the server was lost\./u)).toBeTruthy();
  await settled(() => FakeEvents.newest?.tell("picture", { ...running, sequence: 2 }));
  expect(screen.queryByText(/^The connection to the server was lost\./u)).toBeNull();
});
