/** Size of the data directory's files by kind, and how fast the disk fills. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isDerived } from "../captures/derived/derived-things.ts";
import type { Catalog } from "../store/catalog.ts";
import { DATASET_FOLDER } from "../dataset/dataset-folder.ts";
import { CAPTURES_FOLDER } from "../store/blobs.ts";
import type { DiskBytes } from "../store/space.ts";

/** Bytes of each part of the data directory. */
export interface DiskParts {
  /** Files of captures. */
  captures: number;
  /** Files of analyses, and tables as Parquet files. */
  tables: number;
  /** Files and tables of captures in the trash. */
  trash: number;
  /** Files on their way. */
  uploads: number;
  /** Files of live runs that are not captures yet. */
  live: number;
  /** Files that the catalog does not have. */
  lost: number;
  /** The catalog, the reserve and the rest. */
  other: number;
}

const FOLDERS: Readonly<Record<string, keyof DiskParts>> = {
  [DATASET_FOLDER]: "tables",
  incoming: "uploads",
  uploads: "uploads",
  live: "live",
  "lost-and-found": "lost",
};

/** Reads the size of every file, one after the other, so that answers are not delayed. */
export async function readDiskParts(
  directory: string,
  isTrashed: (captureId: string) => Promise<boolean>,
): Promise<DiskParts> {
  const parts: DiskParts = { captures: 0, tables: 0, trash: 0, uploads: 0, live: 0, lost: 0, other: 0 };
  for await (const path of filesIn(directory)) {
    const [folder = "", captureId = "", key = ""] = path.split("/");
    const found = await stat(join(directory, path)).catch(() => null);
    if (found === null) continue;
    if (folder !== CAPTURES_FOLDER) parts[FOLDERS[folder] ?? "other"] += found.size;
    else if (await isTrashed(captureId)) parts.trash += found.size;
    else parts[isDerived(key) ? "tables" : "captures"] += found.size;
  }
  return parts;
}

async function* filesIn(directory: string, below = ""): AsyncGenerator<string> {
  const entries = await readdir(join(directory, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(directory, path);
    else yield path;
  }
}

const DAY_MS = 86_400_000;
const DAYS = 14;
const FACT = "bytes used by day";

/** Bytes of the disk that were used at the first sweep of a day. */
type UsedByDay = Readonly<Record<string, number>>;

/** Notes how much of the disk is used, once a day. To be called by each sweep. @param now ms since 1970 */
export async function noteDiskUse(
  facts: Pick<Catalog, "fact" | "saveFact">,
  disk: DiskBytes,
  now: number,
): Promise<void> {
  const day = new Date(now).toISOString().slice(0, 10);
  const noted = await notedDays(facts);
  if (noted[day] !== undefined) return;
  const oldest = new Date(now - DAYS * DAY_MS).toISOString().slice(0, 10);
  const kept = Object.entries(noted).filter(([each]) => each >= oldest && each < day);
  await facts.saveFact(FACT, JSON.stringify({ ...Object.fromEntries(kept), [day]: disk.total - disk.free }));
}

/** Bytes a day by which the disk's use grew within the last 14 days; null until it was noted on two days. */
export async function diskGrowth(facts: Pick<Catalog, "fact">): Promise<number | null> {
  const days = Object.entries(await notedDays(facts)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  return (last[1] - first[1]) / ((Date.parse(last[0]) - Date.parse(first[0])) / DAY_MS);
}

async function notedDays(facts: Pick<Catalog, "fact">): Promise<UsedByDay> {
  return JSON.parse((await facts.fact(FACT)) ?? "{}") as UsedByDay;
}
