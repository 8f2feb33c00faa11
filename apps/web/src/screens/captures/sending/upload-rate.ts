/** Current rate of an upload: over its last ten seconds, so that a slow connection is soon visible. */
import { useEffect, useRef, useState } from "react";

const LAST_MS = 10_000;
const LOOK_MS = 500;

interface Sample {
  readonly atMs: number;
  readonly bytes: number;
}

/** The samples with one more, without those that the last ten seconds no longer need. */
export function withSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const last = samples.at(-1);
  // Fewer bytes than before: the upload continued from the bytes that the server has, or files were taken out.
  const before = last !== undefined && sample.bytes < last.bytes ? [] : samples;
  const begin = before.findLastIndex(({ atMs }) => atMs <= sample.atMs - LAST_MS);
  return [...before.slice(Math.max(0, begin)), sample];
}

/** Bytes per second; null before a second has passed, and while no bytes are sent. */
export function rateOf(samples: readonly Sample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return null;
  const seconds = (last.atMs - first.atMs) / 1000;
  return seconds < 1 || last.bytes === first.bytes ? null : (last.bytes - first.bytes) / seconds;
}

/** Bytes per second of the last ten seconds. @param bytes sent so far */
export function useUploadRate(bytes: number): number | null {
  const samples = useRef<readonly Sample[]>([]);
  const newest = useRef(bytes);
  const [rate, setRate] = useState<number | null>(null);
  useEffect(() => {
    newest.current = bytes;
  }, [bytes]);
  useEffect(() => {
    const timer = setInterval(() => {
      samples.current = withSample(samples.current, { atMs: performance.now(), bytes: newest.current });
      setRate(rateOf(samples.current));
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return rate;
}
