import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeReference } from "@aglens/reference-data";
import { createXelWriter, type WriterColumn, type WriterValues } from "xel-parser/writer";
import { describe, expect, test } from "vitest";
import { ClusterEvent, HealthEvent } from "../health/event-names.ts";
import { recognizeFile } from "../recognition/recognize.ts";
import type { RecognizedFile } from "../shapes.ts";
import { mergeFacts, type FolderEvidence } from "./merge-facts.ts";
import { readFacts } from "./read-facts.ts";

interface FolderFile {
  readonly recognized: RecognizedFile;
  readonly open: () => AsyncIterable<Uint8Array>;
}
const happenedIn = async (files: readonly FolderFile[], chosen?: number[]): Promise<FolderEvidence> =>
  mergeFacts(await Promise.all(files.map(({ recognized, open }) => readFacts(recognized, open))), chosen);

const text = (...names: string[]): WriterColumn[] => names.map((name) => ({ name, type: "unicode_string" }));
const COLUMNS: Readonly<Record<string, readonly WriterColumn[]>> = {
  [HealthEvent.replicaState]: [
    { name: "availability_replica_id", type: "guid" },
    ...text("availability_group_name", "availability_replica_name", "previous_state", "current_state"),
  ],
  [HealthEvent.leaseExpired]: text("availability_group_name"),
  [HealthEvent.ddl]: text("ddl_action", "ddl_phase", "availability_group_name", "statement"),
};
const CLUSTER_COLUMNS: Readonly<Record<string, readonly WriterColumn[]>> = {
  [ClusterEvent.groupState]: text("availability_group_name", "target_state", "node_name"),
  [ClusterEvent.isAliveFailure]: text("availability_group_name", "node_name"),
  [ClusterEvent.info]: text("info", "node_name"),
};

type Written = readonly [name: string, at: string, values: WriterValues];
function xel(events: readonly Written[], columns = COLUMNS): Uint8Array {
  const start = 116_444_736_000_000_000n;
  const all = Object.entries(columns).map(([name, cols]) => ({ name, columns: cols }));
  const writer = createXelWriter(
    { packages: [{ name: "sqlserver", id: 2, events: all }] },
    { startTicks: start },
  );
  for (const [name, at, values] of events)
    writer.write(name, BigInt(Math.round(Date.parse(`${at}Z`) * 1000)) * 10n + 1n, values);
  return writer.finish();
}

function file(name: string, content: Uint8Array | string): FolderFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return {
    recognized: recognizeFile(name, bytes, bytes.length),
    async *open() {
      for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
    },
  };
}

const DAY = "2026-05-14T02";
const log = (server: string, ...lines: readonly (readonly [time: string, text: string])[]): FolderFile =>
  file(
    `${server}_ERRORLOG`,
    [
      "2026-05-14 00:00:00.00 Server      Microsoft SQL Server 2022",
      "2026-05-14 00:00:00.00 Server      UTC adjustment: 2:00",
      // Two hours ahead of UTC.
      ...lines.map(([time, line]) => `2026-05-14 ${time.replace(/^02/u, "04")} spid9s      ${line}`),
    ].join("\r\n"),
  );
const state = (at: string, server: string, before: string, after: string): Written => [
  HealthEvent.replicaState,
  `${DAY}:${at}`,
  {
    availability_replica_id:
      server === "SQL1" ? "aaaaaaaa-2222-3333-4444-555555555555" : "bbbbbbbb-2222-3333-4444-555555555555",
    availability_group_name: "SALES-AG",
    availability_replica_name: server,
    previous_state: before,
    current_state: after,
  },
];
const LOST = state("17:41.240", "SQL1", "PRIMARY_NORMAL", "RESOLVING_NORMAL");
const GAINED = [
  state("17:44.000", "SQL2", "RESOLVING_NORMAL", "PRIMARY_PENDING"),
  state("17:45.500", "SQL2", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
];
const roleLine = (reason: string) =>
  `The state of the local availability replica in availability group 'SALES-AG' has changed from 'PRIMARY_NORMAL' to 'RESOLVING_NORMAL'.  The state changed because ${reason}.`;
const health = (name: string, ...events: readonly Written[]) => file(name, xel(events));
const sql2 = health("SQL2_health.xel", ...GAINED);

describe("a failover by lease timeout, in four files", () => {
  const files = [
    health(
      "SQL1_health.xel",
      [HealthEvent.leaseExpired, `${DAY}:17:41.100`, { availability_group_name: "SALES-AG" }],
      LOST,
    ),
    sql2,
    log(
      "SQL1",
      ["02:17:41.10", "Error: 19407, Severity: 16, State: 1."],
      [
        "02:17:41.10",
        "The lease between availability group 'SALES-AG' and the Windows Server Failover Cluster has expired.",
      ],
      ["02:17:41.24", roleLine("the lease expired")],
    ),
    file("notes.txt", "hello"),
  ];

  test("has its cause, with the servers, and each event once", async () => {
    const { cause, failovers, events, names } = await happenedIn(files);
    expect(cause).toMatchObject({
      kind: "leaseTimeout",
      isProven: true,
      text: "SALES-AG failed over from SQL1 to SQL2 at 02:17:41 UTC, because the lease expired.",
      from: "SQL1",
      to: "SQL2",
    });
    expect((cause!.untilUs! - cause!.atUs) / 1e6).toBeCloseTo(4.26, 3);
    expect(failovers).toHaveLength(1);
    expect(events.map(({ kind, sources }) => [kind, sources.map(({ file: name }) => name)])).toEqual([
      ["lease", ["SQL1_health.xel", "SQL1_ERRORLOG"]],
      ["role", ["SQL1_health.xel", "SQL1_ERRORLOG"]],
      ["role", ["SQL2_health.xel"]],
      ["role", ["SQL2_health.xel"]],
    ]);
    expect(names.map(({ server }) => server)).toEqual(["SQL1", "SQL2"]);
  });

  test("each file damaged in turn, or empty, leaves the others", async () => {
    for (let i = 0; i < files.length - 1; i++)
      for (const keep of [0, 100, 700]) {
        const damaged = files.with(i, {
          ...files[i]!,
          async *open() {
            for await (const chunk of files[i]!.open()) return yield chunk.subarray(0, keep);
          },
        });
        const { files: found } = await happenedIn(damaged);
        expect(found).toHaveLength(files.length);
      }
  });
});

test.each([
  [
    "serviceStop",
    true,
    ", because the service of SQL Server stopped.",
    [
      log("SQL1", [
        "02:17:40.00",
        "Always On: The availability replica manager is going offline because SQL Server is shutting down.",
      ]),
      health("a_health.xel", LOST),
      sql2,
    ],
  ],
  [
    "ddlByUser",
    true,
    ", because a user started it.",
    [log("SQL1", ["02:17:41.24", roleLine("of a user initiated failover")]), sql2],
  ],
  [
    "ddlByUser",
    false,
    ". A FAILOVER statement was reported.",
    [
      health("SQL1_health.xel", LOST),
      health(
        "SQL2_health.xel",
        [
          HealthEvent.ddl,
          `${DAY}:17:40`,
          {
            ddl_action: "ALTER",
            ddl_phase: "begin",
            availability_group_name: "SALES-AG",
            statement: "ALTER AVAILABILITY GROUP [SALES-AG] FAILOVER",
          },
        ],
        ...GAINED,
      ),
    ],
  ],
  [
    "network",
    false,
    ". A loss of the cluster's network was reported.",
    [
      log("SQL1", [
        "02:17:39.00",
        "Always On Availability Groups: Local Windows Server Failover Clustering node is no longer online.",
      ]),
      health("a_health.xel", LOST),
      sql2,
    ],
  ],
  [
    "leaseTimeout",
    false,
    ". A lease timeout was reported.",
    [
      health(
        "SQL1_health.xel",
        [HealthEvent.leaseExpired, `${DAY}:17:41.100`, { availability_group_name: "SALES-AG" }],
        LOST,
      ),
      sql2,
    ],
  ],
  ["notShown", false, ". These files don't show the cause.", [health("a_health.xel", LOST), sql2]],
] as const)("the cause %s, proven %s, ends the sentence with %s", async (kind, isProven, end, files) => {
  const { cause } = await happenedIn(files);
  expect(cause).toMatchObject({
    kind,
    isProven,
    text: `SALES-AG failed over from SQL1 to SQL2 at 02:17:41 UTC${end}`,
  });
});

test("what happened elsewhere, or minutes before, is no cause", async () => {
  const { cause } = await happenedIn([
    health(
      "SQL1_health.xel",
      [HealthEvent.leaseExpired, `${DAY}:10:00`, { availability_group_name: "SALES-AG" }],
      LOST,
    ),
    log("SQL2", ["02:17:41.00", "SQL Server is terminating because of a system shutdown."]),
    sql2,
  ]);
  expect(cause).toMatchObject({ kind: "notShown" });
});

test("without a failover there is no cause", async () => {
  const { cause, events } = await happenedIn([health("SQL2_health.xel", ...GAINED)]);
  expect(cause).toBeNull();
  expect(events).toHaveLength(2);
});

test("an ERRORLOG without its head needs a time zone, and is used with a chosen one", async () => {
  const cut = file(
    "SQL1_ERRORLOG.3",
    "2026-05-14 04:00:00.00 spid1s      x\n2026-05-14 04:17:41.24 spid1s      SQL Server is terminating because of a system shutdown.\n",
  );
  const without = await happenedIn([cut]);
  expect(without.events).toEqual([]);
  expect(without.files[0]).toMatchObject({
    state: "notUsed",
    use: expect.stringMatching(/^Choose time zone/u),
  });
  const { events, files } = await happenedIn([cut], [120]);
  expect(files[0]).toMatchObject({ state: "used", utcOffsetMinutes: 120 });
  expect(new Date(events[0]!.atUs / 1000).toISOString()).toBe("2026-05-14T02:17:41.240Z");
});

describeReference(
  {
    folder: "evidence",
    tests: 1,
    prove: "the causes of seven real failures of a group are those that the cluster reported",
  },
  (path) => {
    test("seven failures of 2016", async () => {
      const rows = (name: string) => {
        const [head = "", ...lines] = readFileSync(join(path, "sqldiag", name), "utf8")
          .trim()
          .split(/\r?\n(?=\d{4}-)/u);
        const columns = head.split(",");
        return lines.map((line) => {
          const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/gu)].map(
            (cell) => cell[1] ?? cell[2] ?? "",
          );
          return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ""]));
        });
      };
      const at = (row: Readonly<Record<string, string>>) => row["Event Time"]!.slice(0, 26).replace(" ", "T");
      const node = "MSSQLTIGER-SQL1";
      const info = rows("ag-info-messages.csv").map((row): Written => [
        ClusterEvent.info,
        at(row),
        { info: row["Message"]!, node_name: node },
      ]);
      const groups = rows("ag-messages.csv").map((row): Written => {
        const values = { availability_group_name: row["AG Name"]!, node_name: node };
        const target = row["target_state"]!;
        return target === ""
          ? [ClusterEvent.isAliveFailure, at(row), values]
          : [ClusterEvent.groupState, at(row), { ...values, target_state: target }];
      });
      const { failovers, notUnderstood, files } = await happenedIn([
        file(
          "MSSQLTIGER-SQL1_TIGERAG1_SQLDIAG_0_131.xel",
          xel(
            [...info, ...groups].sort((a, b) => (a[1] < b[1] ? -1 : 1)),
            CLUSTER_COLUMNS,
          ),
        ),
      ]);
      expect(files[0]).toMatchObject({ kind: "clusterDiagnostics", server: node, serverFrom: "content" });
      expect(
        failovers.map(({ kind, isProven, atUs }) => [
          new Date(atUs / 1000).toISOString().slice(0, 19),
          kind,
          isProven,
        ]),
      ).toEqual([
        ["2016-06-14T16:32:00", "leaseTimeout", true],
        ["2016-06-14T17:21:02", "leaseTimeout", true],
        ["2016-06-14T17:23:47", "healthTimeout", true],
        ["2016-06-14T17:58:05", "leaseTimeout", true],
        ["2016-06-15T08:18:01", "serviceStop", true],
        ["2016-08-11T03:32:51", "leaseTimeout", true],
        ["2016-08-11T05:26:54", "serviceStop", true],
      ]);
      expect(failovers[0]!.text).toBe(
        "TIGERAG went offline on MSSQLTIGER-SQL1 at 16:32:00 UTC, because the lease expired.",
      );
      expect(failovers[4]!.text).toBe(
        "TIGERAG went offline on MSSQLTIGER-SQL1 at 08:18:01 UTC and didn't come back, because the service of SQL Server stopped.",
      );
      expect(notUnderstood).toEqual([]);
    });
  },
);
