/**
 * The data set of several servers: in the bucket, where other engines read it (`dataset/group=.../capture=.../TABLE.parquet`), and on the
 * disk of each server, for its SQL. One server writes a capture's tables, the others fetch them.
 */
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Bucket } from "../store/bucket/bucket.ts";
import { damageOfFile } from "../store/checksum.ts";
import { DATASET_FOLDER, MARK, markIn, pathOf } from "./dataset-folder.ts";
import type { DatasetStore, KeptTables } from "./dataset-folder.ts";

const folderOf = (tables: Pick<KeptTables, "capture" | "group">): string =>
  `${DATASET_FOLDER}/${pathOf(tables)}/`;

/** @param here the data set on the disk of this server */
export function bucketDataset(bucket: Bucket, here: DatasetStore): DatasetStore {
  const fetched = async (tables: KeptTables, to: string): Promise<boolean> => {
    await mkdir(to, { recursive: true });
    for (const [name, checksum] of Object.entries(tables.files)) {
      const bytes = await bucket.get(folderOf(tables) + name);
      if (bytes === null) return false;
      await writeFile(join(to, name), bytes);
      if ((await damageOfFile(join(to, name), checksum)) !== null) return false;
    }
    return true;
  };
  const removeBelow = async (prefix: string): Promise<void> => {
    const objects = await bucket.list(prefix);
    await bucket.remove(objects.map(({ name }) => name));
  };
  return {
    ...here,
    keep: async (written, tables) => {
      const folder = folderOf(tables);
      for (const name of Object.keys(tables.files)) {
        const path = join(written, name);
        await bucket.putFile(folder + name, path, (await stat(path)).size);
      }
      // Last: where it is, all are.
      await bucket.put(folder + MARK, Buffer.from(JSON.stringify(tables)));
      await here.keep(written, tables);
    },
    found: async (wanted) => {
      const mark = await bucket.get(folderOf(wanted) + MARK);
      const tables = mark === null ? null : markIn(await text(mark));
      if (tables === null || tables.validity !== wanted.validity) return null;
      const to = here.aside();
      try {
        // Another server with another analysis may be writing them again at this moment.
        if (!(await fetched(tables, to))) return null;
        await here.keep(to, tables);
        return tables;
      } finally {
        await rm(to, { recursive: true, force: true });
      }
    },
    removeAll: async () => {
      await removeBelow(`${DATASET_FOLDER}/`);
      await here.removeAll();
    },
    remove: async (tables) => {
      await removeBelow(folderOf(tables));
      await here.remove(tables);
    },
  };
}
