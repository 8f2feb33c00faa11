import { expect, test } from "vitest";
import { summaryOf } from "../../test/summary.ts";
import { inZone, serverZone, timeChoices, zoneOf } from "../screens/capture-view/zones.ts";
import { timeAxis } from "../charts/axis.ts";
import { formatInstant, formatRange, formatTime, passesMidnight, timesInZone, zoneName } from "./words.ts";
import {
  clockName,
  dayInstantText,
  instantText,
  localIso,
  localTicks,
  minutesOf,
  offsetName,
  UTC,
  instantsAt,
  type Zone,
  zoneNameAt,
} from "./zone.ts";

const SECOND = 1e6;
const HOUR = 3_600 * SECOND;
const at = (iso: string): bigint => (BigInt(Date.parse(iso)) + 11_644_473_600_000n) * 10_000n;
const capture = (iso: string, durationUs: number, zone: Zone) => ({
  originTicks: String(at(iso)),
  durationUs,
  zone,
});
const browser = (timeZone: string): Zone => ({ kind: "browser", timeZone });
const KOLKATA = browser("Asia/Kolkata");
const NEW_YORK = browser("America/New_York");
const LORD_HOWE = browser("Australia/Lord_Howe");

test("a zone with half an hour shows it in times, labels and on axes", () => {
  const kolkata = capture("2016-05-06T02:16:55Z", 92 * SECOND, KOLKATA);
  expect(formatTime(kolkata, 47_371_000)).toBe("07:47:42.371");
  expect(formatInstant(kolkata, 0, 0)).toBe("07:46:55 UTC+5:30");
  expect(formatRange(kolkata, 33 * SECOND, 69 * SECOND)).toBe("07:47:28 to 07:48:04 UTC+5:30");
  expect(zoneName(kolkata)).toBe("UTC+5:30");
  expect(timeAxis(0, 92 * SECOND, kolkata, 4).ticks.map(({ label }) => label)).toEqual([
    "07:47:00",
    "07:47:30",
    "07:48:00",
  ]);
  expect(timeAxis(0, 500_000, kolkata).base).toBe("07:46:55.000 UTC+5:30");
});

test("a capture over the end of daylight saving time has both offsets, each at its time", () => {
  // The clocks of New York go back from 02:00 to 01:00 at 06:00 UTC on 1 November 2026.
  const over = capture("2026-11-01T05:30:00Z", HOUR, NEW_YORK);
  expect(formatTime(over, 0, 0)).toBe("01:30:00 UTC\u22124");
  expect(formatTime(over, 30 * 60 * SECOND - 1 * SECOND, 0)).toBe("01:59:59 UTC\u22124");
  expect(formatTime(over, 30 * 60 * SECOND, 0)).toBe("01:00:00 UTC\u22125");
  expect(formatRange(over, 0, HOUR)).toBe("01:30:00 UTC\u22124 to 01:30:00 UTC\u22125");
  expect(zoneName(over)).toBe("Local time");
  expect(timeAxis(0, HOUR, over, 6).ticks.map(({ label }) => label)).toEqual([
    "01:30:00",
    "01:40:00",
    "01:50:00",
    "01:00:00 UTC\u22125",
    "01:10:00",
    "01:20:00",
    "01:30:00",
  ]);
  const after = capture("2026-11-01T06:00:00Z", HOUR, NEW_YORK);
  expect(formatInstant(after, 0, 0)).toBe("01:00:00 UTC\u22125");
  expect(zoneName(after)).toBe("UTC\u22125");
});

test("daylight saving time may be half an hour", () => {
  // Lord Howe Island: from UTC+10:30 to UTC+11 at 15:30 UTC on 3 October 2026, back at 15:00 UTC on 4 April.
  const instants = [
    "2026-10-03T15:29:59Z",
    "2026-10-03T15:30:00Z",
    "2026-04-04T14:59:59Z",
    "2026-04-04T15:00:00Z",
  ];
  expect(
    instants.map((iso) => `${localIso(LORD_HOWE, iso).slice(5, 19)} ${zoneNameAt(LORD_HOWE, iso)}`),
  ).toEqual([
    "10-04T01:59:59 UTC+10:30",
    "10-04T02:30:00 UTC+11",
    "04-05T01:59:59 UTC+11",
    "04-05T01:30:00 UTC+10:30",
  ]);
});

test("days are those of the zone", () => {
  // 23:50 to 00:10 in Kolkata, one day in UTC.
  const night = capture("2016-05-06T18:20:00Z", 1_200 * SECOND, KOLKATA);
  expect(passesMidnight(night)).toBe(true);
  expect(passesMidnight({ ...night, zone: UTC })).toBe(false);
  expect(formatRange(night, 0, 1_200 * SECOND)).toBe("6 May 23:50:00 to 7 May 00:10:00 UTC+5:30");
  expect(timeAxis(0, 1_200 * SECOND, night, 2).ticks.map(({ label }) => label)).toEqual([
    "23:50:00",
    "7 May",
    "00:10:00",
  ]);
});

test("UTC is as it is", () => {
  const utc = capture("2016-05-06T02:16:55Z", 92 * SECOND, UTC);
  expect(formatInstant(utc, 0)).toBe("02:16:55.000 UTC");
  expect(localIso(UTC, "2016-05-06T02:16:55.8Z")).toBe("2016-05-06T02:16:55.8");
  expect(offsetName(0)).toBe("UTC");
});

test("a clock time is the instant at which the zone's clock shows it", () => {
  const local = (iso: string): bigint => at(iso);
  expect(instantsAt(KOLKATA, local("2016-05-06T07:46:55Z"))).toEqual([at("2016-05-06T02:16:55Z")]);
  // Shown twice.
  expect(instantsAt(NEW_YORK, local("2026-11-01T01:30:00Z"))).toEqual([
    at("2026-11-01T05:30:00Z"),
    at("2026-11-01T06:30:00Z"),
  ]);
  // Never shown, as the clock goes from 02:00 to 03:00: half an hour after the change.
  expect(instantsAt(NEW_YORK, local("2026-03-08T02:30:00Z"))).toEqual([at("2026-03-08T07:30:00Z")]);
  expect(localTicks(NEW_YORK, at("2026-03-08T07:30:00Z"))).toBe(local("2026-03-08T03:30:00Z"));
});

test("offsets are read as people and SQL Server write them", () => {
  expect(["+05:30", "UTC+2", "GMT\u22124", "-0330", "UTC", "Z"].map(minutesOf)).toEqual([
    330, 120, -240, -210, 0, 0,
  ]);
});

test("sentences of the model have the times of the zone", () => {
  const kolkata = capture("2016-05-06T02:16:55Z", 92 * SECOND, KOLKATA);
  const sentence = "98 % of that falls between 02:17:28 and 02:18:03.5, +0:17:30 after 00000022:00000167.";
  expect(timesInZone(kolkata, sentence)).toBe(
    "98 % of that falls between 07:47:28 and 07:48:03.5, +0:17:30 after 00000022:00000167.",
  );
  expect(timesInZone({ ...kolkata, zone: UTC }, sentence)).toBe(sentence);
  // Two days in UTC: a day in the sentence chooses; without one the first such time is used.
  const days = capture("2016-05-06T20:00:00Z", 30 * HOUR, { kind: "server", minutes: -300, name: null });
  expect(timesInZone(days, "Choose files up to 7 May 21:00:00, at 01:00:00.")).toBe(
    "Choose files up to 7 May 16:00:00, at 6 May 20:00:00.",
  );
});

const server = (role: "primary" | "secondary", name: string, utcOffsetMinutes?: number) => ({
  ...summaryOf().replicas[0],
  role,
  name,
  ...(utcOffsetMinutes === undefined ? {} : { utcOffsetMinutes }),
});

test("server time is the primary's, by its name where servers differ, and offered where it is known", () => {
  const known = summaryOf({ replicas: [server("primary", "SQL1", 120), server("secondary", "SQL2", 120)] });
  const differing = summaryOf({ replicas: [server("primary", "SQL1", 120), server("secondary", "SQL2", 0)] });
  const one = summaryOf({ replicas: [server("primary", "SQL1"), server("secondary", "SQL2", -240)] });
  const unknown = summaryOf();
  expect(timeChoices(known).map(({ label }) => label)).toEqual([
    "UTC",
    "UTC+2, server",
    // The tests run in Auckland, in May.
    "UTC+12, this browser",
    "From the start",
  ]);
  expect(timeChoices(differing)[1]?.label).toBe("UTC+2, SQL1");
  expect(serverZone(one)).toEqual({ kind: "server", minutes: -240, name: null });
  expect(timeChoices(unknown).map(({ value }) => value)).toEqual(["utc", "browser", "offset"]);
  // A link may request an unknown zone.
  expect(zoneOf("server", unknown)).toEqual(UTC);
});

test("a capture in a zone has its verdict in it", () => {
  const summary = summaryOf();
  const verdict = { ...summary.verdict, sentence: "The network is slow from 02:16:57 on." };
  expect(inZone({ ...summary, verdict }, KOLKATA).verdict.sentence).toBe(
    "The network is slow from 07:46:57 on.",
  );
});

test("lists show instants by the reader's clock, and digits after the second as they are", () => {
  expect(localIso(NEW_YORK, "2026-11-01T05:59:59.1234567Z")).toBe("2026-11-01T01:59:59.1234567");
  expect(instantText(NEW_YORK, "2026-11-01T06:00:00Z", 19)).toBe("01:00:00 UTC\u22125");
  expect(dayInstantText(KOLKATA, "2016-05-06T20:16:55.8Z")).toBe("2016-05-07 01:46 UTC+5:30");
  expect(dayInstantText(UTC, "2016-05-06T20:16:55.8Z")).toBe("2016-05-06 20:16 UTC");
  expect([UTC, KOLKATA].map(clockName)).toEqual(["UTC", "local time"]);
});
