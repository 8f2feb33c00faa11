/** A bucket as the place of a catalog's files. */
import { text } from "node:stream/consumers";
import type { FilePlace } from "../file-place.ts";
import type { Bucket } from "./bucket.ts";

/** Object with the id of the bucket's catalog. */
const CATALOG_OBJECT = "catalogue.json";

export const placeOf = (bucket: Bucket): FilePlace => ({
  notedId: async () => {
    const note = await bucket.get(CATALOG_OBJECT);
    return note === null ? null : (JSON.parse(await text(note)) as { readonly id: string }).id;
  },
  noteId: (id) => bucket.put(CATALOG_OBJECT, Buffer.from(JSON.stringify({ id }))),
  hasCaptures: async () => (await bucket.folders("captures/")).length > 0,
});
