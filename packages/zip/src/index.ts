export { isClutter, shownName, type ShownName } from "./entry-name.ts";
export {
  EVENT_FILE_BOUNDS,
  expectZipEnd,
  looksLikeZip,
  unzip,
  ZIP_END_BYTES,
  zipDirectoryPlace,
  zipEntries,
  ZipError,
  type EntrySink,
  type ZipBounds,
  type ZipEntry,
} from "./zip.ts";
