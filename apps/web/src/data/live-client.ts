import {
  ContactProgress,
  FirstContact,
  type FirstContactRequest,
  LeftoverRemovalResult,
  LiveAllowance,
  LiveCheck,
  LiveLeftSessions,
  type LiveCheckRequest,
  LiveLastStatement,
  LivePicture,
  LiveRunCreated,
  LiveStopped,
  type NewLiveReplica,
  type NewLiveRun,
} from "@aglens/contract";
import type { z } from "zod";
import { isAbort, ProblemError, sentenceOf } from "./problem.ts";
import { changing, jsonFrom } from "./questions.ts";
import { API, jsonBody, readJson, send } from "./request.ts";
import { serverEvents } from "./server-events.ts";
import type { Question } from "./use-answer.ts";

const pathOf = (id: string): string => `/live/runs/${encodeURIComponent(id)}`;
const CONTROL = "x-aglens-control";

/** Whether this server may attach to SQL Servers, and to which. */
export const liveAllowance: Question<z.infer<typeof LiveAllowance>> = changing(
  jsonFrom(LiveAllowance, "/live/allowance"),
);

/** Sessions that runs could not drop and that are still on their servers. */
export const liveLeftSessions: Question<z.infer<typeof LiveLeftSessions>> = changing(
  jsonFrom(LiveLeftSessions, "/live/leftovers"),
);

/** Removes a session from that list after a person dropped it on its server. */
export async function forgetLeftSession(id: string): Promise<void> {
  await send(`/live/leftovers/${encodeURIComponent(id)}`, { method: "DELETE" });
}

/** Asks one server for its name, the permissions of its login and the replicas of its groups; creates nothing there. */
export function checkServer(
  request: z.input<typeof LiveCheckRequest>,
  signal?: AbortSignal,
): Promise<LiveCheck> {
  return readJson(LiveCheck, "/live/checks", jsonBody("POST", request, signal));
}

/**
 * Runs every statement of live mode on a server.
 * @param onProgress called after each statement
 * @param signal ends it; a session that was created there is dropped anyway
 */
export async function checkEveryStatement(
  request: z.input<typeof FirstContactRequest>,
  onProgress: (progress: ContactProgress) => void,
  signal: AbortSignal,
): Promise<FirstContact> {
  const { body } = await send("/live/first-contacts", jsonBody("POST", request, signal));
  if (body !== null) {
    for await (const { event, data } of serverEvents(body)) {
      if (event === "progress") onProgress(ContactProgress.parse(JSON.parse(data)));
      if (event === "report") return FirstContact.parse(JSON.parse(data));
    }
  }
  throw new ProblemError(
    "answer",
    502,
    "The check ended before its result was here. Check the connection to AG Lens, then start it again.",
  );
}

/** Drops sessions that an earlier run left behind; returns the names of the dropped ones. */
export async function removeLeftovers(
  request: z.input<typeof LiveCheckRequest>,
  names: readonly string[],
): Promise<string[]> {
  const body = jsonBody("POST", { ...request, names });
  return (await readJson(LeftoverRemovalResult, "/live/leftovers/removal", body)).removed;
}

/** Attaches to the replicas. Only this answer contains `control`. */
export function startRun(run: z.input<typeof NewLiveRun>): Promise<z.infer<typeof LiveRunCreated>> {
  return readJson(LiveRunCreated, "/live/runs", jsonBody("POST", run));
}

/** The complete picture of a run as it is now. */
export function readRun(id: string, signal?: AbortSignal): Promise<LivePicture> {
  return readJson(LivePicture, pathOf(id), signal === undefined ? {} : { signal });
}

/** Reports that the page that controls the run is still open; without it the server stops the run after 60 s. */
export async function reportPresence(id: string, control: string): Promise<void> {
  await send(`${pathOf(id)}/presence`, { method: "POST", headers: { [CONTROL]: control } });
}

/** Ends a run. Answers the capture it became, null when it is discarded. */
export async function stopRun(id: string, control: string, keep: boolean): Promise<string | null> {
  const { captureId } = await readJson(
    LiveStopped,
    `${pathOf(id)}/stop`,
    withControl(jsonBody("POST", { keep }), control),
  );
  return captureId;
}

/** Sets a mark at the current time. */
export async function markRun(id: string, control: string, label: string, byRule = false): Promise<void> {
  await send(`${pathOf(id)}/marks`, withControl(jsonBody("POST", { label, byRule }), control));
}

/** Attaches one more replica to a run. */
export async function addReplica(
  id: string,
  control: string,
  replica: z.input<typeof NewLiveReplica>,
): Promise<void> {
  await send(`${pathOf(id)}/replicas`, withControl(jsonBody("POST", replica), control));
}

/**
 * Creates a capture from the last minutes of a run, which continues. Returns its id; null when nothing arrived in that
 * time.
 */
export async function keepLast(id: string, control: string, minutes: number): Promise<string | null> {
  const body = withControl(jsonBody("POST", { minutes }), control);
  return (await readJson(LiveStopped, `${pathOf(id)}/captures`, body)).captureId;
}

/** Lets a run stop and be kept automatically after so many minutes from now; null cancels that. */
export async function stopAfter(id: string, control: string, minutes: number | null): Promise<void> {
  await send(`${pathOf(id)}/stop-after`, withControl(jsonBody("POST", { minutes }), control));
}

/** Begins or ends to read AlwaysOn_health of the replicas. */
export async function readHealth(id: string, control: string, isOn: boolean): Promise<void> {
  await send(`${pathOf(id)}/health`, withControl(jsonBody("POST", { isOn }), control));
}

/** Attaches a replica again that was given up, or waits. */
export async function retryReplica(id: string, control: string, replica: number): Promise<void> {
  await send(`${pathOf(id)}/replicas/${replica}/retry`, withControl({ method: "POST" }, control));
}

/** Text of the request of a session that waits; null when the session has no request now. */
export async function readLastStatement(
  id: string,
  control: string,
  replica: number,
  session: number,
): Promise<string | null> {
  const path = `${pathOf(id)}/replicas/${replica}/sessions/${session}`;
  return (await readJson(LiveLastStatement, path, withControl({}, control))).text;
}

function withControl(init: RequestInit, control: string): RequestInit {
  return { ...init, headers: { "content-type": "application/json", [CONTROL]: control } };
}

export interface LiveListener {
  /** `full` = the first picture of a connection: it replaces everything a client has. */
  readonly onPicture: (picture: LivePicture, full: boolean) => void;
  /** The connection broke and is tried again; null when it works. */
  readonly onTrouble: (sentence: string | null) => void;
  /** The run cannot be followed any more. */
  readonly onGone: (sentence: string) => void;
}

const RETRY_MS = [1_000, 2_000, 5_000, 10_000];
const LOST =
  "The connection to the server was lost. Recording continues on the server; this page tries again.";

/**
 * Follows a run by server-sent events; returns a function that stops it. The browser reconnects automatically after a
 * broken connection. When it gives up (the server answered with an error), the run is asked for the reason and followed
 * again, unless it is gone.
 * @param database database of the lanes, figures and verdict; null: all
 */
export function watchRun(id: string, database: string | null, listener: LiveListener): () => void {
  let events: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = new AbortController();
  let failures = 0;
  const retry = (): void => {
    const wait = RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)];
    timer = setTimeout(connect, wait);
  };
  const gaveUp = async (): Promise<void> => {
    try {
      await readRun(id, abort.signal);
    } catch (error) {
      if (isAbort(error)) return;
      if (error instanceof ProblemError && [401, 403, 404, 410].includes(error.status)) {
        listener.onGone(sentenceOf(error));
        return;
      }
    }
    retry();
  };
  const connect = (): void => {
    const query = database === null ? "" : `?db=${encodeURIComponent(database)}`;
    const source = new EventSource(`${API}${pathOf(id)}/events${query}`);
    events = source;
    let full = true;
    source.addEventListener("open", () => {
      full = true;
    });
    source.addEventListener("picture", (event) => {
      const picture = pictureOf(event.data);
      if (picture === null) return;
      failures = 0;
      listener.onTrouble(null);
      listener.onPicture(picture, full);
      full = false;
    });
    source.addEventListener("error", () => {
      listener.onTrouble(LOST);
      if (source.readyState === EventSource.CLOSED) void gaveUp();
    });
  };
  connect();
  return () => {
    abort.abort();
    clearTimeout(timer);
    events?.close();
  };
}

function pictureOf(text: unknown): LivePicture | null {
  try {
    const parsed = LivePicture.safeParse(JSON.parse(String(text)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
