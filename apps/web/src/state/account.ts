import { createContext, use } from "react";
import type { Person } from "@aglens/contract";

/** Who is signed in, and the way out. */
export interface Account {
  readonly person: Person;
  readonly signOut: () => void;
}

/** Put there by the gate of the app; null where nobody signs in, and for who opens a link without signing in. */
export const AccountContext = createContext<Account | null>(null);

export function useAccount(): Account | null {
  return use(AccountContext);
}

/** The server writes this mark into the page where it asks people to sign in; elsewhere nothing is asked of it. */
export function asksToSignIn(): boolean {
  return document.querySelector('meta[name="aglens-access"]') !== null;
}
