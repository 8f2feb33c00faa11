/** What the page and its threads say to each other. */
import type { Problem, Progress } from "@aglens/contract";
import type { Answer, Question } from "@aglens/engine/answers";
import type { AnalysedCapture, CaptureToAnalyse } from "./capture-work.ts";
import type { FileToRead, ReadFile } from "./read-file.ts";

/** To a thread that reads files, one after the other. */
export type ToReader = FileToRead;

export type FromReader =
  | { readonly kind: "bytes"; readonly more: number }
  | { readonly kind: "read"; readonly files: readonly ReadFile[] }
  | { readonly kind: "refused"; readonly problem: Problem };

/** To the thread of a capture: first what it is made of, then questions, each after the answer before. */
export type ToCapture =
  | { readonly kind: "analyse"; readonly capture: CaptureToAnalyse }
  | { readonly kind: "ask"; readonly number: number; readonly question: Question };

export type FromCapture =
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "preview"; readonly preview: Uint8Array }
  | { readonly kind: "analysed"; readonly analysed: AnalysedCapture }
  | { readonly kind: "answer"; readonly number: number; readonly answer: Answer }
  | {
      readonly kind: "refused";
      /** Of the question; null when the capture itself cannot be had. */
      readonly number: number | null;
      readonly problem: Problem;
    };
