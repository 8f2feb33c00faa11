import { useEffect, useRef, useState } from "react";
import type { ShownCertificate } from "@aglens/contract";
import { checkServer, removeLeftovers } from "../../../data/live-client.ts";
import { ProblemError, sentenceOf } from "../../../data/problem.ts";
import {
  type CheckState,
  type Connection,
  connectionOf,
  isTriedAgain,
  newServer,
  pauseAfter,
  type ServerForm,
} from "./attach.ts";

const OPEN: CheckState = { is: "open" };
/** Fields whose change does not invalidate a server's answer. */
const CHOICES: readonly string[] = ["session", "everyDatabase"] satisfies readonly (keyof ServerForm)[];

/** The servers to attach to as the user typed them, and the answer of each. */
export interface Servers {
  readonly forms: readonly ServerForm[];
  /** State of the checks, by key of a form. */
  readonly checks: Readonly<Record<string, CheckState>>;
  readonly stateOf: (form: ServerForm) => CheckState;
  readonly check: (form: ServerForm) => Promise<void>;
  /** The request for a form, or the sentence on what is missing. */
  readonly connectionTo: (form: ServerForm) => Connection | string;
  readonly change: (key: string, part: Partial<ServerForm>) => void;
  /** Asks again with the old certificate that the server showed. */
  readonly acceptCertificate: (form: ServerForm, certificate: ShownCertificate) => void;
  /** Adds servers with the first one's login, and checks those that have a name. */
  readonly add: (servers: readonly string[]) => void;
  readonly remove: (key: string) => void;
  /** @returns the sentence to show when it failed */
  readonly dropLeftovers: (form: ServerForm, names: readonly string[]) => Promise<string | null>;
}

/** The instants of earlier tries and of the one that begins now, ms since 1970. */
const withThisTry = (before: readonly number[]): readonly number[] => [...before, Date.now()];

/** State after a failed check. @param tries instants of all tries, ms since 1970 */
function stateAfter(error: unknown, tries: readonly number[]): CheckState {
  const sentence = sentenceOf(error);
  if (error instanceof ProblemError && isTriedAgain(error.code)) {
    return { is: "waiting", sentence, tries, nextAt: Date.now() + pauseAfter(tries.length) };
  }
  return { is: "refused", sentence, certificate: error instanceof ProblemError ? error.certificate : null };
}

/** @param first name of the first server, where it is known */
export function useServers(first = ""): Servers {
  const [forms, setForms] = useState<readonly ServerForm[]>(() => [newServer(first, null)]);
  const [checks, setChecks] = useState<Servers["checks"]>({});
  // An answer that arrives after its form was changed does not apply to the current form.
  const asked = useRef<Record<string, ServerForm>>({});
  const timers = useRef<Record<string, ReturnType<typeof setTimeout>>>({});
  useEffect(() => {
    const { current } = timers;
    return () => Object.values(current).forEach(clearTimeout);
  }, []);

  const setCheck = (key: string, state: CheckState): void => setChecks((now) => ({ ...now, [key]: state }));
  const forget = (key: string): void => {
    clearTimeout(timers.current[key]);
    delete asked.current[key];
  };
  const ask = async (form: ServerForm, connection: Connection, before: readonly number[]): Promise<void> => {
    const tries = withThisTry(before);
    let state: CheckState;
    try {
      state = { is: "answered", check: await checkServer(connection) };
    } catch (error) {
      state = stateAfter(error, tries);
    }
    if (asked.current[form.key] !== form) return;
    setCheck(form.key, state);
    if (state.is !== "waiting") return;
    timers.current[form.key] = setTimeout(() => void ask(form, connection, tries), pauseAfter(tries.length));
  };
  const connectionTo = (form: ServerForm): Connection | string => connectionOf(form, forms[0] ?? form);
  const check = async (form: ServerForm): Promise<void> => {
    forget(form.key);
    const connection = connectionTo(form);
    if (typeof connection === "string") {
      setCheck(form.key, { is: "refused", sentence: connection, certificate: null });
      return;
    }
    asked.current[form.key] = form;
    setCheck(form.key, { is: "busy" });
    await ask(form, connection, []);
  };
  const replace = (form: ServerForm): void =>
    setForms((now) => now.map((each) => (each.key === form.key ? form : each)));
  const change = (key: string, part: Partial<ServerForm>): void => {
    const isChoice = Object.keys(part).every((name) => CHOICES.includes(name));
    // An accepted certificate applies only to the server as it was typed at that time.
    const whole = isChoice ? part : { ...part, oldCertificate: "" };
    setForms((now) => now.map((form) => (form.key === key ? { ...form, ...whole } : form)));
    if (isChoice) return;
    forget(key);
    setCheck(key, OPEN);
  };
  const acceptCertificate = (form: ServerForm, { fingerprint }: ShownCertificate): void => {
    const accepting = { ...form, oldCertificate: fingerprint };
    replace(accepting);
    void check(accepting);
  };
  const add = (servers: readonly string[]): void => {
    const added = servers.map((server) => newServer(server, forms[0] ?? null));
    setForms((now) => [...now, ...added]);
    for (const form of added) if (form.server !== "") void check(form);
  };
  const remove = (key: string): void => {
    forget(key);
    setForms((now) => now.filter((form) => form.key !== key));
  };
  const dropLeftovers = async (form: ServerForm, names: readonly string[]): Promise<string | null> => {
    const connection = connectionTo(form);
    if (typeof connection === "string") return connection;
    try {
      await removeLeftovers(connection, names);
      await check(form);
      return null;
    } catch (error) {
      return sentenceOf(error);
    }
  };
  const stateOf = (form: ServerForm): CheckState => checks[form.key] ?? OPEN;
  return {
    forms,
    checks,
    stateOf,
    check,
    connectionTo,
    change,
    acceptCertificate,
    add,
    remove,
    dropLeftovers,
  };
}
