/** `aglens watch`: watches of a running AG Lens, by its HTTP API. */
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { Problem, Watch, WatchEpisode, Watches } from "@aglens/contract";
import { z } from "zod";

export const WATCH_HELP = `aglens watch list            list watches: group, state, last trigger, and id
aglens watch add FILE.json   create a watch by the definition in a file; - reads standard input
aglens watch pause WATCH     stop polling
aglens watch resume WATCH    poll again
aglens watch record WATCH    start a recording now
aglens watch remove WATCH    delete a watch with its polls and episodes; its captures stay

WATCH is an id, or the name of an availability group with one watch.

  --server URL               address of AG Lens, http://localhost:4700 by default
  --token-file FILE          file whose first line is an access token

Exit codes:
  0   done
  1   AG Lens refused it, each time with a sentence
  64  wrong usage, or a file that can't be read
  69  AG Lens doesn't answer
`;

/** As in sysexits.h. */
const EXIT = { refused: 1, usage: 64, unavailable: 69 } as const;
const LOCAL = "http://localhost:4700";

/** Ends the command: a sentence, and its exit code. */
class CommandEnd extends Error {
  readonly exitCode: number;
  constructor(reason: keyof typeof EXIT, message: string) {
    super(message);
    this.exitCode = EXIT[reason];
  }
}

/** Place for output; a line at a time. */
export interface Output {
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
}

/** @param args after `watch` @returns the exit code */
export async function runWatchCommand(args: readonly string[], { out, error }: Output): Promise<number> {
  try {
    out(await answerTo(args));
    return 0;
  } catch (failure) {
    if (!(failure instanceof CommandEnd)) throw failure;
    error(failure.message);
    return failure.exitCode;
  }
}

async function answerTo(args: readonly string[]): Promise<string> {
  const { values, positionals } = optionsIn(args);
  const [action = "", subject, ...more] = positionals;
  if (values.help === true || action === "help") return WATCH_HELP.trimEnd();
  if (action === "list" && subject === undefined) return list(await serverOf(values));
  const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (act === undefined || subject === undefined || more.length > 0)
    throw new CommandEnd("usage", WATCH_HELP.trimEnd());
  return act(await serverOf(values), subject);
}

interface Options {
  readonly server?: string | undefined;
  readonly "token-file"?: string | undefined;
  readonly help?: boolean | undefined;
}

function optionsIn(args: readonly string[]): { values: Options; positionals: string[] } {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        server: { type: "string" },
        "token-file": { type: "string" },
        help: { type: "boolean" },
      },
    });
  } catch (failure) {
    throw new CommandEnd("usage", `${(failure as Error).message}\n\n${WATCH_HELP.trimEnd()}`);
  }
}

/** A server, and the headers of its requests. */
interface Server {
  /** Without a slash at its end. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function serverOf({ server = LOCAL, "token-file": tokenFile }: Options): Promise<Server> {
  if (!/^https?:\/\//u.test(server) || !URL.canParse(server))
    throw new CommandEnd("usage", `Can't use ${server} as an address. Enter it as http://host:port.`);
  const token = tokenFile === undefined ? "" : (await read(tokenFile)).split(/\s/u, 1)[0];
  if (tokenFile !== undefined && token === "")
    throw new CommandEnd("usage", `${tokenFile} has no token in its first line.`);
  return {
    url: server.replace(/\/+$/u, ""),
    headers: token === "" ? {} : { authorization: `Bearer ${token}` },
  };
}

async function read(path: string): Promise<string> {
  try {
    return path === "-" ? await text(process.stdin) : await readFile(path, "utf8");
  } catch (failure) {
    throw new CommandEnd("usage", `Can't read ${path}: ${(failure as Error).message}.`);
  }
}

const ACTIONS: Readonly<Record<string, (server: Server, subject: string) => Promise<string>>> = {
  add: async (server, path) => {
    const body = definitionIn(path, await read(path));
    const watch = await ask(server, Watch, { method: "POST", body });
    return `The watch of ${watch.definition.group} is created. Its id is ${watch.id}.`;
  },
  pause: async (server, name) => {
    const watch = await found(server, name);
    await ask(server, Watch, { method: "POST", path: `/${watch.id}/pause`, body: { isPaused: true } });
    return `The watch of ${watch.definition.group} is paused.`;
  },
  resume: async (server, name) => {
    const watch = await found(server, name);
    await ask(server, Watch, { method: "POST", path: `/${watch.id}/pause`, body: { isPaused: false } });
    return `The watch of ${watch.definition.group} is resumed.`;
  },
  record: async (server, name) => {
    const watch = await found(server, name);
    const request = { method: "POST", path: `/${watch.id}/record`, body: {} };
    const { refusal } = await ask(server, WatchEpisode, request);
    if (refusal !== null) throw new CommandEnd("refused", refusal);
    return `AG Lens begins to record ${watch.definition.group}. aglens watch list shows the result.`;
  },
  remove: async (server, name) => {
    const watch = await found(server, name);
    await ask(server, z.null(), { method: "DELETE", path: `/${watch.id}` });
    return `The watch of ${watch.definition.group} is deleted. Its captures stay.`;
  },
};

function definitionIn(path: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (failure) {
    throw new CommandEnd("usage", `${path} isn't JSON: ${(failure as Error).message}.`);
  }
}

const STATES: Readonly<Record<Watch["state"], string>> = {
  watching: "watching",
  recording: "recording now",
  paused: "paused",
  cannotSignIn: "can't sign in",
  unreachable: "server unreachable",
  notStarted: "not started",
};

/** A line for each watch, after the reason why none can run. */
async function list(server: Server): Promise<string> {
  const { watches, problem } = await all(server);
  const lines = watches.map(({ id, definition: { group }, state, lastEpisode }) => {
    const last = lastEpisode === null ? "no trigger" : triggerText(lastEpisode);
    return [group, STATES[state], last, id];
  });
  const widths = [0, 1, 2].map((column) => Math.max(0, ...lines.map((line) => (line[column] ?? "").length)));
  const table = lines.map((line) => line.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  "));
  return [...(problem === null ? [] : [problem]), ...(table.length === 0 ? ["No watches."] : table)].join(
    "\n",
  );
}

const triggerText = ({ trigger: { at, text }, state }: WatchEpisode): string => `${at} ${text}, ${state}`;

const all = (server: Server): Promise<Watches> => ask(server, Watches, { method: "GET" });

/** The watch with an id or of a group. */
async function found(server: Server, name: string): Promise<Watch> {
  const { watches } = await all(server);
  const named = watches.filter(({ id, definition }) => id === name || definition.group === name);
  const [watch] = named;
  if (watch === undefined)
    throw new CommandEnd("refused", `There is no watch ${name}. aglens watch list shows all.`);
  if (named.length > 1)
    throw new CommandEnd(
      "refused",
      `${name} has ${named.length} watches. Enter an id: aglens watch list shows all.`,
    );
  return watch;
}

interface Asked {
  readonly method: string;
  /** After `/watches`. */
  readonly path?: string;
  readonly body?: unknown;
}

/** @returns the answer; null where it has no body */
async function ask<T extends z.ZodType>(server: Server, answer: T, asked: Asked): Promise<z.infer<T>> {
  const { url } = server;
  const response = await send(server, asked);
  const json: unknown = response.status === 204 ? null : await response.json().catch(() => undefined);
  if (!response.ok) {
    const { data: problem } = Problem.safeParse(json);
    if (problem !== undefined) throw new CommandEnd("refused", problem.detail);
  }
  const { data, success } = answer.safeParse(json);
  if (!response.ok || !success)
    throw new CommandEnd(
      "unavailable",
      `${url} answers with ${response.status}, but not as this version of AG Lens. Check --server.`,
    );
  return data;
}

async function send({ url, headers }: Server, { method, path = "", body }: Asked): Promise<Response> {
  const content = body === undefined ? {} : { "content-type": "application/json" };
  try {
    return await fetch(`${url}/api/v1/watches${path}`, {
      method,
      headers: { ...headers, ...content },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (failure) {
    const { cause, message } = failure as Error;
    const reason = cause instanceof Error && cause.message !== "" ? cause.message : message;
    throw new CommandEnd("unavailable", `AG Lens doesn't answer at ${url}: ${reason}. Check --server.`);
  }
}
