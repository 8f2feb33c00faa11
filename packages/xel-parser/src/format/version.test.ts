import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeColumns, readXelBytes, toJson } from "./index.ts";

const FOLDER = join(import.meta.dirname, "../../../../fixtures/captures/slow-network/primary");
const [NAME] = readdirSync(FOLDER);
const sound = readFileSync(join(FOLDER, NAME));

/** The file as a server of format version `version` might write it: the same, but for the number (xel-format 2.1, 2.2, 4). */
function withVersion(version: number): Uint8Array {
  const bytes = Uint8Array.from(sound);
  const view = new DataView(bytes.buffer);
  view.setUint16(4, version, true);
  for (let at = 512; at < bytes.length; at += view.getUint32(at + 16, true)) {
    view.setUint16(at + 12, version, true);
    if (view.getUint16(at + 14, true) !== 0) continue;
    const end = at + view.getUint16(at + 22, true) + view.getUint32(at + 24, true);
    for (let event = at + view.getUint16(at + 22, true); event < end;) {
      view.setUint32(event + 4, version, true);
      event += 24 + view.getUint32(event + 20, true);
    }
  }
  return bytes;
}

const request = {
  events: [{ name: "hadr_capture_log_block", kind: 1, fields: [{ field: "log_block_id", column: "id" }] }],
  columns: [{ name: "id", type: "u64" as const }],
};

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test.each([9, 11, 46_097])("version %i is refused by its number", (version) => {
  expect(() => readXelBytes(withVersion(version))).toThrow(
    expect.objectContaining({
      code: "unsupported-version",
      message: expect.stringContaining(`version ${version};`),
    }),
  );
});

test("another version is read by force, with what is around damage", async () => {
  const expected = readXelBytes(sound).events.map(toJson);
  const forced = readXelBytes(withVersion(11), { force: true });
  expect(forced.report.clean).toBe(true);
  expect(forced.events.map(toJson)).toEqual(expected);
  const { columns } = await decodeColumns(once(withVersion(11)), request, { force: true });
  expect(columns.columns["id"]).toEqual((await decodeColumns(once(sound), request)).columns.columns["id"]);
  const damaged = withVersion(11);
  damaged.fill(0xee, 60_000, 60_100);
  const { events, report } = readXelBytes(damaged, { force: true });
  expect(report.gaps.length).toBeGreaterThan(0);
  expect(events.length).toBeGreaterThan(expected.length / 2);
});

test("force changes nothing for a file of version 10", () => {
  expect(readXelBytes(sound, { force: true }).events.map(toJson)).toEqual(
    readXelBytes(sound).events.map(toJson),
  );
});
