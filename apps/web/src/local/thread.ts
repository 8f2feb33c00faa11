/** Threads of the browser, from the page and from inside, with their messages in both directions. */
import { readForThread } from "./blob-bytes.ts";

/** The page's side of a thread. */
export interface Thread<In, Out> {
  send(message: In, transfer?: readonly Transferable[]): void;
  /** One listener at a time; null receives nothing. */
  listen(listener: ThreadListener<Out> | null): void;
  end(): void;
}

export interface ThreadListener<Out> {
  readonly onMessage: (message: Out) => void;
  /** The thread stopped. */
  readonly onBroken: (reason: string) => void;
}

/** The inside of a thread. */
export interface ThreadScope<In, Out> {
  send(message: Out, transfer?: readonly Transferable[]): void;
  onMessage(listener: (message: In) => void): void;
}

/** A thread of the browser. */
export function threadOf<In, Out>(worker: Worker): Thread<In, Out> {
  let heard: ThreadListener<Out> | null = null;
  worker.addEventListener("message", (event: MessageEvent<Out>) => {
    if (!readForThread(event)) heard?.onMessage(event.data);
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    heard?.onBroken(event.message);
  });
  return {
    send: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    listen: (listener) => (heard = listener),
    end: () => worker.terminate(),
  };
}

/** The thread that this runs in. */
export function threadScope<In, Out>(): ThreadScope<In, Out> {
  // TypeScript declares either the page or the thread in one program, not both.
  const scope = globalThis as unknown as Worker;
  return {
    send: (message, transfer = []) => scope.postMessage(message, [...transfer]),
    onMessage: (listener) =>
      scope.addEventListener("message", ({ data }: MessageEvent<In>) => listener(data)),
  };
}

/** The name that the page gave to the current thread. */
export const threadName = (): string => (globalThis as unknown as { readonly name: string }).name;
