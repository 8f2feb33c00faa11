import type { EvidenceAgreement, Finding, HappenedEvent, Summary } from "@aglens/contract";
import { expect, test } from "vitest";
import { evidenceAnswer, happenedEvent } from "../../../test/evidence.ts";
import { summaryOf } from "../../../test/summary.ts";
import { agreeingSentence, episodeSentence } from "./agreeing-evidence.ts";

const SECOND = 1e6;

/** Requests over 15 s of SQL2, which ended at 40 s. */
const slowIo = (more: Partial<HappenedEvent> = {}): HappenedEvent =>
  happenedEvent({
    kind: "slowIo",
    at: 40 * SECOND,
    from: 25 * SECOND,
    server: "SQL2",
    message: 833,
    count: 3,
    text: String.raw`3 I/O requests took at least 15 s on SQL2: F:\MSSQL\Log\Orders_log.ldf (Orders).`,
    ...more,
  });

const lost = (more: Partial<HappenedEvent> = {}): HappenedEvent =>
  happenedEvent({
    kind: "connectivity",
    message: 35206,
    server: "SQL2",
    replica: "SQL1",
    text: "The connection to SQL1 timed out on SQL2.",
    ...more,
  });

const rule = (more: Partial<EvidenceAgreement> = {}): EvidenceAgreement => ({
  rule: "logDisk",
  agrees: false,
  server: "SQL2",
  text: "",
  sources: [],
  from: 0,
  to: 60 * SECOND,
  ...more,
});

/** The sentence about 20 to 44 s, by default of the log disk of SQL2. */
function sentence(
  events: readonly HappenedEvent[],
  agreement: readonly EvidenceAgreement[] = [],
  cause: Finding["cause"] = "secondary_disk",
  replica: number | null = 1,
): string | undefined {
  const windows = [{ from: 20 * SECOND, to: 44 * SECOND }];
  const answer = evidenceAnswer({ events: [...events], agreement: [...agreement] });
  return agreeingSentence(answer, { cause, replica, windows }, summaryOf())?.replaceAll("\u2009", " ");
}

test("reports of long requests are counted, with their volume", () => {
  const another = slowIo({ count: 2, at: 44.5 * SECOND, from: 29.5 * SECOND });
  expect(sentence([slowIo(), another])).toBe("SQL2 reported 5 requests over 15 s on F: in this time.");
});

test("requests that a health check counts too are the same ones", () => {
  const text = String.raw`4 I/O requests took at least 15 s, the longest for F:\MSSQL\Log\Orders_log.ldf.`;
  const checks = [4, 2].map((count) => slowIo({ message: null, count, text }));
  expect(sentence([slowIo(), ...checks])).toBe("SQL2 reported 3 requests over 15 s on F: in this time.");
  expect(sentence(checks)).toBe("SQL2 reported 4 requests over 15 s on F: in this time.");
});

test("an event whose text has no server gets it; without a server nothing of one is cited", () => {
  const worker = happenedEvent({
    kind: "scheduler",
    server: "SQL2",
    at: 30 * SECOND,
    text: "A worker didn't yield on scheduler 3.",
  });
  expect(sentence([worker], [], "server_pause")).toBe("SQL2: A worker didn't yield on scheduler 3.");
  expect(sentence([worker], [], "stall", null)).toBeUndefined();
});

test("events of another server, of another time and of another kind are not cited", () => {
  expect(
    sentence([slowIo({ server: "SQL1" }), slowIo({ at: 70 * SECOND, from: 55 * SECOND }), lost()]),
  ).toBeUndefined();
  expect(sentence([slowIo()], [], "flow_control")).toBeUndefined();
});

test("requests on data files are named as such, and those on the log come before them", () => {
  const onData = slowIo({
    count: 9,
    text: String.raw`9 I/O requests took at least 15 s on SQL2: D:\Data\Orders.mdf (Orders).`,
  });
  expect(sentence([onData])).toBe("SQL2 reported 9 requests over 15 s on data files on D: in this time.");
  expect(sentence([onData, slowIo()])).toBe("SQL2 reported 3 requests over 15 s on F: in this time.");
});

test("a contradiction comes first, where it is about the same server and time", () => {
  expect(sentence([slowIo()], [rule()])).toBe("Contradiction: disk counters and log writes on SQL2 differ.");
  const reported = "SQL2 reported 3 requests over 15 s on F: in this time.";
  expect(sentence([slowIo()], [rule({ agrees: true })])).toBe(reported);
  expect(sentence([slowIo()], [rule({ server: "SQL1" })])).toBe(reported);
  expect(sentence([slowIo()], [rule({ from: 50 * SECOND })])).toBe(reported);
  // Log writes that are slower than the test of the disk are what the episode is about.
  expect(sentence([slowIo()], [rule({ rule: "diskspd" })])).toBe(reported);
});

test("one lost connection is quoted, several of a slow network are counted", () => {
  const events = [lost({ at: 30 * SECOND })];
  expect(sentence(events, [], "network")).toBe("The connection to SQL1 timed out on SQL2.");
  const more = [...events, lost({ at: 31 * SECOND, server: "SQL1", replica: "SQL2" })];
  expect(sentence(more, [], "network")).toBe("The servers reported 2 lost connections in this time.");
  const back = lost({ at: 32 * SECOND, message: 35202 });
  expect(sentence([back], [], "network")).toBeUndefined();
  expect(sentence(more, [rule({ rule: "transactionDelay", server: "SQL1" })], "network")).toBe(
    "Contradiction: Transaction Delay and commits differ.",
  );
});

/** An episode of slow log writes on the server of a slot, and its finding. */
function slowWrites(name: string, secondary: number, replica: number, from: number) {
  const times = { from: from * SECOND, to: (from + 10) * SECOND };
  const { verdict } = summaryOf();
  const label = `Slow log writes, ${name}`;
  const [finding] = verdict.findings;
  return {
    finding: { ...finding, cause: "secondary_disk", replica, windows: [times] } satisfies Finding,
    episode: {
      ...times,
      label,
      cause: "secondary_disk",
      blocks: 9,
      stage: "secondaryFlush",
      secondary,
      inside: {},
      outside: {},
    } as unknown as Summary["verdict"]["episodes"][number],
  };
}

test("two servers that were slow at once are cited each in its own episode, also after a failover", () => {
  const summary = summaryOf();
  const [sql1, sql2] = summary.replicas;
  const replicas = [sql1, sql2, { ...sql2, name: "SQL3" }];
  const [phase] = summary.phases;
  const events = [
    slowIo({ count: 3 }),
    slowIo({
      server: "SQL3",
      count: 7,
      text: String.raw`7 I/O requests took at least 15 s on SQL3: G:\MSSQL\Log\Orders_log.ldf (Orders).`,
    }),
    slowIo({ server: "SQL1", at: 80 * SECOND, from: 65 * SECOND, count: 2 }),
  ];
  const modes = phase.commitModes.slice(0, 1).flatMap((mode) => [mode, mode]);
  const phases = [
    { ...phase, primary: 0, commitModes: modes, from: 0, to: 60 * SECOND },
    { ...phase, primary: 1, commitModes: modes, from: 60 * SECOND, to: 120 * SECOND },
  ];
  // The first slot is the path to SQL1 where SQL2 is the primary replica.
  const slow = [slowWrites("SQL2", 0, 1, 25), slowWrites("SQL3", 1, 2, 25), slowWrites("SQL1", 0, 0, 65)];
  const verdict = {
    ...summary.verdict,
    findings: slow.map(({ finding }) => finding),
    episodes: slow.map(({ episode }) => episode),
  };
  const answer = evidenceAnswer({ events });
  const sentences = slow.map(({ episode }) =>
    episodeSentence(answer, episode, { from: 0, to: 120 * SECOND }, { replicas, phases, verdict }),
  );
  expect(sentences.map((found) => found?.replaceAll("\u2009", " "))).toEqual([
    "SQL2 reported 3 requests over 15 s on F: in this time.",
    "SQL3 reported 7 requests over 15 s on G: in this time.",
    "SQL1 reported 2 requests over 15 s on F: in this time.",
  ]);
});

test("every sentence has at most 20 words", () => {
  const rules = ["logWriteWaits", "logDisk", "longRequests", "ioSubsystem"];
  for (const name of rules)
    expect(sentence([], [rule({ rule: name })])!.split(/\s+/u).length).toBeLessThanOrEqual(20);
});
