import { useEffect, useRef, useState } from "react";
import type { ContactProgress, FirstContact } from "@aglens/contract";
import { checkEveryStatement } from "../../../data/live-client.ts";
import { isAbort, sentenceOf } from "../../../data/problem.ts";
import type { Connection } from "./attach.ts";

export type ContactStage =
  | { readonly is: "open" }
  /** Null before the first statement. */
  | { readonly is: "running"; readonly progress: ContactProgress | null }
  | { readonly is: "done"; readonly result: FirstContact }
  | { readonly is: "failed"; readonly sentence: string };

/** A check of every statement: its progress, its start, and its end. It also ends with the component. */
export function useFirstContact(connection: Connection | string): {
  readonly stage: ContactStage;
  readonly start: (readsStream: boolean) => void;
  readonly stop: () => void;
  /** Forgets a result. */
  readonly reset: () => void;
} {
  const [stage, setStage] = useState<ContactStage>({ is: "open" });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const run = async (readsStream: boolean): Promise<void> => {
    if (typeof connection === "string") return setStage({ is: "failed", sentence: connection });
    const ending = new AbortController();
    abort.current = ending;
    setStage({ is: "running", progress: null });
    try {
      const result = await checkEveryStatement(
        { ...connection, readsStream },
        (progress) => setStage({ is: "running", progress }),
        ending.signal,
      );
      setStage({ is: "done", result });
    } catch (error) {
      setStage(isAbort(error) ? { is: "open" } : { is: "failed", sentence: sentenceOf(error) });
    }
  };
  return {
    stage,
    start: (readsStream) => void run(readsStream),
    stop: () => abort.current?.abort(),
    reset: () => setStage({ is: "open" }),
  };
}
