/** Numbers of the .xel format, version 10 (docs/reference/xel-format.md 1 to 5). */

/** First four bytes of a file, `5A 37 AB EF` read little-endian (2.1). */
export const FILE_MAGIC = 0xefab375a;
/** Version in the file header, in every buffer header and in every event record. */
export const FORMAT_VERSION = 10;
/** Bytes of the file header with a meaning: magic, version, padded length (2.1). */
export const FILE_HEADER_BYTES = 8;
/** Bytes of a buffer header: XEBufferHeader and XE_LogBufferHeader (2.2). */
export const BUFFER_HEADER_BYTES = 32;
/** Bytes of an event record before its payload (4). */
export const EVENT_HEADER_BYTES = 24;
/** Bytes of a package record before its header: version, size, signature, generation and clock (3.1). */
export const PACKAGE_HEAD_BYTES = 48;

/** m_type of a buffer (2.2). */
export const BufferType = { event: 0, metadata: 1 } as const;

/** Bit 31 of an event's flags: an action list follows the payload (4). */
export const ACTIONS_FLAG = 0x80000000;
/** Bits 0 to 5 of an event's flags: the version (4). */
export const VERSION_MASK = 0x3f;

/** Object kinds in bits 28 to 31 of a relative object id (1). */
export const ObjectKind = { event: 0, action: 1, map: 3, type: 6, package: 8 } as const;

/** Indices of the base types in package0 (5). */
export const BaseType = {
  none: 0,
  int8: 1,
  int16: 2,
  int32: 3,
  int64: 4,
  uint8: 5,
  uint16: 6,
  uint32: 7,
  uint64: 8,
  float32: 9,
  float64: 10,
  cpuCycle: 11,
  filetime: 12,
  pointer: 13,
  guidPointer: 16,
  ansiString: 19,
  unicodeString: 20,
  guid: 21,
  binary: 22,
  callstack: 23,
  activityId: 24,
  activityIdTransfer: 25,
  boolean: 26,
  xml: 27,
} as const;

/** Bytes of a GUID (1). */
export const GUID_BYTES = 16;

/** 9999-12-31T23:59:59.9999999Z, the last instant a FILETIME may name (6). */
export const MAX_FILETIME = 2650467743999999999n;
