import { describe, expect, test, vi } from "vitest";
import { Capture, CaptureFile, Overview, Problem, Sequence, SlowBlocks, Summary } from "@aglens/contract";
import { readEventPieces } from "@aglens/ag-model/events";
import { xmlText } from "@aglens/ag-model/replication";
import { analyzeFiles } from "@aglens/engine/analysis";
import { simulate } from "@aglens/fixtures/simulator";
import { base, slowNetwork, slowSecondaryDisk, twoSecondaries } from "@aglens/fixtures/scenarios";
import { ProblemError as ShownProblem } from "../data/problem.ts";
import {
  add,
  analysed,
  committed,
  create,
  ended,
  type PageInput,
  localPage,
  storeHere,
} from "../../test/local-page.ts";
import { droppedText } from "../screens/captures/replica-row-text.ts";
import { CaptureWork } from "./capture-work.ts";

describe("a capture in the browser", () => {
  test("is received, grouped, analyzed and asked as on a server", async () => {
    const opened = localPage();
    const id = await analysed(opened, committed("slow-network"));
    expect(id).toMatch(/^local-/u);
    const capture = Capture.parse((await opened.json("GET", `/captures/${id}`)).value);
    expect(capture).toMatchObject({ state: "ready", severity: "slow", place: "network" });
    expect(capture.name).toBe("TestAG · 6 May 2016, 02:16 UTC");
    // The browser drops no data of a file, so the capture shows no choice of an uploader.
    expect(droppedText(capture.files)).toBeNull();
    const summary = Summary.parse((await opened.json("GET", `/captures/${id}/summary`)).value);
    expect(summary).toMatchObject({ captureId: id, name: capture.name, blocks: { total: 1079 } });
    const overview = await opened.json("GET", `/captures/${id}/overview?bins=40`);
    expect(Overview.parse(overview.value)).toBeTruthy();
    const slowest = SlowBlocks.parse((await opened.json("GET", `/captures/${id}/slowest?limit=1`)).value);
    const row = slowest.rows[0]?.row ?? -1;
    // Its raw events are read again from the file.
    const sequence = Sequence.parse((await opened.json("GET", `/captures/${id}/blocks/${row}`)).value);
    expect(sequence.events.length).toBeGreaterThan(8);
  });

  test("answers a question that does not fit with a problem document", async () => {
    const opened = localPage();
    const id = await analysed(opened, committed("two-secondaries"));
    const refusals = [
      ["overview?secondary=9", 400, "bad-request"],
      ["overview?bins=none", 400, "bad-request"],
      ["blocks/999999", 404, "block-not-found"],
      ["nothing", 404, "not-found"],
    ] as const;
    for (const [path, status, code] of refusals) {
      const answer = await opened.json("GET", `/captures/${id}/${path}`);
      expect([answer.status, Problem.parse(answer.value).code]).toEqual([status, code]);
    }
  });

  test("that was closed with its page says where its files are", async () => {
    const { status, value } = await localPage().json("GET", "/captures/local-gone");
    expect([status, Problem.parse(value).code]).toEqual([404, "capture-not-found"]);
    expect(Problem.parse(value).detail).toContain("drop them again");
  });

  test("without an event file refuses its analysis", async () => {
    const opened = localPage();
    const id = await create(opened);
    const { status, value } = await opened.json("POST", `/captures/${id}/analysis`);
    expect([status, Problem.parse(value).code]).toEqual([422, "nothing-to-analyse"]);
  });

  test("loses its results, and its thread, when its files change", async () => {
    const opened = localPage();
    const [first, ...rest] = committed("slow-secondary-disk");
    if (first === undefined) throw new Error("There is no such capture.");
    const id = await analysed(opened, rest);
    await add(opened, id, first);
    // The second is for the next analysis.
    expect(opened.captures.map(({ isEnded }) => isEnded())).toEqual([true, false]);
    expect(Capture.parse((await opened.json("GET", `/captures/${id}`)).value)).toMatchObject({
      state: "receiving",
      verdict: null,
    });
    const { value } = await opened.json("GET", `/captures/${id}/summary`);
    expect(Problem.parse(value).code).toBe("wrong-state");
    // Events that the first analysis used up are read again.
    await opened.json("POST", `/captures/${id}/analysis`);
    expect(await ended(opened, id)).toEqual({ kind: "ready" });
  });

  test("can be cancelled, and analyzed again", async () => {
    const opened = localPage();
    const id = await create(opened);
    for (const file of committed("two-secondaries")) await add(opened, id, file);
    const [end] = await Promise.all([
      ended(opened, id),
      opened
        .json("POST", `/captures/${id}/analysis`)
        .then(() => opened.json("DELETE", `/captures/${id}/analysis`)),
    ]);
    expect(end).toMatchObject({ kind: "failed", problem: { code: "cancelled" } });
    expect(opened.captures.every(({ isEnded }) => isEnded())).toBe(true);
    await opened.json("POST", `/captures/${id}/analysis`);
    expect(await ended(opened, id)).toEqual({ kind: "ready" });
  });

  test("whose thread stops after the analysis has failed, and can be analyzed again", async () => {
    const opened = localPage();
    const id = await analysed(opened, committed("slow-secondary-disk"));
    opened.captures[0]?.stop("out of memory");
    expect(Capture.parse((await opened.json("GET", `/captures/${id}`)).value)).toMatchObject({
      state: "failed",
      problem: { code: "internal" },
      verdict: null,
    });
    const { value } = await opened.json("GET", `/captures/${id}/summary`);
    expect(Problem.parse(value).code).toBe("wrong-state");
    const again = Capture.parse((await opened.json("POST", `/captures/${id}/analysis`)).value);
    expect(again.state).toBe("analysing");
    await opened.json("DELETE", `/captures/${id}/analysis`);
  });

  test("whose topology cannot be read any more fails, and can be analyzed again", async () => {
    const opened = localPage();
    const id = await create(opened);
    for (const file of committed("two-secondaries")) await add(opened, id, file);
    const changed = new DOMException("The file was changed", "NotReadableError");
    const read = vi.spyOn(Blob.prototype, "arrayBuffer").mockRejectedValue(changed);
    await opened.json("POST", `/captures/${id}/analysis`);
    read.mockRestore();
    expect(await ended(opened, id)).toMatchObject({ kind: "failed", problem: { code: "file-not-found" } });
    const again = Capture.parse((await opened.json("POST", `/captures/${id}/analysis`)).value);
    expect(again.state).toBe("analysing");
    await opened.json("DELETE", `/captures/${id}/analysis`);
  });

  test("that is cancelled and begun again at once has one thread", async () => {
    const opened = localPage();
    const id = await create(opened);
    for (const file of committed("two-secondaries")) await add(opened, id, file);
    const path = `/captures/${id}/analysis`;
    await Promise.all([opened.json("POST", path), opened.json("DELETE", path), opened.json("POST", path)]);
    expect(await ended(opened, id)).toEqual({ kind: "ready" });
    expect(opened.captures).toHaveLength(1);
  });

  test("shows why a file was not read when the thread that reads it stops", async () => {
    const opened = localPage(storeHere(), () => {});
    const id = await create(opened);
    const [file] = committed("damaged");
    if (file === undefined) throw new Error("There is no such file.");
    const reading = add(opened, id, file);
    opened.readers[0]?.stop("Uncaught RangeError: Array buffer allocation failed");
    await expect(reading).rejects.toBeInstanceOf(ShownProblem);
    await expect(reading).rejects.toMatchObject({ code: "too-big", status: 413 });
  });

  test("takes another file in the place of one of the same side only", async () => {
    const opened = localPage();
    const id = await create(opened);
    const files = committed("damaged").filter(({ path }) => path.endsWith(".xel"));
    const [primary, secondary] = files;
    if (primary === undefined || secondary === undefined) throw new Error("There are no such files.");
    const [added] = await add(opened, id, primary);
    const old = CaptureFile.parse(added).id;
    await expect(add(opened, id, secondary, old)).rejects.toMatchObject({ code: "not-a-replacement" });
    const [taken] = await add(opened, id, primary, old);
    const capture = Capture.parse((await opened.json("GET", `/captures/${id}`)).value);
    expect(capture.files.map((file) => file.id)).toEqual([CaptureFile.parse(taken).id]);
  });

  test("is in the list of the page until it is deleted, and can be restored", async () => {
    const opened = localPage();
    const id = await analysed(opened, committed("damaged"));
    await create(opened);
    const listed = async () => (await opened.json("GET", "/local-captures?empty=false&limit=9")).value;
    expect(await listed()).toMatchObject({ total: 1, captures: [{ id, state: "ready" }] });
    expect((await opened.json("DELETE", `/captures/${id}`)).status).toBe(204);
    expect(await listed()).toMatchObject({ total: 0 });
    await opened.json("POST", `/captures/${id}/restore`);
    expect(await listed()).toMatchObject({ total: 1, captures: [{ id }] });
  });

  test("has notes", async () => {
    const opened = localPage();
    const id = await create(opened);
    const path = `/captures/${id}/notes`;
    const note = { fromTicks: "5", toTicks: "7", lsn: null, text: "Backup began" };
    const added = await opened.json("POST", path, note);
    expect(added).toMatchObject({ status: 201, value: note });
    const { id: noteId } = added.value as { id: string };
    await opened.json("PATCH", `${path}/${noteId}`, { text: "Backup" });
    expect((await opened.json("GET", path)).value).toMatchObject({ notes: [{ text: "Backup" }] });
    await opened.json("DELETE", `${path}/${noteId}`);
    expect((await opened.json("GET", path)).value).toEqual({ notes: [] });
    await opened.json("POST", `${path}/${noteId}/restore`);
    expect((await opened.json("GET", path)).value).toMatchObject({ notes: [{ text: "Backup" }] });
  });
});

describe("tables that a browser makes are those that a server makes, to the byte", () => {
  const simulated = (seed: number, name: string): PageInput[] => {
    const scenarios = { base, slowNetwork, slowSecondaryDisk, twoSecondaries };
    const scenario = scenarios[name as keyof typeof scenarios];
    return simulate({ ...scenario, seed, maxEvents: 300 }).files.map(({ name: file, replica, bytes }) => ({
      path: `${replica}/${file}`,
      bytes: bytes as Uint8Array<ArrayBuffer>,
    }));
  };
  const cases: (readonly [string, () => PageInput[]])[] = [
    ...["damaged", "slow-network", "slow-secondary-disk", "two-secondaries"].map(
      (name) => [name, () => committed(name)] as const,
    ),
    ...["base", "slowNetwork", "slowSecondaryDisk", "twoSecondaries"].flatMap((name) =>
      [1, 2, 3, 4, 5].map((seed) => [`${name} ${seed}`, () => simulated(seed, name)] as const),
    ),
  ];

  test.each(cases)("of %s", async (_, files) => {
    const opened = localPage();
    const given = files();
    const id = await create(opened);
    for (const file of given) await add(opened, id, file);
    const { files: received } = Capture.parse((await opened.json("GET", `/captures/${id}`)).value);
    const taken = received.filter(({ kind, role }) => kind === "xel" && role !== "ignored");
    const bytesOf = (name: string, folder: string | null): Uint8Array<ArrayBuffer> =>
      given.find(({ path }) => path === `${folder ?? ""}/${name}` || path === name)?.bytes ??
      new Uint8Array();
    const topologies = given
      .filter(({ path }) => path.endsWith(".xml"))
      .map(({ bytes }) => xmlText(bytes) ?? "");
    // As a server reads them: from the file's bytes.
    const server = await analyzeFiles(
      {
        files: taken,
        topologies,
        decode: ({ name, folder }, uniqueName) => readEventPieces(single(bytesOf(name, folder)), uniqueName),
      },
      () => {},
    );
    const browser = await CaptureWork.analyse(
      {
        files: taken.map((file) => ({
          ...file,
          blob: new Blob([bytesOf(file.name, file.folder)]),
          columns: null,
          prepared: null,
        })),
        topologies,
      },
      () => {},
      () => {},
    );
    expect(Object.keys(browser.work.tables)).toEqual(Object.keys(server.files));
    for (const [name, bytes] of Object.entries(server.files)) {
      expect(Buffer.compare(bytes, browser.work.tables[name] ?? new Uint8Array()), name).toBe(0);
    }
  });
});

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
