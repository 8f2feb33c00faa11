/**
 * Data about people that lasts only minutes: sign-ins that have not returned from the directory, and wrong tries of
 * secrets.
 */
import type { Clock } from "../kernel/clock.ts";
import { Attempts } from "./attempts.ts";

/** A sign-in that was sent to the directory. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  /** ms since 1970. */
  readonly ends: number;
}

export interface PendingSignIns {
  save(key: string, signIn: PendingSignIn): Promise<void>;
  find(key: string): Promise<PendingSignIn | null>;
  /** Finds a sign-in as `find` does and removes it, so that it is used only once. */
  take(key: string): Promise<PendingSignIn | null>;
}

/** Wrong tries of one kind. */
export interface WrongTries {
  /** ms until a key may try again; 0 when it may now. */
  waitMs(key: string): Promise<number>;
  /** Counts a wrong try. @returns tries left; null when none was left, and then nothing is counted */
  fail(key: string): Promise<number | null>;
  /** Removes a try from the count because the secret was right. */
  forgive(key: string): Promise<void>;
}

export interface Passing {
  readonly signIns: PendingSignIns;
  /** @param kind of the tries @param most wrong tries of one key within `windowMs` */
  tries(kind: string, most: number, windowMs: number): WrongTries;
}

/** Sign-ins in memory at once; above this number the oldest are forgotten. */
export const MOST_PENDING = 1_000;

/** In the memory of the one server that there is. */
export function passingInMemory(clock: Clock): Passing {
  const pending = new Map<string, PendingSignIn>();
  return {
    signIns: {
      save: async (key, signIn) => {
        pending.set(key, signIn);
        const [oldest] = pending.keys();
        if (pending.size > MOST_PENDING && oldest !== undefined) pending.delete(oldest);
      },
      find: async (key) => pending.get(key) ?? null,
      take: async (key) => {
        const found = pending.get(key) ?? null;
        pending.delete(key);
        return found;
      },
    },
    tries: (_kind, most, windowMs) => {
      const attempts = new Attempts(clock, most, windowMs);
      return {
        waitMs: async (key) => attempts.waitMs(key),
        fail: async (key) => attempts.fail(key),
        forgive: async (key) => attempts.forgive(key),
      };
    },
  };
}
