/**
 * The files of a capture that is on no server, as a link names them: the user who opens the link chooses the same
 * files. A link contains no byte of them, but it contains their names, unless there are many.
 */
import { withoutHiddenCharacters } from "@aglens/ag-model/replication";
import { z } from "@aglens/contract";

export interface FileOfLink {
  /** "" where the link contains no names. */
  readonly name: string;
  readonly size: number;
  /** The first hexadecimal digits of the SHA-256 of its content, at least 12. */
  readonly sha256: string;
}

/** Query parameter of a link. */
export const FILES_PARAMETER = "files";

/**
 * Up to this number of files a link contains their names. With more it has only content and size, so that mail and chat
 * programs do not cut it.
 */
const MOST_NAMED = 60;
const MOST_FILES = 500;
const SHA_DIGITS = 12;
const MOST_NAME = 128;

/** `0a1b2c3d4e5f.77211648.SQL1_0.xel*…` */
export function filesText(files: readonly FileOfLink[]): string {
  const isNamed = files.length <= MOST_NAMED;
  return files
    .map(({ name, size, sha256 }) => {
      const content = `${sha256.slice(0, SHA_DIGITS)}.${size}`;
      return isNamed ? `${content}.${name.slice(-MOST_NAME).replaceAll("*", "_")}` : content;
    })
    .join("*");
}

const LinkedFile = z.object({
  sha256: z.string().regex(/^[\da-f]{12,64}$/u),
  size: z.number().int().min(0),
  name: z.string().max(MOST_NAME),
});

/** Parses a text of `filesText`; null for any other text. */
export function filesOfText(text: string): FileOfLink[] | null {
  const items = text.split("*");
  if (items.length > MOST_FILES) return null;
  const files = items.map((item) => {
    const [, sha256, size, name = ""] = /^([\da-f]+)\.(\d{1,15})(?:\.(.*))?$/su.exec(item) ?? [];
    return LinkedFile.safeParse({ sha256, size: Number(size), name: withoutHiddenCharacters(name) });
  });
  return files.every((file) => file.success) ? files.map((file) => file.data) : null;
}
