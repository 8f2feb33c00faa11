/**
 * Answers of the server, kept for a moment so that a reopened screen shows them at once. Components use
 * `use-answer.ts`; no other module of the app starts questions on its own.
 */
import { focusManager, type Query, QueryClient } from "@tanstack/react-query";

/** How long an answer that no component shows is kept, ms. A window of a large capture is some 15 MB. */
const KEPT_MS = 60_000;

const hasFailed = (query: Pick<Query, "state">): boolean => query.state.status === "error";

/** A memory for answers. One per page; a test creates its own. */
export function createAnswers(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        gcTime: KEPT_MS,
        // An analyzed capture does not change: its answers are valid as long as they are kept.
        staleTime: Infinity,
        // A question that fails is visible with its own control; silence for the length of retries is not.
        retry: false,
        // The server may be this computer, which answers without any network.
        networkMode: "always",
        // Failed questions are asked again when the network or the user comes back; answered ones stay as they are.
        refetchOnReconnect: hasFailed,
        refetchOnWindowFocus: hasFailed,
        // Columns are large, and each answer replaces them completely.
        structuralSharing: false,
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** Returning to the window counts as well as returning to the tab: questions that failed are asked again. */
export function askAgainOnFocus(): void {
  focusManager.setEventListener((onFocus) => {
    const listener = (): void => onFocus();
    window.addEventListener("visibilitychange", listener);
    window.addEventListener("focus", listener);
    return () => {
      window.removeEventListener("visibilitychange", listener);
      window.removeEventListener("focus", listener);
    };
  });
}
