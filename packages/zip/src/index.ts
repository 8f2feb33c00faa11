export { crc32 } from "./crc32.ts";
export { readEntryChecksums, type EntryChecksums } from "./entry-checksums.ts";
export { isClutter, shownName, type ShownName } from "./entry-name.ts";
export { readZipDirectory, zipEntryBytes, type BytesAt } from "./zip-directory.ts";
export {
  EVENT_FILE_BOUNDS,
  expectZipEnd,
  looksLikeZip,
  unzip,
  ZIP_END_BYTES,
  ZipError,
  type EntrySink,
  type ZipBounds,
  type ZipEntry,
} from "./zip.ts";
