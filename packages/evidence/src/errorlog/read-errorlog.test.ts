import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeReference } from "@aglens/reference-data";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inUtc } from "./local-time.ts";
import { readErrorlog, type ErrorlogFile } from "./read-errorlog.ts";

const FILE: ErrorlogFile = { name: "ERRORLOG", server: "SQL1" };
const HEAD = [
  "2026-05-13 19:00:00.00 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) ",
  "\tOct  8 2022 05:58:25 ",
  "",
  "2026-05-13 19:00:00.00 Server      UTC adjustment: -7:00",
];

async function* pieces(bytes: Uint8Array, size = bytes.length || 1): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function utf16(text: string, isBig = false): Uint8Array {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [i, code] of [0xfeff, ...Array.from(text, (char) => char.charCodeAt(0))].entries())
    view.setUint16(i * 2, code, !isBig);
  return bytes;
}
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (lines: readonly string[], file = FILE, size?: number) =>
  readErrorlog(file, pieces(utf8(`${lines.join("\r\n")}\r\n`), size));

/** 2026-05-14 02:17:41.23 UTC is 19:17:41.23 of the day before, seven hours behind. */
const AT = "2026-05-13 19:17:41.23";
const AT_US = Date.UTC(2026, 4, 14, 2, 17, 41, 230) * 1000;
const one = async (text: string, error?: string) => {
  const lines = error === undefined ? [] : [`${AT} spid42s     ${error}`];
  const { events, notUnderstood } = await read([...HEAD, ...lines, `${AT} spid42s     ${text}`]);
  expect(notUnderstood.count).toBe(0);
  expect(events).toHaveLength(1);
  return events[0]!;
};

describe("an entry", () => {
  test("has the time of the file's offset, ±10 ms, and the line of its text", async () => {
    const event = await one(
      "The state of the local availability replica in availability group 'SALES-AG' has changed from 'PRIMARY_NORMAL' to 'RESOLVING_NORMAL'.  The state changed because the lease expired.",
    );
    expect(event).toMatchObject({
      kind: "role",
      atUs: AT_US,
      server: "SQL1",
      group: "SALES-AG",
      message: 19406,
      states: ["PRIMARY_NORMAL", "RESOLVING_NORMAL"],
      text: "The replica on SQL1 changed from PRIMARY_NORMAL to RESOLVING_NORMAL in SALES-AG.",
    });
    expect(event.sources).toEqual([
      { file: "ERRORLOG", place: 5, plusMinusUs: 10_000, text: expect.stringContaining("because the lease") },
    ]);
  });

  test.each([
    [
      "lease",
      19407,
      "The lease between availability group 'SALES-AG' and the Windows Server Failover Cluster has expired. A connectivity issue occurred",
      "The lease of SALES-AG expired on SQL1.",
    ],
    [
      "lease",
      19421,
      "SQL Server hosting availability group 'SALES-AG' did not receive a process event signal from the Windows Server Failover Cluster within the lease timeout period.",
      "SQL Server got no lease signal for SALES-AG within the timeout on SQL1.",
    ],
    [
      "lease",
      19419,
      "Windows Server Failover Cluster did not receive a process event signal from SQL Server hosting availability group 'SALES-AG' within the lease timeout period.",
      "The cluster got no lease signal for SALES-AG within the timeout on SQL1.",
    ],
    [
      "connectivity",
      35206,
      "A connection timeout has occurred on a previously established connection to availability replica 'SQL2' with id [57F1]. Either a networking",
      "The connection to SQL2 timed out on SQL1.",
    ],
    [
      "connectivity",
      35201,
      "A connection timeout has occurred while attempting to establish a connection to availability replica 'SQL2' with id [57F1].",
      "A new connection to SQL2 timed out on SQL1.",
    ],
    [
      "connectivity",
      35202,
      "A connection for availability group 'SALES-AG' from availability replica 'SQL1' with id  [5A] to 'SQL2' with id [5B] has been successfully established.",
      "The connection to SQL2 for SALES-AG was established on SQL1.",
    ],
    [
      "suspension",
      35264,
      `Always On Availability Groups data movement for database 'Sales' has been suspended for the following reason: "user" (Source ID 0; Source string: 'SUSPEND_FROM_USER').`,
      "Data movement of Sales was suspended on SQL1 (user).",
    ],
    [
      "suspension",
      35265,
      "AlwaysOn Availability Groups data movement for database 'Sales' has been resumed.",
      "Data movement of Sales was resumed on SQL1.",
    ],
    [
      "role",
      1480,
      `The availability group database "Sales" is changing roles from "PRIMARY" to "RESOLVING" because the mirroring session or availability group failed over due to role synchronization.`,
      "Database Sales on SQL1 changed from PRIMARY to RESOLVING.",
    ],
    [
      "role",
      41144,
      "The local availability replica of availability group 'SALES-AG' is in a failed state.",
      "The replica of SALES-AG is in a failed state on SQL1.",
    ],
    [
      "memory",
      701,
      "There is insufficient system memory in resource pool 'default' to run this query.",
      "Memory was insufficient for a query on SQL1.",
    ],
    [
      "restart",
      17148,
      "SQL Server is terminating in response to a 'stop' request from Service Control Manager.",
      "The service was stopped on SQL1.",
    ],
  ])("of %s %i is read by its text", async (kind, message, text, sentence) => {
    expect(await one(text)).toMatchObject({ kind, message, text: sentence, fromUs: null, count: 1 });
    expect(sentence.split(" ").length).toBeLessThanOrEqual(20);
  });

  test("833 ends a duration of at least 15 s, with count and file", async () => {
    const text =
      "SQL Server has encountered 4 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [F:\\Log\\Sales.ldf] in database [Sales] (5).  The OS file handle is 0x0A.";
    expect(await one(text)).toMatchObject({
      kind: "slowIo",
      message: 833,
      count: 4,
      database: "Sales",
      fromUs: AT_US - 15_000_000,
      text: "4 I/O requests took at least 15 s on SQL1: F:\\Log\\Sales.ldf (Sales).",
    });
  });

  test("17883 began its interval ago", async () => {
    const text =
      "Process 0:0:0 (0x1b54) Worker 0x0000021718116160 appears to be non-yielding on Scheduler 12. Thread creation time: 13362143230293. Approx Thread CPU Used: kernel 0 ms, user 0 ms. Process Utilization 0%. System Idle 96%. Interval: 70314 ms.";
    expect(await one(text)).toMatchObject({
      kind: "scheduler",
      fromUs: AT_US - 70_314_000,
      text: "A worker didn't yield on scheduler 12 on SQL1 for 70 s.",
    });
  });

  test("has the number of the line before it, also with another session's entry between them", async () => {
    const lines = [
      ...HEAD,
      `${AT} Server      Error: 19422, Severity: 16, State: 1.`,
      `${AT} Logon       Login succeeded.`,
      `${AT} Server      The renewal of the lease between availability group 'SALES-AG' and the Windows Server Failover Cluster failed because the existing lease is no longer valid.`,
    ];
    const { events } = await read(lines);
    expect(events).toMatchObject([{ message: 19422, kind: "lease" }]);
  });

  test("goes on in the lines without a time", async () => {
    const { events } = await read([
      ...HEAD,
      `${AT} spid9s      There is insufficient system memory`,
      "\tin resource pool 'default'.",
    ]);
    expect(events[0]!.sources[0]!.text).toBe(
      "There is insufficient system memory\n\tin resource pool 'default'.",
    );
  });
});

describe("time", () => {
  const start = (time: string) =>
    `2026-${time} Server      SQL Server is starting at normal priority base (=7).`;
  const times = async (lines: readonly string[], { chosen = 0, next = null as number | null } = {}) => {
    const { events, nights, utcOffsetMinutes } = await read(lines);
    const own = utcOffsetMinutes === null ? chosen : 0;
    const placed = inUtc(events, nights, { own, next });
    return placed.map(({ atUs }) => new Date(atUs / 1000).toISOString().slice(5, 16));
  };
  const head = (hours: number) => `2026-01-01 00:00:00.00 Server      UTC adjustment: ${hours}:00`;

  test("is local without an offset, and placed by a chosen one", async () => {
    const lines = [start("05-13 19:00:00.00"), start("05-13 19:00:01.00")];
    expect(await read(lines)).toMatchObject({ utcOffsetMinutes: null, notUnderstood: { count: 0 } });
    expect(await times(lines)).toEqual(["05-13T19:00", "05-13T19:00"]);
    expect(await times(lines, { chosen: 60 })).toEqual(["05-13T18:00", "05-13T18:00"]);
  });

  test("the file's own offset counts before a chosen one", async () => {
    expect(await times([head(2), start("05-13 19:00:00.00")], { chosen: 60 })).toEqual(["05-13T17:00"]);
  });

  test("events before the head have its offset", async () => {
    expect(await times([start("01-01 19:00:00.00"), head(2), start("05-13 19:00:00.00")])).toEqual([
      "01-01T17:00",
      "05-13T17:00",
    ]);
  });

  test("winter time begins where the clock goes back", async () => {
    const lines = [
      head(2),
      start("10-25 02:50:00.00"),
      start("10-25 02:05:00.00"),
      start("10-25 04:00:00.00"),
    ];
    expect(await times(lines)).toEqual(["10-25T00:50", "10-25T01:05", "10-25T03:00"]);
  });

  test("summer time begins between two entries where the next file has another offset", async () => {
    const lines = [
      head(1),
      start("03-28 12:00:00.00"),
      start("03-29 01:59:00.00"),
      start("03-29 03:01:00.00"),
    ];
    expect(await times(lines, { next: 120 })).toEqual(["03-28T11:00", "03-29T00:59", "03-29T01:01"]);
    expect(await times(lines, { next: 60 })).toEqual(["03-28T11:00", "03-29T00:59", "03-29T02:01"]);
    // Without its own offset, by a chosen one; the night of another continent changes nothing.
    expect(await times(lines.slice(1), { chosen: 60, next: 120 })).toEqual([
      "03-28T11:00",
      "03-29T00:59",
      "03-29T01:01",
    ]);
    expect((await times(lines.slice(1), { chosen: -300, next: -240 })).at(-1)).toBe("03-29T08:01");
  });

  test("a second head ends the change of a night", async () => {
    const lines = [
      head(1),
      start("03-28 12:00:00.00"),
      start("03-29 03:01:00.00"),
      "2026-04-01 00:00:00.00 Server      UTC adjustment: 3:00",
      start("04-02 12:00:00.00"),
    ];
    expect(await times(lines, { next: 120 })).toEqual(["03-28T11:00", "03-29T01:01", "04-02T09:00"]);
  });
});

describe("a file", () => {
  const lines = [
    ...HEAD,
    `${AT} spid9s      Always On: something about availability groups that no rule has.`,
  ];
  const text = `${[...lines, `${AT} Server      SQL Server is starting at normal priority base (=7).`].join("\r\n")}\r\n`;

  test.each([
    ["UTF-8", utf8(text)],
    ["UTF-16 LE", utf16(text)],
    ["UTF-16 BE", utf16(text, true)],
  ])("in %s, in pieces of any size, is the same", async (_, bytes) => {
    for (const size of [1, 7, 64, bytes.length]) {
      const { events, entries, notUnderstood } = await readErrorlog(FILE, pieces(bytes, size));
      expect(events).toHaveLength(1);
      expect(entries).toBe(4);
      expect(notUnderstood).toMatchObject({ count: 1, first: [expect.stringContaining("no rule has")] });
    }
  });

  test("without its head has lines before the first entry, which are counted", async () => {
    const { notUnderstood } = await read(["  the end of an entry", "", "and more", `${AT} spid1s      x`]);
    const login = ["Login failed for user 'sa'.", `${AT} spid1s      x`];
    expect((await read(login)).notUnderstood.first).toEqual(["(a line about a login)"]);
    const kept = await read(login, { ...FILE, keepSensitive: true });
    expect(kept.notUnderstood.first).toEqual(["Login failed for user 'sa'."]);
    expect(notUnderstood).toEqual({
      file: "ERRORLOG",
      count: 2,
      first: ["  the end of an entry", "and more"],
    });
  });

  test("errors of the server without a rule are counted", async () => {
    const { notUnderstood } = await read([
      ...HEAD,
      `${AT} spid1s      Error: 9002, Severity: 17, State: 2.`,
      `${AT} spid1s      The transaction log is full.`,
      `${AT} Logon       Error: 18456, Severity: 14, State: 8.`,
      `${AT} Logon       Login failed for user 'sa'.`,
    ]);
    expect(notUnderstood).toMatchObject({ count: 1, first: ["Error 9002: The transaction log is full."] });
  });

  test("is bounded: a line without an end costs one line", async () => {
    const long = "x".repeat(3_000_000);
    const { events } = await read(
      [
        ...HEAD,
        `${AT} spid1s      ${long}`,
        `${AT} Server      SQL Server is starting at normal priority base (=7).`,
      ],
      FILE,
      65_536,
    );
    expect(events).toHaveLength(1);
  });

  test("of 100,000 lines is read in less than a second", async () => {
    const line = (i: number) =>
      `${AT} spid${i % 900}s     ${i % 50 === 0 ? "A connection timeout has occurred on a previously established connection to availability replica 'SQL2' with id [1]." : "Login succeeded for user 'app'. Connection made using SQL Server authentication. [CLIENT: 10.0.0.1]"}`;
    const lines = [...HEAD, ...Array.from({ length: 100_000 }, (_, i) => line(i))];
    const bytes = Buffer.from(`\uFEFF${lines.join("\r\n")}`, "utf16le");
    const start = process.cpuUsage();
    const { events } = await readErrorlog(FILE, pieces(bytes, 65_536));
    const { user } = process.cpuUsage(start);
    expect(events).toHaveLength(2_000);
    expect(user / 1e6).toBeLessThan(1);
  });

  test("damaged anywhere is read without an error, and events keep their form", async () => {
    const files = [utf8(text), utf16(text)];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...files),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 20 }),
        fc.nat(),
        async (file, changes, cut) => {
          const bytes = file.slice(0, cut % (file.length + 1));
          for (const [at, byte] of changes) if (bytes.length > 0) bytes[at % bytes.length] = byte;
          const { events } = await readErrorlog(FILE, pieces(bytes, 100));
          for (const { atUs, sources } of events) {
            expect(Number.isFinite(atUs)).toBe(true);
            expect(sources[0]!.place).toBeGreaterThan(0);
          }
        },
      ),
    );
  });
});

describeReference(
  {
    folder: "evidence",
    tests: 1,
    prove: "a real ERRORLOG is read with its offset and its non-yielding schedulers",
  },
  (path) => {
    test("the ERRORLOG of a server with deadlocked schedulers", async () => {
      const bytes = readFileSync(join(path, "errorlog/ERRORLOG.sql2022-scheduler-deadlock.txt"));
      const { events, utcOffsetMinutes, notUnderstood } = await readErrorlog(FILE, pieces(bytes, 4096));
      expect(utcOffsetMinutes).toBe(-360);
      const counts = Object.fromEntries(
        [...Map.groupBy(events, ({ message }) => message)].map(([message, same]) => [message, same.length]),
      );
      expect(counts).toEqual({ 17162: 1, 17884: 1 });
      expect(new Date(events[0]!.atUs / 1000).toISOString()).toBe("2022-11-12T20:17:04.490Z");
      expect(notUnderstood.count).toBe(0);
    });
  },
);
