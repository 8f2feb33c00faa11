/** Files of other facts in a capture of the browser: the same as on a server. */
import { Capture, type CaptureFile, EvidenceAnswer, Problem, Summary } from "@aglens/contract";
import { readAglensFile } from "@aglens/engine/aglens-file";
import { supportFolder } from "@aglens/fixtures/support-folder";
import { GROUP } from "@aglens/fixtures/support-story";
import { zipSync } from "fflate";
import { expect, test } from "vitest";
import {
  add,
  analysed,
  committed,
  create,
  ended,
  localPage,
  storeHere,
  type Page,
} from "../../test/local-page.ts";
import { sourceBlob } from "./blob-file.ts";

const FOLDER = supportFolder().files;
const fileOf = (part: string, path = part) => ({
  path,
  bytes: new Uint8Array(FOLDER.find((file) => file.path.includes(part))!.bytes),
});
const SECRET = "jdoe";

const read = async ({ json }: Page, id: string): Promise<Capture> =>
  Capture.parse((await json("GET", `/captures/${id}`)).value);
const evidenceOf = ({ files }: Pick<Capture, "files">): CaptureFile[] =>
  files.filter(({ kind }) => kind === "evidence");
const named = (files: readonly CaptureFile[], name: string): CaptureFile =>
  files.find((file) => file.name === name)!;

test("a support folder as a zip is recognized, and AlwaysOn_health names its servers", async () => {
  const opened = localPage();
  const id = await create(opened);
  const kept = FOLDER.filter(({ path }) => !path.endsWith("GetAGTopology.xml"));
  const bytes = zipSync(Object.fromEntries(kept.map((file) => [file.path, file.bytes])), { level: 1 });
  const files = await add(opened, id, { path: "LogScout.zip", bytes: new Uint8Array(bytes) });
  const states = Map.groupBy(files, ({ kind, evidenceFile }) => evidenceFile?.state ?? kind);
  expect(Object.fromEntries([...states].map(([state, some]) => [state, some.length]))).toEqual({
    xel: 6,
    used: 13,
    convert: 1,
    notUsed: 18,
  });
  const [group] = (await read(opened, id)).groups;
  expect([group?.group, group?.servers.map(({ name }) => name).toSorted()]).toEqual([
    GROUP.name,
    ["SQL1", "SQL2"],
  ]);
});

test("an analyzed capture takes evidence, corrects and removes it, without a new analysis", async () => {
  const opened = localPage();
  const id = await analysed(opened, committed("slow-network"));
  const [log] = await add(opened, id, fileOf("SQL1_ERRORLOG", "SQL1/ERRORLOG"));
  expect(log).toMatchObject({ kind: "evidence", role: "primary", replica: "SQL1" });
  const [copy] = await add(opened, id, fileOf("SQL1_ERRORLOG", "again/ERRORLOG"));
  expect(copy).toMatchObject({ role: "ignored" });
  const { state, unused } = await read(opened, id);
  expect([state, unused]).toEqual([
    "ready",
    [{ file: copy.id, sentence: "again/ERRORLOG has the content of SQL1/ERRORLOG. It is used once." }],
  ]);
  const path = `/captures/${id}/files/${log.id}`;
  expect((await opened.json("PATCH", path, { utcOffsetMinutes: 60 })).status).toBe(200);
  const refused = await opened.json("PATCH", path, { replica: "SQL1" });
  expect([refused.status, Problem.parse(refused.value).code]).toEqual([400, "bad-request"]);
  await opened.json("DELETE", path);
  const after = await read(opened, id);
  expect([after.state, evidenceOf(after).map(({ role }) => role)]).toEqual(["ready", ["primary"]]);
  expect(Summary.safeParse((await opened.json("GET", `/captures/${id}/summary`)).value).success).toBe(true);
});

test("what happened is answered, also of a file that is added later, and with a chosen offset", async () => {
  const opened = localPage();
  const id = await analysed(
    opened,
    FOLDER.filter(({ path }) => path.includes("Data_Movement")).map(({ path }) => fileOf(path, path)),
  );
  const asked = async () =>
    EvidenceAnswer.parse((await opened.json("GET", `/captures/${id}/evidence`)).value);
  expect(await asked()).toMatchObject({ events: [], metrics: [] });
  for (const name of ["SQL1_ERRORLOG", "AlwaysOn_health_0_"])
    for (const { path } of FOLDER.filter((file) => file.path.includes(name)))
      await add(opened, id, fileOf(path, path));
  const { failovers, withoutClock } = await asked();
  expect(failovers).toMatchObject([
    { kind: "leaseTimeout", isProven: true, fromServer: "SQL1", toServer: "SQL2" },
  ]);
  expect(withoutClock).toEqual([]);
  const text = [
    "2026-05-13 19:17:30.00 spid9s      x",
    "2026-05-13 19:17:30.00 spid9s      There is insufficient system memory in resource pool 'default'.",
  ].join("\n");
  const cut = { path: "SQL2/SQL2_ERRORLOG.2", bytes: new TextEncoder().encode(text) };
  const memory = async () => (await asked()).events.filter(({ kind }) => kind === "memory");
  const [log] = await add(opened, id, cut);
  expect(await memory()).toEqual([]);
  const path = `/captures/${id}/files/${log.id}`;
  await opened.json("PATCH", path, { utcOffsetMinutes: -420 });
  expect(await memory()).toMatchObject([{ server: "SQL2" }]);
  await opened.json("DELETE", path);
  expect(await memory()).toEqual([]);
});

test("facts are kept with the capture, saved with it, and have no login", async () => {
  const store = storeHere();
  const first = localPage(store);
  const id = await analysed(first, committed("slow-network"));
  await add(first, id, fileOf("SQL1_ERRORLOG", "ERRORLOG"));
  const { digest } = (await first.json("GET", `/captures/${id}/file-link`)).value as { digest: string };
  await expect.poll(() => store.keptTables.has(digest)).toBe(true);
  await expect.poll(() => Object.keys(store.kept.get(digest)?.facts ?? {}).length).toBe(1);

  const later = localPage(store);
  const reopened = await read(later, `local-${digest}`);
  expect(reopened).toMatchObject({ state: "ready" });
  expect(named(reopened.files, "ERRORLOG").isMissing).toBe(false);
  // Missing event files, and evidence that is added to the capture all the same.
  const [more] = await add(later, reopened.id, fileOf("SQL2_ERRORLOG", "SQL2_ERRORLOG"));
  expect(more).toMatchObject({ kind: "evidence", role: "primary" });

  const { body } = await later.server.ask({
    method: "GET",
    path: `/captures/${reopened.id}/aglens-file?files=false`,
    body: null,
    signal: null,
  });
  const { sources } = await readAglensFile(sourceBlob(await new Response(body).blob()));
  expect(sources.map(({ file }) => file.name)).toEqual(["ERRORLOG", "SQL2_ERRORLOG"]);
  for (const { bytes } of sources)
    for await (const piece of bytes()) expect(Buffer.from(piece).includes(SECRET)).toBe(false);
});

test("evidence goes with the capture of its server when the files become several", async () => {
  const opened = localPage();
  const id = await create(opened);
  for (const { path, bytes } of [...committed("slow-network"), ...committed("slow-secondary-disk")])
    await add(opened, id, { path: path.endsWith(".xml") ? path : `${bytes.length}/${path}`, bytes });
  await add(opened, id, fileOf("SQL1_ERRORLOG", "ERRORLOG"));
  await add(opened, id, { path: "notes.txt", bytes: new TextEncoder().encode("no server") });
  const before = await read(opened, id);
  const { value } = await opened.json("POST", `/captures/${id}/parts`);
  const { captures } = value as { captures: Capture[] };
  expect(captures.length).toBe(before.groups.length);
  for (const capture of captures) {
    const has = capture.groups.some(({ servers }) => servers.some(({ name }) => name === "SQL1"));
    const names = evidenceOf(capture).map(({ name }) => name);
    expect(names).toContain("notes.txt");
    expect(names.includes("ERRORLOG")).toBe(has);
  }
});

test("alone, headless, zone chosen: the ERRORLOG of a server is analyzed", async () => {
  const opened = localPage();
  const id = await create(opened);
  const text = [
    "2026-05-14 04:17:30.00 spid9s      x",
    "2026-05-14 04:17:30.00 spid9s      There is insufficient system memory in resource pool 'default'.",
  ].join("\n");
  const [log] = await add(opened, id, { path: "SQL2_ERRORLOG", bytes: new TextEncoder().encode(text) });
  await opened.json("PATCH", `/captures/${id}/files/${log.id}`, { utcOffsetMinutes: 120 });
  await opened.json("POST", `/captures/${id}/analysis`);
  expect(await ended(opened, id)).toEqual({ kind: "ready" });
  const { originUtc, replicas } = Summary.parse((await opened.json("GET", `/captures/${id}/summary`)).value);
  expect([originUtc.slice(0, 19), replicas.map(({ name }) => name)]).toEqual([
    "2026-05-14T02:17:30",
    ["SQL2"],
  ]);
});

test("a folder without movement events is a capture of its own", async () => {
  const opened = localPage();
  const id = await create(opened);
  for (const { path, bytes } of FOLDER.filter((file) => !file.path.includes("Data_Movement")))
    await add(opened, id, { path, bytes: new Uint8Array(bytes) });
  await opened.json("POST", `/captures/${id}/analysis`);
  expect(await ended(opened, id)).toEqual({ kind: "ready" });
  const { verdict } = await read(opened, id);
  expect(verdict).toContain("because the lease expired");
  // Evidence is what the analysis read, so that it can't stay.
  await add(opened, id, { path: "ERRORLOG.2", bytes: fileOf("SQL1_ERRORLOG").bytes.slice(0, -2_000) });
  expect((await read(opened, id)).state).toBe("receiving");
});
