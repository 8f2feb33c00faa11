import { notifyManager, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";

/** Whether a question that a screen asks has failed. @param below beginning of the questions' keys */
export function useHasFailed(below: string): boolean {
  const answers = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    (onChange: () => void) => answers.subscribe(notifyManager.batchCalls(onChange)),
    [answers],
  );
  return useSyncExternalStore(subscribe, () =>
    answers
      .findAll({ type: "active" })
      .some(
        ({ queryKey: [key], state }) =>
          state.status === "error" && typeof key === "string" && key.startsWith(below),
      ),
  );
}
