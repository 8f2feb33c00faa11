/** A thread that runs in the test itself: messages are cloned as between threads. */
import type { Thread, ThreadListener, ThreadScope } from "../src/local/thread.ts";

export interface ThreadHere<In, Out> extends Thread<In, Out> {
  readonly isEnded: () => boolean;
  /** Stops the thread, like one without memory. */
  readonly stop: (reason: string) => void;
}

/** @param serve the code of the thread */
export function threadHere<In, Out>(serve: (scope: ThreadScope<In, Out>) => void): ThreadHere<In, Out> {
  let isEnded = false;
  let inside: (message: In) => void = () => {};
  let outside: ThreadListener<Out> | null = null;
  const deliver = <T>(message: T, transfer: readonly Transferable[], to: (message: T) => void): void => {
    const sent = structuredClone(message, { transfer: [...transfer] });
    queueMicrotask(() => {
      if (!isEnded) to(sent);
    });
  };
  serve({
    send: (message, transfer = []) => deliver(message, transfer, (sent) => outside?.onMessage(sent)),
    onMessage: (listener) => (inside = listener),
  });
  return {
    send: (message, transfer = []) => deliver(message, transfer, (sent) => inside(sent)),
    listen: (listener) => (outside = listener),
    end: () => (isEnded = true),
    isEnded: () => isEnded,
    stop: (reason) => outside?.onBroken(reason),
  };
}
