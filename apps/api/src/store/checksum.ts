/** Of a file's bytes. */
export interface Checksum {
  readonly bytes: number;
  /** SHA-256, hex. */
  readonly sha256: string;
}
