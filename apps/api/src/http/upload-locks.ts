/** One request at a time per upload: the newest request gets it, and the present one is asked to end. */
import type { Lock, Locker, RequestRelease } from "@tus/utils";
import { problem } from "@aglens/engine/problems";

interface Held {
  readonly release: RequestRelease;
  readonly released: Promise<void>;
  readonly setReleased: () => void;
}

/** The library's own looks again and again, as fast as it can, whether an upload is free. */
export class UploadLocks implements Locker {
  readonly #held = new Map<string, Held>();

  newLock(id: string): Lock {
    return {
      lock: async (signal, release) => {
        for (let held = this.#held.get(id); held !== undefined; held = this.#held.get(id)) {
          await held.release();
          await held.released;
        }
        if (signal.aborted) throw problem("wrong-state", "Another request has the upload.");
        const { promise: released, resolve: setReleased } = Promise.withResolvers<void>();
        this.#held.set(id, { release, released, setReleased });
      },
      unlock: () => {
        this.#held.get(id)?.setReleased();
        this.#held.delete(id);
        return Promise.resolve();
      },
    };
  }
}
