/** Keeps the page on the figures of one server, because several servers behind one address answer in turn. */
import { useState } from "react";
import type { ServerFigures, ServerStatus } from "@aglens/contract";

interface ShownServer {
  /** The answer, with the last figures of the server that is shown. */
  readonly status: ServerStatus | null;
  /** Shows another from now on. @param name one of `servers` */
  readonly show: (name: string) => void;
}

/** @param answer of any of the servers; where there is only one, it is shown as it is */
export function useShownServer(answer: ServerStatus | null): ShownServer {
  const [chosen, setChosen] = useState<string | null>(null);
  const [last, setLast] = useState<ReadonlyMap<string, ServerFigures>>(new Map());
  const figures = answer?.server ?? null;
  const name = nameOf(figures);
  if (figures !== null && name !== null && last.get(name) !== figures) {
    setLast(new Map(last).set(name, figures));
    if (chosen === null) setChosen(name);
  }
  const shown = last.get(chosen ?? "");
  if (answer === null || figures === null || shown === undefined) return { status: answer, show: setChosen };
  const servers = figures.servers.map((server) => ({ ...server, isThis: server.name === chosen }));
  // The latest answer has the current list of servers, and the current time.
  return { status: { ...answer, server: { ...shown, servers, now: figures.now } }, show: setChosen };
}

/** The server of the figures. */
function nameOf(figures: ServerFigures | null): string | null {
  return figures?.servers.find(({ isThis }) => isThis)?.name ?? null;
}
