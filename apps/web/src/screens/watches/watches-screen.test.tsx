import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Person, Watch, WatchCheck, WatchedReplica, Watches } from "@aglens/contract";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import {
  WATCH_NOW,
  watch,
  watchAnswer,
  watchedReplica,
  watchEpisode,
  watches,
  watchOfGroup,
} from "../../../test/watch.ts";
import { AccountContext } from "../../state/account.ts";
import { rememberTime } from "../../state/time-choice.ts";
import { UPRIGHT_PHONE } from "../../ui/use-media.ts";
import { WatchesScreen } from "./watches-screen.tsx";

const WIDTH = 700;

let list: Watches;
let requests: string[];
/** Bodies of the requests to check a replica. */
let checks: { readonly replica: number }[];
let checkAnswer: WatchCheck;
const checked = () => checks.map(({ replica }) => replica);

beforeEach(() => {
  list = watches();
  requests = [];
  checks = [];
  checkAnswer = { maySignIn: true, mayWatch: true, mayRecord: true, problem: null, answer: null };
  vi.useFakeTimers({ now: WATCH_NOW, toFake: ["Date"] });
  rememberTime("utc");
  return () => vi.useRealTimers();
});

const VIEWER: Person = { id: "2", name: "guest", role: "viewer" };

async function open(search = "", person: Person | null = null) {
  const shown = fakeScreen({ width: WIDTH, height: 75 });
  const logOf = logCanvases();
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => {
    requests.push(`${init?.method ?? "GET"} ${path}`);
    if (path.endsWith("/check")) checks.push(JSON.parse(init?.body as string));
    const posted = path.endsWith("/record")
      ? watchEpisode({
          state: "refused",
          refusal: "Hold-off until 07:50:00 UTC, 15 min after the last recording.",
        })
      : path.endsWith("/check")
        ? checkAnswer
        : path.endsWith("/pause")
          ? watch()
          : undefined;
    return Promise.resolve(Response.json(posted ?? watchAnswer(path, list) ?? null));
  });
  window.history.replaceState(null, "", `/watches${search}`);
  const account = person && { person, signOut: () => undefined };
  const { container } = render(
    <AccountContext value={account}>
      <WatchesScreen />
    </AccountContext>,
    { wrapper: withAnswers() },
  );
  await settled();
  await settled();
  return { container, shown, logOf };
}
const press = (key: string) => settled(() => fireEvent.keyDown(document.body, { key }));
const plain = (element: Element | null | undefined): string =>
  (element?.textContent ?? "").replaceAll(/[\u2009\u00A0]/gu, " ");
const rows = () => within(screen.getByRole("list", { name: "Watches" })).getAllByRole("listitem");
const at = (): string => window.location.pathname + decodeURIComponent(window.location.search);

test("the headline is the recording of last night with the slowest commits, then counts as filters", async () => {
  await open();
  expect(plain(screen.getByRole("heading", { level: 1 }))).toBe(
    "SALES-AG triggered once last night. SQL2's log write takes 94 % of remote harden time. It was 31 ms instead of 2.1 ms (p95) from 02:41:07 to 02:44:30.",
  );
  const counts = [
    "6 watches",
    "2 watching",
    "1 recording now",
    "1 paused",
    "2 can't poll: PAYROLL-AG, DW-AG",
  ];
  for (const name of counts) expect(screen.getByRole("link", { name })).toBeTruthy();
  await settled(() => fireEvent.click(screen.getByRole("link", { name: "1 paused" })));
  expect(at()).toBe("/watches?state=paused");
  expect(rows().map((row) => plain(within(row).getByRole("heading")))).toEqual(["ORDERS-AG"]);
});

test("rows have state, limit, verdict, schedule and recordings, the newest trigger first, then by name", async () => {
  await open();
  expect(rows().map((row) => plain(within(row).getByRole("heading")))).toEqual([
    "CRM-AG",
    "SALES-AG",
    "DW-AG",
    "LEDGER-AG",
    "ORDERS-AG",
    "PAYROLL-AG",
  ]);
  const [crm, sales, dw, ledger, orders, payroll] = rows();
  expect(plain(crm)).toContain("Recording now, 1:50");
  expect(plain(crm)).toContain("today 07:38:10. Commit delay over 15 ms for 15 s");
  expect(plain(sales)).toContain("SQL1, SQL2, SQL3");
  expect(plain(sales)).toContain("Watchinglimit 15 ms for 15 s");
  expect(plain(sales)).toContain("Sun 29 Nov 02:00 for 5 min");
  expect(plain(sales)).toContain("3 of 202 refused");
  expect(plain(dw)).toContain("DW1 unreachablesince Mon 23 Nov 22:14");
  expect(plain(ledger)).toContain("No trigger since Mon 2 Nov.");
  expect(plain(orders)).toContain("Paused by dba-2since Fri 20 Nov 16:05");
  expect(plain(payroll)).toContain("Can't sign in to PAY1");
});

test("a strip asks for a week with a column per pixel, and has its values in words", async () => {
  await open();
  const to = WATCH_NOW;
  const from = to - 7 * 86_400_000;
  expect(requests).toContain(`GET /api/v1/watches/w1/series?from=${from}&to=${to}&bins=${WIDTH}`);
  // The slow minutes are 4 of a column's 14.4 minutes: their mean is 18 ms over the quiet 3 ms at most.
  expect(plain(rows()[1])).toMatch(
    /SALES-AG: mean commit delay .* longest poll 42.0 ms\. Limit 15.0 ms\. 2 recordings, 1 refused\./u,
  );
  expect(plain(rows()[4])).toContain("Not polled for");
});

test("keys step through watches and their triggers, and open the watch at one", async () => {
  await open();
  await press("j");
  expect(at()).toBe("/watches?sel=w2");
  await press("j");
  expect(at()).toBe("/watches?sel=w1");
  expect(document.activeElement?.textContent).toBe("SALES-AG");
  await press("p");
  await press("p");
  await press("Enter");
  expect(at()).toBe("/watches/w1?at=e2");
});

test("r records the selected watch; a refusal says why", async () => {
  await open("?sel=w1");
  await press("r");
  expect(requests).toContain("POST /api/v1/watches/w1/record");
  expect(screen.getByText(/^Not recorded: Hold-off until 07:50:00 UTC/u)).toBeTruthy();
});

test("a press on a mark opens its recording, one beside marks the watch around that time", async () => {
  const { container } = await open();
  const strip = container.querySelectorAll<HTMLElement>("li .clickable")[1];
  vi.spyOn(strip, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, WIDTH, 75));
  // 02:41:25 is 4 h 58 min 35 s before the right edge: 20.7 px of 700 px for 168 h.
  await settled(() => fireEvent.click(strip, { clientX: WIDTH - 21, clientY: 5 }));
  expect(at()).toBe("/captures/c3");
  await settled(() => fireEvent.click(strip, { clientX: WIDTH / 2, clientY: 50 }));
  // The middle of the week is 20 November, 19:40.
  expect(at()).toBe("/watches/w1?from=2026-11-20T15:40:00.000Z&to=2026-11-20T23:40:00.000Z");
});

test("in another zone days, times and the evening are that zone's", async () => {
  vi.stubEnv("TZ", "Asia/Kolkata");
  list = { ...list, watches: [watch()] };
  await open("?time=browser");
  expect(plain(rows()[0])).toContain("today 08:11:25. Commit delay");
  expect(plain(rows()[0])).toContain("Sun 29 Nov 07:30 for 5 min");
  expect(plain(screen.getByRole("heading", { level: 1 }))).toContain("from 08:11:07 to 08:14:30.");
  await press("t");
  expect(at()).toBe("/watches?time=utc");
  vi.unstubAllEnvs();
});

test("the search finds groups and servers; nothing found offers all", async () => {
  await open("?q=pay2");
  expect(rows()).toHaveLength(1);
  await settled(() =>
    fireEvent.change(screen.getByRole("searchbox", { name: "Find a watch" }), {
      target: { value: "nothing" },
    }),
  );
  expect(at()).toBe("/watches?q=nothing");
  expect(screen.getByRole("link", { name: "Show all watches" })).toBeTruthy();
});

test("a phone has the strip of 24 h", async () => {
  const { shown } = await open();
  shown.setMedia(UPRIGHT_PHONE, true);
  await settled();
  const from = WATCH_NOW - 86_400_000;
  const day = `GET /api/v1/watches/w1/series?from=${from}&to=${WATCH_NOW}&bins=${WIDTH}`;
  // A changed period is asked for after a short pause.
  await expect.poll(() => requests).toContain(day);
});

test("watches that can't poll: how many, the reason, and what to check", async () => {
  await open("?state=broken");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(
    "2 watches can't poll. Their groups weren't watched last night.",
  );
  const payroll = screen.getByRole("region", { name: "PAYROLL-AG" });
  expect(plain(payroll)).toContain("PAY1 (pay1:1433) refused the login (error 18456).");
  expect(plain(payroll)).toContain(
    "The watch continues with another password in the watch file, or after Check login.",
  );
  expect(plain(payroll)).toContain("Missed schedule: Tue 24 Nov 02:00.");
  const dw = screen.getByRole("region", { name: "DW-AG" });
  expect(plain(dw)).toContain("9 h 26 min");
  expect(plain(dw)).toContain("Next try in 42 s. 566 tries so far.");
  expect(plain(dw)).toContain("Test-NetConnection dw1 -Port 1433");
  await settled(() => fireEvent.click(within(payroll).getByRole("button", { name: "Check login" })));
  expect(requests).toContain("POST /api/v1/watches/w4/check");
  expect(screen.getByText("PAY1 accepts the login now. AG Lens polls it again.")).toBeTruthy();
  await settled(() => fireEvent.click(within(dw).getByRole("button", { name: "Pause watch" })));
  expect(requests).toContain("POST /api/v1/watches/w5/pause");
});

/** A watch of SALES-AG whose replicas have these problems. */
const brokenWatch = (
  state: Watch["state"],
  since: string,
  problems: readonly (Partial<WatchedReplica> | null)[],
): Watch => {
  const servers = ["SQL1", "SQL2", "SQL3"].slice(0, problems.length);
  const { definition } = watch();
  return watch({
    id: "b",
    state,
    since,
    definition: {
      ...definition,
      replicas: servers.map((serverName) => ({
        serverName,
        server: { host: serverName.toLowerCase(), encryption: "required", trustCertificate: false },
      })),
    },
    replicas: servers.map((serverName, i) =>
      watchedReplica(serverName, { role: i === 0 ? "primary" : "secondary", ...problems[i] }),
    ),
    lastEpisode: null,
  });
};
const gone = (detail: string): Partial<WatchedReplica> => ({
  problem: { code: "live-unreachable", detail, sql: null },
  tries: 3,
  retryIn: 4,
});
const refused = (detail: string): Partial<WatchedReplica> => ({
  problem: { code: "live-login-refused", detail, sql: null },
  tries: 1,
});
const GRANT = "USE master; GRANT VIEW SERVER STATE TO [aglens];";
const lacking = (detail: string): Partial<WatchedReplica> => ({
  problem: { code: "live-permission", detail, sql: GRANT },
  tries: 2,
  retryIn: 60,
});
const states = () => plain(rows()[0]);

test("of two broken replicas the one of the watch's state is first; each has its reason and button", async () => {
  list = {
    ...list,
    watches: [
      brokenWatch("cannotSignIn", "2026-11-23T20:00:00Z", [
        gone("SQL1 cannot be reached."),
        refused("SQL2 refused the login."),
      ]),
    ],
  };
  await open("?state=broken");
  expect(states()).toContain("Can't sign in to SQL2");
  expect(screen.getByText("SALES-AG needs a login.")).toBeTruthy();
  const card = screen.getByRole("region", { name: "SALES-AG" });
  expect(within(card).getAllByRole("heading", { level: 3 }).map(plain)).toEqual([
    "SQL2 refused the login.",
    "SQL1 cannot be reached.",
    "Check next",
  ]);
  expect(plain(card)).toContain("Next try in 4 s. 3 tries so far.");
  expect(plain(card)).toContain("Test-NetConnection sql1 -Port 1433");
  await settled(() => fireEvent.click(within(card).getByRole("button", { name: "Check login on SQL2" })));
  expect(checked()).toEqual([1]);
  await settled(() => fireEvent.click(within(card).getByRole("button", { name: "Try SQL1 again" })));
  expect(checked()).toEqual([1, 0]);
});

test("one reason of all replicas is there once", async () => {
  const problem = { code: "watch-file", detail: "The watch file has no login named sales.", sql: null };
  list = {
    ...list,
    watches: [brokenWatch("notStarted", "2026-11-23T20:00:00Z", [{ problem }, { problem }])],
  };
  await open("?state=broken");
  expect(screen.getAllByText("The watch file has no login named sales.")).toHaveLength(1);
  expect(screen.getAllByRole("button", { name: "Try again" })).toHaveLength(1);
});

test("a login without a permission signs in: AG Lens tries again, and has the T-SQL", async () => {
  const lacks = lacking("The login lacks VIEW SERVER STATE on SQL1.");
  list = { ...list, watches: [brokenWatch("cannotSignIn", "2026-11-23T20:00:00Z", [lacks, null])] };
  checkAnswer = { maySignIn: true, mayWatch: false, mayRecord: false, problem: null, answer: null };
  await open("?state=broken");
  expect(states()).toContain("Can't poll SQL1");
  expect(screen.getByText("SALES-AG needs a permission.")).toBeTruthy();
  const card = screen.getByRole("region", { name: "SALES-AG" });
  expect(plain(card)).toContain("Next try in 1 min. 2 tries so far.");
  expect(plain(card)).toContain(GRANT);
  await settled(() => fireEvent.click(within(card).getByRole("button", { name: "Try again" })));
  expect(screen.getByText("SQL1 accepts the login, which still lacks a permission.")).toBeTruthy();
  await settled(() => fireEvent.click(screen.getByRole("link", { name: "All watches" })));
  expect(states()).toContain("needs a permission");
});

test("the port to check is that of an address of IP version 6; an instance has none", async () => {
  const [first, second] = [gone("SQL1 cannot be reached."), gone("SQL2 cannot be reached.")];
  const broken = brokenWatch("unreachable", "2026-11-23T20:00:00Z", [first, second]);
  const [one, two] = broken.definition.replicas;
  const replicas = [
    { ...one, server: { ...one.server, host: "fd00::1", port: 14_330 } },
    { ...two, server: { ...two.server, instance: "SALES" } },
  ];
  list = { ...list, watches: [{ ...broken, definition: { ...broken.definition, replicas } }] };
  await open("?state=broken");
  const commands = [...document.querySelectorAll("code")].map(plain);
  expect(commands).toEqual(["Test-NetConnection fd00::1 -Port 14330"]);
});

test.each([
  // Broken 5 minutes ago: the night was watched.
  ["unreachable", "2026-11-24T07:35:00Z", [gone("SQL1."), null], "1 watch can't poll."],
  [
    "unreachable",
    "2026-11-23T23:59:00Z",
    [gone("SQL1."), null],
    "1 watch can't poll. Its group wasn't watched last night.",
  ],
  // The primary answers.
  ["unreachable", "2026-11-23T20:00:00Z", [null, gone("SQL2.")], "1 watch can't poll a secondary replica."],
] as const)("a watch that is %s since %s", async (state, since, problems, headline) => {
  list = { ...list, watches: [brokenWatch(state, since, problems)] };
  await open("?state=broken");
  expect(plain(screen.getByRole("heading", { level: 1 }))).toBe(headline);
});

test("of three broken watches those count that weren't watched last night", async () => {
  const since = "2026-11-23T20:00:00Z";
  const others = [
    brokenWatch("unreachable", since, [null, gone("SQL2.")]),
    brokenWatch("unreachable", "2026-11-24T07:35:00Z", [gone("SQL1."), null]),
  ].map((each, i) => ({ ...each, id: `b${i}` }));
  list = { ...list, watches: [...others, brokenWatch("cannotSignIn", since, [refused("SQL1."), null])] };
  await open("?state=broken");
  expect(plain(screen.getByRole("heading", { level: 1 }))).toBe(
    "3 watches can't poll. 1 group wasn't watched last night.",
  );
});

test("a viewer has no buttons", async () => {
  list = { ...list, watches: list.watches.map((each) => ({ ...each, mayChange: false })) };
  await open("?state=broken", VIEWER);
  expect(screen.queryByRole("button", { name: /Check login|Pause watch|Create watch/u })).toBeNull();
});

test("without watches: an example that says so, three steps, and the next one", async () => {
  list = { ...list, watches: [] };
  await open();
  expect(screen.getByText("Example: commit delay of one night, with the usual as a band")).toBeTruthy();
  expect(screen.getAllByRole("heading", { level: 2 }).map(plain)).toEqual([
    "1 Watch cheaply",
    "2 Record on a trigger",
    "3 Read the verdict",
  ]);
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Create watch" })));
  expect(at()).toBe("/watches/new");
});

test("a viewer of an empty page asks a contributor; a server that can't watch says why", async () => {
  list = { ...list, watches: [], problem: "AGLENS_WATCH_FILE isn't set." };
  await open("", VIEWER);
  expect(screen.getByText("Ask a contributor to create a watch.")).toBeTruthy();
  expect(screen.getByText("AGLENS_WATCH_FILE isn't set.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Create watch" })).toBeNull();
});

test("a quiet night has the number of groups that were watched", async () => {
  list = { ...list, watches: [watchOfGroup("w6", "LEDGER-AG"), watchOfGroup("w7", "HR-AG")] };
  await open();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(
    "No trigger last night. 2 groups were watched.",
  );
});

test("a watch that was created after the evening wasn't watched last night; one with its primary was", async () => {
  const late = watchOfGroup("w7", "HR-AG", { created: "2026-11-24T07:30:00Z" });
  list = { ...list, watches: [watchOfGroup("w6", "LEDGER-AG"), late] };
  await open();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(
    "No trigger last night. 1 group was watched.",
  );
  cleanup();
  list = { ...list, watches: [late] };
  await open();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("No trigger yet. 1 group is watched.");
  cleanup();
  list = { ...list, watches: [brokenWatch("unreachable", "2026-11-23T20:00:00Z", [null, gone("SQL2.")])] };
  await open();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(
    "No trigger last night. 1 group was watched.",
  );
});

test("the list is asked again after 5 s while the page is visible", async () => {
  vi.useFakeTimers({ now: WATCH_NOW, toFake: ["Date", "setInterval", "clearInterval"] });
  await open();
  const asked = (): number => requests.filter((each) => each === "GET /api/v1/watches").length;
  expect(asked()).toBe(1);
  await settled(() => vi.advanceTimersByTime(5_000));
  expect(asked()).toBe(2);
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  await settled(() => vi.advanceTimersByTime(20_000));
  expect(asked()).toBe(2);
});
