import { useRef, useState } from "react";
import { checkServer, removeLeftovers } from "../../data/live-client.ts";
import { sentenceOf } from "../../data/problem.ts";
import { type CheckState, connectionOf, newServer, type ServerForm } from "./attach.ts";

const OPEN: CheckState = { is: "open" };

/** The servers to attach to as they are typed, and what each answered. */
export interface Servers {
  readonly forms: readonly ServerForm[];
  /** By key of a form. */
  readonly checks: Readonly<Record<string, CheckState>>;
  readonly stateOf: (form: ServerForm) => CheckState;
  readonly check: (form: ServerForm) => Promise<void>;
  readonly change: (key: string, part: Partial<ServerForm>) => void;
  /** Adds servers with the first one's login, and checks those that have a name. */
  readonly add: (servers: readonly string[]) => void;
  readonly remove: (key: string) => void;
  /** @returns the sentence to show when it failed */
  readonly dropLeftovers: (form: ServerForm, names: readonly string[]) => Promise<string | null>;
}

export function useServers(): Servers {
  const [forms, setForms] = useState<readonly ServerForm[]>(() => [newServer("", null)]);
  const [checks, setChecks] = useState<Servers["checks"]>({});
  // An answer that comes after its form was changed says nothing about what is typed now.
  const asked = useRef<Record<string, ServerForm>>({});

  const setCheck = (key: string, state: CheckState): void => setChecks((now) => ({ ...now, [key]: state }));
  const check = async (form: ServerForm): Promise<void> => {
    const connection = connectionOf(form, forms[0] ?? form);
    if (typeof connection === "string") {
      setCheck(form.key, { is: "refused", sentence: connection });
      return;
    }
    asked.current[form.key] = form;
    setCheck(form.key, { is: "busy" });
    let state: CheckState;
    try {
      state = { is: "answered", check: await checkServer(connection) };
    } catch (error) {
      state = { is: "refused", sentence: sentenceOf(error) };
    }
    if (asked.current[form.key] === form) setCheck(form.key, state);
  };
  const change = (key: string, part: Partial<ServerForm>): void => {
    setForms((now) => now.map((form) => (form.key === key ? { ...form, ...part } : form)));
    // Which session is read does not change what the server said.
    if (Object.keys(part).every((name) => name === "session")) return;
    delete asked.current[key];
    setCheck(key, OPEN);
  };
  const add = (servers: readonly string[]): void => {
    const added = servers.map((server) => newServer(server, forms[0] ?? null));
    setForms((now) => [...now, ...added]);
    for (const form of added) if (form.server !== "") void check(form);
  };
  const remove = (key: string): void => setForms((now) => now.filter((form) => form.key !== key));
  const dropLeftovers = async (form: ServerForm, names: readonly string[]): Promise<string | null> => {
    const connection = connectionOf(form, forms[0] ?? form);
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
  return { forms, checks, stateOf, check, change, add, remove, dropLeftovers };
}
