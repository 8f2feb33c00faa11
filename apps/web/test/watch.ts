/** Watches, their triggers and polls for tests; now is 24 November 2026, 07:40 UTC. */
import type {
  Watch,
  WatchDefinition,
  WatchedReplica,
  WatchEpisode,
  Watches,
  WatchSeries,
} from "@aglens/contract";

export const WATCH_NOW = Date.UTC(2026, 10, 24, 7, 40);
const DAY_MS = 86_400_000;

const DEFINITION: WatchDefinition = {
  group: "SALES-AG",
  replicas: [
    { server: { host: "sql1", encryption: "required", trustCertificate: false }, serverName: "SQL1" },
  ],
  login: "sales",
  everySeconds: 5,
  triggers: {
    commitDelay: { overMs: 15, forSeconds: 15 },
    timesUsual: null,
    queue: null,
    state: true,
    schedules: [{ cron: "0 2 * * 0", forSeconds: 300 }],
    http: false,
  },
  recording: {
    quietSeconds: 60,
    mostSeconds: 600,
    ringSeconds: 30,
    mostPerDay: 5,
    mostPerWeek: 20,
    mostBytesPerWeek: 2_000_000_000,
    holdOffSeconds: 900,
    keepDays: 90,
    withoutCommits: false,
  },
  receivers: ["DBA alerts"],
};

export const watchedReplica = (serverName: string, change: Partial<WatchedReplica> = {}): WatchedReplica => ({
  serverName,
  where: `${serverName.toLowerCase()}:1433`,
  role: "secondary",
  commitMode: "sync",
  synchronization: "SYNCHRONIZED",
  polled: "2026-11-24T07:39:58Z",
  problem: null,
  since: null,
  tries: 0,
  retryIn: null,
  missing: null,
  cost: { polls: 720, cpuSeconds: 1.31, bytes: 2_200_000 },
  ...change,
});

/** The night of SQL2's log disk: 03:05 over the limit, recorded with 30 s of the ring. */
export const watchEpisode = (change: Partial<WatchEpisode> = {}): WatchEpisode => ({
  id: "e3",
  trigger: {
    rule: "commitDelay",
    at: "2026-11-24T02:41:25Z",
    text: "Commit delay over 15 ms for 15 s",
    value: 20.4,
    limit: 15,
    usual: 3.1,
  },
  ended: "2026-11-24T02:44:30Z",
  state: "recorded",
  refusal: null,
  recordedFrom: "2026-11-24T02:40:55Z",
  recordedTo: "2026-11-24T02:45:30Z",
  captureId: "c3",
  bytes: 29_800_000,
  verdict:
    "SQL2's log write takes 94 % of remote harden time. It was 31 ms instead of 2.1 ms (p95) from 02:41:07 to 02:44:30.",
  place: "secondary",
  p95Us: 38_000,
  steps: [
    { at: "2026-11-24T02:41:10Z", text: "First poll over 15 ms: 19.8 ms", isProblem: false },
    { at: "2026-11-24T02:41:25Z", text: "Trigger, 4 polls in a row over the limit", isProblem: false },
    {
      at: "2026-11-24T02:41:27Z",
      text: "SQL3 didn't answer. AG Lens recorded SQL1 and SQL2.",
      isProblem: true,
    },
  ],
  ...change,
});

/** Triggers of that watch, the newest first: recorded, a schedule without a slow stage, and a refusal. */
export const watchEpisodes = (): WatchEpisode[] => [
  watchEpisode(),
  watchEpisode({
    id: "e2",
    trigger: {
      rule: "schedule",
      at: "2026-11-22T02:00:00Z",
      text: "Schedule",
      value: null,
      limit: null,
      usual: null,
    },
    ended: "2026-11-22T02:05:00Z",
    recordedFrom: "2026-11-22T02:00:01Z",
    recordedTo: "2026-11-22T02:05:00Z",
    captureId: "c2",
    verdict: "No stage stands out.",
    place: "none",
    p95Us: 5_180,
    steps: [],
  }),
  watchEpisode({
    id: "e1",
    trigger: { ...watchEpisode().trigger, at: "2026-11-20T22:03:50Z" },
    ended: "2026-11-20T22:05:00Z",
    state: "refused",
    refusal: "Hold-off until 22:14:02 UTC, 15 min after the last recording.",
    recordedFrom: null,
    recordedTo: null,
    captureId: null,
    bytes: null,
    verdict: null,
    place: null,
    p95Us: null,
    steps: [],
  }),
];

export const watch = (change: Partial<Watch> = {}): Watch => ({
  id: "w1",
  definition: DEFINITION,
  created: "2026-11-02T09:14:00Z",
  owner: { id: "1", name: "dba-1" },
  state: "watching",
  since: "2026-11-02T09:14:00Z",
  pausedBy: null,
  replicas: [
    watchedReplica("SQL1", { role: "primary", commitMode: "sync" }),
    watchedReplica("SQL2"),
    watchedReplica("SQL3", { commitMode: "async", synchronization: "SYNCHRONIZING", cost: null }),
  ],
  lastEpisode: watchEpisode(),
  nextSchedule: { at: "2026-11-29T02:00:00Z", forSeconds: 300 },
  week: { recordings: 3, refused: 2, bytes: 92_300_000 },
  missedSchedules: [],
  onServer: null,
  mayChange: true,
  ...change,
});

/** A watch of another group, which has its own name and servers. */
export const watchOfGroup = (id: string, group: string, change: Partial<Watch> = {}): Watch => {
  const short = group.slice(0, 3).replace("-", "");
  const serverOf = (host: string): WatchDefinition["replicas"][number] => ({
    server: { host, encryption: "required", trustCertificate: false },
    serverName: host.toUpperCase(),
  });
  return watch({
    id,
    definition: {
      ...DEFINITION,
      group,
      replicas: ["1", "2"].map((n) => serverOf(`${short.toLowerCase()}${n}`)),
    },
    replicas: [watchedReplica(`${short}1`, { role: "primary" }), watchedReplica(`${short}2`)],
    lastEpisode: null,
    nextSchedule: null,
    week: { recordings: 0, refused: 0, bytes: 0 },
    ...change,
  });
};

/** As the API reports a login that the server refuses, and a server that doesn't answer. */
const LOGIN_REFUSED = {
  code: "live-login-refused",
  detail:
    "PAY1 (pay1:1433) refused the login (error 18456). Check the user and the password, or the token. The server's error log has the reason. AG Lens doesn't retry automatically.",
  sql: null,
};
const NO_ANSWER = {
  code: "live-unreachable",
  detail:
    "DW1 (dw1:1433) cannot be reached: it did not answer in time. Check host, port and firewall; TCP/IP must be enabled in SQL Server.",
  sql: null,
};

/** Six watches: watching, recording, paused, two that can't poll, and one that never triggered. */
export const watches = (): Watches => ({
  watches: [
    watchOfGroup("w6", "LEDGER-AG"),
    watch(),
    watchOfGroup("w2", "CRM-AG", {
      state: "recording",
      lastEpisode: watchEpisode({
        id: "r1",
        trigger: {
          ...watchEpisode().trigger,
          at: "2026-11-24T07:38:10Z",
          text: "Commit delay over 15 ms for 15 s",
        },
        ended: null,
        state: "recording",
        recordedFrom: null,
        recordedTo: null,
        captureId: null,
        bytes: null,
        verdict: null,
        place: null,
        p95Us: null,
        steps: [],
      }),
    }),
    watchOfGroup("w3", "ORDERS-AG", { state: "paused", pausedBy: "dba-2", since: "2026-11-20T16:05:00Z" }),
    watchOfGroup("w4", "PAYROLL-AG", {
      state: "cannotSignIn",
      since: "2026-11-23T18:05:00Z",
      missedSchedules: ["2026-11-24T02:00:00Z"],
      replicas: [
        watchedReplica("PAY1", { role: "primary", problem: LOGIN_REFUSED, polled: "2026-11-23T18:05:00Z" }),
        watchedReplica("PAY2"),
      ],
    }),
    watchOfGroup("w5", "DW-AG", {
      state: "unreachable",
      since: "2026-11-23T22:14:00Z",
      replicas: [
        watchedReplica("DW1", {
          role: "primary",
          problem: NO_ANSWER,
          polled: "2026-11-23T22:14:05Z",
          tries: 566,
          retryIn: 42,
        }),
        watchedReplica("DW2"),
      ],
    }),
  ],
  logins: ["sales"],
  receivers: [],
  problem: null,
});

/** A value from -1 to 1 that looks random and is always the same. */
const noise = (i: number): number => 2 * ((Math.abs(Math.sin(i * 12.9898)) * 43_758.5453) % 1) - 1;

/** Quiet polls with the slow minutes of that night. @param until ms since 1970: nothing was polled after it */
export function watchSeriesOf(from: number, to: number, bins: number, until = WATCH_NOW): WatchSeries {
  const columns = Math.max(1, Math.floor(Math.min(bins, (to - from) / 60_000)));
  const width = (to - from) / columns;
  const [slowFrom, slowTo] = [Date.UTC(2026, 10, 24, 2, 41), Date.UTC(2026, 10, 24, 2, 45)];
  const at = Array.from({ length: columns }, (_, i) => from + i * width);
  const polled = at.map((begin) => begin + width <= until + 60_000);
  const isSlow = (begin: number): boolean => begin < slowTo && begin + width > slowFrom;
  const share = (begin: number): number => Math.min(1, (slowTo - slowFrom) / width) * (isSlow(begin) ? 1 : 0);
  const delay = at.map((begin, i) => 3 + 0.5 * Math.sin(begin / DAY_MS) + 0.6 * noise(i) + 18 * share(begin));
  return {
    from,
    width,
    delay: delay.map((ms, i) => (polled[i] ? ms : null)),
    longest: delay.map((ms, i) =>
      polled[i] ? (isSlow(at[i] ?? 0) ? 42 : ms * (1.2 + 0.3 * Math.abs(noise(i)))) : null,
    ),
    usualLow: delay.map(() => 2.4),
    usualHigh: delay.map(() => 3.9),
    sendQueueKb: delay.map(() => null),
    rpoSeconds: delay.map(() => null),
    polled: polled.map(Number),
  };
}

/** Answers of the API to the pages about watches; undefined for another address. @param path with its query */
export function watchAnswer(path: string, list: Watches = watches()): unknown {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const [, id = "", part = ""] = /\/watches\/([^/]+)\/(\w+)$/u.exec(pathname) ?? [];
  if (part === "series") {
    const [from = 0, to = 0, bins = 1] = ["from", "to", "bins"].map((name) => Number(searchParams.get(name)));
    const of = list.watches.find((each) => each.id === id);
    return watchSeriesOf(from, to, bins, of?.state === "watching" ? WATCH_NOW : Date.parse(of?.since ?? ""));
  }
  if (part === "episodes") {
    const of = list.watches.find((each) => each.id === id);
    return { episodes: id === "w1" ? watchEpisodes() : of?.lastEpisode ? [of.lastEpisode] : [] };
  }
  return pathname.endsWith("/watches") ? list : undefined;
}
