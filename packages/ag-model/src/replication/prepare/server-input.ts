import type { EventColumns } from "../../events/index.ts";
import type { GiveBack } from "./memory.ts";
import type { PreparedEvents } from "./prepared-events.ts";
import type { Role } from "../shapes/tables.ts";

/** Facts about a server that its events do not show. */
interface ServerHints {
  /**
   * Releases the memory of the columns, and of the events prepared from them, as soon as the model no longer needs a
   * part of it: the caller must not read them afterwards. Without it they stay as they are.
   */
  readonly giveBack?: GiveBack | undefined;
  /** Name to show; the topology's or a generic one when absent. */
  readonly name?: string;
  /** availability_replica_id, used where no event of these names it. */
  readonly id?: string;
  /** Role of a server whose events show none. */
  readonly role?: Role;
}

/** All events of one server, or of some of its files: inputs of one server are put together. */
export interface ServerInput extends ServerHints {
  readonly columns: EventColumns;
  /**
   * Result of `prepareEvents` for exactly these columns; prepared again when absent. The model completes it: it can be
   * passed again, with the same other inputs.
   */
  readonly prepared?: PreparedEvents;
}

/** All events of one server as they were prepared; no other input may be of the same server. */
export interface PreparedInput extends ServerHints {
  readonly columns?: undefined;
  readonly prepared: PreparedEvents;
}

/** Input that a model is built from. */
export type ModelInput = ServerInput | PreparedInput;
