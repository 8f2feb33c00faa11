/** The catalogue as a check reads it. */
import type { CaptureRecord } from "../store/catalogue.ts";

export interface StoredCaptures {
  ids(): Promise<string[]>;
  /** Null when there is none, or none that can be read. */
  record(id: string): Promise<CaptureRecord | null>;
  /** Sentences for what is damaged in the catalogue itself. */
  damage(): Promise<string[]>;
  /** Links whose capture is not there. */
  looseLinks(): Promise<number>;
  close(): Promise<void>;
}
