import { type ReactNode, useEffect, useRef, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { checkServer, readAllowance, removeLeftovers, startRun } from "../../data/live-client.ts";
import { isAbort, sentenceOf } from "../../data/problem.ts";
import { Button } from "../../ui/controls.tsx";
import { Message, Page } from "../frame/page.tsx";
import {
  canAttach,
  type CheckState,
  connectionOf,
  newServer,
  proposalsOf,
  type ServerForm,
} from "./attach.ts";
import { keepControl } from "./control.ts";
import { ServerCard } from "./server-card.tsx";
import "../captures/captures.css";
import "../share/share.css";
import "./live.css";

const OPEN: CheckState = { is: "open" };
type Checks = Readonly<Record<string, CheckState>>;

interface Allowance {
  readonly enabled: boolean;
  readonly reason: string;
}

function useAllowance(): { allowance: Allowance | null; problem: string | null } {
  const [allowance, setAllowance] = useState<Allowance | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    readAllowance(abort.signal).then(setAllowance, (error: unknown) => {
      if (!isAbort(error)) setProblem(sentenceOf(error));
    });
    return () => abort.abort();
  }, []);
  return { allowance, problem };
}

/** Takes the replicas and their logins, says what each server answers, and attaches. */
export function AttachScreen(): ReactNode {
  const { allowance, problem } = useAllowance();
  if (problem !== null || allowance?.enabled === false) {
    return (
      <Page title="Attach live">
        <Message
          title={
            problem === null
              ? "This server does not attach to SQL Servers."
              : "Attaching is not possible now."
          }
          detail={problem ?? allowance?.reason}
        />
      </Page>
    );
  }
  return (
    <Page
      title="Attach live"
      what={<b>Attach live</b>}
      status="Logins live in memory for the run only: never in files, links or logs"
      statusRight={allowance === null ? "" : allowance.reason}
    >
      <AttachForm />
    </Page>
  );
}

function AttachForm(): ReactNode {
  const [forms, setForms] = useState<readonly ServerForm[]>(() => [newServer("", null)]);
  const [checks, setChecks] = useState<Checks>({});
  const [title, setTitle] = useState("");
  const [withoutCommits, setWithoutCommits] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [starting, setStarting] = useState(false);
  // An answer that comes after its form was changed says nothing about what is typed now.
  const asked = useRef<Record<string, ServerForm>>({});

  const tell = (key: string, state: CheckState): void => setChecks((now) => ({ ...now, [key]: state }));
  const check = async (form: ServerForm): Promise<void> => {
    const connection = connectionOf(form, forms[0] ?? form);
    if (typeof connection === "string") {
      tell(form.key, { is: "refused", sentence: connection });
      return;
    }
    asked.current[form.key] = form;
    tell(form.key, { is: "busy" });
    let state: CheckState;
    try {
      state = { is: "answered", check: await checkServer(connection) };
    } catch (error) {
      state = { is: "refused", sentence: sentenceOf(error) };
    }
    if (asked.current[form.key] === form) tell(form.key, state);
  };
  const change = (key: string, part: Partial<ServerForm>): void => {
    setForms((now) => now.map((form) => (form.key === key ? { ...form, ...part } : form)));
    // Which session is read does not change what the server said.
    if (Object.keys(part).every((name) => name === "session")) return;
    delete asked.current[key];
    tell(key, OPEN);
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
  const attach = async (): Promise<void> => {
    setStarting(true);
    setProblem(null);
    try {
      const replicas = forms.flatMap((form) => {
        const connection = connectionOf(form, forms[0] ?? form);
        if (typeof connection === "string") return [];
        return [{ ...connection, ...(form.session === "" ? {} : { session: form.session }) }];
      });
      const { id, control } = await startRun({
        ...(title.trim() === "" ? {} : { title: title.trim() }),
        replicas,
        withoutCommits,
      });
      keepControl(id, control);
      navigate(`/live/${id}`);
    } catch (error) {
      setProblem(sentenceOf(error));
      setStarting(false);
    }
  };

  const states = forms.map((form) => checks[form.key] ?? OPEN);
  const proposals = proposalsOf(forms, checks);
  const ready =
    states.every((state) => state.is === "answered") && states.some((state) => canAttach(state)) && !starting;
  return (
    <div className="captures lv-attach">
      <div className="captures-main">
        <h1>Attach to replicas while the load runs</h1>
        <p className="lead">
          Name the primary, its listener or any replica. AG Lens asks it who the others are, makes one event
          session on each, shows where commits wait within two seconds, and drops the sessions when you stop.
        </p>
        {forms.map((form, i) => (
          <ServerCard
            key={form.key}
            form={form}
            position={i + 1}
            state={states[i] ?? OPEN}
            onChange={(part) => change(form.key, part)}
            onCheck={() => void check(form)}
            onRemove={i === 0 ? null : () => remove(form.key)}
            onLeftovers={(names) => dropLeftovers(form, names)}
          />
        ))}
        {proposals.length === 0 ? null : (
          <section className="card lv-proposals" aria-label="Other replicas">
            <p>
              <b>The availability group has more replicas.</b> One that is not attached is drawn as one bar:
              its network and its disk cannot be told apart.
            </p>
            <ul>
              {proposals.map((replica) => (
                <li key={replica.replicaId}>
                  <b>{replica.serverName}</b>
                  <span className="quiet">
                    {replica.role}, {replica.commitMode}, {replica.group}
                    {replica.connected === false ? ", not connected to the primary" : ""}
                  </span>
                  <Button aria-label={`Add ${replica.serverName}`} onClick={() => add([replica.serverName])}>
                    Add
                  </Button>
                </li>
              ))}
            </ul>
            {proposals.length < 2 ? null : (
              <Button onClick={() => add(proposals.map((replica) => replica.serverName))}>Add all</Button>
            )}
          </section>
        )}
        <div className="lv-add">
          <Button kind="quiet" onClick={() => add([""])}>
            Add a server by name
          </Button>
        </div>
      </div>
      <aside className="captures-side" aria-label="The run">
        <h2>The run</h2>
        <section className="card lv-run">
          <label className="field">
            <span>Name</span>
            <input
              type="text"
              value={title}
              maxLength={120}
              placeholder="Load test, run 3"
              onChange={(event) => setTitle(event.target.value)}
            />
          </label>
          <label className="check">
            <input
              type="checkbox"
              checked={!withoutCommits}
              onChange={(event) => setWithoutCommits(!event.target.checked)}
            />{" "}
            with the events of each commit
          </label>
          <p className="small quiet">
            Without them a busy server has less to send, and commits waiting cannot be shown.
          </p>
          <Button kind="primary" size="large" disabled={!ready} onClick={() => void attach()}>
            {starting ? "Attaching…" : forms.length === 1 ? "Attach" : `Attach to ${forms.length} replicas`}
          </Button>
          <p className="upload-problem" aria-live="polite">
            {problem}
          </p>
        </section>
        <h2>What happens on the servers</h2>
        <ul className="lv-facts card">
          <li>One event session per replica, without a target: nothing is written to disk there.</li>
          <li>
            Two connections per replica: one reads the events, one asks for waits and queues once a second.
          </li>
          <li>
            Under pressure SQL Server drops events rather than waiting for the reader; what was dropped is
            counted and drawn as a gap.
          </li>
          <li>
            Stop drops the sessions and checks that they are gone. So does closing this page, after 60&nbsp;s.
          </li>
        </ul>
      </aside>
    </div>
  );
}
