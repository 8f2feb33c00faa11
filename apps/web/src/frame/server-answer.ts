/** Whether the server of this page answers, and whether it still has this version of it. */
import { useEffect, useState } from "react";
import { withBasePath } from "../base-path.ts";

/** "away": it does not answer; "same": it has this version of the page; "other": it has another version. */
export type ServerAnswer = "away" | "same" | "other";

/** Time between two questions while it is away, ms. */
const ASK_AGAIN_MS = 3_000;

/** Requests the page again. Each version has another name for its first script. */
export async function askServer(signal: AbortSignal): Promise<ServerAnswer> {
  try {
    const response = await fetch(withBasePath("/"), { cache: "no-store", signal });
    if (!response.ok) return "away";
    const page = await response.text();
    const script = document.querySelector("script[type=module][src]")?.getAttribute("src") ?? "";
    return page.includes(script) ? "same" : "other";
  } catch {
    return "away";
  }
}

/**
 * Answer of the server; null until it was asked. While the server does not answer, it is asked again every three
 * seconds, and when the network is back.
 * @param onBack called when it answers after it was away
 */
export function useServerAnswer(onBack: () => void): ServerAnswer | null {
  const [answer, setAnswer] = useState<ServerAnswer | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasAway = false;
    const ask = async (): Promise<void> => {
      clearTimeout(timer);
      const next = await askServer(signal);
      if (signal.aborted) return;
      if (wasAway && next !== "away") onBack();
      wasAway = next === "away";
      setAnswer(next);
      if (wasAway) timer = setTimeout(() => void ask(), ASK_AGAIN_MS);
    };
    const askNow = (): void => void ask();
    window.addEventListener("online", askNow, { signal });
    askNow();
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the server is asked by one component for as long as it is there
  }, []);
  return answer;
}
