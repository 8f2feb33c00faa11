import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { Capture, Problem, Sequence, SlowBlocks, TABLES_FORMAT } from "@aglens/contract";
import { add, analysed, committed, ended, localPage, storeHere } from "../../test/local-page.ts";
import type { PageInput, Page, StoreHere } from "../../test/local-page.ts";
import { filesText } from "../data/files-of-link.ts";
import { captureDigest, filesOfDigest } from "./capture-digest.ts";
import { KeptCaptures } from "./kept-captures.ts";
import type { KeptRecord, KeptTables } from "./kept-store.ts";

const captureOf = async ({ json }: Page, path: string): Promise<Capture> =>
  Capture.parse((await json("GET", path)).value);

/** Waits until the capture's tables are kept, which is after the columns were prepared. */
async function untilKept(store: StoreHere): Promise<KeptRecord> {
  for (;;) {
    const record = [...store.kept.values()].find(({ format }) => format !== null);
    if (record !== undefined) return record;
    // oxlint-disable-next-line no-await-in-loop -- until it is so
    await new Promise((resolve) => setTimeout(resolve));
  }
}

const FILES = (): PageInput[] => committed("two-secondaries");

describe("a capture that was analyzed before", () => {
  test("opens again on another page without its files, with its notes, by its id and by its content", async () => {
    const store = storeHere();
    const first = localPage(store);
    const id = await analysed(first, FILES());
    await first.json("POST", `/captures/${id}/notes`, {
      fromTicks: "5",
      toTicks: "7",
      lsn: null,
      text: "Backup",
    });
    const asked = `/captures/${id}/overview?bins=10`;
    const before = await first.json("GET", asked);
    const { digest } = await untilKept(store);

    const second = localPage(store);
    const reopened = await captureOf(second, `/captures/${id}`);
    expect(reopened).toMatchObject({ id, state: "ready" });
    expect(await second.json("GET", asked)).toEqual(before);
    expect((await second.json("GET", `/captures/${id}/notes`)).value).toMatchObject({
      notes: [{ text: "Backup" }],
    });
    expect(await captureOf(second, `/captures/local-${digest}`)).toEqual(reopened);
    // Its files, dropped again, are a capture with the same notes.
    const third = localPage(store);
    const dropped = await analysed(third, FILES());
    expect((await third.json("GET", `/captures/${dropped}/notes`)).value).toMatchObject({
      notes: [{ text: "Backup" }],
    });
    // One thread, whatever the address.
    expect(second.captures).toHaveLength(1);
    // Its events are in its files, which are not kept; the user can provide them again.
    const slowest = SlowBlocks.parse((await second.json("GET", `/captures/${id}/slowest?limit=1`)).value);
    const block = `/captures/${id}/blocks/${slowest.rows[0]?.row ?? -1}`;
    expect((await second.json("GET", block)).value).toEqual(
      expect.objectContaining({ lsn: Sequence.parse((await first.json("GET", block)).value).lsn }) as unknown,
    );
  });

  test("takes back the files that it was kept without, by their content: raw events and another analysis", async () => {
    const store = storeHere();
    const first = localPage(store);
    const id = await analysed(first, FILES());
    await untilKept(store);
    const page = localPage(store);
    const { rows } = SlowBlocks.parse((await first.json("GET", `/captures/${id}/slowest?limit=1`)).value);
    const block = `/captures/${id}/blocks/${rows[0]?.row ?? -1}`;
    const before = await first.json("GET", block);
    expect(Sequence.parse((await first.json("GET", block)).value).events.length).toBeGreaterThan(0);
    const missing = async (): Promise<string[]> =>
      (await captureOf(page, `/captures/${id}`)).files.flatMap(({ isMissing, name }) =>
        isMissing === true ? [name] : [],
      );
    expect(await missing()).toHaveLength(FILES().length);
    const refused = await page.json("POST", `/captures/${id}/analysis`);
    expect(Problem.parse(refused.value).code).toBe("files-missing");
    const [other] = committed("slow-network");
    if (other === undefined) throw new Error("There is no such file.");
    await expect(add(page, id, other)).rejects.toMatchObject({ code: "other-file" });

    for (const file of FILES()) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await add(page, id, { ...file, path: "renamed.xel" });
    }
    expect(await missing()).toEqual([]);
    expect((await captureOf(page, `/captures/${id}`)).state).toBe("ready");
    expect(await page.json("GET", block)).toEqual(before);
    await page.json("POST", `/captures/${id}/analysis`);
    expect(await ended(page, id)).toEqual({ kind: "ready" });
    expect(await page.json("GET", block)).toEqual(before);
  });

  test("is opened once, and for all who ask for it at the same time", async () => {
    const store = storeHere();
    const id = await analysed(localPage(store), FILES());
    const { digest } = await untilKept(store);
    const page = localPage(store);
    const asked = [`/captures/${id}`, `/captures/local-${digest}`, `/captures/${id}`];
    const opened = await Promise.all(asked.map((path) => captureOf(page, path)));
    expect(opened.map(({ state }) => state)).toEqual(["ready", "ready", "ready"]);
    expect(page.captures).toHaveLength(1);
  });

  test.each([
    ["its tables are of another version", (record: KeptRecord) => ({ ...record, format: TABLES_FORMAT + 1 })],
    [
      "an earlier version misread its files",
      (record: KeptRecord) => ({
        ...record,
        files: record.files.map((file) => ({ ...file, replicaId: "0000001e-0010-0000-2e00-000010000000" })),
      }),
    ],
  ])("asks for its files where %s, and takes no others", async (_, changed) => {
    const store = storeHere();
    const id = await analysed(localPage(store), FILES());
    const record = await untilKept(store);
    store.kept.set(record.digest, changed(record));
    const page = localPage(store);
    expect(await captureOf(page, `/captures/${id}`)).toMatchObject({ id, state: "receiving", files: [] });
    const [other] = committed("slow-network");
    if (other === undefined) throw new Error("There is no such file.");
    await expect(add(page, id, other)).rejects.toMatchObject({ code: "other-file" });
    for (const file of FILES()) {
      const refused = await page.json("POST", `/captures/${id}/analysis`);
      expect(["files-missing", "nothing-to-analyse"]).toContain(Problem.parse(refused.value).code);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await add(page, id, file);
    }
    await page.json("POST", `/captures/${id}/analysis`);
    expect(await ended(page, id)).toEqual({ kind: "ready" });
  });

  test("of other files than before is no more what was kept of those", async () => {
    const store = storeHere();
    const page = localPage(store);
    const id = await analysed(page, FILES());
    const { digest } = await untilKept(store);
    const [file] = (await captureOf(page, `/captures/${id}`)).files;
    if (file === undefined) throw new Error("There is no such file.");
    await page.json("DELETE", `/captures/${id}/files/${file.id}`);
    expect((await captureOf(page, `/captures/local-${digest}`)).state).toBe("ready");
    // The kept capture is not renamed or removed with it either.
    await page.json("PATCH", `/captures/${id}`, { name: "Without a file" });
    expect(store.kept.get(digest)?.name).not.toBe("Without a file");
    await page.json("DELETE", `/captures/${id}`);
    expect(store.kept.has(digest)).toBe(true);
  });

  test("is gone from the browser when it is forgotten, or deleted", async () => {
    const store = storeHere();
    const page = localPage(store);
    const id = await analysed(page, FILES());
    const { digest } = await untilKept(store);
    expect((await page.json("GET", "/local-captures/kept")).value).toMatchObject({
      captures: [{ digest, hasTables: true, hasHandles: false, severity: "slow" }],
    });
    await page.json("DELETE", `/local-captures/kept/${digest}`);
    expect([store.kept.size, store.keptTables.size]).toEqual([0, 0]);
    // It stays open on its page, and changes there are not kept.
    await page.json("PATCH", `/captures/${id}`, { name: "Not kept" });
    expect((await page.json("GET", "/local-captures/kept")).value).toMatchObject({ captures: [] });

    const again = await analysed(page, FILES());
    await untilKept(store);
    await page.json("DELETE", `/captures/${again}`);
    expect((await page.json("GET", "/local-captures/kept")).value).toMatchObject({ captures: [] });
  });
});

describe("a link of files that are on another computer", () => {
  test("asks for them, refuses others by content, and opens once all are given", async () => {
    const given = FILES();
    const sender = localPage();
    const { files } = await captureOf(sender, `/captures/${await analysed(sender, given)}`);
    const link = `/captures/local-${captureDigest(files)}`;
    const query = new URLSearchParams({ files: filesText(filesOfDigest(files)) }).toString();

    const page = localPage();
    expect(Problem.parse((await page.json("GET", link)).value).code).toBe("capture-not-found");
    const waiting = await captureOf(page, `${link}?${query}`);
    expect(waiting.state).toBe("receiving");
    const expected = async () => (await page.json("GET", `${link}/expected`)).value;
    expect(await expected()).toMatchObject({ files: given.map(() => ({ isGiven: false })) });
    // A file of the right name with another content.
    const [first, ...rest] = given;
    if (first === undefined) throw new Error("There is no such file.");
    const changed = { ...first, bytes: first.bytes.slice(0, -100) };
    await expect(add(page, waiting.id, changed)).rejects.toMatchObject({
      code: "other-file",
      message: expect.stringContaining("differs from the file") as string,
    });
    for (const file of [first, ...rest]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await add(page, waiting.id, file);
    }
    await expect(add(page, waiting.id, first)).rejects.toMatchObject({
      message: expect.stringContaining("already") as string,
    });
    expect(await expected()).toMatchObject({ files: given.map(() => ({ isGiven: true })) });
    await page.json("POST", `/captures/${waiting.id}/analysis`);
    expect(await ended(page, waiting.id)).toEqual({ kind: "ready" });
    expect(await captureOf(page, link)).toMatchObject({ state: "ready" });
  });
});

describe("a capture as an .aglens file", () => {
  const saved = async ({ server }: Page, id: string, query: string): Promise<File> => {
    const answer = await server.ask({
      method: "GET",
      path: `/captures/${id}/aglens-file?${query}`,
      body: null,
      signal: null,
    });
    expect(answer.status).toBe(200);
    return new File([answer.body ?? ""], "case.aglens");
  };

  test("opens on another page with answers, notes and, where they came along, raw events", async () => {
    const sender = localPage();
    const id = await analysed(sender, FILES());
    await sender.json("POST", `/captures/${id}/notes`, {
      fromTicks: "5",
      toTicks: "7",
      lsn: null,
      text: "Backup",
    });
    const slowest = SlowBlocks.parse((await sender.json("GET", `/captures/${id}/slowest?limit=1`)).value);
    const block = `blocks/${slowest.rows[0]?.row ?? -1}`;
    const sequence = Sequence.parse((await sender.json("GET", `/captures/${id}/${block}`)).value);

    const page = localPage();
    const opened = await page.server.openFile(await saved(sender, id, "files=true&names=kept"));
    expect(opened).toMatchObject({ state: "ready", severity: "slow" });
    expect((await page.json("GET", `/captures/${opened.id}/notes`)).value).toMatchObject({
      notes: [{ text: "Backup" }],
    });
    expect((await page.json("GET", `/captures/${opened.id}/${block}`)).value).toEqual(sequence);
    // It can be analyzed again, and saved again.
    await page.json("POST", `/captures/${opened.id}/analysis`);
    expect(await ended(page, opened.id)).toEqual({ kind: "ready" });

    const without = await page.server.openFile(await saved(sender, id, "files=false&names=replaced"));
    expect(without.name).toBe("Group 1");
    const answer = Sequence.parse((await page.json("GET", `/captures/${without.id}/${block}`)).value);
    expect([answer.lsn, answer.events]).toEqual([sequence.lsn, []]);
  });

  test("of files whose content was not recorded is named by no link", async () => {
    const sender = localPage();
    const id = await analysed(sender, FILES());
    const file = await saved(sender, id, "files=false&names=kept");
    const entries = unzipSync(new Uint8Array(await file.arrayBuffer()));
    const head = strFromU8(entries["aglens.json"] ?? new Uint8Array());
    entries["aglens.json"] = strToU8(head.replaceAll(/"sha256":"[\da-f]{64}"/gu, '"sha256":""'));

    const page = localPage();
    const opened = await page.server.openFile(new File([zipSync(entries)], "old.aglens"));
    const link = await page.json("GET", `/captures/${opened.id}/file-link`);
    expect(Problem.parse(link.value)).toMatchObject({ code: "wrong-state", status: 409 });
    expect((await sender.json("GET", `/captures/${id}/file-link`)).status).toBe(200);
  });

  test("that is none is refused with a sentence, and no capture is begun", async () => {
    const page = localPage();
    await expect(page.server.openFile(new File(["no zip"], "a.aglens"))).rejects.toMatchObject({
      code: "bad-aglens-file",
    });
    expect((await page.json("GET", "/local-captures?limit=9")).value).toMatchObject({ total: 0 });
  });
});

describe("what is kept", () => {
  const tables = (bytes: number): KeptTables => ({ "blocks.arrow": new Blob([new Uint8Array(bytes)]) });
  const capture = (digest: string): Omit<KeptRecord, "used" | "format" | "bytes"> => ({
    digest,
    id: `local-${digest}`,
    name: digest,
    created: "2026-01-01T00:00:00.000Z",
    files: [],
    notes: [],
    analysed: { verdict: "", severity: "none", place: "none", blocks: 1 },
    handles: [],
  });
  const keep = async (kept: KeptCaptures, digest: string, bytes: number): Promise<void> => {
    await kept.keep(capture(digest));
    await kept.keepTables(digest, tables(bytes));
  };
  const keptBy = (bounds: { captures: number; bytes: number }) => {
    const store = storeHere();
    let second = 0;
    const now = (): string => new Date(Date.UTC(2026, 0, 1) + second++ * 1000).toISOString();
    return { store, kept: new KeptCaptures(store, now, bounds) };
  };
  const shown = async (kept: KeptCaptures) =>
    (await kept.list()).map(({ digest, bytes, format }) => [digest, bytes, format !== null]);

  test("stays within its bytes: the capture that was used longest ago is kept without tables", async () => {
    const { store, kept } = keptBy({ captures: 9, bytes: 100 });
    await keep(kept, "a", 40);
    await keep(kept, "b", 60);
    expect(await shown(kept)).toEqual([
      ["b", 60, true],
      ["a", 40, true],
    ]);
    await keep(kept, "c", 1);
    expect(await shown(kept)).toEqual([
      ["c", 1, true],
      ["b", 60, true],
      ["a", 0, false],
    ]);
    expect([...store.keptTables.keys()]).toEqual(["b", "c"]);
    await keep(kept, "d", 101);
    expect((await shown(kept))[0]).toEqual(["d", 0, false]);
    expect(store.keptTables.has("d")).toBe(false);
  });

  test("has the newest handles of its files, and those of before where none came with them", async () => {
    const { kept } = keptBy({ captures: 9, bytes: 100 });
    const handle = (name: string) => ({
      handle: { name } as FileSystemFileHandle,
      name,
      size: 1,
      lastModified: 1,
    });
    const namesOf = async () => (await kept.list())[0]?.handles.map(({ name }) => name);
    await kept.keep({ ...capture("a"), handles: [handle("old.xel")] });
    expect(await namesOf()).toEqual(["old.xel"]);
    // Chosen without handles, as where they are dropped from a folder of an older browser.
    await kept.keep(capture("a"));
    expect(await namesOf()).toEqual(["old.xel"]);
    await kept.keep({ ...capture("a"), handles: [handle("new-1.xel"), handle("new-2.xel")] });
    expect(await namesOf()).toEqual(["new-1.xel", "new-2.xel"]);
  });

  test("is at most so many captures", async () => {
    const { kept } = keptBy({ captures: 2, bytes: 100 });
    for (const digest of ["a", "b", "c"]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await keep(kept, digest, 1);
    }
    expect((await shown(kept)).map(([digest]) => digest)).toEqual(["c", "b"]);
  });

  test("is nothing in a browser that refuses, and no error", async () => {
    const { store } = keptBy({ captures: 2, bytes: 100 });
    const refuse = (): Promise<never> => Promise.reject(new DOMException("no", "SecurityError"));
    const kept = new KeptCaptures({ ...store, records: refuse, put: refuse, tables: refuse }, () => "now");
    await keep(kept, "a", 1);
    expect(await kept.list()).toEqual([]);
    expect(await kept.find("a")).toBeNull();
    expect(kept.isRefused).toBe(true);
  });
});
