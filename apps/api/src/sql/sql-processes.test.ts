import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqlResult, type SqlFormat } from "@aglens/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeParquet } from "../../test/parquet-tables.ts";
import type { SqlFileTable, SqlQuestion, SqlRows, SqlTable } from "./question.ts";
import { SqlProcesses } from "./sql-processes.ts";

const MIB = 1024 ** 2;
const OWN = "group=Sales%20AG/capture=own";
const OTHER = "group=Sales%20AG/capture=other";

let folder = "";
let sql: SqlProcesses;

/** Ten hops of two replicas: SQL2 writes 1, 2, 3, 4, 5 ms, SQL3 ten times that. */
const HOPS = `SELECT i AS block, CASE WHEN i % 2 = 0 THEN 'SQL2' ELSE 'SQL3' END AS replica,
  TIMESTAMPTZ '2026-02-07 07:51:32+00' + INTERVAL (i) SECOND AS utc,
  ((i // 2 + 1) * CASE WHEN i % 2 = 0 THEN 1000 ELSE 10000 END)::DOUBLE AS log_write_us,
  CASE WHEN i = 3 THEN NULL ELSE i * 512.0::DOUBLE END AS size_bytes, i % 2 = 0 AS complete
  FROM range(10) r(i)`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-sql-"));
  const words = {
    "unit.log_write_us": "µs",
    "unit.size_bytes": "bytes",
    "about.log_write_us": "log write of the replica",
  };
  await writeParquet(folder, `${OWN}/hops.parquet`, HOPS, words);
  await writeParquet(folder, `${OTHER}/hops.parquet`, HOPS);
  await writeFile(join(folder, "secret.csv"), "word\nswordfish\n");
  sql = new SqlProcesses({
    folder,
    processes: 2,
    limits: { memoryBytes: 256 * MIB, seconds: 2, rows: 5000, threads: 2 },
  });
});

afterAll(async () => {
  await sql.close();
  await rm(folder, { recursive: true, force: true });
});

const tablesOf = (...captures: string[]): SqlTable[] => [
  { name: "hops", files: captures.map((capture) => `${capture}/hops.parquet`) },
];
const ask = (text: string, changes: Partial<SqlQuestion> = {}): Promise<SqlRows> =>
  sql.rows({ sql: text, tables: tablesOf(OWN), ...changes }, { whose: "somebody" });

/** Refusal of a query: its code and its sentence. */
async function refusal(text: string): Promise<{ code: string; detail: string; at?: number }> {
  const error: unknown = await ask(text).then(
    () => new Error("There was an answer."),
    (reason: unknown) => reason,
  );
  if (error instanceof Error && "problem" in error) return error.problem as { code: string; detail: string };
  throw error;
}

const valuesOf = ({ columns }: SqlRows): unknown[][] => columns.map(({ values }) => [...values]);

describe("a query", () => {
  it("gives columns with types and units", async () => {
    const { columns, rows, stopped } = await ask(
      `SELECT replica, count(*) AS writes, quantile_cont(log_write_us, 0.5) AS p50, min(utc) AS first,
         bool_and(complete) AS whole, max(size_bytes) FILTER (size_bytes < 0) AS none, max(utc) - min(utc) AS during
       FROM hops GROUP BY ALL ORDER BY ALL`,
    );
    expect({ rows, stopped }).toEqual({ rows: 2, stopped: null });
    const at = Date.UTC(2026, 1, 7, 7, 51, 32) * 1000;
    expect(columns.map(({ name, kind, unit, values }) => [name, kind, unit, ...values])).toEqual([
      ["replica", "text", null, "SQL2", "SQL3"],
      ["writes", "number", null, 5, 5],
      ["p50", "number", "µs", 3000, 30_000],
      ["first", "time", null, at, at + 1_000_000],
      ["whole", "boolean", null, true, false],
      ["none", "number", "bytes", Number.NaN, Number.NaN],
      ["during", "number", "µs", 8_000_000, 8_000_000],
    ]);
    expect(columns.map(({ type }) => type)).toEqual([
      "VARCHAR",
      "BIGINT",
      "DOUBLE",
      "TIMESTAMP WITH TIME ZONE",
      "BOOLEAN",
      "DOUBLE",
      "INTERVAL",
    ]);
  });

  it("reads several captures, each row with its own", async () => {
    const answer = await ask(`SELECT capture, "group", count(*) FROM hops GROUP BY ALL ORDER BY ALL`, {
      tables: tablesOf(OWN, OTHER),
    });
    expect(valuesOf(answer)).toEqual([
      ["other", "own"],
      ["Sales AG", "Sales AG"],
      [10, 10],
    ]);
  });

  it("takes values by name", async () => {
    const answer = await ask("SELECT count(*) FROM hops WHERE replica = $replica AND log_write_us > $over", {
      parameters: { replica: "SQL3", over: 20_000 },
    });
    expect(valuesOf(answer)).toEqual([[3]]);
  });

  it("reckons with instants of UTC without their zone where it is said", async () => {
    const [hops] = tablesOf(OWN);
    const tables = [{ ...(hops as SqlFileTable), utc: ["utc"] }];
    const { columns } = await ask(
      "SELECT max(utc) AS last, time_bucket(INTERVAL '1 hour', max(utc)) AS hour FROM hops",
      {
        tables,
      },
    );
    expect(columns.map(({ type, values }) => [type, ...values])).toEqual([
      ["TIMESTAMP", Date.UTC(2026, 1, 7, 7, 51, 41) * 1000],
      ["TIMESTAMP", Date.UTC(2026, 1, 7, 7) * 1000],
    ]);
  });

  it("keeps integers that no number holds as text", async () => {
    const { columns } = await ask("SELECT 9007199254740993 AS lsn UNION ALL SELECT 1 ORDER BY 1 DESC");
    expect(columns).toMatchObject([{ kind: "text", values: ["9007199254740993", "1"] }]);
  });

  it("says what is wrong, and where", async () => {
    // The umlaut takes two bytes, and is one character.
    expect(await refusal("SELECT 'ü', nosuch FROM hops")).toMatchObject({ code: "sql-wrong", at: 12 });
    expect(await refusal("SELECT 1 +")).toEqual(
      expect.objectContaining({ code: "sql-wrong", at: 10, detail: "syntax error at end of input." }),
    );
    expect(await refusal("SELECT log_write_us::INTEGER / 'x' FROM hops")).toMatchObject({
      code: "sql-wrong",
    });
    expect(await refusal(" ")).toMatchObject({ code: "sql-wrong" });
    for (const number of ["1e400", "-1e400"])
      expect(await refusal(`SELECT ${number}`)).toMatchObject({
        code: "sql-wrong",
        detail: "A number in the query is beyond 1.8e308, the largest that DuckDB has.",
      });
  });
});

describe("rows as a file", () => {
  const WRITES = `SELECT replica, min(utc) AS "first, UTC", avg(log_write_us) AS mean, count(*) / 3 AS thirds,
    NULL::BOOLEAN AS unknown, replica = 'SQL2' AS quick FROM hops GROUP BY ALL ORDER BY ALL`;
  const file = (format: SqlFormat) =>
    sql.file({ sql: WRITES, tables: tablesOf(OWN) }, format, { whose: "somebody" });

  it("are CSV with units, times and names that are no formula", async () => {
    const { bytes, rows, stopped } = await file("csv");
    expect({ rows, stopped }).toEqual({ rows: 2, stopped: null });
    expect(new TextDecoder().decode(bytes).split("\r\n")).toEqual([
      '"replica","first, UTC","mean_us","thirds","unknown","quick"',
      `"SQL2","2026-02-07T07:51:32.0000000Z",3000,${5 / 3},,true`,
      `"SQL3","2026-02-07T07:51:33.0000000Z",30000,${5 / 3},,false`,
      "",
    ]);
  });

  it("are Parquet, which DuckDB reads with types and units", async () => {
    await writeFile(join(folder, "result.parquet"), (await file("parquet")).bytes);
    const [info] = await sql.tables([{ name: "result", files: ["result.parquet"] }], { whose: "somebody" });
    await rm(join(folder, "result.parquet"));
    expect(info?.rows).toBe(2);
    expect(info?.columns.map(({ name, type, unit }) => [name, type, unit])).toEqual([
      ["replica", "VARCHAR", null],
      ["first, UTC", "TIMESTAMP WITH TIME ZONE", null],
      ["mean", "DOUBLE", "µs"],
      ["thirds", "DOUBLE", null],
      ["unknown", "VARCHAR", null],
      ["quick", "BOOLEAN", null],
    ]);
  });

  it("have columns of one name under two in Parquet", async () => {
    const twice = { sql: "SELECT 1 AS x, 2 AS x, 3 AS X, 4 AS x_1", tables: tablesOf(OWN) };
    const { bytes } = await sql.file(twice, "parquet", { whose: "somebody" });
    await writeFile(join(folder, "result.parquet"), bytes);
    const read = await ask("FROM result", { tables: [{ name: "result", files: ["result.parquet"] }] });
    await rm(join(folder, "result.parquet"));
    expect(read.columns.map(({ name }) => name)).toEqual(["x", "x_2", "X_3", "x_1"]);
    expect(valuesOf(read)).toEqual([[1], [2], [3], [4]]);
  });

  it("have a day that no clock of ours reaches as text", async () => {
    const never = {
      sql: "SELECT unnest([DATE '2026-02-07', DATE '290000-12-31']) AS day",
      tables: tablesOf(OWN),
    };
    const { bytes } = await sql.file(never, "csv", { whose: "somebody" });
    expect(new TextDecoder().decode(bytes).split("\r\n")).toEqual([
      '"day"',
      '"2026-02-07T00:00:00.0000000Z"',
      '"290000-12-31"',
      "",
    ]);
  });

  it("are JSON as the contract has it", async () => {
    const result = SqlResult.parse(JSON.parse(new TextDecoder().decode((await file("json")).bytes)));
    expect(result.columns.map(({ values }) => values)).toEqual([
      ["SQL2", "SQL3"],
      [Date.UTC(2026, 1, 7, 7, 51, 32) * 1000, Date.UTC(2026, 1, 7, 7, 51, 33) * 1000],
      [3000, 30_000],
      [5 / 3, 5 / 3],
      [null, null],
      [true, false],
    ]);
    expect(result.read).toEqual(["hops"]);
  });
});

describe("tables", () => {
  it("say what they have", async () => {
    const [hops] = await sql.tables(tablesOf(OWN, OTHER), { whose: "somebody" });
    expect(hops).toMatchObject({ name: "hops", rows: 20 });
    expect(hops?.columns.find(({ name }) => name === "log_write_us")).toEqual({
      name: "log_write_us",
      type: "DOUBLE",
      unit: "µs",
      about: "log write of the replica",
    });
  });

  it("may come with the question", async () => {
    const captures: SqlTable = {
      name: "captures",
      columns: [
        { name: "capture", type: "VARCHAR", unit: null, about: "" },
        { name: "p95_us", type: "DOUBLE", unit: "µs", about: "" },
        { name: "begun", type: "TIMESTAMPTZ", unit: null, about: "" },
      ],
      rows: [
        { capture: "own", p95_us: 12.5, begun: "2026-02-07T07:51:32Z" },
        { capture: "o'ther", p95_us: null, begun: null },
      ],
    };
    const answer = await ask("SELECT capture, p95_us, epoch(begun) FROM captures ORDER BY capture DESC", {
      tables: [captures, ...tablesOf(OWN)],
    });
    expect(valuesOf(answer)).toEqual([
      ["own", "o'ther"],
      [12.5, Number.NaN],
      [Date.UTC(2026, 1, 7, 7, 51, 32) / 1000, Number.NaN],
    ]);
    expect(answer.columns[1]?.unit).toBe("µs");
    expect(answer.read).toEqual(["captures"]);
  });
});

describe("nobody gets by SQL", () => {
  it.each([
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_csv('secret.csv')",
    "SELECT * FROM read_text('secret.csv')",
    "SELECT * FROM read_blob('secret.csv')",
    "SELECT * FROM 'secret.csv'",
    "SELECT * FROM '/etc/passwd'",
    `SELECT * FROM read_parquet('${OTHER}/hops.parquet')`,
    `SELECT * FROM '${OTHER}/hops.parquet'`,
    `SELECT * FROM '${OWN}/../capture=other/hops.parquet'`,
    `SELECT * FROM parquet_metadata('${OWN}/hops.parquet')`,
    "SELECT * FROM glob('*')",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM 'https://example.com/x.parquet'",
    "SELECT * FROM read_json_auto('http://169.254.169.254/latest/meta-data')",
    "SELECT (SELECT content FROM read_text('secret.csv'))",
    "WITH x AS (FROM read_text('secret.csv')) SELECT * FROM x",
    "SELECT * FROM hops WHERE replica IN (SELECT content FROM read_text('secret.csv'))",
    "SELECT list_transform([1], lambda x: (SELECT content FROM read_text('secret.csv')))",
    "FROM query('FROM read_text(''secret.csv'')')",
    "FROM query_table('secret.csv')",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_views",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM sqlite_master",
    "WITH x AS (WITH sqlite_master AS (SELECT 1) FROM sqlite_master) SELECT sql FROM sqlite_master, x",
    "WITH x AS (WITH duckdb_settings AS (SELECT 1) FROM duckdb_settings) SELECT * FROM duckdb_settings, x",
    "WITH x AS (WITH pg_views AS (SELECT 1) FROM pg_views) SELECT * FROM pg_views, x",
    `WITH x AS (WITH "${OWN}/hops.parquet" AS (SELECT 1) SELECT 1) SELECT filename FROM "${OWN}/hops.parquet", x`,
    "SELECT * FROM pg_catalog.pg_class",
    "SELECT * FROM system.information_schema.columns",
    "SELECT current_setting('allowed_paths')",
    "SELECT getenv('HOME')",
    "SHOW TABLES",
    "SUMMARIZE 'secret.csv'",
    "DESCRIBE SELECT * FROM read_csv('secret.csv')",
    "COPY (SELECT 1) TO 'stolen.csv'",
    "COPY hops TO 'stolen.parquet'",
    `COPY (SELECT 1 AS x) TO '${OWN}/hops.parquet' (USE_TMP_FILE false)`,
    "ATTACH 'stolen.db'",
    "ATTACH ':memory:' AS other",
    "EXPORT DATABASE 'stolen'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "SET threads = 64",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "PRAGMA database_list",
    "PRAGMA enable_external_access",
    "CALL pragma_version()",
    "CREATE TABLE t (i INTEGER)",
    "CREATE MACRO m() AS TABLE FROM read_text('secret.csv')",
    "INSERT INTO hops VALUES (1)",
    "DELETE FROM hops",
    "DROP VIEW hops",
    "EXPLAIN SELECT 1",
    "VACUUM",
    "CHECKPOINT",
    "PREPARE x AS SELECT 1",
    "SELECT 1; SELECT 2",
    "SELECT 1; COPY (SELECT 1) TO 'stolen.csv'",
  ])("%s", async (text) => {
    const { code, detail } = await refusal(text);
    expect(code).toBe("sql-refused");
    expect(detail).not.toContain(folder);
    expect(detail).not.toContain("swordfish");
  });

  it("a path of the server, in any message", async () => {
    const found = await Promise.all(
      [
        "SELECT filename FROM hops",
        "SELECT * FROM hops, nosuch",
        "SELECT error('/var/lib/aglens/catalogue.sqlite is here')",
        "SELECT ('/var/lib/aglens/' || replica)::INTEGER FROM hops",
      ].map(refusal),
    );
    for (const { detail } of found) expect(detail).not.toMatch(/aglens-sql|\/var\/lib/u);
  });

  it("a change of what is kept", async () => {
    expect((await readdir(folder)).toSorted()).toEqual(["group=Sales%20AG", "secret.csv"]);
    expect(valuesOf(await ask("SELECT count(*) FROM hops"))).toEqual([[10]]);
  });
});

describe("at a limit", () => {
  it("of rows those before it are shown", async () => {
    const { rows, stopped } = await ask("SELECT * FROM range(1000000)");
    expect({ rows, stopped }).toEqual({ rows: 5000, stopped: "rows" });
  });

  it("of bytes those before it are shown", async () => {
    const texts = { sql: "SELECT repeat('x', 1000) FROM range(1000000)", tables: tablesOf(OWN) };
    const { rows, stopped } = await sql.rows(texts, { whose: "somebody", limits: { rows: 1_000_000 } });
    expect(stopped).toBe("bytes");
    // 64 MiB in values of 1,008 bytes, and the rest of a chunk.
    expect(rows).toBeGreaterThan(66_500);
    expect(rows).toBeLessThan(70_000);
  });

  it("of time the query ends", async () => {
    const { rows, stopped } = await ask("SELECT count(*) FROM range(100000000000) a, range(1000000) b");
    expect({ rows, stopped }).toEqual({ rows: 0, stopped: "time" });
  });

  it("of time or memory a recursion without an end does, too", async () => {
    const { rows, stopped } = await ask(
      "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r",
    );
    expect(rows).toBe(0);
    expect(["time", "memory"]).toContain(stopped);
  });

  it.each([
    ["an aggregate", "SELECT list(range) FROM range(1000000000)"],
    ["a sort", "SELECT * FROM range(1000000000) ORDER BY hash(range)"],
    ["a list of one value", "SELECT range(1000000000)"],
    ["a text of one value", "SELECT length(repeat('x', 3000000000))"],
    ["texts of a chunk", "SELECT repeat('x', 10000000) FROM range(1000)"],
  ])("of memory %s ends, and the next query is answered", async (_, text) => {
    // On a busy machine memory fills later than the time limit of the other tests.
    const patient = { whose: "somebody", limits: { seconds: 120 } };
    const { stopped } = await sql.rows({ sql: text, tables: tablesOf(OWN) }, patient);
    expect(stopped).toBe("memory");
    expect(valuesOf(await ask("SELECT count(*) FROM hops"))).toEqual([[10]]);
  });

  it("of depth a query is refused, and the next one is answered", async () => {
    for (const text of [
      `SELECT ${"abs(".repeat(5000)}1${")".repeat(5000)}`,
      `SELECT ${"1+".repeat(9000)}1`,
    ]) {
      expect((await refusal(text)).code).toBe("sql-wrong");
    }
    expect(valuesOf(await ask("SELECT count(*) FROM hops"))).toEqual([[10]]);
  });
});

describe("processes", () => {
  it("say that a file is gone or damaged, and go on", async () => {
    const gone: SqlTable[] = [
      { name: "hops", files: [`${OWN}/hops.parquet`, "group=x/capture=gone/hops.parquet"] },
    ];
    const damaged: SqlTable[] = [{ name: "hops", files: ["secret.csv"] }];
    for (const tables of [gone, damaged]) {
      const asked = ask("SELECT count(*) FROM hops", { tables });
      await expect(asked).rejects.toMatchObject({
        problem: { code: "sql-failed", detail: expect.stringContaining("Can't read tables") },
      });
    }
    expect(valuesOf(await ask("SELECT count(*) FROM hops"))).toEqual([[10]]);
  });

  it("name a capture as the question says", async () => {
    const [hops] = tablesOf(OWN);
    const tables = [{ ...hops, files: [`${OWN}/hops.parquet`], name: "hops", capture: "o'ther" }];
    expect(valuesOf(await ask("SELECT DISTINCT capture FROM hops", { tables }))).toEqual([["o'ther"]]);
    const all = await ask("FROM hops LIMIT 1", { tables });
    expect(JSON.stringify(all)).not.toContain("own");
  });

  it.each(["\ud800", "a\u0000b", "\u{1f600}"])("take any name of a capture: %j", async (name) => {
    const columns = [{ name: "name", type: "VARCHAR", unit: null, about: "" }];
    const tables: SqlTable[] = [{ name: "captures", columns, rows: [{ name }] }];
    expect(valuesOf(await ask("FROM captures", { tables }))).toEqual([[name.toWellFormed()]]);
  });

  it("end a query that nobody waits for", async () => {
    const gone = new AbortController();
    const asked = sql.rows(
      { sql: "SELECT count(*) FROM range(100000000000) a, range(1000000) b", tables: tablesOf(OWN) },
      { whose: "somebody", signal: gone.signal, limits: { seconds: 60 } },
    );
    setTimeout(() => gone.abort(), 200);
    await expect(asked).rejects.toMatchObject({ problem: { code: "cancelled" } });
    expect(sql.load).toEqual({ running: 0, waiting: 0 });
  });

  it("are first for who has no query at work, and keep no place for one that nobody waits for", async () => {
    const endless = {
      sql: "SELECT count(*) FROM range(100000000000) a, range(1000000) b",
      tables: tablesOf(OWN),
    };
    const stops = Array.from({ length: 4 }, () => new AbortController());
    const ends: string[] = [];
    const asked = stops.map(({ signal }, i) =>
      sql
        .rows(endless, { whose: "busy", signal, limits: { seconds: 60 } })
        .catch(() => {})
        .then(() => ends.push(`busy ${i}`)),
    );
    expect(sql.load).toEqual({ running: 2, waiting: 2 });
    const other = sql
      .rows({ ...endless, sql: "SELECT 1" }, { whose: "other" })
      .then(() => ends.push("other"));
    // The third query never had a process, so it ends at once.
    stops[2]?.abort();
    await asked[2];
    expect(sql.load).toEqual({ running: 2, waiting: 2 });
    stops[0]?.abort();
    await other;
    expect(ends).toEqual(["busy 2", "busy 0", "other"]);
    for (const stop of stops) stop.abort();
    await Promise.all(asked);
    expect(sql.load).toEqual({ running: 0, waiting: 0 });
  });

  it("answer at most four questions of one asker at once", async () => {
    const asked = Array.from({ length: 6 }, () => ask("SELECT count(*) FROM range(1000000)"));
    const ends = await Promise.allSettled(asked);
    expect(ends.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => "fulfilled"),
      ...Array.from({ length: 2 }, () => "rejected"),
    ]);
    expect(await ask("SELECT 1")).toMatchObject({ rows: 1 });
  });
});
