/** A source file read at any offset, on any storage. */
export interface SourceFile {
  readonly size: number;
  /** Fewer bytes where the file is shorter. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a source file by its name in the model; null for a missing one. The caller closes it. */
export type OpenSource = (name: string) => Promise<SourceFile | null>;
