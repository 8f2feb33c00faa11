import { useEffect, useState } from "react";

const SECOND_MS = 1000;

/** The time of this computer, ms since 1970, renewed each second while `runs`. */
export function useEachSecond(runs: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!runs) return undefined;
    const tick = (): void => setNow(Date.now());
    const first = setTimeout(tick);
    const timer = setInterval(tick, SECOND_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [runs]);
  return now;
}
