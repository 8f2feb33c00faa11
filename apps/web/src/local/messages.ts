/** Messages between the page and its threads. */
import type { Problem, Progress } from "@aglens/contract";
import type { Answer, Question } from "@aglens/engine/answers";
import type {
  AnalyzedCapture,
  CaptureToAnalyze,
  CaptureToOpen,
  CaptureToSave,
  NamedBlob,
  OpenedFile,
} from "./capture-work.ts";
import type { KeptTables } from "./kept-store.ts";
import type { FileToRead, ReadFile } from "./read-file.ts";

/** To a thread that reads files, one after the other. */
export type ToReader = FileToRead;

export type FromReader =
  | { readonly kind: "bytes"; readonly more: number }
  | { readonly kind: "read"; readonly files: readonly ReadFile[] }
  | { readonly kind: "refused"; readonly problem: Problem };

/** First message to a capture's thread. */
export type CaptureBeginning =
  | { readonly kind: "analyse"; readonly capture: CaptureToAnalyze }
  | { readonly kind: "open"; readonly capture: CaptureToOpen }
  | { readonly kind: "unpack"; readonly file: Blob };

/**
 * To the thread of a capture: its beginning, then questions, each after the previous answer, and files that are added
 * later.
 */
export type ToCapture =
  | CaptureBeginning
  | { readonly kind: "sources"; readonly sources: readonly NamedBlob[] }
  | { readonly kind: "save"; readonly number: number; readonly what: CaptureToSave }
  | { readonly kind: "ask"; readonly number: number; readonly question: Question };

export type FromCapture =
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "preview"; readonly preview: Uint8Array }
  | { readonly kind: "analysed"; readonly analysed: AnalyzedCapture }
  | { readonly kind: "opened"; readonly file: OpenedFile | null }
  | { readonly kind: "saved"; readonly number: number; readonly file: Blob }
  | { readonly kind: "tables"; readonly tables: KeptTables }
  | { readonly kind: "answer"; readonly number: number; readonly answer: Answer }
  | {
      readonly kind: "refused";
      /** Number of the question; null when the capture itself cannot be opened. */
      readonly number: number | null;
      readonly problem: Problem;
    };
