/** Types of a draft: its state, and the functions that its parts offer each other. */
import type { Capture, CaptureFile, FileCorrection, ReadSoFar, UploadInParts } from "@aglens/contract";
import type * as aglensClient from "../../../data/aglens-client.ts";
import type * as capturesClient from "../../../data/captures-client.ts";
import type * as partsUpload from "../../../data/parts-upload.ts";
import type { SizedFile } from "./parts-that-fit.ts";
import type { PickedFile } from "./picked-files.ts";

export interface Upload {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly problem: string | null;
  /** State of a file that is sent in parts; null for a file that is sent at once. */
  readonly parts: PartsState | null;
}

/** How a file that is sent in parts fares. */
export interface PartsState {
  /** Bytes that the server had when the sending last continued. */
  readonly kept: number;
  /** Bytes that it had after each interruption. */
  readonly breaks: readonly number[];
  /** Why it waits, and until when, ms since 1970; null while it is sent. */
  readonly waiting: { readonly sentence: string; readonly untilMs: number } | null;
  /** Until when the server keeps what it has, ms since 1970; null before it has something. */
  readonly keptUntilMs: number | null;
  /** The upload that it was taken for, when its content is another one; null of all others. */
  readonly otherThan: UploadInParts | null;
  /** Null of a file that is not sent. */
  readonly reading: Reading | null;
}

/** Part of a file that the server has read while it is sent. */
export interface Reading {
  /** As it was told last; null before. */
  readonly read: ReadSoFar | null;
  /** The server reads the file, or the rest of it, when it is whole. */
  readonly isLater: boolean;
}

/** The same of a file that is whole by now. */
export interface ReadingOfSent extends Reading {
  /** Key of the upload that sent the file. */
  readonly key: number;
}

/** Something that happened to the sending, for who was away. */
export interface UploadEvent {
  /** ms since 1970. */
  readonly atMs: number;
  readonly what: string;
  readonly detail: string;
}

/** Files that are not read before the user chose which of them to read. */
export interface TooLargeFiles {
  readonly files: readonly SizedFile[];
  /** Size of these files once they are read, and the size that fits in addition to the files that were read before. */
  readonly bytes: number;
  readonly mostBytes: number;
  readonly as: FileCorrection | undefined;
}

export interface Draft {
  readonly capture: Capture | null;
  readonly uploads: readonly Upload[];
  readonly notice: string | null;
  /** Uploads of the capture that the server has a part of, and whose files are not chosen here. */
  readonly kept: readonly UploadInParts[];
  /** Readings of files while they were sent, by the ids of the files in the capture. */
  readonly readings: ReadonlyMap<string, ReadingOfSent>;
  readonly isPaused: boolean;
  readonly events: readonly UploadEvent[];
  /** Takes files in; the first make the capture. `as` puts them to a replica. */
  readonly add: (files: readonly PickedFile[], as?: FileCorrection) => Promise<void>;
  /** Files that don't fit in the memory of a tab; null where all files fit. */
  readonly tooLarge: TooLargeFiles | null;
  /** Reads those of them that were chosen, and lets the others go. */
  readonly takeTooLarge: (files: readonly SizedFile[]) => Promise<void>;
  /** Continues with a capture that was begun before. */
  readonly open: (id: string) => Promise<void>;
  /** Ends the sending of everything that is not on the server yet. */
  readonly stop: () => void;
  /** Holds the files that are sent in parts. */
  readonly pause: () => void;
  /** Continues after a pause, and at once while the draft waits for the network. */
  readonly goOn: () => void;
  /** Ends the sending, and deletes what the server has of files that are not whole. */
  readonly throwAway: () => Promise<void>;
  /** Sends a file that is another one than the server has a part of, in its place. */
  readonly sendAnew: (key: number) => Promise<void>;
  readonly dismiss: (key: number) => void;
  readonly correct: (file: string, correction: FileCorrection) => Promise<void>;
  /** Takes files out of the capture. */
  readonly remove: (files: readonly string[]) => Promise<void>;
  readonly rename: (name: string) => Promise<void>;
  /** Starts over; the capture on the server stays. */
  readonly reset: () => void;
}

export type DraftClient = Pick<
  typeof capturesClient,
  "createCapture" | "readCapture" | "uploadFile" | "correctFile" | "removeFile" | "renameCapture"
> &
  Pick<typeof aglensClient, "openAglensFile"> &
  Pick<typeof partsUpload, "uploadsOfServer" | "sendInParts" | "discardUpload" | "headOf">;

export type SetDraft = (change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => void;

export type GetDraft = () => Draft;

export interface Queued {
  readonly picked: PickedFile;
  readonly item: Upload;
  /** The upload that it carries on; null of one that is sent from its beginning. */
  readonly carriesOn: UploadInParts | null;
}

export interface UploadRows {
  /** @param carriedOn the uploads that some of them carry on */
  readonly append: (
    files: readonly PickedFile[],
    carriedOn?: ReadonlyMap<PickedFile, UploadInParts>,
  ) => Queued[];
  /** A file that is not sent before the user confirms it. */
  readonly appendOther: (picked: PickedFile, otherThan: UploadInParts) => void;
  /** Takes such a file out of the rows; null when the row has no such file. */
  readonly takeOther: (
    key: number,
  ) => { readonly picked: PickedFile; readonly otherThan: UploadInParts } | null;
  readonly patch: (key: number, change: Partial<Upload>) => void;
  readonly patchParts: (key: number, change: (parts: PartsState) => Partial<PartsState>) => void;
  readonly dismiss: (key: number) => void;
  /** A file became these of the capture: what was read of it on the way goes with it. */
  readonly keepReading: (key: number, became: readonly CaptureFile[]) => void;
}

export interface CaptureOnServer {
  /** The capture to add to; made once, however many files arrive together. */
  readonly toAddTo: (signal: AbortSignal) => Promise<Capture>;
  /** The next file makes another one, if none is there by then. */
  readonly forgetNew: () => void;
  /** Reads the capture again, in its state at the time of this call or later. */
  readonly refresh: () => Promise<void>;
  readonly change: (work: (id: string) => Promise<unknown>) => Promise<void>;
}
