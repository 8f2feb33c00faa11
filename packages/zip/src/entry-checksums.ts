/** Checks that the unpacked bytes equal the packed ones, by the CRCs of the zip's directory. */
import { shownName } from "./entry-name.ts";
import { zipDirectoryPlace, zipEntries, ZipError } from "./zip.ts";
import type { ZipEntry } from "./zip.ts";

const MOST_DIRECTORY_BYTES = 16 * 1024 * 1024;

export interface EntryChecksums {
  /**
   * @param name as `unzip` returns it @param crc of all unpacked bytes @throws ZipError when it differs from the
   * directory's
   */
  expect(name: string, crc: number): void;
}

/**
 * The checksums of a zip's entries. A zip whose directory is elsewhere (zip64), or larger than that of any zip of event
 * files, has no known checksums, and none of its entries is refused.
 * @param last the last ZIP_END_BYTES of it, with its end as `expectZipEnd` wants it
 * @param read reads a range of the zip
 * @throws ZipError when an entry is encrypted
 */
export async function readEntryChecksums(
  last: Uint8Array,
  read: (offset: number, bytes: number) => Promise<Uint8Array>,
): Promise<EntryChecksums> {
  const place = zipDirectoryPlace(last);
  const isKnown = place !== null && place.bytes <= MOST_DIRECTORY_BYTES;
  const crcs = crcsOf(isKnown ? zipEntries(await read(place.offset, place.bytes)) : []);
  return {
    expect(name, crc) {
      if (crcs.get(name)?.has(crc) !== false) return;
      throw new ZipError(
        "unreadable",
        `${shownName(name)?.name ?? "An entry"} in the zip is damaged: its checksum is wrong. Copy the zip again.`,
      );
    },
  };
}

/** CRCs by name, which may occur more than once. */
function crcsOf(entries: readonly ZipEntry[]): Map<string, Set<number>> {
  const encrypted = entries.find(({ isEncrypted }) => isEncrypted);
  if (encrypted !== undefined) {
    throw new ZipError(
      "unreadable",
      `${shownName(encrypted.name)?.name ?? "An entry"} is protected by a password. Unpack the zip and add its files.`,
    );
  }
  const crcs = new Map<string, Set<number>>();
  for (const { name, crc } of entries) crcs.set(name, (crcs.get(name) ?? new Set()).add(crc));
  return crcs;
}
