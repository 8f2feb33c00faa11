import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zstdDecompressSync } from "node:zlib";
import { tableFromIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { tables } from "./tables.ts";

const CAPTURES = fileURLToPath(new URL("../../../fixtures/captures/", import.meta.url));
const EVIDENCE = ["evidence_events", "evidence_samples"];
const NAMES = [
  "blocks",
  "clocks",
  "commits",
  "events",
  ...EVIDENCE,
  "findings",
  "histograms",
  "hops",
  "stages",
];

let out: string;
beforeEach(async () => {
  out = await mkdtemp(join(tmpdir(), "aglens-tables-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(out, { recursive: true });
});

async function filesOf(capture: string): Promise<string[]> {
  const found = await readdir(join(CAPTURES, capture), { recursive: true });
  return found.filter((name) => name.endsWith(".xel")).map((name) => join(CAPTURES, capture, name));
}

const tableAt = async (...path: string[]) => tableFromIPC(await readFile(join(out, ...path)));

it("writes every table of a capture as an Arrow file with units, and says how many rows each has", async () => {
  const lines: string[] = [];
  expect(
    await tables([...(await filesOf("slow-secondary-disk")), "--out", out], (text) => lines.push(text)),
  ).toBe(0);
  expect((await readdir(out)).toSorted((a, b) => a.localeCompare(b))).toEqual(
    NAMES.map((name) => `${name}.arrow`),
  );
  const [blocks, hops, commits] = [
    await tableAt("blocks.arrow"),
    await tableAt("hops.arrow"),
    await tableAt("commits.arrow"),
  ];
  expect(lines.join("\n")).toContain(`blocks.arrow  ${blocks.numRows.toLocaleString("en-US")} rows`);
  expect(hops.numRows).toBe(blocks.numRows);
  expect(commits.numRows).toBeGreaterThan(100);
  expect(blocks.schema.metadata.get("format")).toBe("aglens-tables-2");
  expect(blocks.schema.metadata.get("origin")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$/u);
  expect(hops.schema.fields.find(({ name }) => name === "received")?.metadata.get("unit")).toBe("µs");
  const first = hops.get(0)!.toJSON();
  expect(first["replica"]).toBe("Secondary");
  expect(first["received_obtained"]).toBe("measured");
  // A block is received after it departed, by more than the clock's uncertainty.
  expect(Number(first["received"])).toBeGreaterThan(
    Number(first["departed"]) - Number(first["received_uncertainty_us"]),
  );
  expect(first["received_uncertainty_us"]).toBeGreaterThan(0);
});

it("writes the same rows as Parquet files", async () => {
  const files = await filesOf("slow-secondary-disk");
  await tables([...files, "--out", out], () => {});
  expect(await tables(["--parquet", ...files, "--out", out], () => {})).toBe(0);
  for (const name of NAMES) {
    const arrow = (await tableAt(`${name}.arrow`)).toArray().map((row) => row!.toJSON());
    const bytes = new Uint8Array(await readFile(join(out, `${name}.parquet`)));
    const rows = await parquetReadObjects({
      file: bytes.buffer,
      compressors: { ZSTD: (part) => zstdDecompressSync(part) },
      // As Arrow's reader has them: ms since 1970.
      parsers: { timestampFromMicroseconds: (us: bigint) => Number(us) / 1000 },
    });
    const lists = (row: object) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [
          key,
          key === "check_next" || key === "windows" ? [...value] : value,
        ]),
      );
    expect(rows.map(lists)).toEqual(arrow.map(lists));
  }
});

it("writes nulls, lists and texts as such", async () => {
  await tables([...(await filesOf("slow-secondary-disk")), `--out=${out}`], () => {});
  const findings = await tableAt("findings.arrow");
  const rows = findings.toArray().map((row) => row!.toJSON());
  expect(rows[0]!["cause"]).toBe("secondary_disk");
  expect(rows[0]!["replica"]).toBe("Secondary");
  expect([...(rows[0]!["check_next"] as Iterable<string>)].length).toBeGreaterThan(0);
  expect(rows.some((row) => row["database"] === null)).toBe(true);
  const events = await tableAt("events.arrow");
  expect(events.getChild("name")!.get(0)).toMatch(/^[a-z_]+$/u);
});

it.each([
  ["primary", ["clocks", ...EVIDENCE]],
  ["secondary", ["clocks", "commits", ...EVIDENCE]],
])("writes a %s alone with tables without a row: %j", async (role, empty) => {
  const files = await filesOf("slow-secondary-disk");
  const fieldsOf = async (name: string) =>
    (await tableAt(`${name}.arrow`)).schema.fields.map(({ name, type }) => `${name} ${String(type)}`);
  await tables([...files, "--out", out], () => {});
  const whole = await Promise.all(NAMES.map(fieldsOf));
  const own = files.filter((file) => file.includes(`${role}/`));
  expect(await tables([...own, "--out", out], () => {})).toBe(0);
  expect(await Promise.all(NAMES.map(fieldsOf))).toEqual(whole);
  const rows = await Promise.all(
    NAMES.map(async (name) => (await tableAt(`${name}.arrow`)).toArray().length),
  );
  expect(NAMES.filter((_, i) => rows[i] === 0)).toEqual(empty);
});

it("writes files of servers that share no time as captures of their own", async () => {
  const [network] = (await filesOf("slow-network")).filter((file) => file.includes("primary/"));
  const [disk] = (await filesOf("slow-secondary-disk")).filter((file) => file.includes("secondary/"));
  expect(await tables([network!, disk!, "--out", out], () => {})).toBe(0);
  const folders = (await readdir(out)).toSorted();
  expect(folders.map((name) => name.split("-").slice(0, 2))).toEqual([
    ["1", "secondary"],
    ["2", "primary"],
  ]);
  for (const folder of folders) {
    expect((await tableAt(folder, "blocks.arrow")).numRows).toBeGreaterThan(0);
    expect((await tableAt(folder, "clocks.arrow")).numRows).toBe(0);
  }
});

it("writes evidence with the captures of its server, or with all where no capture has it", async () => {
  const [disk] = (await filesOf("slow-secondary-disk")).filter((file) => file.includes("secondary/"));
  const captures = [disk!, ...(await filesOf("two-secondaries"))];
  const logs = await Promise.all(
    ["SECONDARY", "SECONDARY 2", "SQL9", null].map(async (server, i) => {
      const lines = [
        "UTC adjustment: 0:00",
        ...(server === null ? [] : [`Server name is '${server}'.`]),
        "SQL Server is starting at normal priority base (=7).",
      ];
      const folder = join(out, String(i));
      await mkdir(folder);
      const text = lines.map((line) => `2026-05-14 02:0${i}:00.00 Server      ${line}`).join("\n");
      await writeFile(join(folder, "ERRORLOG"), text);
      return join(folder, "ERRORLOG");
    }),
  );
  const to = join(out, "tables");
  expect(await tables([...captures, ...logs, "--out", to], () => {})).toBe(0);
  const found = await Promise.all(
    (await readdir(to)).toSorted().map(async (folder) => {
      const rows = (await tableAt("tables", folder, "evidence_events.arrow")).toArray();
      return [folder.split("-")[1], rows.map((row) => row!.toJSON()["server"])];
    }),
  );
  expect(found).toEqual([
    ["secondary", ["SECONDARY", "SQL9", null]],
    ["primary", ["SECONDARY 2", "SQL9", null]],
  ]);
});

it.each(["first", "last"])(
  "ends with the exit code of damage where the %s of two captures has some",
  async (which) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const [network] = (await filesOf("slow-network")).filter((file) => file.includes("primary/"));
    const [disk] = (await filesOf("slow-secondary-disk")).filter((file) => file.includes("secondary/"));
    const captures = [disk!, network!];
    const at = which === "first" ? 0 : 1;
    const bytes = await readFile(captures[at]!);
    captures[at] = join(out, "damaged.xel");
    const middle = bytes.length >> 1;
    await writeFile(captures[at], bytes.fill(0xff, middle, middle + 400));
    const lines: string[] = [];
    expect(await tables([...captures, "--out", join(out, "tables")], (text) => lines.push(text))).toBe(1);
    expect(lines.filter((line) => line.includes("blocks.arrow"))).toHaveLength(2);
  },
);

it("refuses to run without a folder, and says why files make no capture", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await tables(await filesOf("slow-secondary-disk"))).toBe(2);
  expect(said.mock.lastCall![0]).toContain("--out DIR");
  expect(await tables(["--out", out])).toBe(2);
});

it("has every column in docs/reference/tables.md", async () => {
  await tables([...(await filesOf("slow-secondary-disk")), "--out", out], () => {});
  const text = await readFile(new URL("../../../docs/reference/tables.md", import.meta.url), "utf8");
  for (const name of NAMES) {
    const section = text.split(/^## /mu).find((part) => part.startsWith(`${name}:`)) ?? "";
    const { fields } = (await tableAt(`${name}.arrow`)).schema;
    const columns = fields
      .map((field) => field.name)
      .filter((field) => !/_(obtained|uncertainty_us)$/u.test(field));
    expect(columns.filter((column) => !section.includes(`\`${column}\``))).toEqual([]);
  }
});
