/** The first answer of the server that a session has ended is reported here. */
type Listener = () => void;

const listeners = new Set<Listener>();

/** Calls when the server answered that nobody is signed in (any more). @returns ends it */
export function onSignedOut(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function reportSignedOut(): void {
  for (const listener of listeners) listener();
}
