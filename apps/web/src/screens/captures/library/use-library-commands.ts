import { useState } from "react";
import { deleteCapture, restoreCapture } from "../../../data/captures-client.ts";
import { deleteCapturePermanently, keepCapture } from "../../../data/library-client.ts";
import { useCommand } from "../../../data/use-command.ts";
import type { LibraryList } from "./use-library.ts";

/** Commands for the captures of the list. */
export interface LibraryCommands {
  readonly trash: (ids: readonly string[]) => void;
  readonly restore: (ids: readonly string[]) => void;
  readonly deleteForGood: (ids: readonly string[]) => void;
  readonly keep: (ids: readonly string[], kept: boolean) => void;
  /** Ids of the captures that the last command moved to the trash, as long as it can be undone here. */
  readonly trashed: readonly string[];
  readonly isRunning: boolean;
  /** The error of the last refused command, as a sentence. */
  readonly error: string | null;
}

export function useLibraryCommands({
  change,
  retry,
}: Pick<LibraryList, "change" | "retry">): LibraryCommands {
  const [trashed, setTrashed] = useState<readonly string[]>([]);
  const work = useCommand(async (ids: readonly string[], one: (id: string) => Promise<unknown>) => {
    try {
      // One after the other, so that a refusal ends the command for the rest.
      for (const id of ids) await one(id);
    } finally {
      change({ sel: [] });
      retry();
    }
  });
  return {
    trash: (ids) => {
      setTrashed([]);
      work.run(ids, async (id) => {
        await deleteCapture(id);
        setTrashed((before) => [...before, id]);
      });
    },
    restore: (ids) => {
      setTrashed([]);
      work.run(ids, restoreCapture);
    },
    deleteForGood: (ids) => {
      setTrashed([]);
      work.run(ids, deleteCapturePermanently);
    },
    keep: (ids, kept) => work.run(ids, (id) => keepCapture(id, kept)),
    trashed,
    isRunning: work.isRunning,
    error: work.error,
  };
}
