import { BufferWalk } from "./walk/walk.ts";

/** An event type that a file's metadata describes. */
export interface DeclaredEvent {
  readonly package: string;
  readonly name: string;
}

/**
 * The event types that the metadata at a file's beginning describes, whether or not the file has events of them. SQL
 * Server writes the metadata before the events, so the first bytes show which session wrote the file.
 * @param head first bytes of the file; metadata that they cut off counts as far as it is there
 * @throws {XelFormatError} when the input is no .xel file
 */
export function declaredEvents(head: Uint8Array): DeclaredEvent[] {
  const walk = new BufferWalk({}, true);
  walk.window.append(head);
  walk.window.ended = true;
  for (const step of walk.buffers()) {
    // The first buffer of events: later metadata is rare and is not at the beginning.
    if ("view" in step) break;
  }
  return [...walk.schema.events.values()].map(({ name, package: owner }) => ({ package: owner.name, name }));
}
