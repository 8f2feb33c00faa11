import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Person, Watches } from "@aglens/contract";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { WATCH_NOW, watch, watchAnswer, watchedReplica, watchEpisode, watches } from "../../../test/watch.ts";
import { AccountContext } from "../../state/account.ts";
import { rememberTime } from "../../state/time-choice.ts";
import { WatchScreen } from "./watch-screen.tsx";

const WIDTH = 800;

let list: Watches;
let requests: string[];
/** Answers in place of those of `watchAnswer`. */
let answers: (path: string) => Response | Promise<Response> | undefined;

beforeEach(() => {
  list = watches();
  requests = [];
  answers = () => undefined;
  vi.useFakeTimers({ now: WATCH_NOW, toFake: ["Date"] });
  rememberTime("utc");
  return () => vi.useRealTimers();
});

async function open(id = "w1", search = "", person: Person | null = null) {
  fakeScreen({ width: WIDTH, height: 120 });
  logCanvases();
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => {
    const method = init?.method ?? "GET";
    requests.push(`${method} ${path}`);
    if (method === "POST")
      return Promise.resolve(
        Response.json(path.endsWith("/record") ? watchEpisode({ state: "recording" }) : watch()),
      );
    return Promise.resolve(answers(path) ?? Response.json(watchAnswer(path, list) ?? null));
  });
  window.history.replaceState(null, "", `/watches/${id}${search}`);
  const account = person && { person, signOut: () => undefined };
  const { container } = render(
    <AccountContext value={account}>
      <WatchScreen id={id} />
    </AccountContext>,
    { wrapper: withAnswers() },
  );
  await settled();
  await settled();
  return container;
}
const press = (key: string) => settled(() => fireEvent.keyDown(document.body, { key }));
const plain = (element: Element | null | undefined): string =>
  (element?.textContent ?? "").replaceAll(/[\u2009\u00A0]/gu, " ");
const at = (): string => window.location.pathname + decodeURIComponent(window.location.search);
const headline = (): string => plain(screen.getByRole("heading", { level: 1 }));

test("the verdict of the newest trigger, figures that name their source, and the replicas", async () => {
  const container = await open();
  expect(headline()).toMatch(/^SQL2's log write takes 94 % of remote harden time/u);
  expect(plain(container)).toContain("Commit p95 38.0 ms in the recording. Polled 20.4 ms, limit 15 ms.");
  const replicas = plain(screen.getByRole("region", { name: "Replicas" }));
  expect(replicas).toContain("PrimarySQL1polled 2 s ago");
  expect(replicas).toContain("Secondary, asyncSQL3SYNCHRONIZING");
  expect(replicas).toContain("polled every 5 s, ring 30 s");
});

test("the night has eight hours, the episode its minutes; ring, recording and the time over the limit have their lengths", async () => {
  await open();
  const night = [Date.UTC(2026, 10, 23, 22), Date.UTC(2026, 10, 24, 6)];
  const frame = [Date.UTC(2026, 10, 24, 2, 39), Date.UTC(2026, 10, 24, 2, 47)];
  for (const [from, to] of [night, frame])
    expect(requests).toContain(`GET /api/v1/watches/w1/series?from=${from}&to=${to}&bins=${WIDTH}`);
  const picture = plain(screen.getByRole("region", { name: "Commit delay" }));
  expect(picture).toContain("23 Nov to 24 Nov, UTC");
  // 30 s of 8 minutes are 50 px of 800: no room for the ring's text, which is its title.
  expect(screen.getByTitle("ring, 30 s")).toBeTruthy();
  expect(picture).toContain("recorded, 4 min 05 s");
  expect(picture).toContain("over the limit, 3 min 05 s");
  expect(picture).toContain("02:41:25 trigger");
});

test("the pane has the trigger, a line per step with a failed one marked, the cost, and facts", async () => {
  const container = await open();
  const pane = plain(screen.getByRole("complementary", { name: "Watch" }));
  expect(pane).toContain(
    "RuleCommit delay over a limitValue20.4 msLimit15 msUsual3.10 ms × 6.6Lasted3 min 05 s",
  );
  expect(plain(container.querySelector("li[data-bad=true]"))).toBe(
    "02:41:27 SQL3 didn't answer. AG Lens recorded SQL1 and SQL2.",
  );
  expect(pane).toContain("Polling, CPU1.3 s1.3 s–");
  expect(pane).toContain("Loginsales, watch file");
  expect(pane).toContain("Limits3 of 20, 92.3 MB of 2.0 GB a week");
});

test("a viewer sees no login, no receivers and no buttons", async () => {
  list = { ...list, watches: list.watches.map((each) => ({ ...each, mayChange: false })) };
  await open("w1", "", { id: "2", name: "guest", role: "viewer" });
  const pane = plain(screen.getByRole("complementary", { name: "Watch" }));
  expect(pane).not.toContain("Login");
  expect(pane).not.toContain("DBA alerts");
  expect(screen.queryByRole("button", { name: /Record now|Pause|Edit/u })).toBeNull();
});

test("n and p go through triggers, + and - zoom, Enter opens the recording", async () => {
  await open();
  await press("p");
  expect(at()).toBe("/watches/w1?at=e2");
  expect(headline()).toBe("No stage stands out.");
  await press("p");
  expect(headline()).toMatch(/^Refused: Hold-off until 22:14:02 UTC/u);
  expect(screen.queryByRole("button", { name: /Open recording/u })).toBeNull();
  expect(plain(screen.getByRole("region", { name: "Commit delay" }))).toContain("not recorded");
  await press("n");
  await press("n");
  await press("+");
  // 02:41:25 stays at 4 h 41 min 25 s of 8 h: 2 h 20 min 42.5 s of 4 h, on full minutes.
  expect(at()).toBe("/watches/w1?from=2026-11-24T00:21:00.000Z&to=2026-11-24T04:21:00.000Z&at=e3");
  await press("Escape");
  expect(at()).toBe("/watches/w1?at=e3");
  await press("Enter");
  expect(at()).toBe("/captures/c3");
});

test("recordings and refusals in a table; a row chooses its trigger, its verdict opens the capture", async () => {
  await open();
  const rows = within(screen.getByRole("table", { name: "Recordings" }))
    .getAllByRole("row")
    .slice(1);
  expect(rows.map(plain)[0]).toContain("Tue 24 Nov 02:41:25Commit delay over 15 ms for 15 s");
  expect(rows.map(plain)[0]).toContain("38.0 ms4 min 35 s29.8 MB");
  expect(rows.map(plain)[2]).toContain(
    "Refused: Hold-off until 22:14:02 UTC, 15 min after the last recording.",
  );
  expect(within(rows[1]).getByRole("link", { name: "No stage stands out." }).getAttribute("href")).toBe(
    "/captures/c2",
  );
  await settled(() => fireEvent.click(within(rows[1]).getByRole("link", { name: "Sun 22 Nov 02:00:00" })));
  expect(at()).toBe("/watches/w1?at=e2");
});

test("record now and pause", async () => {
  await open();
  await press("r");
  expect(requests).toContain("POST /api/v1/watches/w1/record");
  expect(screen.getByText("Recording of SALES-AG begins.")).toBeTruthy();
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Pause" })));
  expect(requests).toContain("POST /api/v1/watches/w1/pause");
});

test("a watch that never triggered shows the night of its longest poll", async () => {
  await open("LEDGER-AG");
  expect(headline()).toBe("No trigger since Mon 2 Nov.");
  // The columns of the week are 15 minutes wide: the slow minutes are in that of 02:40.
  expect(
    screen.getByText(/^The longest poll of the last 7 days was 42.0.ms, today between 02:40 and 02:55\.$/u),
  ).toBeTruthy();
  const [from, to] = [Date.UTC(2026, 10, 23, 22), Date.UTC(2026, 10, 24, 6)];
  expect(requests).toContain(`GET /api/v1/watches/w6/series?from=${from}&to=${to}&bins=${WIDTH}`);
});

test.each([
  ["still loads", () => new Promise<Response>(() => undefined), "Loading polls"],
  ["isn't known", () => new Response(null, { status: 500 }), "The server answered with status 500."],
  ["wasn't polled", () => seriesWithout(0), "No polls in the last 7 days."],
  ["had no commits", () => seriesWithout(1), "No commits in the last 7 days."],
])("a week that %s has its own sentence", async (_, answer, sentence) => {
  answers = (path) => (path.includes("bins=672") ? answer() : undefined);
  const container = await open("LEDGER-AG");
  expect(plain(container.querySelector("header h1 + p"))).toContain(sentence);
});

/** Columns without commits. @param polled share of each column */
function seriesWithout(polled: number): Response {
  const none = [null, null];
  const columns = { delay: none, longest: none, usualLow: none, usualHigh: none, sendQueueKb: none };
  return Response.json({ from: 0, width: 900_000, ...columns, rpoSeconds: none, polled: [polled, polled] });
}

test.each([
  ["load", () => new Promise<Response>(() => undefined)],
  ["have failed", () => new Response(null, { status: 500 })],
])("while triggers %s, the newest one is shown, and nothing is said about others", async (_, answer) => {
  answers = (path) => (path.endsWith("/episodes") ? answer() : undefined);
  await open();
  expect(headline()).toMatch(/^SQL2's log write takes 94 %/u);
  cleanup();
  const container = await open("w6");
  expect(headline()).toBe("LEDGER-AG");
  expect(plain(container)).not.toContain("Nothing has triggered yet");
});

test("only triggers of the shown watch are requested, and again when its newest one has changed", async () => {
  vi.useFakeTimers({ now: WATCH_NOW, toFake: ["Date", "setInterval", "clearInterval"] });
  await open("w2");
  const ofEpisodes = () => requests.filter((each) => each.endsWith("/episodes"));
  expect(ofEpisodes()).toEqual(["GET /api/v1/watches/w2/episodes"]);
  const step = { at: "2026-11-24T07:38:12Z", text: "Event sessions run on CRM1, CRM2", isProblem: false };
  list = {
    ...list,
    watches: list.watches.map((each) =>
      each.id === "w2" && each.lastEpisode !== null
        ? { ...each, lastEpisode: { ...each.lastEpisode, steps: [step] } }
        : each,
    ),
  };
  await settled(() => vi.advanceTimersByTime(5_000));
  await settled();
  expect(ofEpisodes()).toHaveLength(2);
  expect(plain(screen.getByRole("list", { name: "Steps" }))).toBe(
    "07:38:12 Event sessions run on CRM1, CRM2",
  );
  // Older triggers can change, too: one that was refused ends.
  await settled(() => vi.advanceTimersByTime(60_000));
  expect(ofEpisodes().length).toBeGreaterThan(2);
});

test("polls of a period that isn't over are requested again each minute, those of an earlier one aren't", async () => {
  vi.useFakeTimers({ now: WATCH_NOW, toFake: ["Date", "setInterval", "clearInterval"] });
  // The night of the running recording ends at 08:00, that of 02:41 at 06:00.
  const asked = (from: number) => requests.filter((each) => each.includes(`/series?from=${from}&`)).length;
  const [running, earlier] = [Date.UTC(2026, 10, 24), Date.UTC(2026, 10, 23, 22)];
  await open("w2");
  expect(asked(running)).toBe(1);
  await settled(() => vi.advanceTimersByTime(60_000));
  await expect.poll(() => asked(running)).toBe(2);
  cleanup();
  await open("w1");
  expect(asked(earlier)).toBe(1);
  await settled(() => vi.advanceTimersByTime(60_000));
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(asked(earlier)).toBe(1);
});

test("a trigger without a limit lasted, and isn't over one; a failed one has the mark of a refusal", async () => {
  const change = {
    ...watchEpisode(),
    trigger: { ...watchEpisode().trigger, rule: "state" as const, limit: null, value: null, usual: null },
  };
  const failed = watchEpisode({ id: "f", state: "failed", captureId: null, refusal: "No events arrived." });
  answers = (path) =>
    path.endsWith("/episodes") ? Response.json({ episodes: [change, failed] }) : undefined;
  const container = await open();
  const picture = plain(screen.getByRole("region", { name: "Commit delay" }));
  expect(picture).toContain("lasted, 3 min 05 s");
  expect(picture).not.toContain("over the limit");
  expect(
    [...container.querySelectorAll<HTMLElement>("table i[data-kind]")].map((mark) => mark.dataset["kind"]),
  ).toEqual(["recorded", "failed"]);
});

test("a replica that answers and can't be polled isn't without an answer", async () => {
  const problem = { code: "live-login-refused", detail: "SQL2 refuses the login.", sql: null };
  const lost = { code: "live-unreachable", detail: "Can't reach SQL3.", sql: null };
  list = {
    ...list,
    watches: [
      watch({
        replicas: [
          watchedReplica("SQL1", { role: "primary" }),
          watchedReplica("SQL2", { problem }),
          watchedReplica("SQL3", { problem: lost }),
        ],
      }),
    ],
  };
  await open();
  const replicas = plain(screen.getByRole("region", { name: "Replicas" }));
  expect(replicas).toContain("SQL2not polled");
  expect(replicas).toContain("SQL3no answer");
});

test("times are those of the chosen clock", async () => {
  vi.stubEnv("TZ", "Asia/Kolkata");
  await open("w1", "?time=browser");
  expect(headline()).toContain("from 08:11:07 to 08:14:30.");
  expect(plain(screen.getByRole("region", { name: "Commit delay" }))).toContain("08:11:25 trigger");
  vi.unstubAllEnvs();
});

test("a watch that was deleted says so", async () => {
  await open("gone");
  expect(headline()).toBe("There is no such watch.");
});
