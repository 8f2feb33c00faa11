/** Sessions that runs of several AG Lens servers left on SQL Servers: known to all of them, looked after by the one whose run it was. */
import type { LiveLeftSession } from "@aglens/contract";
import type { z } from "zod";
import { LeftNotes } from "./server/left-notes.ts";
import type { LeftNote, NotesPlace } from "./server/left-notes.ts";
import type { MayForget } from "./server/left-sessions.ts";
import { dropSession } from "./server/sql.ts";

/** Another AG Lens on the same catalog. */
export interface OtherLive {
  readonly name: string;
  readonly isRunning: boolean;
  readonly leftNotes: NotesPlace;
}

/** This AG Lens among several. */
export interface ClusterMember {
  readonly name: string;
  readonly others: () => Promise<readonly OtherLive[]>;
}

/** Sessions that runs of another AG Lens left. */
export async function leftOf(
  { name, leftNotes }: OtherLive,
  mayForget: MayForget,
): Promise<z.infer<typeof LiveLeftSession>[]> {
  const left = await notesOf(leftNotes).read();
  return left.map(({ id, name: server, session, problem, owner }) => ({
    id,
    server,
    session,
    problem: `${problem} Its run was at ${name}.`,
    tries: 0,
    retryIn: null,
    isTriedAgain: false,
    sql: dropSession(session),
    mayForget: mayForget(owner),
  }));
}

/** A session that a run of another AG Lens left; null where it is not listed. */
export async function findOf({ leftNotes }: OtherLive, id: string): Promise<LeftNote | null> {
  return (await notesOf(leftNotes).read()).find((each) => each.id === id) ?? null;
}

/** Takes one off the list of another AG Lens, which does not run. */
export async function forgetOf({ leftNotes }: OtherLive, id: string): Promise<void> {
  const left = await notesOf(leftNotes).read();
  await leftNotes.write(JSON.stringify({ sessions: left.filter((each) => each.id !== id) }));
}

const notesOf = (place: NotesPlace): LeftNotes => new LeftNotes(place, () => {});
