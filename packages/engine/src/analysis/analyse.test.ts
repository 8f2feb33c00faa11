import { readdirSync, readFileSync } from "node:fs";
import { readEventPieces } from "@aglens/ag-model/events";
import { expect, test } from "vitest";
import { analyseFiles, PREVIEW_FILE } from "./analyse.ts";

const PRIMARY = new URL("../../../../fixtures/captures/slow-network/primary/", import.meta.url);

async function* bytesOf(name: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new Uint8Array(readFileSync(new URL(name, PRIMARY))));
}

const files = readdirSync(PRIMARY).map(
  (name) => ({ id: name, name, size: 1, role: "primary", replica: "SQL1", from: null }) as const,
);
const decode = ({ name }: { readonly name: string }) => readEventPieces(bytesOf(name), name);
const listElsewhere = () => Promise.reject(new Error("no index of events"));

test("an index of events that fails elsewhere ends the analysis", async () => {
  await expect(analyseFiles({ files, topologies: [], decode, listElsewhere }, () => {})).rejects.toThrow(
    "no index of events",
  );
});

test("it is nobody's unhandled failure where the analysis has ended before it is waited for", async () => {
  const onPreview = () => {
    throw new Error("ended");
  };
  // The runner fails for each rejection that nobody handled.
  await expect(
    analyseFiles({ files, topologies: [], decode, listElsewhere }, () => {}, onPreview),
  ).rejects.toThrow("ended");
});

test("the preview that is sent to another thread is kept complete", async () => {
  let sent: Uint8Array = new Uint8Array();
  const { files: kept } = await analyseFiles(
    { files, topologies: [], decode },
    () => {},
    (preview) => (sent = structuredClone(preview, { transfer: [preview.buffer] })),
  );
  expect(sent.length).toBeGreaterThan(100);
  expect(Buffer.compare(kept[PREVIEW_FILE] ?? new Uint8Array(), sent)).toBe(0);
});
