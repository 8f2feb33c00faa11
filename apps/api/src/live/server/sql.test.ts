import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordedEvents } from "@aglens/ag-model/events";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../../test/service.ts";
import { problemDocument } from "@aglens/engine/problems";
import type { ProblemCode } from "@aglens/engine/problems";
import { PATIENCE } from "./connection.ts";
import { failureOf } from "./failure.ts";
import * as pollSql from "./poll-sql.ts";
import { HEALTH_EVENTS, pollDatabases } from "./poll-sql.ts";
import * as sql from "./sql.ts";
import {
  createSession,
  dropSession,
  grant,
  quoted,
  SESSION_STATE,
  startSession,
  STREAM,
  topology,
} from "./sql.ts";
import { STATEMENTS } from "./statements.ts";

const FLUSH = { package: "sqlserver", name: "log_flush_start", hasDatabaseId: true };
const CAPTURE = {
  package: "sqlserver",
  name: "hadr_capture_log_block",
  hasDatabaseId: false,
};

test("a bracket in a name cannot end the name", () => {
  expect(quoted("a]; DROP TABLE x; --")).toBe("[a]]; DROP TABLE x; --]");
  expect(grant("VIEW SERVER STATE", "CORP\\o]dd")).toBe("GRANT VIEW SERVER STATE TO [CORP\\o]]dd];");
  expect(startSession("s]")).toContain("[s]]]");
  expect(dropSession("s]")).toContain("[s]]]");
});

describe("CREATE EVENT SESSION", () => {
  test("filters by database where the event can", () => {
    const text = createSession("aglens_x", 15, [FLUSH, CAPTURE], [6, 7]);
    expect(text).toContain(
      "ADD EVENT sqlserver.log_flush_start (WHERE ([database_id] = (6) OR [database_id] = (7)))",
    );
    expect(text).toContain("ADD EVENT sqlserver.hadr_capture_log_block\n");
    expect(text).toContain("ALLOW_SINGLE_EVENT_LOSS");
    expect(text).not.toContain("TARGET");
  });

  test("leaves out only the system databases where it may record all, or where they are too many to name", () => {
    const users = "sqlserver.log_flush_start (WHERE ([database_id] > (4)))";
    const ids = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 5);
    expect(createSession("s", 15, [FLUSH], "user databases")).toContain(users);
    expect(createSession("s", 15, [FLUSH], ids(101))).toContain(users);
    expect(createSession("s", 15, [FLUSH], ids(100))).toContain("[database_id] = (104)");
    expect(createSession("s", 15, [FLUSH], ids(100)).length).toBeLessThan(3500);
  });

  test("ends by itself from SQL Server 2025 on", () => {
    expect(createSession("s", 17, [FLUSH], [])).toContain("MAX_DURATION = 24 HOURS");
    expect(createSession("s", 16, [FLUSH], [])).not.toContain("MAX_DURATION");
  });
});

test("columns that a version lacks are not asked for", () => {
  expect(topology(12)).not.toContain("g.is_distributed");
  expect(pollDatabases(12)).not.toContain("d.secondary_lag_seconds");
  expect(topology(13)).toContain("g.is_distributed");
});

test("names go to queries as parameters", () => {
  expect(STREAM).toContain("@source");
  expect(SESSION_STATE).toContain("@session");
  for (const name of ["@path", "@file", "@offset", "@since"]) expect(HEALTH_EVENTS).toContain(name);
});

const read = (document: string): string => readFileSync(join(ROOT, "docs", document), "utf8");

/** The text of a numbered section of the guide, without the ones inside it. */
function section(number: string, document = "contribute/live-protocol.md"): string {
  const [, text = ""] = read(document).split(
    new RegExp(`^#+ ${number.replaceAll(".", "\\.")}\\.? .*$`, "mu"),
  );
  return text.split(/^#/mu, 1)[0] ?? "";
}

const SESSION = "aglens_web01_20261121T0244Z_7f3a";

test("a statement that is sent is in the list of all", () => {
  // Parts of statements, and the one that people run.
  const parts = [
    "quoted",
    "grant",
    "hasGranularPermissions",
    "MAX_DURATION_HOURS",
    "HEALTH_SESSION",
    "MOST_HEALTH_EVENTS",
  ];
  const exported = [sql, pollSql].flatMap(Object.keys).filter((name) => !parts.includes(name));
  expect(Object.keys(STATEMENTS).toSorted()).toEqual(exported.toSorted());
});

test("the guide has every statement as it is sent, in its section", () => {
  const facts = {
    major: 16,
    session: SESSION,
    logFiles: [{ databaseId: 6, fileId: 2 }],
    events: [],
    databases: [],
  };
  const { createSession: create, ...others } = STATEMENTS;
  for (const { section: number, text } of Object.values(others))
    expect(section(number), number).toContain(text(facts));
  const [created = ""] = /CREATE EVENT SESSION[^;]*;/u.exec(section(create.section)) ?? [];
  for (const name of recordedEvents(true)) expect(created).toContain(`.${name}`);
  const options = (statement: string): string => statement.slice(statement.indexOf("  WITH"));
  expect(options(created)).toBe(options(create.text(facts)));
});

test("the guide says how long a server is waited for", () => {
  const limits = [...section("3.2").matchAll(/^\| (.+?) \| ([\d,]+) \|/gmu)];
  expect(limits.map(([, what, ms = ""]) => [what, Number(ms.replaceAll(",", ""))])).toEqual([
    ["a connection and its login", PATIENCE.connectMs],
    ["the answer to a statement", PATIENCE.queryMs],
    ["the answer to a poll", PATIENCE.pollMs],
    ["a cancelled statement", PATIENCE.cancelMs],
  ]);
});

test("the guide has what each error number and each code means", () => {
  const codes: Readonly<Record<string, string>> = {
    25726: "live-disconnected",
    25729: "live-disconnected",
    25727: "live-session-stopped",
    25728: "live-session-stopped",
    229: "live-permission",
    297: "live-permission",
    300: "live-permission",
    15151: "live-permission",
    15247: "live-permission",
    25631: "live-session-exists",
    ...Object.fromEntries(
      [17187, 18401, 18451, 18461, 17142, 6005, 921, 4060].map((number) => [number, "live-starting"]),
    ),
    ...Object.fromEntries(
      [701, 802, 1204, 1205, 1222, 8645, 8651, 17809].map((number) => [number, "live-busy"]),
    ),
    ...Object.fromEntries(
      [18452, 18456, 18470, 18486, 18487, 18488].map((number) => [number, "live-login-refused"]),
    ),
    596: "live-connection-lost",
  };
  const severity = (number: number): number => (number === 596 ? 21 : 16);
  const numbers = [...section("9.2").matchAll(/\b\d{3,5}\b/gu)].map(([number]) => number);
  expect(numbers.toSorted()).toEqual(Object.keys(codes).toSorted());
  for (const number of numbers) {
    expect(
      failureOf({ number: Number(number), class: severity(Number(number)), message: "No." }, "sql1:1433")
        .code,
    ).toBe(codes[number]);
  }
  for (const code of section("6", "guide/attach.md").matchAll(/`(live-[a-z-]+)`/gu)) {
    expect(problemDocument(code[1] as ProblemCode, "").status).toBeGreaterThanOrEqual(400);
  }
});
