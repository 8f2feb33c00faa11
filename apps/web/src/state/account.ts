import { createContext, use } from "react";
import type { Person } from "@aglens/contract";

/** The signed-in user, and the function that signs out. */
export interface Account {
  readonly person: Person;
  readonly signOut: () => void;
}

/**
 * Provided by the gate of the app; null on a server without sign-in, and for a visitor who opens a link without signing
 * in.
 */
export const AccountContext = createContext<Account | null>(null);

export function useAccount(): Account | null {
  return use(AccountContext);
}

/** The server writes this mark into the page where it requires sign-in; a page without it sends no request about it. */
export function asksToSignIn(): boolean {
  return document.querySelector('meta[name="aglens-access"]') !== null;
}
