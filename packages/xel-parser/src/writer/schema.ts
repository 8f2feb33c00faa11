/** Content of a file to write: packages, events, columns, and values for them. */

/** A base type that an event or action may have; null, char types and the three pointer types have no known value. */
export type WritableType =
  | "int8"
  | "int16"
  | "int32"
  | "int64"
  | "uint8"
  | "uint16"
  | "uint32"
  | "uint64"
  | "float32"
  | "float64"
  | "cpu_cycle"
  | "filetime"
  | "ptr"
  | "ansi_string"
  | "unicode_string"
  | "guid"
  | "binary_data"
  | "callstack"
  | "activity_id"
  | "activity_id_xfer"
  | "boolean"
  | "xml";

/** A column of an event type. */
export interface WriterColumn {
  readonly name: string;
  /** A base type, or `{ map }` with the name of a map of the same package. */
  readonly type: WritableType | { readonly map: string };
}

/** An event type. */
export interface WriterEvent {
  readonly name: string;
  readonly columns: readonly WriterColumn[];
  readonly description?: string;
  /** Id of the event type; by default computed from the name, so that it is the same in each run. */
  readonly uuid?: string;
}

/** Numbers with their texts. */
export interface WriterMap {
  readonly name: string;
  /** Bytes of the value in an event. */
  readonly bytes: 1 | 2 | 4 | 8;
  readonly bitMask?: boolean;
  readonly entries: readonly (readonly [code: number, text: string])[];
}

/** A value that a session adds to its events, of a base type (docs/reference/xel-format.md 3.3). */
export interface WriterAction {
  readonly name: string;
  readonly type: WritableType;
}

/** A package, with the event types, actions and maps that the file needs. */
export interface WriterPackage {
  readonly name: string;
  /** 0 .. 1023; 0 is package0. */
  readonly id: number;
  readonly description?: string;
  readonly events?: readonly WriterEvent[];
  readonly actions?: readonly WriterAction[];
  readonly maps?: readonly WriterMap[];
}

/** Events are named in `write` as `name`, or `package.name` where two packages share a name. */
export interface WriterSchema {
  readonly packages: readonly WriterPackage[];
  /**
   * Declares 16 bytes for the type guid and writes GUIDs into the fixed part of a payload. Readers accept that; SQL
   * Server declares 0 and writes a descriptor there (docs/reference/xel-format.md 3.3, 4.1), which is the default here.
   */
  readonly guidsInPlace?: boolean;
}

/**
 * A value of a column or action. A missing value is zero or empty; a missing GUID is 16 zeros. Integers beyond 2^53,
 * and filetime, need a bigint. guid: canonical text or 16 bytes; activity ids: `guid:sequence` or 20 bytes; ptr:
 * number, bigint or `0x` text; callstack: bytes or one `0x` address per line; a map: its number or text.
 */
export type WriterValue = number | bigint | string | boolean | Uint8Array;
/** Values by the name of their column or action. */
export type WriterValues = Readonly<Record<string, WriterValue>>;
