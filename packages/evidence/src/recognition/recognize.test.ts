import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createXelWriter } from "xel-parser/writer";
import { describe, expect, test } from "vitest";
import { describeReference } from "@aglens/reference-data";
import { HealthEvent, SystemEvent } from "../health/event-names.ts";
import { recognizeFile } from "./recognize.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const wide = (text: string, big = false): Uint8Array => {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, !big);
  for (let i = 0; i < text.length; i++) view.setUint16(2 + i * 2, text.charCodeAt(i), !big);
  return bytes;
};
const recognized = (name: string, head: Uint8Array, size = head.length) => recognizeFile(name, head, size);

function session(
  events: readonly string[],
  write: readonly [name: string, replica: string][] = [],
): Uint8Array {
  const columns = [{ name: "availability_replica_name", type: "unicode_string" }] as const;
  const packages = [{ name: "sqlserver", id: 2, events: events.map((name) => ({ name, columns })) }];
  const writer = createXelWriter({ packages });
  for (const [name, replica] of write) writer.write(name, 1, { availability_replica_name: replica });
  return writer.finish();
}

describe("an event file is of the session that its metadata describes", () => {
  test.each([
    ["movement", ["hadr_capture_log_block", HealthEvent.replicaState]],
    ["alwaysOnHealth", [HealthEvent.leaseExpired, HealthEvent.ddl, "error_reported"]],
    ["clusterDiagnostics", ["component_health_result", "info_message"]],
    ["systemHealth", [SystemEvent.component, "error_reported", "wait_info"]],
    ["otherEvents", ["rpc_completed"]],
  ])("%s, also without events", (kind, events) => {
    expect(recognized("a.xel", session(events)).kind).toBe(kind);
  });

  test("and of the server that its first events name, before that of its name", () => {
    const state = HealthEvent.replicaState;
    const name = "SQL9_20260514T0216301234_AlwaysOn_health_0_1.xel";
    expect(recognized(name, session([state], [[state, "SQL1"]]))).toMatchObject({
      server: "SQL1",
      serverFrom: "content",
    });
    expect(recognized(name, session([state]))).toMatchObject({ server: "SQL9", serverFrom: "name" });
    const two = session(
      [state],
      [
        [state, "SQL1"],
        [state, "SQL2"],
      ],
    );
    expect(recognized("a.xel", two).server).toBeNull();
  });

  test("and damaged where the metadata can't be read", () => {
    const bytes = session(["rpc_completed"]);
    expect(recognized("a.xel", bytes.fill(0, 512, 1024)).state).toBe("damaged");
    expect(recognized("a.xel", utf8("not an event file")).state).toBe("damaged");
    expect(recognized("a.xel", new Uint8Array())).toMatchObject({ kind: "unknown", state: "damaged" });
  });
});

const ERRORLOG = `2026-05-14 02:16:30.00 Server      Microsoft SQL Server 2022 (RTM) - 16.0.1000.6 (X64) \r
\tOct  8 2022 05:58:25 \r
\r
2026-05-14 02:16:30.00 Server      UTC adjustment: -7:00\r
2026-05-14 02:16:31.00 spid11s     Server name is 'SQL1\\PROD'. This is an informational message only.\r
`;

describe("a text is of the kind that its content shows", () => {
  test.each([
    ["UTF-8", utf8(ERRORLOG)],
    ["UTF-16 LE", wide(ERRORLOG)],
    ["UTF-16 BE", wide(ERRORLOG, true)],
    ["UTF-16 LE without a mark", wide(ERRORLOG).subarray(2)],
  ])("ERRORLOG in %s", (_, bytes) => {
    expect(recognized("anything.txt", bytes)).toMatchObject({
      kind: "errorlog",
      server: "SQL1\\PROD",
      serverFrom: "content",
      utcOffsetMinutes: -420,
      state: "used",
    });
  });

  test("ERRORLOG without a head has no offset, and its server by name", () => {
    const lines = "2026-05-14 02:16:30.00 spid42s     a\n2026-05-14 02:16:30.01 Logon       b\n";
    expect(recognized("folder/SQL1_ERRORLOG.2", utf8(lines))).toMatchObject({
      kind: "errorlog",
      server: "SQL1",
      serverFrom: "name",
      utcOffsetMinutes: null,
    });
  });

  const ZONE = '"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)"';
  test.each([
    ["counters", `${ZONE},"\\\\SQL2\\LogicalDisk(L:)\\Avg. Disk sec/Write"\n`, "SQL2", 60],
    ["counters", `"(PDH-CSV 4.0)","\\\\SQL2\\LogicalDisk(L:)\\Avg. Disk sec/Write"\n`, "SQL2", null],
    ["rowsets", "-- dm_os_wait_stats --\nruntime   waiting_tasks_count\n", null, null],
    ["schedulers", "-- dm_os_schedulers --\nscheduler_id runnable_tasks_count\n", null, null],
    ["schedulers", "scheduler_id,runnable_tasks_count\n0,1\n", null, null],
    ["waits", "WaitType,Wait_S,Resource_S,Signal_S,WaitCount,Percentage\n", null, null],
    ["waits", `<row wait_type="WRITELOG" wait_time_ms="5"/>`, null, null],
    ["waits", `<row WaitType="WRITELOG" Wait_S="5"/>`, null, null],
    ["counters", `\r\n"(PDH-CSV 4.0)","\\\\SQL2\\Memory\\Available Bytes"\r\n`, "SQL2", null],
    ["topology", `<AGInfoRoot><a/></AGInfoRoot>`, null, null],
    ["diskspd", `<Results><TimeSpan><Latency/></TimeSpan></Results>`, null, null],
    ["clusterLog", "00000b54.00000f8c::2026/05/14-02:16:30.123 INFO  [RES] SQL\n", null, null],
    ["windowsEvents", `#TYPE x\n"TimeCreated","Id","ProviderName","Message"\n`, null, null],
    ["scriptOutput", "name value\n---- -----\na    1\n", null, null],
  ])("%s", (kind, text, server, utcOffsetMinutes) => {
    expect(recognized("a.out", utf8(text))).toMatchObject({ kind, server, utcOffsetMinutes });
  });

  test("a rowset at the end of a long output counts", () => {
    const head = utf8("headline\n--------\n");
    const tail = utf8("-- file_io_stats --\n");
    expect(recognizeFile("a.out", head, 1_000_000, tail).kind).toBe("rowsets");
  });

  test("a profile of Diskspd and counters with tabs say what to do", () => {
    expect(recognized("a.xml", utf8("<Profile><TimeSpans/></Profile>"))).toMatchObject({ state: "notUsed" });
    expect(recognized("a.tsv", utf8('"(PDH-TSV 4.0)"\t"x"\n'))).toMatchObject({ state: "convert" });
  });
});

test("binary counters are converted, other binary files are unknown", () => {
  const bytes = Uint8Array.from({ length: 512 }, (_, i) => i % 7);
  expect(recognized("Perfmon_000001.blg", bytes)).toMatchObject({
    kind: "counterLog",
    state: "convert",
    use: expect.stringMatching(
      /^Binary .* Windows: relog "Perfmon_000001\.blg" -c .* -o "Perfmon_000001\.csv"$/u,
    ),
  });
  expect(recognized("trace.etl", bytes)).toMatchObject({ kind: "unknown", state: "notUsed" });
});

test.each([
  ["SQL1_20260514T0216301234_PerfStats.out", "SQL1"],
  ["SQL1_PROD_20260514T0216301234_PerfStats.out", "SQL1\\PROD"],
  ["SQL1_MSSQLSERVER_SQLDIAG_0_131.xel", "SQL1"],
  ["NODE2_cluster.log", "NODE2"],
  ["C:\\case\\SQL1_ERRORLOG", "SQL1"],
  ["ERRORLOG.1", null],
])("the name %s is of %s", (name, server) => {
  expect(recognized(name, Uint8Array.of(1, 0, 3)).server).toBe(server);
});

test("any bytes have a kind", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.boolean(), (bytes, asXel) => {
      const head = asXel ? Uint8Array.of(0x5a, 0x37, 0xab, 0xef, 10, 0, 0, 2, ...bytes) : bytes;
      const { use, name } = recognized("SQL1_ERRORLOG", head);
      expect(use.length).toBeGreaterThan(0);
      expect(name).toBe("SQL1_ERRORLOG");
    }),
  );
});

test("the same file, damaged anywhere, has a kind", () => {
  const files = [session([HealthEvent.ddl]), wide(ERRORLOG), utf8(ERRORLOG)];
  fc.assert(
    fc.property(fc.constantFrom(...files), fc.nat(), fc.nat(255), fc.nat(), (file, at, byte, cut) => {
      const bytes = file.slice(0, (cut % file.length) + 1);
      bytes[at % bytes.length] = byte;
      expect(recognized("a", bytes).use).not.toBe("");
    }),
  );
});

describeReference(
  { folder: "evidence", tests: 1, prove: "real files of SQL Server and Diskspd are recognized" },
  (path) => {
    test("real ERRORLOG and Diskspd", () => {
      const read = (name: string) => recognized(name, readFileSync(join(path, name)));
      expect(read("errorlog/ERRORLOG.sql2022-scheduler-deadlock.txt")).toMatchObject({
        kind: "errorlog",
        server: "bwsql2022",
        utcOffsetMinutes: -360,
      });
      expect(read("diskspd/unittest-result.txt").kind).toBe("diskspd");
      expect(read("diskspd/unittest-result.xml")).toMatchObject({ kind: "diskspd", state: "notUsed" });
    });
  },
);
