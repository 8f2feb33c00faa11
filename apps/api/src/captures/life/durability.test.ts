/** Leftovers of an earlier process, a lost catalog or a bad disk, and their repair by the next start. */
import fs, { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import type { CaptureFile } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { beforeWrites } from "../../../test/before-writes.ts";
import { elementAt } from "../../../test/element-at.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { sourcesOnDisk } from "../../../test/sources-on-disk.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { recognizeTwoGroups } from "../../../test/two-groups.ts";
import { CatalogUnreachableError } from "../../store/catalog.ts";
import { openSqliteCatalog } from "../../store/sqlite-catalog.ts";
import { until } from "../../../test/until.ts";

let dataDirectory: string;
let service: TestService;
let analyzer: StubAnalyzer;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "aglens-durability-"));
  await open();
});
afterEach(async () => {
  await service.close();
  await rm(dataDirectory, { recursive: true });
});

async function open(): Promise<void> {
  analyzer = stubAnalyzer();
  recognizeTwoGroups(analyzer);
  service = await testService({ dataDirectory }, analyzer);
}

async function reopen(): Promise<void> {
  await service.close();
  await open();
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const receive = (id: string, name: string) =>
  service.captures.files.receive(id, name, bytesOf(`content of ${name}`));

async function withFiles(...names: string[]): Promise<string> {
  const { id } = await service.captures.create("Night");
  for (const name of names) await receive(id, name);
  return id;
}

const all = async () => {
  const { captures } = await service.captures.list(50, { fewestFiles: 0 });
  return Promise.all(captures.map(({ id }) => service.captures.get(id)));
};
const contentOf = (id: string, file: CaptureFile) =>
  readFile(service.captures.files.pathOf(id, file.id), "utf8");
const lost = () => service.captures.lost.list();

/** Every file of every capture is on the disk with its content, and nothing else is. @returns their names */
async function expectConsistent(): Promise<string[]> {
  const names: string[] = [];
  for (const { id, files } of await all()) {
    for (const file of files) expect(await contentOf(id, file)).toBe(`content of ${file.name}`);
    expect((await sourcesOnDisk(dataDirectory, id)).toSorted()).toEqual(
      files.map((file) => file.id).toSorted(),
    );
    names.push(...files.map(({ name }) => name));
  }
  return names.toSorted();
}

async function analysed(id: string): Promise<void> {
  await service.captures.analyses.start(id);
  analyzer.analyses.at(-1)?.finish();
  await until(async () => (await service.captures.get(id)).state === "ready");
}

describe("a capture that is made into two", () => {
  /** Lets the process do so many writes of the catalog, renames and removals; later ones fail, as if it had ended. */
  function endAfter(steps: number): () => boolean {
    let left = steps;
    const before = { rename: fs.rename, rm: fs.rm };
    const step = (): void => {
      if (left === 0) throw new Error("the process has ended");
      left -= 1;
    };
    const endSteps = beforeWrites(step);
    Object.assign(fs, {
      rename: async (...given: Parameters<typeof fs.rename>) => (step(), before.rename(...given)),
      rm: async (...given: Parameters<typeof fs.rm>) => (step(), before.rm(...given)),
    });
    syncBuiltinESMExports();
    return () => {
      endSteps();
      Object.assign(fs, before);
      syncBuiltinESMExports();
      return left === 0;
    };
  }

  test("loses nothing, wherever the process ends", async () => {
    let parted = 0;
    for (let steps = 0, ended = true; ended; steps += 1) {
      const id = await withFiles("night.xel", "day.xel", "ag.xml");
      // Notes are written after the changes, so they do not count as steps.
      await service.close();
      await open();
      const restore = endAfter(steps);
      await service.captures.split(id).catch(() => {});
      ended = restore();
      await reopen();
      const names = await expectConsistent();
      expect(await lost()).toEqual([]);
      const count = (await all()).length;
      expect(names).toEqual(
        count === 1 ? ["ag.xml", "day.xel", "night.xel"] : ["ag.xml", "ag.xml", "day.xel", "night.xel"],
      );
      parted += count === 2 ? 1 : 0;
      for (const each of await all()) await service.captures.trash.deleteForGood(each.id);
    }
    expect(parted).toBeGreaterThan(1);
  });

  test.each([
    ["stored all the same", true],
    ["not stored", false],
  ])("whose end the catalogue does not acknowledge, and has %s, loses nothing", async (_, isStored) => {
    const id = await withFiles("night.xel", "day.xel", "ag.xml");
    const { records } = service.captures;
    const endPlan = records.endPlan.bind(records);
    vi.spyOn(records, "endPlan").mockImplementationOnce(async (...plan) => {
      if (isStored) await endPlan(...plan);
      throw new CatalogUnreachableError(new Error("terminated"));
    });
    await expect(service.captures.split(id)).rejects.toThrow("cannot be reached");
    await service.captures.sweep();
    expect(await all()).toHaveLength(2);
    expect(await expectConsistent()).toEqual(["ag.xml", "ag.xml", "day.xel", "night.xel"]);
  });

  test("is by a plan that an earlier version stored", async () => {
    const id = await withFiles("night.xel", "day.xel");
    const day = (await service.captures.get(id)).files.find(({ name }) => name === "day.xel");
    await service.close();
    const catalogue = openSqliteCatalog(join(dataDirectory, "catalogue.sqlite"));
    const record = {
      id: "part",
      name: "Day",
      created: "2026-11-22T08:00:00.000Z",
      expires: null,
      state: "receiving",
      files: [day],
      problem: null,
      verdict: null,
      severity: null,
      place: null,
    };
    await catalogue.savePlan({ id, plan: JSON.stringify([{ record, moves: [day?.id], copies: [] }]) });
    await catalogue.close();
    await open();
    expect(await expectConsistent()).toEqual(["day.xel", "night.xel"]);
    expect(await service.captures.get("part")).toMatchObject({
      name: "Day",
      state: "receiving",
      files: [{ name: "day.xel" }],
    });
  });

  test("and cannot be for want of room stays as it was", async () => {
    const id = await withFiles("night.xel", "day.xel", "ag.xml");
    const { files } = await service.captures.get(id);
    await rm(service.captures.files.pathOf(id, elementAt(files, 2).id));
    await expect(service.captures.split(id)).rejects.toThrow("ENOENT");
    expect((await all()).map((capture) => capture.files)).toEqual([files]);
    expect(await contentOf(id, elementAt(files, 0))).toBe("content of night.xel");
    expect(await contentOf(id, elementAt(files, 1))).toBe("content of day.xel");
    expect((await service.captures.records.get(id)).id).toBe(id);
  });
});

describe("a lost catalogue", () => {
  async function loseCatalog(damage = () => Promise.resolve()): Promise<void> {
    await service.close();
    await damage();
    for (const end of ["", "-wal", "-shm"])
      await rm(join(dataDirectory, `catalogue.sqlite${end}`), { force: true });
    await open();
  }

  test("costs no files: each capture is offered, and comes back as it was", async () => {
    const id = await withFiles("night.xel", "ag.xml");
    await analysed(id);
    await service.captures.files.correct(id, elementAt((await service.captures.get(id)).files, 0).id, {
      replica: "SQL7",
    });
    await analysed(id);
    const before = await service.captures.get(id);
    await loseCatalog();
    expect(await all()).toEqual([]);
    const { body } = await request(service.app).get("/api/v1/lost-captures").expect(200);
    expect(body.captures).toEqual([
      { id: expect.stringContaining(id), name: "Night", created: before.created, files: 2, bytes: 37 },
    ]);
    const lostId = body.captures[0].id as string;
    const restored = await request(service.app).post(`/api/v1/lost-captures/${lostId}/restore`).expect(201);
    expect(restored.body).toEqual({ ...before, expires: expect.any(String) });
    expect(await lost()).toEqual([]);
    await request(service.app).post(`/api/v1/lost-captures/${lostId}/restore`).expect(404);
    // The next start finds it as any other.
    await reopen();
    expect(await all()).toEqual([restored.body]);
    expect(await service.captures.analyses.preview(id)).toEqual(Buffer.from([1, 2, 3]));
  });

  test("and a note that is damaged too: the files are recognized again", async () => {
    const id = await withFiles("a.xel", "b.xel");
    const note = join(dataDirectory, "captures", id, "capture.json");
    await loseCatalog(() => writeFile(note, '{"format":1,"record":{'));
    const [found] = await lost();
    expect(found).toMatchObject({ name: "Found files", created: null, files: 2 });
    const capture = await service.captures.takeBack(found?.id ?? "");
    expect(capture.files.map(({ name, kind }) => [name, kind])).toEqual([
      ["found_1.xel", "xel"],
      ["found_2.xel", "xel"],
    ]);
    expect(await contentOf(capture.id, elementAt(capture.files, 0))).toMatch(/^content of [ab]\.xel$/u);
  });

  test("files that are not wanted are deleted on request, and only then", async () => {
    await withFiles("a.xel");
    await loseCatalog();
    await reopen();
    const [found] = await lost();
    await request(service.app).delete(`/api/v1/lost-captures/${found?.id}`).expect(204);
    expect(await readdir(join(dataDirectory, "lost-and-found"))).toEqual([]);
    await request(service.app).delete("/api/v1/lost-captures/..").expect(404);
  });

  test("a record that cannot be read is its own capture's loss, and comes back from its note", async () => {
    const [id, other] = [await withFiles("a.xel"), await withFiles("b.xel")];
    await service.close();
    const database = new DatabaseSync(join(dataDirectory, "catalogue.sqlite"));
    database.prepare("UPDATE captures SET record = ? WHERE id = ?").run("{", id);
    database.close();
    await open();
    expect((await all()).map((capture) => capture.id)).toEqual([other]);
    expect((await service.captures.takeBack(elementAt(await lost(), 0).id)).id).toBe(id);
    expect(await all()).toHaveLength(2);
  });
});

describe("files beside what the catalogue has", () => {
  test("sources are offered, what can be made again is deleted, what belongs stays", async () => {
    const id = await withFiles("a.xel");
    await analysed(id);
    await service.close();
    const folder = join(dataDirectory, "captures", id);
    for (const name of ["commits.arrow", "half.made", "capture.json.new", "prepared.bin"])
      await writeFile(join(folder, name), "old");
    await writeFile(join(folder, "cutOffUpload"), "abc");
    await open();
    expect((await readdir(folder)).toSorted()).toEqual(
      [
        elementAt((await service.captures.get(id)).files, 0).id,
        "capture.json",
        "prepared.bin",
        "preview.arrow",
        "summary.json",
      ].toSorted(),
    );
    const [found] = await lost();
    expect(found).toMatchObject({ name: "Found files of Night", files: 1, bytes: 3 });
    const capture = await service.captures.takeBack(found?.id ?? "");
    expect(capture.id).not.toBe(id);
    expect(capture).toMatchObject({ name: expect.any(String), files: [{ name: "found_1.xel", size: 3 }] });
    expect((await service.captures.get(id)).state).toBe("ready");
  });

  test("those of a capture in the trash stay with it", async () => {
    const id = await withFiles("a.xel");
    await service.captures.trash.put(id);
    await reopen();
    expect(await lost()).toEqual([]);
    expect((await service.captures.restore(id)).files).toHaveLength(1);
  });

  test("those of a live run stay for the plan that moves them", async () => {
    const id = (await service.captures.ofLiveRun("liveCapture", "Live")).id;
    await receive(id, "a.xel");
    await service.close();
    await writeFile(join(dataDirectory, "captures", id, "moved"), "abc");
    await open();
    expect(await lost()).toEqual([]);
    expect(await sourcesOnDisk(dataDirectory, id)).toHaveLength(2);
  });
});

describe("a stored analysis that is damaged", () => {
  const pathOf = (id: string, name: string) => service.captures.files.pathOf(id, name);

  test.each([
    [
      "other bytes",
      (path: string) => writeFile(path, new Uint8Array([1, 2, 4])),
      "has other content than was stored",
    ],
    ["a cut", (path: string) => truncate(path, 1), "has other content than was stored"],
    ["no file", (path: string) => rm(path), "preview.arrow is missing"],
  ])("by %s says so, and heals by itself", async (_, damage, sentence) => {
    const id = await withFiles("a.xel");
    await analysed(id);
    await damage(pathOf(id, "preview.arrow"));
    const { body } = await request(service.app).get(`/api/v1/captures/${id}/preview`).expect(409);
    expect(body).toMatchObject({ code: "capture-damaged", detail: expect.stringContaining(sentence) });
    await until(() => analyzer.analyses.length === 2);
    expect((await service.captures.get(id)).state).toBe("analysing");
    elementAt(analyzer.analyses, 1).finish();
    await until(async () => (await service.captures.get(id)).state === "ready");
    await request(service.app).get(`/api/v1/captures/${id}/preview`).expect(200);
  });

  test("in its summary heals too; a valid one is not analyzed again", async () => {
    const id = await withFiles("a.xel");
    await analysed(id);
    await request(service.app).get(`/api/v1/captures/${id}/summary`).expect(200);
    expect(analyzer.analyses).toHaveLength(1);
    const other = await withFiles("b.xel");
    await analysed(other);
    await writeFile(pathOf(other, "summary.json"), '{"captureId":"","name":"?"}');
    await request(service.app).get(`/api/v1/captures/${other}/summary`).expect(409);
    await until(() => analyzer.analyses.length === 3);
  });

  test("gives the analysis what its files should be", async () => {
    const id = await withFiles("a.xel", "ag.xml");
    await service.captures.analyses.start(id);
    const [a, xml] = (await service.captures.get(id)).files;
    // SHA-256 of "content of a.xel" and "content of ag.xml", by sha256sum.
    expect(elementAt(analyzer.analyses, 0).request.sources).toEqual([
      { name: "a.xel", path: pathOf(id, a?.id ?? ""), checksum: { bytes: 16, sha256: SHA_A } },
      { name: "ag.xml", path: pathOf(id, xml?.id ?? ""), checksum: { bytes: 17, sha256: SHA_XML } },
    ]);
  });
});

const SHA_A = "37e16d81ce7d80c2b377fe041d1897b429410074770dc10015296a3caf7d7486";
const SHA_XML = "e13fa240bc1a97852fadb6abce8574b7a929699e5939df54b94b355544ca332e";

test("copies of a data directory are the same captures", async () => {
  const id = await withFiles("a.xel");
  await analysed(id);
  const before = await service.captures.get(id);
  await service.close();
  const copy = await mkdtemp(join(tmpdir(), "aglens-copy-"));
  await cp(dataDirectory, copy, { recursive: true });
  await rm(dataDirectory, { recursive: true });
  dataDirectory = copy;
  await open();
  expect(await service.captures.get(id)).toEqual(before);
});
