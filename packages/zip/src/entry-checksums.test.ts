import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { crc32 } from "./crc32.ts";
import { readEntryChecksums } from "./entry-checksums.ts";
import { ZipError } from "./zip.ts";

const DIRECTORY_HEAD = "PK\x01\x02";
const END_RECORD = "PK\x05\x06";

/** A zip as Node's buffer, so that its fields can be set. */
const zipOf = (texts: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, strToU8(text)]))),
  );

/** The checksums of a zip, and the ranges that were read for them. */
async function checksumsOf(zip: Uint8Array) {
  const reads: (readonly [number, number])[] = [];
  const checksums = await readEntryChecksums(zip, (offset, bytes) => {
    reads.push([offset, bytes]);
    return Promise.resolve(zip.subarray(offset, offset + bytes));
  });
  return { reads, expectText: (name: string, text: string) => checksums.expect(name, crc32(strToU8(text))) };
}

test("what came out with another checksum than the directory's is refused by its name", async () => {
  const zip = zipOf({ "SQL2/a.xel": "first", "b.xel": "second" });
  const { expectText, reads } = await checksumsOf(zip);
  expect(() => expectText("SQL2/a.xel", "first")).not.toThrow();
  expect(() => expectText("b.xel", "second")).not.toThrow();
  expect(() => expectText("b.xel", "first")).toThrow(ZipError);
  expect(() => expectText("SQL2/a.xel", "second")).toThrow(
    "a.xel in the zip is damaged: its checksum is wrong. Copy the zip again.",
  );
  const directory = zip.indexOf(DIRECTORY_HEAD);
  expect(reads).toEqual([[directory, zip.indexOf(END_RECORD) - directory]]);
});

test("of two entries of one name either checksum is right, and a name that is in no directory has none", async () => {
  const zip = zipOf({ "a.xel": "first", "b.xel": "second" });
  // The second entry of the directory gets the first one's name.
  zip.write("a.xel", zip.lastIndexOf("b.xel"), "latin1");
  const { expectText } = await checksumsOf(zip);
  for (const text of ["first", "second"]) expect(() => expectText("a.xel", text)).not.toThrow();
  expect(() => expectText("a.xel", "third")).toThrow(ZipError);
  expect(() => expectText("b.xel", "third")).not.toThrow();
});

test("an entry with nothing but dots for a name is refused without one", async () => {
  const { expectText } = await checksumsOf(zipOf({ "..": "first" }));
  expect(() => expectText("..", "second")).toThrow(/^An entry in the zip is damaged/u);
});

test.each([
  ["b.xel", "b.xel is protected by a password."],
  ["..", "An entry is protected by a password."],
])("a zip with the encrypted entry %s is refused, whichever entry it is", async (name, sentence) => {
  const zip = zipOf({ "a.xel": "first", [name]: "second" });
  zip.writeUInt16LE(
    zip.readUInt16LE(zip.lastIndexOf(DIRECTORY_HEAD) + 8) | 1,
    zip.lastIndexOf(DIRECTORY_HEAD) + 8,
  );
  await expect(checksumsOf(zip)).rejects.toMatchObject({
    code: "unreadable",
    message: `${sentence} Unpack the zip and add its files.`,
  });
});

test("of a zip whose directory is elsewhere nothing is known, and nothing is refused", async () => {
  const zip = zipOf({ "a.xel": "first" });
  zip.writeUInt32LE(0xffff_ffff, zip.indexOf(END_RECORD) + 16);
  const { expectText, reads } = await checksumsOf(zip);
  expect(() => expectText("a.xel", "second")).not.toThrow();
  expect(reads).toEqual([]);
});

test("a directory of 16 MiB is read, and no longer one", async () => {
  const declaring = async (bytes: number) => {
    const zip = zipOf({ "a.xel": "first" });
    zip.writeUInt32LE(bytes, zip.indexOf(END_RECORD) + 12);
    return checksumsOf(zip);
  };
  const largest = await declaring(16 * 1024 * 1024);
  expect(() => largest.expectText("a.xel", "second")).toThrow(ZipError);
  const larger = await declaring(16 * 1024 * 1024 + 1);
  expect(() => larger.expectText("a.xel", "second")).not.toThrow();
  expect([largest.reads.length, larger.reads.length]).toEqual([1, 0]);
});
