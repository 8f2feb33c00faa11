import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checksumOf } from "../../store/checksum.ts";
import { analyzeCapture } from "../analysis/analyze.ts";
import { expectValidSources } from "./valid-sources.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-sound-"));
});
afterAll(() => rm(folder, { recursive: true }));

const bytes = new TextEncoder().encode("abc");
/** SHA-256 of "abc", FIPS 180-2 appendix B.1. */
const SHA256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

async function stored(
  content: string,
): Promise<{ name: string; path: string; checksum: { bytes: number; sha256: string } }> {
  const path = join(folder, "file");
  await writeFile(path, content);
  return { name: "primary.xel", path, checksum: { bytes: 3, sha256: SHA256 } };
}

test("a file as it was received is sound", async () => {
  expect(checksumOf(bytes)).toEqual({ bytes: 3, sha256: SHA256 });
  await expect(expectValidSources([await stored("abc")])).resolves.toBeUndefined();
});

test.each([
  ["abd", "primary.xel has other content than was stored (SHA-256): it was damaged"],
  ["abcd", "primary.xel has 4 bytes instead of 3: it was damaged"],
])("one that became %s is not", async (content, sentence) => {
  await expect(expectValidSources([await stored(content)])).rejects.toThrow(sentence);
});

test("one that is gone is not, and an analysis says so instead of what its decoder makes of it", async () => {
  const { path, ...rest } = await stored("abc");
  const gone = { ...rest, path: `${path}.gone` };
  const file = {
    id: "a",
    name: rest.name,
    size: 3,
    role: "primary",
    replica: "SQL1",
    from: null,
    path: gone.path,
  } as const;
  const analysis = analyzeCapture({ files: [file], topologies: [], sources: [gone] }, () => {});
  await expect(analysis).rejects.toMatchObject({
    code: "damaged-source",
    message: expect.stringContaining("primary.xel is missing: it was damaged in the API's data directory"),
  });
});
