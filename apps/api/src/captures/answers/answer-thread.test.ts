import { readdirSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeModel, TABLES_FORMAT } from "@aglens/contract";
import { readEvents } from "@aglens/ag-model/events";
import { buildModel } from "@aglens/ag-model/replication";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { modelOf } from "../../../../../packages/ag-model/test/model.ts";
import { elementAt } from "../../../test/element-at.ts";
import { ROOT } from "../../../test/service.ts";
import { until } from "../../../test/until.ts";
import { readPrepared } from "../derived/prepared-file.ts";
import { validityOf } from "../derived/validity.ts";
import type { StoredAnalysis } from "../../store/capture-state.ts";
import { checksumOf } from "../../store/checksum.ts";
import { AnswerThread } from "./answer-thread.ts";
import { chunksOf } from "../kept/event-file.ts";
import { readModel } from "../kept/model-files.ts";
import type { Question } from "@aglens/engine/answers";
import type { ProblemError } from "@aglens/engine/problems";

const SOURCE = join(ROOT, "fixtures/captures/slow-network/primary");
const NEVER = new AbortController().signal;
let folder: string;

const storedAs = (files: StoredAnalysis["files"]): StoredAnalysis => ({ format: TABLES_FORMAT, files });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-answers-"));
  const name = elementAt(readdirSync(SOURCE), 0);
  const columns = await readEvents(chunksOf(join(SOURCE, name)), name);
  const files = encodeModel(buildModel([{ role: "primary", columns }]));
  await Promise.all(Object.entries(files).map(([file, bytes]) => writeFile(join(folder, file), bytes)));
});
afterAll(() => rm(folder, { recursive: true }));

test("questions are answered in turn, and whoever went away meanwhile is left out", async () => {
  let broken = 0;
  const thread = new AnswerThread({ folder, stored: undefined, paths: {} }, () => (broken += 1));
  const left = new AbortController();
  const [overview, skipped, bad, markers] = await Promise.allSettled([
    thread.ask({ ask: "overview", bins: 10, secondary: 0 }, NEVER),
    (() => {
      const waiting = thread.ask({ ask: "markers" }, left.signal);
      left.abort();
      return waiting;
    })(),
    thread.ask({ ask: "overview", bins: 10, secondary: 7 }, NEVER),
    thread.ask({ ask: "markers" }, NEVER),
  ]);
  expect(overview).toMatchObject({ status: "fulfilled", value: { type: "json" } });
  expect(skipped).toEqual({ status: "fulfilled", value: null });
  expect(bad).toMatchObject({ status: "rejected", reason: { problem: { code: "bad-request" } } });
  expect(markers).toMatchObject({ status: "fulfilled", value: { type: "arrow" } });
  await thread.close();
  expect(broken).toBe(1);
  await expect(thread.ask({ ask: "markers" }, NEVER)).rejects.toThrow("changed");
});

describe("of a capture that is just opened", () => {
  let long: string;
  let thread: AnswerThread;
  let answered: string[];

  beforeEach(async () => {
    long = await mkdtemp(join(tmpdir(), "aglens-answers-"));
    const blocks = Array.from({ length: 5_000 }, (_, block) => ({ at: 1_000 * block }));
    for (const [file, bytes] of Object.entries(encodeModel(modelOf(blocks))))
      await writeFile(join(long, file), bytes);
    thread = new AnswerThread({ folder: long, stored: undefined, paths: {} }, () => {});
    answered = [];
  });
  afterEach(async () => {
    await thread.close();
    await rm(long, { recursive: true });
  });

  const ask = async (name: string, question: Question): Promise<unknown> => {
    const answer = await thread.ask(question, NEVER);
    answered.push(name);
    return answer?.type === "json" ? JSON.parse(new TextDecoder().decode(answer.bytes)) : null;
  };

  // Two questions arrive before all files are read: the first one waits, and the second one is answered.
  test("a question about a long range waits until columns that are kept have been looked for, and others are answered meanwhile", async () => {
    const [statistics] = await Promise.all([
      ask("all blocks", { ask: "statistics" }),
      ask("markers", { ask: "markers" }),
    ]);
    expect(statistics).toMatchObject({ blocks: 5_000 });
    expect(answered).toEqual(["markers", "all blocks"]);
    expect(thread.isBusy).toBe(false);
  });

  test("the slowest of all blocks are found before the events are there", async () => {
    const order = { sort: "localFlush", descending: true, secondary: 0, limit: 1, offset: 0 } as const;
    const [density, slowest] = await Promise.all([
      ask("events", { ask: "eventDensity", replicas: null, bins: 10 }),
      ask("slowest", { ask: "slowest", ...order }),
    ]);
    expect(slowest).toMatchObject({ total: 5_000 });
    expect(density).toMatchObject({ counts: expect.any(Array) });
    expect(answered).toEqual(["slowest", "events"]);
  });

  test("events that are damaged are missing where they are asked for, and nowhere else", async () => {
    await writeFile(join(long, "events.arrow"), "damaged");
    const stored = storedAs({ "events.arrow": { bytes: 7, sha256: "of something else" } });
    const damaged = new AnswerThread({ folder: long, stored, paths: {} }, () => {});
    await expect(damaged.ask({ ask: "eventDensity", replicas: null, bins: 10 }, NEVER)).rejects.toMatchObject(
      {
        problem: { code: "capture-damaged", detail: expect.stringContaining("events.arrow") },
      },
    );
    await expect(damaged.ask({ ask: "statistics" }, NEVER)).resolves.toMatchObject({ type: "json" });
    await damaged.close();
  });

  test("events that are damaged are found before anybody asks for them", async () => {
    await writeFile(join(long, "events.arrow"), "damaged");
    const stored = storedAs({ "events.arrow": { bytes: 7, sha256: "of something else" } });
    const found = Promise.withResolvers<ProblemError>();
    const damaged = new AnswerThread({ folder: long, stored, paths: {} }, () => {}, undefined, found.resolve);
    await damaged.ask({ ask: "markers" }, NEVER);
    expect((await found.promise).problem).toMatchObject({
      code: "capture-damaged",
      detail: expect.stringContaining("events.arrow"),
    });
    await damaged.close();
  });

  test("the list of predictions waits until they are made, and a change alone is answered meanwhile", async () => {
    const [all, one] = await Promise.all([
      ask("all changes", { ask: "whatIf", list: true }),
      ask("one change", { ask: "whatIf", list: false, change: "async:SQL2" }),
    ]);
    expect(one).toMatchObject({ changes: [], chosen: { change: "async:SQL2" } });
    expect(all).toMatchObject({
      changes: expect.arrayContaining([expect.objectContaining({ change: "async:SQL2" })]),
    });
    expect(answered).toEqual(["one change", "all changes"]);
  });
});

test("prepared columns of a long capture are kept, and read again while its tables are the same", async () => {
  const long = await mkdtemp(join(tmpdir(), "aglens-answers-"));
  const blocks = Array.from({ length: 100_000 }, (_, block) => ({ at: 1_000 * block }));
  const tables = Object.entries(encodeModel(modelOf(blocks)));
  for (const [file, bytes] of tables) await writeFile(join(long, file), bytes);
  const stored = storedAs(Object.fromEntries(tables.map(([file, bytes]) => [file, checksumOf(bytes)])));
  const validity = validityOf("prepared columns", { stored }) ?? "";
  const written = async (): Promise<number> => (await stat(join(long, "prepared.bin"))).mtimeMs;
  const first = new AnswerThread({ folder: long, stored, paths: {} }, () => {});
  await until(async () => (await readPrepared(long, validity)) !== null);
  await first.close();
  const before = await written();
  const second = new AnswerThread({ folder: long, stored, paths: {} }, () => {});
  // Predictions are prepared last: a file that is written again is there by then.
  await second.ask({ ask: "whatIf", list: true }, NEVER);
  expect(await written()).toBe(before);
  await second.close();
  await rm(long, { recursive: true });
});

test("a stored analysis that is gone fails the question, not the process", async () => {
  const thread = new AnswerThread(
    { folder: join(folder, "nowhere"), stored: undefined, paths: {} },
    () => {},
  );
  await expect(thread.ask({ ask: "markers" }, NEVER)).rejects.toMatchObject({
    problem: { code: "capture-damaged", detail: expect.stringContaining("blocks.arrow is missing") },
  });
});

test("ended in the middle of an answer, it refuses that question and the ones behind it with a reason", async () => {
  const thread = new AnswerThread({ folder, stored: undefined, paths: {} }, () => {});
  const asked = [0, 1].map(() => thread.ask({ ask: "markers" }, NEVER));
  expect(thread.isBusy).toBe(true);
  const refused = Promise.allSettled(asked);
  await thread.close();
  for (const result of await refused) {
    expect(result).toMatchObject({ status: "rejected", reason: { problem: { code: "wrong-state" } } });
  }
  expect(thread.isBusy).toBe(false);
});

test("it is busy while it answers and idle after", async () => {
  const thread = new AnswerThread({ folder, stored: undefined, paths: {} }, () => {});
  expect(thread.isBusy).toBe(false);
  const answer = thread.ask({ ask: "markers" }, NEVER);
  expect(thread.isBusy).toBe(true);
  await answer;
  expect(thread.isBusy).toBe(false);
  await thread.close();
});

test("a table with one bit changed is not read as if it were sound", async () => {
  const path = join(folder, "commits.arrow");
  const content = await readFile(path);
  const checksums = { "commits.arrow": checksumOf(content) };
  await expect(readModel(folder, checksums)).resolves.toMatchObject({ replicas: expect.any(Array) });
  const changed = Uint8Array.from(content);
  changed[content.length >> 1] = elementAt(content, content.length >> 1) ^ 1;
  await writeFile(path, changed);
  await expect(readModel(folder, checksums)).rejects.toMatchObject({ problem: { code: "capture-damaged" } });
  await writeFile(path, content);
});

test("a summary that cannot be read costs an opened capture its time, and nothing else", async () => {
  const summary = join(folder, "summary.json");
  await writeFile(summary, "damaged");
  const checksums = { "summary.json": { bytes: 7, sha256: "of something else" } };
  await expect(readModel(folder, checksums)).resolves.toMatchObject({ replicas: expect.any(Array) });
  await rm(summary);
});
