import { readdirSync, readFileSync } from "node:fs";
import {
  emptyColumns,
  IMPOSSIBLE_IDS,
  ImpossibleIds,
  readEventPieces,
  type EventColumns,
} from "@aglens/ag-model/events";
import { decodeModel, decodeWindow, MODEL_FILES } from "@aglens/contract";
import type { Progress, StoredModel, Summary } from "@aglens/contract";
import { expect, test } from "vitest";
import { AnalysisError } from "./analysis-error.ts";
import { analyzeFiles, PREVIEW_FILE, SUMMARY_FILE, type KeptAnalysis } from "./analyze.ts";

const PRIMARY = new URL("../../../../fixtures/captures/slow-network/primary/", import.meta.url);

async function* bytesOf(name: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new Uint8Array(readFileSync(new URL(name, PRIMARY))));
}

const files = readdirSync(PRIMARY).map(
  (name) => ({ id: name, name, size: 1, role: "primary", replica: "SQL1", from: null }) as const,
);
const decode = ({ name }: { readonly name: string }) => readEventPieces(bytesOf(name), name);
/** A decoder without events, and one that fails. */
async function* nothing(): AsyncGenerator<EventColumns> {
  yield await Promise.resolve(emptyColumns(0));
}
async function* failing(error: Error): AsyncGenerator<EventColumns> {
  yield await Promise.reject<EventColumns>(error);
}

test("the preview that is sent to another thread is kept complete", async () => {
  let sent: Uint8Array = new Uint8Array();
  const { files: kept } = await analyzeFiles(
    { files, topologies: [], decode },
    () => {},
    (preview) => (sent = structuredClone(preview, { transfer: [preview.buffer] })),
  );
  expect(sent.length).toBeGreaterThan(100);
  expect(Buffer.compare(kept[PREVIEW_FILE] ?? new Uint8Array(), sent)).toBe(0);
});

test("what is kept is the verdict, the summary, the preview and the model, told before answers are worked out", async () => {
  const told: unknown[] = [];
  const phases: Progress["phase"][] = [];
  const firstAnswers = (): Promise<[]> => {
    told.push("answers");
    return Promise.resolve([]);
  };
  const result = await analyzeFiles(
    { files, topologies: [], decode, firstAnswers },
    ({ phase }) => phases.push(phase),
    () => told.push("preview"),
    (kept: KeptAnalysis) => told.push(kept),
  );
  const { first, ...kept } = result;
  expect(told).toEqual(["preview", kept, "answers"]);
  expect(first).toEqual([]);
  expect(Object.keys(kept.files).toSorted()).toEqual([...MODEL_FILES, SUMMARY_FILE, PREVIEW_FILE].toSorted());
  const summary = JSON.parse(new TextDecoder().decode(kept.files[SUMMARY_FILE])) as Summary;
  expect([summary.verdict.sentence, summary.verdict.severity, summary.verdict.place]).toEqual([
    kept.verdict,
    kept.severity,
    kept.place,
  ]);
  expect(kept.blocks).toBeGreaterThan(1_000);
  expect(decodeModel(kept.files as StoredModel).blocks.length).toBe(kept.blocks);
  expect(decodeWindow(kept.files[PREVIEW_FILE]!)).toMatchObject({ detail: "bins", length: 400, from: 0 });
  // Each phase in its turn, whatever is reported about files in between.
  const inTurn = phases.filter((phase, i) => phase !== phases[i - 1]);
  expect(inTurn.slice(-2)).toEqual(["verdict", "store"]);
  expect(new Set(inTurn).size).toBe(inTurn.length);
});

test("a file that is not what was received is reported as such, whatever the decoder makes of it", async () => {
  const sound = Promise.reject(new Error("another content"));
  await expect(
    analyzeFiles({ files, topologies: [], decode: () => failing(new Error("no events")), sound }, () => {}),
  ).rejects.toThrow("another content");
});

test.each([
  ["files without an event", { decode: nothing }, "model.noBlocks", /^The files hold no log blocks/u],
  [
    "a topology that is none",
    { topologies: ["<a/>"] },
    "topology.unreadable",
    /root is a, expected AGInfoRoot/u,
  ],
  [
    "ids that no server has",
    { decode: () => failing(new ImpossibleIds("Ids are impossible.")) },
    IMPOSSIBLE_IDS,
    /Ids are impossible\. Copy the files from the servers again\.$/u,
  ],
] as const)("%s end it with a sentence", async (_, given, code, sentence) => {
  const analysis = analyzeFiles({ files, topologies: [], decode, ...given }, () => {});
  await expect(analysis).rejects.toBeInstanceOf(AnalysisError);
  await expect(analysis).rejects.toMatchObject({ code, message: expect.stringMatching(sentence) });
});

test("any other error stays what it is", async () => {
  const error = new RangeError("out of memory");
  await expect(analyzeFiles({ files, topologies: [], decode: () => failing(error) }, () => {})).rejects.toBe(
    error,
  );
});
