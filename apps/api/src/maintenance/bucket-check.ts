/** Holds a bucket of several servers against their catalogue; reads only. */
import { createHash } from "node:crypto";
import type { Logger } from "pino";
import { StartError } from "../start-error.ts";
import { folderOf, keyOf, nameOf } from "../store/bucket/bucket-blobs.ts";
import { placeOf } from "../store/bucket/bucket-place.ts";
import { openBucket } from "../store/bucket/bucket.ts";
import type { Bucket } from "../store/bucket/bucket.ts";
import { differentSize } from "../store/checksum.ts";
import type { PostgresPlace } from "../store/postgres/database.ts";
import { checkCaptures } from "./check.ts";
import type { CheckResult } from "./check.ts";
import type { CheckedFiles, FileToCheck } from "./checked-files.ts";
import { postgresCaptures } from "./postgres-captures.ts";

const DAY_MS = 24 * 3600 * 1000;

/**
 * As `checkDirectory`, of what several servers have; they may run meanwhile.
 * @param from `s3://BUCKET/PREFIX`
 * @throws StartError
 */
export async function checkBucket(place: PostgresPlace, from: string, log: Logger): Promise<CheckResult> {
  const bucket = openBucket(from, log);
  try {
    await bucket.check().catch((error: Error) => {
      throw new StartError("bucket-unreachable", error.message);
    });
    const captures = await postgresCaptures(place, placeOf(bucket));
    try {
      const { findings, ...checked } = await checkCaptures(captures, filesInBucket(bucket));
      const lost = await bucket.folders("lost-and-found/");
      const waiting = lost.map((name) => `lost-and-found/${name} waits to be taken back or deleted.`);
      return { ...checked, findings: [...findings, ...waiting] };
    } finally {
      await captures.close();
    }
  } finally {
    bucket.close();
  }
}

function filesInBucket(bucket: Bucket): CheckedFiles {
  /** Without what may be on its way into a record. */
  const settled = async (captureId: string): Promise<string[]> =>
    (await bucket.list(folderOf(captureId)))
      .filter(({ storedAt }) => storedAt < Date.now() - DAY_MS)
      .map(({ name }) => keyOf(name));
  return {
    damage: async (captureId, file) => {
      const bytes =
        (file.checksum && (await bucket.get(nameOf(captureId, file.key, file.checksum.sha256)))) ??
        (await bucket.get(nameOf(captureId, file.key)));
      return bytes === null ? "is missing" : damageOf(bytes, file);
    },
    keys: async (captureId) => [...new Set(await settled(captureId))],
    captures: async () => {
      const ids = await bucket.folders("captures/");
      const old = await Promise.all(ids.map(async (id) => (await settled(id)).length > 0));
      return ids.filter((_, index) => old[index]);
    },
  };
}

async function damageOf(
  source: AsyncIterable<Uint8Array>,
  { bytes, checksum }: FileToCheck,
): Promise<string | null> {
  const hash = createHash("sha256");
  let found = 0;
  for await (const piece of source) {
    hash.update(piece);
    found += piece.byteLength;
  }
  if (found !== bytes) return differentSize(found, bytes);
  return checksum === null || checksum.sha256 === hash.digest("hex")
    ? null
    : "has other content than was stored (SHA-256)";
}
