/** Files whose beginning alone was sent, because they aren't used. */
import { createXelWriter } from "xel-parser/writer";
import { expect, test } from "vitest";
import type { ReadableFile } from "./readable-file.ts";
import { recognizeFile } from "./recognise.ts";

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const fileOf = (name: string, bytes: Uint8Array, completeBytes?: number): ReadableFile => ({
  name,
  size: bytes.length,
  completeBytes,
  bytes: () => once(bytes),
  chunks: () => once(bytes),
  head: (length) => Promise.resolve(bytes.subarray(0, length)),
  tail: (length) => Promise.resolve(bytes.subarray(-length)),
});

async function recognized(name: string, bytes: Uint8Array, completeBytes?: number) {
  const file = fileOf(name, bytes, completeBytes);
  return recognizeFile(file, {
    replace: async (facts) => {
      const parts: number[] = [];
      for await (const part of facts) parts.push(...part);
      return fileOf(name, Uint8Array.from(parts));
    },
  });
}

/** The first events of a session. */
function session(event: string): Uint8Array {
  const writer = createXelWriter({
    packages: [{ name: "sqlserver", id: 2, events: [{ name: event, columns: [] }] }],
  });
  for (let i = 1; i < 1_000; i++) writer.write(event, i, {});
  return writer.finish();
}

const CLUSTER = new TextEncoder().encode(
  "00000b54.00000f8c::2026/05/14-02:16:30.123 INFO  [RES] SQL\n".repeat(9),
);

test.each([
  ["SQL1_cluster.log", CLUSTER, "clusterLog", "notUsed"],
  ["SQL1_Perfmon.blg", Uint8Array.from({ length: 512 }, (_, i) => i % 7), "counterLog", "convert"],
  ["SQL1_xevent_LogScout_target_0_1.xel", session("rpc_completed"), "otherEvents", "notUsed"],
])("%s is listed with the size of the complete file", async (name, bytes, kind, state) => {
  const { evidenceFile } = await recognized(name, bytes, 900_000_000);
  expect(evidenceFile).toMatchObject({ kind, state, bytes: 900_000_000, events: 0, samples: 0 });
});

test("events of another session that are complete are an event file, as before", async () => {
  expect((await recognized("other.xel", session("rpc_completed"))).kind).toBe("xel");
});

test("the beginning of a file that is used is a cut file", async () => {
  const bytes = session("log_flush_start");
  const found = await recognized("a.xel", bytes.subarray(0, bytes.length - 100), 900_000_000);
  expect([found.kind, found.gaps.length]).toEqual(["xel", 1]);
});
