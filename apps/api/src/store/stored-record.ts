/** Records as a store keeps them: JSON, written by this version or an earlier one. */
import type { CaptureFile } from "@aglens/contract";
import type { CaptureRecord, LinkRecord } from "./catalogue.ts";

/** A file as an earlier version may have stored it. */
type New = "path" | "sha256" | "databaseNames" | "groupNames" | "identity" | "given";
type StoredFile = Omit<CaptureFile, New> & Partial<Pick<CaptureFile, New>>;

/** A record; files that an earlier version wrote get what they lack, and keep what the user said of them. @param text as it was stored */
export function captureIn(text: string): CaptureRecord {
  const record = JSON.parse(text) as Omit<CaptureRecord, "files"> & { readonly files: StoredFile[] };
  return {
    ...record,
    files: record.files.map((file): CaptureFile => ({
      path: "",
      sha256: "",
      databaseNames: {},
      groupNames: [],
      identity: null,
      given: file.role === file.detectedRole || file.kind !== "xel" ? {} : { role: file.role },
      ...(record.withoutFiles === true ? { isMissing: true } : {}),
      ...file,
    })),
  };
}

/** @param texts as they were stored @returns newest first */
export function linksIn(texts: readonly string[]): LinkRecord[] {
  return texts.map(linkIn).toSorted((a, b) => (a.created < b.created ? 1 : -1));
}

export function linkIn(text: string): LinkRecord {
  return JSON.parse(text) as LinkRecord;
}

/** The record of a capture as it is stored; `captureIn` reads it. */
export function captureText(record: CaptureRecord): string {
  return storableText(record);
}

/** A record as JSON that every database takes: PostgreSQL knows neither U+0000 nor half of a surrogate pair, and refuses lists for one of them. */
export function storableText(record: object): string {
  const text = JSON.stringify(record);
  if (!/\\u(?:0000|d[89a-f])/u.test(text)) return text;
  return JSON.stringify(record, (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed().replaceAll("\0", "\uFFFD") : value,
  );
}
