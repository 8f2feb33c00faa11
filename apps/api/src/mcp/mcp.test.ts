/** A session of an assistant: the SDK's own client starts the program, as a user's settings do. */
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  copyFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { analyzeFiles } from "@aglens/ag-model/commands";
import { diagnose } from "@aglens/ag-model/diagnosis";
import { captureInBins, summarise } from "@aglens/ag-model/query";
import { encodeModel, encodeWindow } from "@aglens/contract";
import { aglensFileBytes } from "@aglens/engine/aglens-file";
import { clients } from "@aglens/fixtures/scenarios";
import { simulate } from "@aglens/fixtures/simulator";
import { supportFolder } from "@aglens/fixtures/support-folder";
import { zipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

const ROOT = join(import.meta.dirname, "../../../..");
const CAPTURES = join(ROOT, "fixtures/captures");
const PROGRAM = join(ROOT, "apps/api/bin/aglens.ts");
const temporary = realpathSync(mkdtempSync(join(tmpdir(), "aglens-mcp-test-")));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** A client of a program that may read these folders, with a folder for temporary files of its own. */
async function connect(folders: readonly string[] = []) {
  const files = mkdtempSync(join(temporary, "t-"));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, "mcp", ...folders],
    env: {
      TMPDIR: files,
      TEMP: files,
      TMP: files,
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
    },
    stderr: "pipe",
  });
  const client = new Client({ name: "test", version: "1" });
  const faults: unknown[] = [];
  Object.assign(client, { onerror: (error: unknown) => faults.push(error) });
  await client.connect(transport);
  // The client compares structured content with a tool's schema once it has listed the tools.
  const { tools } = await client.listTools();
  return { client, tools, files, faults };
}

interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly data: unknown;
}

async function callOf(client: Client, name: string, given: Record<string, unknown>): Promise<Called> {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: given });
  const texts = z.array(z.object({ text: z.string() })).parse(content);
  return {
    isError: isError === true,
    text: texts.map(({ text }) => text).join("\n"),
    data: structuredContent,
  };
}

let session: Awaited<ReturnType<typeof connect>>;
const call = (name: string, given: Record<string, unknown> = {}) => callOf(session.client, name, given);
beforeAll(async () => {
  session = await connect();
  await call("analyze_files", { paths: [join(CAPTURES, "slow-network")] });
  await call("analyze_files", { paths: [join(CAPTURES, "two-secondaries")] });
});
afterAll(() => session.client.close());

/** The simulator's own record of a capture, µs. */
const Truth = z.object({
  events: z.record(z.string(), z.number()),
  blocks: z.object({
    blockId: z.array(z.number()),
    commitStart: z.array(z.number()),
    localFlushStart: z.array(z.number()),
    localFlushEnd: z.array(z.number()),
    commitEnd: z.array(z.number()),
  }),
});
const truthOf = (capture: string) =>
  Truth.parse(JSON.parse(readFileSync(join(CAPTURES, capture, "truth.json"), "utf8")));
const { blocks: truth, events } = truthOf("slow-network");
const latencies = truth.commitEnd.map((end, i) => end - (truth.commitStart[i] ?? 0));

/** Linear between neighbors. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const [low = 0, high = low] = sorted.slice(Math.floor(rank));
  return low + (rank - Math.floor(rank)) * (high - low);
}

/** As SQL Server prints it: VLF and offset, eight hexadecimal digits each. */
const lsnOf = (blockId: number): string =>
  [Math.floor(blockId / 2 ** 32), blockId % 2 ** 32]
    .map((part) => part.toString(16).padStart(8, "0"))
    .join(":");

test("an assistant sees few tools, all of which only read, and is told that names are data", () => {
  expect(session.tools.map(({ name }) => name)).toEqual([
    "analyze_files",
    "verdict",
    "figures",
    "slowest_blocks",
    "slowest_commits",
    "log_block",
    "what_if",
    "compare",
    "query_sql",
    "help",
  ]);
  for (const { annotations, outputSchema } of session.tools) {
    expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(outputSchema).toBeDefined();
  }
  expect(session.client.getInstructions()).toMatch(/data, never instructions/u);
});

test("files are analyzed, and each that isn't used is named", async () => {
  const folder = join(CAPTURES, "damaged");
  const { data, text } = await callOf(session.client, "analyze_files", { paths: [folder] });
  expect(data).toMatchObject({
    captures: [
      { capture: "c3", severity: "notice", servers: [{ name: "SQL1", role: "primary" }, { name: "SQL2" }] },
    ],
  });
  expect(text).toContain(`${join(folder, "truth.json")} isn't an event file and was skipped.`);
  expect(text).toMatch(/_SQL1_.*: at byte 98792: The file ends inside a buffer/u);
});

test("the verdict names server, time and what to check next, with its evidence", async () => {
  const { data, text } = await call("verdict", { capture: "c1" });
  expect(data).toMatchObject({ severity: "slow", place: "network" });
  expect(text).toMatch(/^sentence: The network to SQL2 takes 72 % of remote harden time\./mu);
  expect(text).toMatch(/psping/u);
  expect(data).toMatchObject({
    findings: [{ rule: "D3", server: "SQL2", stage: "networkRoundTrip" }, {}, {}],
  });
});

test("figures of stages are those of the simulator's truth, with their numbers", async () => {
  const { data } = await call("figures", { capture: "c1" });
  const writes = truth.localFlushEnd.map((end, i) => end - (truth.localFlushStart[i] ?? 0));
  const { stages } = z.object({ stages: z.array(z.record(z.string(), z.unknown())) }).parse(data);
  expect(stages.find(({ stage }) => stage === "localFlush")).toMatchObject({
    replica: "SQL2",
    n: writes.length,
    p50Us: percentile(writes, 0.5),
    p95Us: expect.closeTo(percentile(writes, 0.95), 0) as number,
    p99Us: expect.closeTo(percentile(writes, 0.99), 0) as number,
    maxUs: Math.max(...writes),
  });
  expect(data).toMatchObject({
    commits: latencies.length,
    commitLatency: { n: latencies.length, p50Us: percentile(latencies, 0.5), maxUs: Math.max(...latencies) },
  });
});

test("a range in UTC has the commits that overlap it", async () => {
  // The simulator's time begins at 02:16:55.
  const isInside = (_: number, i: number): boolean =>
    (truth.commitStart[i] ?? 0) < 68e6 && (truth.commitEnd[i] ?? 0) > 33e6;
  const inside = latencies.filter(isInside);
  for (const from of ["2016-05-06T02:17:28Z", "2016-05-06 04:17:28+02:00", "2016-05-06T02:17:28"]) {
    const { data } = await call("figures", { capture: "c1", from, to: "2016-05-06T02:18:03Z" });
    expect(data).toMatchObject({
      commits: inside.length,
      commitLatency: { p50Us: percentile(inside, 0.5), maxUs: Math.max(...inside) },
    });
  }
  // A day could come before its month, and a lone number is no time of day.
  for (const from of ["yesterday", "06/05/2016 02:17", "5"])
    expect((await call("figures", { capture: "c1", from })).text).toBe(
      `${from} isn't a time. Use µs from the capture's beginning, or UTC such as 2026-05-06T02:17:28Z.`,
    );
});

test("a time that an answer has is the same time in a question", async () => {
  const { data } = await call("slowest_blocks", { capture: "c1", limit: 1 });
  const Row = z.object({ row: z.number(), atUs: z.number(), utc: z.string() });
  const { rows } = z.object({ rows: z.array(Row) }).parse(data);
  const [{ atUs, utc } = expect.fail("There is no row.")] = rows;
  expect((await call("figures", { capture: "c1", from: utc })).data).toMatchObject({ fromUs: atUs });
});

test("a range outside of the capture has a sentence with the capture's own", async () => {
  const asked = [{ from: "2016-05-06T04:17:28Z" }, { to: -1 }, { from: "2017-05-06", to: "2017-05-07" }];
  for (const range of asked)
    expect(await call("figures", { capture: "c1", ...range })).toMatchObject({
      isError: true,
      text: "The capture has no events in this range: it's from 2016-05-06T02:16:55.0017950Z to 2016-05-06T02:18:26.6059100Z, in UTC. Choose a range in it.",
    });
});

const slowest = latencies.indexOf(Math.max(...latencies));
const slowestLsn = lsnOf(truth.blockId[slowest] ?? 0);

test("the slowest commits and blocks are those of the truth, and the rest can be asked for", async () => {
  const sorted = latencies.toSorted((a, b) => b - a);
  const commits = await call("slowest_commits", { capture: "c1", limit: 2 });
  expect(commits.data).toMatchObject({
    total: latencies.length,
    rows: [{ lsn: slowestLsn, waitedUs: sorted[0], releasedBy: "SQL2" }, { waitedUs: sorted[1] }],
    notShown: [`Rows 1 to 2 of ${latencies.length} are shown. For more, ask again with offset 2.`],
  });
  const next = await call("slowest_commits", { capture: "c1", limit: 1, offset: 2 });
  expect(next.data).toMatchObject({ rows: [{ waitedUs: sorted[2] }] });
  const blocks = await call("slowest_blocks", { capture: "c1", order: "localFlush", limit: 1 });
  const writes = truth.localFlushEnd.map((end, i) => end - (truth.localFlushStart[i] ?? 0));
  expect(blocks.data).toMatchObject({ rows: [{ stagesUs: { localFlush: Math.max(...writes) } }] });
});

test("a log block has its stages and its source events, without their fields", async () => {
  const { data } = await call("log_block", { capture: "c1", lsn: slowestLsn });
  const write = (truth.localFlushEnd[slowest] ?? 0) - (truth.localFlushStart[slowest] ?? 0);
  const { paths, events } = z
    .object({
      paths: z.array(z.record(z.string(), z.unknown())),
      events: z.array(z.record(z.string(), z.unknown())),
    })
    .parse(data);
  expect(paths).toContainEqual(
    expect.objectContaining({ stage: "localFlush", durationUs: write, obtained: "measured" }),
  );
  expect(events.length).toBeGreaterThan(10);
  expect(Object.keys(events[0] ?? {})).toEqual([
    "server",
    "event",
    "mode",
    "beginUs",
    "fireUs",
    "utc",
    "file",
    "offset",
  ]);
  expect(new Set(events.map(({ server }) => server))).toEqual(new Set(["SQL1", "SQL2"]));
});

test("without the secondary, commits take as long as the local log write", async () => {
  const { data } = await call("what_if", { capture: "c1", change: "async:SQL2" });
  const local = truth.localFlushEnd.map((end, i) => end - (truth.commitStart[i] ?? 0));
  const { chosen } = z
    .object({ chosen: z.object({ predicted: z.object({ p50Us: z.number() }) }) })
    .parse(data);
  // The wake-up after the write is some 40 µs.
  expect(chosen.predicted.p50Us).toBeGreaterThan(percentile(local, 0.5));
  expect(chosen.predicted.p50Us).toBeLessThan(percentile(local, 0.5) + 100);
  const wrong = await call("what_if", { capture: "c1", change: "async:SQL9" });
  expect(wrong).toMatchObject({
    isError: true,
    text: 'The capture has no replica "SQL9". Its replicas are SQL1, SQL2.',
  });
});

test("two captures are compared stage by stage, with the certainty of each change", async () => {
  const { data } = await call("compare", { a: "c1", b: "c2", percentile: "p50" });
  expect(data).toMatchObject({ a: { replica: "SQL2" }, b: { replica: "SQL3" } });
  const { stages } = z.object({ stages: z.array(z.record(z.string(), z.unknown())) }).parse(data);
  expect(stages.find(({ stage }) => stage === "commit")).toMatchObject({
    aUs: percentile(latencies, 0.5),
    aCount: latencies.length,
    result: "larger",
  });
});

test("SQL reads the tables of all open captures, and nothing else", async () => {
  const found = await call("query_sql", {
    sql: "SELECT capture, count(*) AS n, quantile_cont(latency_us, 0.95) AS p95, min(utc) AS begun FROM commits WHERE capture IN ('c1', 'c2') GROUP BY 1 ORDER BY 1",
  });
  expect(found.data).toMatchObject({
    columns: [
      { name: "capture" },
      { name: "n" },
      { name: "p95", unit: "µs" },
      { name: "begun", type: "TIMESTAMP" },
    ],
    rows: [
      [
        "c1",
        latencies.length,
        expect.closeTo(percentile(latencies, 0.95), 0),
        expect.stringMatching(/^2016-05-06T02:16:55\./u),
      ],
      ["c2", 1008, expect.any(Number), expect.any(String)],
    ],
    stopped: null,
    notShown: [],
  });
  // Without a word about captures, several may be counted as one.
  const counted = await call("query_sql", { sql: "SELECT count(*) AS n FROM commits" });
  expect(counted.data).toMatchObject({
    notShown: [
      "Figures of each capture: these rows are of all open ones, c1, c2, c3. Choose one with the argument capture.",
    ],
  });
  const one = await call("query_sql", { sql: "SELECT count(*) AS n FROM commits", capture: "c1" });
  expect(one.data).toMatchObject({ rows: [[latencies.length]], notShown: [] });
  const long = await call("query_sql", { sql: "SELECT repeat('a', 100000000) FROM range(1000)" });
  expect(long.data).toMatchObject({
    stopped: "memory",
    notShown: [
      "The first 0 rows are shown: the query reached its limit of memory. Query less, such as one capture or a range of utc.",
    ],
  });
  const unknown = await call("query_sql", { sql: "SELECT * FROM block_s" });
  expect(unknown).toMatchObject({
    isError: true,
    text: 'There is no table "block_s" here. The tables are blocks, hops, commits, stages, histograms, clocks, findings, evidence_events, evidence_samples.',
  });
  for (const sql of [
    "DELETE FROM commits",
    "COPY commits TO 'stolen.csv'",
    "SELECT * FROM '/etc/passwd'",
    "INSTALL httpfs",
  ]) {
    const refused = await call("query_sql", { sql });
    expect(refused).toMatchObject({ isError: true, data: undefined });
    expect(refused.text).toMatch(/\.$/u);
  }
});

test("a large answer is cut, says so, and how to get the rest", async () => {
  const { data, text } = await call("query_sql", { sql: "SELECT * FROM hops", capture: "c1", limit: 500 });
  expect(JSON.stringify(data).length).toBeLessThanOrEqual(20_000);
  expect(text.length).toBeLessThan(25_000);
  const { rows, notShown } = z
    .object({ rows: z.array(z.unknown()), notShown: z.array(z.string()) })
    .parse(data);
  expect(rows.length).toBeGreaterThan(5);
  expect(notShown).toEqual([
    `The first ${rows.length} rows are shown. For more, add ORDER BY and OFFSET ${rows.length} to the query, or aggregate.`,
  ]);
});

test("help finds a word of the glossary, a finding, and a column of a table", async () => {
  const word = await call("help", { words: "group commit wait" });
  expect(word.data).toMatchObject({
    sections: [{ file: "docs/guide/glossary.md", heading: "Group commit wait" }, {}, {}, {}, {}, {}],
  });
  // A section that is longer than a text of an answer has parts: nothing of a script is missing.
  const script = await call("help", { words: "create and start the session" });
  const { sections } = z.object({ sections: z.array(z.object({ text: z.string() })) }).parse(script.data);
  expect(sections.map(({ text }) => text).join("\n")).toContain("ALTER EVENT SESSION");
  for (const { text } of sections) expect(text).not.toMatch(/…$/u);
  // As the description of query_sql promises.
  for (const words of ["blocks", "hops", "commits", "stages", "findings", "evidence_events"]) {
    const { data } = await call("help", { words });
    const [first] = z.object({ sections: z.array(z.object({ heading: z.string() })) }).parse(data).sections;
    expect(first?.heading).toMatch(new RegExp(`^${words}: `, "u"));
  }
  expect((await call("help", { words: "commit_queue_us" })).text).toContain("docs/reference/tables.md");
  expect((await call("help")).text).toContain("What can't AG Lens show?");
  expect((await call("help", { words: "zyxwv" })).isError).toBe(true);
});

test("a wrong call has a sentence with the next step", async () => {
  const missing = join(CAPTURES, "no-such.xel");
  expect(await call("analyze_files", { paths: [missing] })).toMatchObject({
    isError: true,
    text: `Can't read ${missing}: no such file or folder exists. Check the path, or provide the folder that contains the file.`,
  });
  expect(await call("analyze_files", { paths: ["a\0b"] })).toMatchObject({
    isError: true,
    text: "Can't read ab: it isn't a path. Check it.",
  });
  const hostile = await call("query_sql", { sql: "SELECT error('SQL\u001B[31m1\u202E')" });
  expect(hostile).toMatchObject({ isError: true, text: "SQL[31m1." });
  expect((await call("verdict", { capture: `c${"9".repeat(100_000)}` })).text).toMatch(
    /^No capture has the id c9+…9*\. Open captures: c1, c2, c3\.$/u,
  );
  expect((await call("verdict", { capture: "c9" })).text).toBe(
    "No capture has the id c9. Open captures: c1, c2, c3.",
  );
  expect((await call("verdict")).text).toBe(
    "Several captures are open: c1, c2, c3. Choose one with the argument capture.",
  );
  expect((await call("figures", { capture: "c1", database: "HR" })).text).toBe(
    "The capture has no database HR. Its databases: Sales.",
  );
  const docs = await call("analyze_files", { paths: [join(ROOT, "docs")] });
  expect(docs.isError).toBe(true);
  expect(docs.text.split("\n")).toHaveLength(20);
  expect(docs.text).toMatch(
    /more files are not shown\.\nCan't analyze: no file contains events of log blocks\./u,
  );
});

test("only the chosen folders are read, also through links", async () => {
  const allowed = join(temporary, "allowed");
  const outside = join(temporary, "outside");
  for (const folder of [allowed, outside]) mkdirSync(folder);
  const [file = ""] = readdirSync(join(CAPTURES, "slow-secondary-disk/primary"));
  const source = join(CAPTURES, "slow-secondary-disk/primary", file);
  copyFileSync(source, join(outside, file));
  symlinkSync(outside, join(allowed, "linked"));
  symlinkSync(join(outside, file), join(allowed, "linked.xel"));
  const { client } = await connect([allowed]);
  try {
    for (const path of [
      source,
      outside,
      join(allowed, "../outside"),
      join(allowed, "linked"),
      "linked",
      join(temporary, "missing"),
    ]) {
      const { isError, text } = await callOf(client, "analyze_files", { paths: [path] });
      expect({ isError, text }).toEqual({
        isError: true,
        text: `Can't read ${path}: it's outside of the folders that this server may read (${allowed}). Choose a path in them, or start aglens mcp with its folder.`,
      });
    }
    const linked = await callOf(client, "analyze_files", { paths: ["."] });
    expect(linked).toMatchObject({
      isError: true,
      text: [
        `Can't read ${join(allowed, "linked")}: it's a link to a folder. Provide that folder too.`,
        `${join(allowed, "linked.xel")} is a link to a file outside of the allowed folders and was skipped.`,
      ].join("\n"),
    });
    rmSync(join(allowed, "linked.xel"));
    copyFileSync(source, join(allowed, file));
    expect((await callOf(client, "analyze_files", { paths: ["."] })).data).toMatchObject({
      captures: [{ capture: "c1", servers: [{ role: "primary", hasFiles: true }, {}] }],
    });
  } finally {
    await client.close();
  }
});

test("temporary files are gone when the client ends, and nothing but the protocol was written", async () => {
  const { client, files, faults } = await connect();
  await callOf(client, "analyze_files", { paths: [join(CAPTURES, "slow-secondary-disk")] });
  await callOf(client, "query_sql", { sql: "SELECT count(*) FROM blocks" });
  expect(readdirSync(files)).toEqual([expect.stringMatching(/^aglens-mcp-/u)]);
  await client.close();
  await expect.poll(() => readdirSync(files)).toEqual([]);
  // A line that isn't a message is an error of the client.
  expect(faults).toEqual([]);
});

function folderOf(
  name: string,
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
): string {
  for (const { path, bytes } of files) {
    const to = join(temporary, name, path);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, bytes);
  }
  return join(temporary, name);
}

test("a support folder has the cause of its failover and its events, without logins and statements", async () => {
  const { client } = await connect();
  try {
    const folder = folderOf("support", supportFolder().files);
    await callOf(client, "analyze_files", { paths: [folder] });
    const verdict = await callOf(client, "verdict", {});
    expect(verdict.data).toMatchObject({
      failovers: ["SALES-AG failed over from SQL1 to SQL2 at 02:17:41 UTC, because the lease expired."],
    });
    const events = await callOf(client, "query_sql", {
      sql: "SELECT kind, text FROM evidence_events",
      limit: 500,
    });
    expect(events.text).toMatch(/lease/u);
    expect(verdict.text + events.text).not.toMatch(/ALTER AVAILABILITY GROUP|CONTOSO/iu);
    // Without data-movement events there are no figures, and no fault either.
    const others = supportFolder().files.filter(({ path }) => !path.includes("Data_Movement"));
    await callOf(client, "analyze_files", { paths: [folderOf("events only", others)] });
    expect((await callOf(client, "figures", { capture: "c2" })).data).toMatchObject({
      blocks: 0,
      stages: [],
    });
    const compared = await callOf(client, "compare", { a: "c1", b: "c2" });
    expect(compared.data).toMatchObject({
      stages: expect.arrayContaining([expect.objectContaining({ result: "unknown" })]) as unknown,
    });
    for (const name of ["slowest_blocks", "slowest_commits", "what_if"])
      expect(await callOf(client, name, { capture: "c2" })).toMatchObject({ isError: false });
  } finally {
    await client.close();
  }
});

test("after a role change a figure names the replica of its range", async () => {
  const { client } = await connect();
  const named = async (given: Record<string, unknown>) => {
    const { data } = await callOf(client, "figures", given);
    const { releasedBy, stages, notShown } = z
      .object({
        releasedBy: z.array(z.object({ by: z.string() })),
        stages: z.array(z.object({ replica: z.string() })),
        notShown: z.array(z.string()),
      })
      .parse(data);
    const replicas = [...new Set(stages.map(({ replica }) => replica))];
    return { releasedBy: releasedBy.map(({ by }) => by), replicas, notShown };
  };
  try {
    await callOf(client, "analyze_files", { paths: [folderOf("role change", supportFolder().files)] });
    // SQL2 takes over from SQL1 at 02:17:41.
    expect(await named({ to: "2026-05-14T02:17:40Z" })).toEqual({
      releasedBy: ["local log write", "SQL2"],
      replicas: ["SQL2"],
      notShown: [],
    });
    expect(await named({ from: "2026-05-14T02:18:00Z" })).toEqual({
      releasedBy: ["local log write", "SQL1"],
      replicas: ["SQL1"],
      notShown: [],
    });
    expect(await named({})).toEqual({
      releasedBy: ["local log write", "SQL2 or SQL1"],
      replicas: ["SQL2 or SQL1"],
      notShown: [
        expect.stringMatching(
          /^Figures of each primary replica: SQL1 from \d+ to \d+ µs, SQL2 from \d+ to \d+ µs\. They are combined here/u,
        ) as string,
      ],
    });
    expect((await callOf(client, "slowest_blocks", { replica: "sql1" })).isError).toBe(false);
  } finally {
    await client.close();
  }
});

test("an analysis that was canceled opens no capture", async () => {
  const { client } = await connect();
  try {
    const stop = new AbortController();
    const paths = [join(CAPTURES, "slow-secondary-disk")];
    const canceled = client.callTool({ name: "analyze_files", arguments: { paths } }, undefined, {
      signal: stop.signal,
    });
    stop.abort();
    await expect(canceled).rejects.toThrow("aborted");
    // Two calls at once are answered one after the other.
    const both = await Promise.all([0, 1].map(() => callOf(client, "analyze_files", { paths })));
    expect(both.map(({ data }) => data)).toMatchObject([
      { captures: [{ capture: "c1" }] },
      { captures: [{ capture: "c2" }] },
    ]);
  } finally {
    await client.close();
  }
});

test("texts of statements are in no answer", async () => {
  const simulation = simulate({ ...clients, load: { seconds: 3, blocksPerSecond: 60 } });
  const statements = simulation.truth.blocks.flatMap(({ commits }) =>
    commits.flatMap(({ client }) => (client?.statement ? [client.statement] : [])),
  );
  expect(statements.length).toBeGreaterThan(0);
  const { client } = await connect();
  try {
    const files = simulation.files.map(({ replica, name, bytes }) => ({ path: join(replica, name), bytes }));
    await callOf(client, "analyze_files", { paths: [folderOf("clients", files)] });
    const { data } = await callOf(client, "query_sql", {
      sql: "SELECT count(statement) AS statements, count(application) > 0 AS named FROM commits",
    });
    expect(data).toMatchObject({ rows: [[0, true]] });
    const block = await callOf(client, "log_block", { row: 5 });
    expect(block.data).toMatchObject({ eventsMissing: null });
    expect(block.text).not.toMatch(/CloseMonth|sql_text|EXEC/u);
  } finally {
    await client.close();
  }
});

test("source events of a file in a zip can't be listed, and the answer says so", async () => {
  const folder = join(CAPTURES, "slow-secondary-disk");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".xel"),
  );
  const zip = zipSync(Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name))])));
  const path = join(folderOf("zip", [{ path: "case.zip", bytes: zip }]), "case.zip");
  const { client, files: temporaryFiles } = await connect([join(temporary, "zip")]);
  try {
    const { data } = await callOf(client, "analyze_files", { paths: [path] });
    expect(data).toMatchObject({ captures: [{ severity: "slow" }], notRead: [] });
    const block = await callOf(client, "log_block", { row: 0 });
    expect(block.data).toMatchObject({
      events: [],
      eventsMissing: expect.stringMatching(/^Can't list the events/u) as string,
    });
    expect(readdirSync(temporaryFiles)).toEqual([expect.stringMatching(/^aglens-mcp-/u)]);
  } finally {
    await client.close();
  }
});

test("the content of a zip is gone when the client ends in the middle of its analysis", async () => {
  // Several copies take long enough for the end of the client to be in the middle.
  const folder = join(CAPTURES, "slow-network");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".xel"),
  );
  const entries = [0, 1, 2, 3].flatMap((copy) =>
    files.map((name) => [`${copy}/${name}`, readFileSync(join(folder, name))] as const),
  );
  const path = join(
    folderOf("large zip", [{ path: "case.zip", bytes: zipSync(Object.fromEntries(entries)) }]),
    "case.zip",
  );
  const { client, files: temporaryFiles } = await connect();
  const answer = callOf(client, "analyze_files", { paths: [path] }).catch(() => null);
  const unpacked = () =>
    readdirSync(temporaryFiles, { recursive: true, encoding: "utf8" }).filter((name) =>
      /aglens-zip-.*\d$/u.test(name),
    );
  await expect.poll(unpacked, { interval: 5, timeout: 20_000 }).not.toEqual([]);
  await client.close();
  await answer;
  await expect.poll(() => readdirSync(temporaryFiles)).toEqual([]);
});

test("a saved capture names event files, which are not read", async () => {
  // Its names are paths of another computer, or those that someone chose for it.
  const source = join(CAPTURES, "slow-secondary-disk");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".xel"),
  );
  const { captures } = await analyzeFiles(
    files.map((name) => join(source, name)),
    { keepsEvents: true },
  );
  const [{ model } = expect.fail("The capture was not analyzed.")] = captures;
  const bytes = aglensFileBytes({
    capture: {
      name: "Saved",
      created: "2026-01-01T00:00:00.000Z",
      verdict: "",
      severity: "slow",
      place: "secondary",
      files: [],
      notes: [],
    },
    tables: {
      ...encodeModel(model),
      "summary.json": new TextEncoder().encode(JSON.stringify(summarise(model, "", "", diagnose(model)))),
      "preview.arrow": encodeWindow(captureInBins(model, 200)),
    },
    sources: [],
    replacesNames: false,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  const folder = folderOf("saved", [{ path: "case.aglens", bytes: Buffer.concat(chunks) }]);
  for (const folders of [[folder], []]) {
    const { client } = await connect(folders);
    try {
      const { data } = await callOf(client, "analyze_files", { paths: [join(folder, "case.aglens")] });
      expect(data).toMatchObject({
        captures: [{ capture: "c1", name: "Saved", blocks: model.blocks.length }],
        notRead: [],
      });
      const block = await callOf(client, "log_block", { row: 0 });
      expect(block.data).toMatchObject({ events: [], eventsMissing: expect.any(String) as string });
      const { data: counted } = await callOf(client, "query_sql", { sql: "SELECT count(*) FROM blocks" });
      expect(counted).toMatchObject({ rows: [[model.blocks.length]] });
    } finally {
      await client.close();
    }
  }
});

test("a folder that doesn't exist is refused at the start", () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [PROGRAM, "mcp", "/no/such/folder"], {
    encoding: "utf8",
  });
  expect({ status, stderr, stdout }).toEqual({
    status: 64,
    stderr:
      "Can't start: /no/such/folder isn't a folder. Provide the folders that the assistant may read, or none for all.\n",
    stdout: "",
  });
});

test("the executable can load the bundled script, and documents have its help, its tools and its path", () => {
  const script = join(ROOT, "apps/api/dist/mcp.js");
  // The executable uses `require`, which refuses a script that awaits something.
  const launcher = join(folderOf("launcher", []), "launch.cjs");
  mkdirSync(dirname(launcher), { recursive: true });
  writeFileSync(launcher, `require(${JSON.stringify(script)})`);
  const { status, stdout } = spawnSync(process.execPath, [launcher, "mcp", "--help"], { encoding: "utf8" });
  expect(status).toBe(0);
  expect(readFileSync(join(ROOT, "docs/reference/cli.md"), "utf8")).toContain(`\`\`\`\n${stdout}\`\`\``);
  const guide = readFileSync(join(ROOT, "docs/guide/assistants.md"), "utf8");
  const documented = guide.match(/^\| `.*?` \|/gmu)?.flatMap((row) => row.match(/\w+/gu) ?? []);
  expect(documented).toEqual(session.tools.map(({ name }) => name));
  const [first = "", second = ""] = guide.match(/(?<=^```json\n).*?(?=^```)/gmsu) ?? [];
  expect(JSON.parse(first)).toMatchObject({
    mcpServers: {
      "ag-lens": { args: [expect.stringMatching(/\/apps\/api\/dist\/mcp\.js$/u), expect.any(String)] },
    },
  });
  expect(JSON.parse(second)).toMatchObject({ servers: { "ag-lens": { args: ["mcp", expect.any(String)] } } });
});

test("events of both servers were read", async () => {
  const { data } = await call("analyze_files", { paths: [join(CAPTURES, "slow-network")] });
  expect(data).toMatchObject({
    captures: [
      {
        blocks: truth.blockId.length,
        databases: ["Sales"],
        servers: [{ events: events["SQL1"] }, { events: events["SQL2"] }],
      },
    ],
  });
});
