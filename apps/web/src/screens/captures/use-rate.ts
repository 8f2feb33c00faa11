import { useEffect, useRef, useState } from "react";

/** Bytes per second since the first report; null until a second has passed. */
export function useRate(bytes: number | null): number | null {
  const start = useRef<{ at: number; bytes: number } | null>(null);
  const [rate, setRate] = useState<number | null>(null);
  useEffect(() => {
    if (bytes === null) return;
    start.current ??= { at: performance.now(), bytes };
    const seconds = (performance.now() - start.current.at) / 1000;
    if (seconds >= 1) setRate(Math.max(1, (bytes - start.current.bytes) / seconds));
  }, [bytes]);
  return rate;
}
