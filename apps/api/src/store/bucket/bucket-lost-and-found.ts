/** Files that the catalog does not have, in the bucket: below `lost-and-found/`, a folder for each capture. */
import { text } from "node:stream/consumers";
import { newId } from "../../kernel/identity.ts";
import { captureOf } from "../lost-and-found.ts";
import type { LostAndFound, LostFolder } from "../lost-and-found.ts";
import { folderOf, keyOf } from "./bucket-blobs.ts";
import type { Bucket, ObjectLine } from "./bucket.ts";

const FOLDER = "lost-and-found/";

const placeOf = (id: string): string => `${FOLDER}${id}/`;

/** Part after the folders in an object's name. */
const endOf = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

export function bucketLostAndFound(bucket: Bucket): LostAndFound {
  /** Object by object: the next server moves the rest if one ends in between. */
  const move = async (objects: readonly ObjectLine[], to: string): Promise<void> => {
    for (const object of objects) {
      await bucket.copy(object, to + endOf(object.name));
      await bucket.remove([object.name]);
    }
  };
  const setAside = async (captureId: string, isToGo: (key: string) => boolean): Promise<string> => {
    const place = placeOf(`${captureId}_${newId()}`);
    const objects = await bucket.list(folderOf(captureId));
    await move(
      objects.filter(({ name }) => isToGo(keyOf(name))),
      place,
    );
    return place;
  };
  return {
    setAside: (captureId) => setAside(captureId, () => true),
    setFilesAside: (captureId, keys) => setAside(captureId, (key) => keys.includes(key)),
    folders: async () => {
      const byId = Map.groupBy(await bucket.list(FOLDER), ({ name }) => name.split("/")[1] ?? "");
      return [...byId].map(([id, objects]): LostFolder => ({
        id,
        captureId: captureOf(id),
        files: Object.fromEntries(objects.map(({ name, bytes }) => [keyOf(name), bytes])),
      }));
    },
    read: async (id, key) => {
      const found = await bucket.get(placeOf(id) + key);
      return found === null ? null : text(found);
    },
    takeBack: async (id, captureId) => move(await bucket.list(placeOf(id)), folderOf(captureId)),
    putBack: async (id, captureId) => move(await bucket.list(folderOf(captureId)), placeOf(id)),
    remove: async (id) => bucket.remove((await bucket.list(placeOf(id))).map(({ name }) => name)),
  };
}
