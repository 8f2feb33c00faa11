/** Compares a bucket of several servers with their catalog; reads only. */
import { createHash } from "node:crypto";
import { text } from "node:stream/consumers";
import type { Logger } from "pino";
import { DATASET_FOLDER, MARK, markIn } from "../dataset/dataset-folder.ts";
import type { KeptTables } from "../dataset/dataset-folder.ts";
import { StartError } from "../kernel/start-error.ts";
import { folderOf, keyOf, nameOf } from "../store/bucket/bucket-blobs.ts";
import { placeOf } from "../store/bucket/bucket-place.ts";
import { openBucket } from "../store/bucket/bucket.ts";
import type { Bucket, ObjectLine } from "../store/bucket/bucket.ts";
import { differentSize } from "../store/checksum.ts";
import type { PostgresPlace } from "../store/postgres/database.ts";
import { checkCaptures } from "./check.ts";
import type { CheckResult } from "./check.ts";
import type { CheckedFiles, FileToCheck } from "./checked-files.ts";
import { postgresCaptures } from "./postgres-captures.ts";

const DAY_MS = 24 * 3600 * 1000;

/**
 * As `checkDirectory`, for the common files of several servers; they may run meanwhile.
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
      const waiting = lost.map((name) => `lost-and-found/${name} can be restored or deleted.`);
      const tables = await datasetFindings(bucket, new Set(await captures.ids()));
      return { ...checked, findings: [...findings, ...tables, ...waiting] };
    } finally {
      await captures.close();
    }
  } finally {
    bucket.close();
  }
}

/** Not on its way into a record, or to its mark. */
const isSettled = ({ storedAt }: ObjectLine): boolean => storedAt < Date.now() - DAY_MS;

function filesInBucket(bucket: Bucket): CheckedFiles {
  const settled = async (captureId: string): Promise<string[]> =>
    (await bucket.list(folderOf(captureId))).filter(isSettled).map(({ name }) => keyOf(name));
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

/** Tables at rest, as other engines read them; they can always be made again. */
async function datasetFindings(bucket: Bucket, ids: ReadonlySet<string>): Promise<string[]> {
  const objects = await bucket.list(`${DATASET_FOLDER}/`);
  const findings: string[] = [];
  for (const [folder, inIt] of Map.groupBy(objects, ({ name }) => name.slice(0, name.lastIndexOf("/")))) {
    const mark = await bucket.get(`${folder}/${MARK}`);
    const tables = mark === null ? null : markIn(await text(mark));
    if (tables === null) {
      if (inIt.every(isSettled)) findings.push(`The tables in ${folder} are not whole: delete that folder.`);
    } else if (ids.has(tables.capture)) findings.push(...(await damagedTables(bucket, folder, tables)));
    else findings.push(`The tables in ${folder} are of no capture: delete that folder.`);
  }
  return findings;
}

async function damagedTables(bucket: Bucket, folder: string, { files }: KeptTables): Promise<string[]> {
  const findings: string[] = [];
  for (const [name, checksum] of Object.entries(files)) {
    const found = await bucket.get(`${folder}/${name}`);
    const damage = found === null ? "is missing" : await damageOf(found, { bytes: checksum.bytes, checksum });
    if (damage !== null)
      findings.push(
        `${folder}/${name} ${damage}; delete that folder, and the next analysis of its capture, or server without these tables, writes it again.`,
      );
  }
  return findings;
}

async function damageOf(
  source: AsyncIterable<Uint8Array>,
  { bytes, checksum }: Pick<FileToCheck, "bytes" | "checksum">,
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
