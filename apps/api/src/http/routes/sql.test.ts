import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type RangeStatistics, SqlResult, SqlTables, type Summary } from "@aglens/contract";
import { ALL_QUERIES, CAPTURE_QUERIES } from "@aglens/contract/ready-queries";
import { TABLES_AT_REST } from "@aglens/ag-model/tables";
import { as, TOKENS, tokenAccess } from "../../../test/access.ts";
import { testService, type TestService } from "../../../test/service.ts";
import { until } from "../../../test/until.ts";

let service: TestService;
/** Ann's captures. */
let two = "";
let slow = "";
const client = {} as Record<keyof typeof TOKENS, ReturnType<typeof as>>;

beforeAll(async () => {
  service = await testService({ ...(await tokenAccess()), keepsTables: true });
  for (const who of Object.keys(TOKENS) as (keyof typeof TOKENS)[]) client[who] = as(service, TOKENS[who]);
  two = await analysed("two-secondaries");
  slow = await analysed("slow-network");
  await addEvidence(slow);
});
afterAll(() => service.end());

async function analysed(sample: string): Promise<string> {
  const { body } = await client.ann.post(`/samples/${sample}`).expect(201);
  await until(async () => (await service.captures.get(body.id)).state === "ready");
  expect(await service.dataset.whenWritten(body.id)).toBe(true);
  return body.id as string;
}

/** A change of roles in the second after the capture's beginning, and a sample. */
async function addEvidence(id: string): Promise<void> {
  const { originTicks, replicas } = (await client.ann.get(`/captures/${id}/summary`).expect(200))
    .body as Summary;
  const second = new Date(Number(BigInt(originTicks) / 10_000n) - 11_644_473_600_000 + 1_000).toISOString();
  const time = `${second.slice(0, 10)} ${second.slice(11, 19)}.00`;
  const log = [
    `${time} Server      UTC adjustment: 0:00`,
    `${time} Server      Server name is '${replicas[0]?.name}'.`,
    `${time} spid9s      The state of the local availability replica in availability group 'AG' has changed from 'PRIMARY_NORMAL' to 'RESOLVING_NORMAL'.  The state changed because of a user initiated failover.`,
  ].join("\n");
  await client.ann
    .post(`/captures/${id}/files?name=ERRORLOG`)
    .type("application/octet-stream")
    .send(Buffer.from(log))
    .expect(201);
  const counters = [
    String.raw`"(PDH-CSV 4.0) (UTC)(0)","\\SQL2\LogicalDisk(F:)\Avg. Disk sec/Write"`,
    `"05/06/2016 02:17:00.000","0.001"`,
  ].join("\n");
  await client.ann
    .post(`/captures/${id}/files?name=counters.csv`)
    .type("application/octet-stream")
    .send(Buffer.from(counters))
    .expect(201);
  expect(await service.dataset.whenWritten(id)).toBe(true);
}

async function resultOf(path: string, sql: string, who: keyof typeof TOKENS = "ann"): Promise<SqlResult> {
  return SqlResult.parse((await client[who].post(path).send({ sql }).expect(200)).body);
}

const valuesOf = ({ columns }: SqlResult): unknown[][] => columns.map(({ values }) => values);

describe("queries over a capture", () => {
  test("have the percentiles that its own screens show", async () => {
    const [{ body: statistics }, { body: summary }] = await Promise.all([
      client.ann.get(`/captures/${two}/statistics`).expect(200),
      client.ann.get(`/captures/${two}/summary`).expect(200),
    ]);
    const { stages, commitLatency } = statistics as RangeStatistics;
    const names = (summary as Summary).replicas.map(({ name }) => name);
    const quantiles = (column: string) =>
      [0.5, 0.95, 0.99].map((share) => `quantile_cont(${column}, ${share})`).join(", ");
    const hops = await resultOf(
      `/captures/${two}/sql`,
      `SELECT replica, ${quantiles("log_write_us")}, max(log_write_us), ${quantiles("network_round_trip_us")}
       FROM hops WHERE log_write_us IS NOT NULL GROUP BY ALL ORDER BY ALL`,
    );
    const measured = hops.columns[0]?.values ?? [];
    expect(measured.length).toBeGreaterThan(0);
    for (const [row, replica] of measured.entries()) {
      const of = stages[names.indexOf(String(replica)) - 1];
      const found = hops.columns.slice(1).map(({ values }) => rounded(values[row]));
      const { secondaryFlush: write, networkRoundTrip: network } = of ?? {};
      const shown = [
        write?.p50,
        write?.p95,
        write?.p99,
        write?.max,
        network?.p50,
        network?.p95,
        network?.p99,
      ];
      expect(found).toEqual(shown.map(rounded));
    }
    expect(hops.columns.map(({ unit }) => unit)).toEqual([null, ...measuredUnits(7)]);
    const commits = await resultOf(
      `/captures/${two}/sql`,
      `SELECT ${quantiles("latency_us")}, count(*) FROM commits`,
    );
    const { p50, p95, p99 } = commitLatency;
    const count = (statistics as RangeStatistics).commits;
    expect(valuesOf(commits).flat().map(rounded)).toEqual([p50, p95, p99, count].map(rounded));
  });

  test("say what they can read and how much they may take", async () => {
    const { body } = await client.ann.get(`/captures/${slow}/sql/tables`).expect(200);
    const { tables, limits } = SqlTables.parse(body);
    expect(tables.map(({ name }) => name)).toEqual([
      "blocks",
      "hops",
      "commits",
      "stages",
      "histograms",
      "clocks",
      "findings",
      "evidence_events",
      "evidence_samples",
    ]);
    expect(limits).toEqual({ seconds: 10, rows: 100_000, memoryBytes: 1e9 });
    const { body: summary } = await client.ann.get(`/captures/${slow}/summary`).expect(200);
    const { blocks, commits } = summary as Summary;
    expect(tables.map(({ rows }) => rows).slice(0, 3)).toEqual([blocks.total, blocks.total, commits.count]);
    expect(tables[1]?.columns).toContainEqual({
      name: "log_write_us",
      type: "DOUBLE",
      unit: "µs",
      about:
        "The secondary writes the log block to its log disk. Source: log_flush_start to log_flush_complete on the secondary.",
    });
  });

  it.each(CAPTURE_QUERIES.map(({ title, sql }) => [title, sql]))("ready: %s", async (_, sql) => {
    const { columns, rows, stopped } = await resultOf(`/captures/${slow}/sql`, sql);
    expect(stopped).toBeNull();
    expect(columns.length).toBeGreaterThan(2);
    expect(rows).toBeGreaterThan(0);
  });

  test("come as CSV and Parquet", async () => {
    const sql = "SELECT rank, cause FROM findings ORDER BY rank LIMIT 1";
    const csv = await client.ann.post(`/captures/${slow}/sql`).send({ sql, format: "csv" }).expect(200);
    expect(csv.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": "attachment; filename=query.csv",
    });
    expect(csv.text).toMatch(/^\uFEFF"rank","cause"\r\n0,"\w+"\r\n$/u);
    const parquet = await client.ann
      .post(`/captures/${slow}/sql`)
      .send({ sql, format: "parquet" })
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => done(null, Buffer.concat(chunks)));
      })
      .expect(200);
    expect((parquet.body as Buffer).subarray(0, 4).toString()).toBe("PAR1");
  });

  test("say where a mistake is, and at which limit they stopped", async () => {
    const wrong = await client.ann
      .post(`/captures/${slow}/sql`)
      .send({ sql: "SELECT nosuch FROM hops" })
      .expect(422);
    expect(wrong.body).toMatchObject({ code: "sql-wrong", at: 7 });
    await client.ann.post(`/captures/${slow}/sql`).send({ sql: "" }).expect(400);
    const sql = "SELECT * FROM range(1000000)";
    const cut = await client.ann.post(`/captures/${slow}/sql`).send({ sql }).expect(200);
    expect(cut.headers["aglens-stopped"]).toBe("rows");
    expect(cut.body).toMatchObject({ rows: 100_000, stopped: "rows" });
  });

  test("are an entry of the audit log, without their text", async () => {
    await resultOf(`/captures/${slow}/sql`, "SELECT 'swordfish' FROM blocks LIMIT 1");
    const { body } = await client.admin.get("/access/audit?q=sql").expect(200);
    expect(body.entries[0]).toMatchObject({ person: "Ann", action: "ran SQL on" });
    expect(JSON.stringify(body)).not.toContain("swordfish");
  });
});

/** To a millionth of a µs: the last digit of sums of doubles depends on their order. */
const rounded = (us: unknown): number => Math.round(Number(us) * 1e6) / 1e6;

const measuredUnits = (count: number): string[] => Array.from({ length: count }, () => "µs");

describe("queries over all captures", () => {
  it.each(ALL_QUERIES.map(({ title, sql }) => [title, sql]))("ready: %s", async (_, sql) => {
    const { rows, stopped } = await resultOf("/sql", sql);
    expect(stopped).toBeNull();
    expect(rows).toBeGreaterThan(0);
  });

  test("read those that whoever asks may see", async () => {
    const captures = async (who: keyof typeof TOKENS) =>
      valuesOf(await resultOf("/sql", "SELECT DISTINCT capture FROM hops ORDER BY ALL", who))[0];
    expect(await captures("ann")).toEqual([two, slow].toSorted());
    expect(await captures("admin")).toEqual([two, slow].toSorted());
    // Bob sees no capture, and can't read files by their names.
    expect((await client.bob.post("/sql").send({ sql: "SELECT 1" }).expect(409)).body.code).toBe(
      "sql-no-tables",
    );
    await client.bob.post(`/captures/${slow}/sql`).send({ sql: "SELECT 1" }).expect(404);
    await service.captures.share(slow, true);
    expect(await captures("viewer")).toEqual([slow]);
    const files = service.dataset.files([two], "hops");
    const stolen = await client.viewer
      .post("/sql")
      .send({ sql: `SELECT * FROM '${files[0] ?? ""}'` })
      .expect(422);
    expect(stolen.body.code).toBe("sql-refused");
    await service.captures.share(slow, false);
  });

  test("read none in the trash", async () => {
    const captures = async () => valuesOf(await resultOf("/sql", "SELECT capture FROM captures"))[0];
    await service.captures.trash.put(slow);
    expect(await captures()).toEqual([two]);
    await service.captures.restore(slow);
    expect(await service.dataset.whenWritten(slow)).toBe(true);
    expect((await captures())?.toSorted()).toEqual([two, slow].toSorted());
  });
});

test("percentiles of all blocks of a day are those of the blocks, up to 1.1 % more", async () => {
  const ready = ALL_QUERIES.find(({ title }) => title === "All blocks of a day, per replica");
  const answer = await resultOf("/sql", ready?.sql ?? "");
  expect(answer.columns.map(({ name, unit }) => [name, unit])).toEqual([
    ["day", null],
    ["replica", null],
    ["blocks", null],
    ["p50", "µs"],
    ["p95", "µs"],
    ["p99", "µs"],
    ["max", "µs"],
  ]);
  // The first value that so many are not larger than.
  const exact = await resultOf(
    "/sql",
    `SELECT CAST(utc AS DATE) AS day, replica, count(*),
            list_sort(list(remote_harden_us)) AS v, v[ceil(0.5 * len(v))::INT] AS p50,
            v[ceil(0.95 * len(v))::INT] AS p95, v[ceil(0.99 * len(v))::INT] AS p99, v[len(v)] AS max
     FROM hops WHERE remote_harden_us IS NOT NULL GROUP BY ALL ORDER BY day, replica`,
  );
  const [, replicas, blocks, ...found] = valuesOf(answer);
  const [, own, count, , ...truth] = valuesOf(exact);
  expect([replicas, blocks]).toEqual([own, count]);
  expect(replicas?.length).toBeGreaterThan(2);
  found.forEach((values, column) =>
    values.forEach((value, row) => {
      const [shown, us] = [Number(value), Number(truth[column]?.[row])];
      expect(shown).toBeGreaterThanOrEqual(us - 1e-6);
      expect(shown).toBeLessThanOrEqual(us * 2 ** (1 / 64) + 1e-6);
    }),
  );
});

/** A ready query over counts of a test, `over_us`, `up_to_us` and `count`, instead of those of captures. */
async function answerOf(title: string, counts: readonly (readonly number[])[]): Promise<unknown[][]> {
  const ready = ALL_QUERIES.find((query) => query.title === title)?.sql ?? "";
  const rows = counts.map(
    (bucket) => `(TIMESTAMP '2026-11-20 02:00:00', 'hops', 'remote_harden', 'SQL2', ${bucket.join()})`,
  );
  const table = `histograms(utc, rows_of, stage, replica, over_us, up_to_us, count) AS (VALUES ${rows.join()})`;
  const sql = ready.includes("\nWITH ")
    ? ready.replace("\nWITH ", `\nWITH ${table}, `)
    : ready.replace("\nSELECT ", `\nWITH ${table} SELECT `);
  return valuesOf(await resultOf("/sql", sql));
}

test("hours count what took over 50 ms, from the bucket that begins there on", async () => {
  const buckets = [
    [49_991, 50_000, 1],
    [50_000, 50_535, 2],
    [50_535, 51_086, 3],
  ];
  expect(await answerOf("Slow hours of the day", buckets)).toEqual([[2], [6], [5], [5 / 6], [51_086]]);
});

test("a percentile of a day is the end of the bucket in which the block of that rank is", async () => {
  // The blocks of these ranks are the 10th, the 19th and the 20th of 20.
  const buckets = [
    [1, 2, 10],
    [2, 4, 9],
    [4, 8, 1],
  ];
  const [, , blocks, ...figures] = await answerOf("All blocks of a day, per replica", buckets);
  expect([blocks, ...figures]).toEqual([[20], [2], [4], [8], [8]]);
});

test("all captures have the tags that they have now, also where their tables are older", async () => {
  await client.ann.post(`/captures/${slow}/tags`).send({ tag: "nightly" }).expect(200);
  await client.ann.post(`/captures/${slow}/tags`).send({ tag: "it's 2 words" }).expect(200);
  const tagged = "SELECT capture, tags FROM captures WHERE list_contains(tags, 'nightly')";
  expect(valuesOf(await resultOf("/sql", tagged))).toEqual([[slow], ["['it''s 2 words', 'nightly']"]]);
  const each =
    "SELECT tag, count(*) FROM (SELECT unnest(tags) AS tag FROM captures) GROUP BY ALL ORDER BY ALL";
  expect(valuesOf(await resultOf("/sql", each))).toEqual([
    ["it's 2 words", "nightly"],
    [1, 1],
  ]);
});

describe("queries of who has a link", () => {
  const link = async (changes: object): Promise<string> => {
    const body = {
      captureId: slow,
      path: "/sql",
      view: "v=1",
      title: "Slow",
      expiresInDays: 1,
      audience: "anyone",
    };
    return (
      await client.ann
        .post("/links")
        .send({ ...body, ...changes })
        .expect(201)
    ).body.id as string;
  };

  test("read its capture alone, by the link's id", async () => {
    const id = await link({});
    for (const table of TABLES_AT_REST) {
      const answer = await resultOf(`/links/${id}/sql`, `SELECT DISTINCT capture FROM ${table}`, "bob");
      expect(valuesOf(answer)).toEqual([[id]]);
    }
    // The capture's own id must not be shown: it opens more than the link does, and remains valid longer.
    for (const sql of ["FROM blocks LIMIT 1", "DESCRIBE blocks", "SELECT max(b) FROM blocks b"]) {
      expect(JSON.stringify(await resultOf(`/links/${id}/sql`, sql, "bob"))).not.toContain(slow);
    }
  });

  test("are refused where it replaces names, or asks for a passphrase", async () => {
    const replaced = await client.bob
      .post(`/links/${await link({ replacesNames: true })}/sql`)
      .send({ sql: "SELECT 1" });
    expect([replaced.status, replaced.body.code]).toEqual([501, "sql-unavailable"]);
    const locked = await client.bob
      .post(`/links/${await link({ passphrase: "a passphrase of some length" })}/sql`)
      .send({ sql: "SELECT 1" });
    expect(locked.body.code).toBe("passphrase-needed");
  });
});

it.each([{ sqlSeconds: 0 }, { keepsTables: false }])("SQL can be turned off: %o", async (config) => {
  const other = await testService({ keepsTables: true, ...config });
  const answer = await as(other, "").get("/sql/tables");
  await other.end();
  expect([answer.status, answer.body.code]).toEqual([501, "sql-unavailable"]);
});
