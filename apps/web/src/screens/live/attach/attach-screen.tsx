import { type ReactNode, useState } from "react";
import { navigate } from "../../../state/navigate.ts";
import { liveAllowance, startRun } from "../../../data/live-client.ts";
import { useAnswer } from "../../../data/use-answer.ts";
import { useCommand } from "../../../data/use-command.ts";
import { Button } from "../../../ui/controls.tsx";
import { Check, Field } from "../../../frame/field.tsx";
import { PageTitle } from "../../../frame/page-title.tsx";
import { Message, Page } from "../../../frame/page.tsx";
import { Problem } from "../../../frame/problem.tsx";
import { StartPage } from "../../../frame/start-page.tsx";
import { canAttach, connectionOf, headlineOf, proposalsOf, readinessOf, type ServerForm } from "./attach.ts";
import { keepControl } from "../control.ts";
import { FirstContactDialog } from "./first-contact-dialog.tsx";
import { ServerCard } from "./server-card.tsx";
import { STOP_MINUTES } from "../run-words.ts";
import { useEachSecond } from "../use-each-second.ts";
import { type Servers, useServers } from "./use-servers.ts";
import styles from "./attach-screen.module.css";

/** Accepts the replicas and their logins, shows the answer of each server, and attaches. */
export function AttachScreen(): ReactNode {
  const { value: allowance, error, retry } = useAnswer(liveAllowance);
  if (error !== null) {
    return (
      <Page title="Attach live">
        <Message title="Attaching is not possible now." detail={error} onRetry={retry} />
      </Page>
    );
  }
  if (allowance?.enabled === false) {
    return (
      <Page title="Attach live">
        <Message title="This server does not attach to SQL Servers." detail={allowance.reason} />
      </Page>
    );
  }
  return (
    <Page
      title="Attach live"
      what={<PageTitle name="Attach live" />}
      status="Logins stay in memory until the sessions are dropped: never in files, links or logs"
      statusRight={allowance === null ? "" : allowance.reason}
    >
      <AttachForm />
    </Page>
  );
}

const LEAD =
  "Name the primary, its listener or any replica. AG Lens asks it who the others are, makes one event session on each, shows where commits wait within two seconds, and drops the sessions when you stop.";

function AttachForm(): ReactNode {
  const servers = useServers();
  const { forms, checks, add } = servers;
  const [contacted, setContacted] = useState<ServerForm | null>(null);
  const headline = headlineOf(forms, forms.map(servers.stateOf));
  return (
    <StartPage
      title={headline?.title ?? "Attach to replicas while the load runs"}
      lead={headline?.lead ?? LEAD}
      side={{
        label: "The run",
        content: (
          <>
            <h2>The run</h2>
            <RunForm servers={servers} />
            {forms.length < 2 ? null : <Answers servers={servers} />}
            <h2>Actions on the servers</h2>
            <Facts />
          </>
        ),
      }}
    >
      {forms.map((form, i) => (
        <ServerCard
          key={form.key}
          form={form}
          position={i + 1}
          state={servers.stateOf(form)}
          onChange={(part) => servers.change(form.key, part)}
          onCheck={() => void servers.check(form)}
          onAccept={(certificate) => servers.acceptCertificate(form, certificate)}
          onContact={() => setContacted(form)}
          onRemove={i === 0 ? null : () => servers.remove(form.key)}
          onLeftovers={(names) => servers.dropLeftovers(form, names)}
        />
      ))}
      <Proposals proposals={proposalsOf(forms, checks)} onAdd={add} />
      <div className="space-8">
        <Button onClick={() => add([""])}>Add a server by name</Button>
      </div>
      {contacted === null ? null : (
        <FirstContactDialog
          server={contacted.server}
          connection={servers.connectionTo(contacted)}
          onClose={() => setContacted(null)}
        />
      )}
    </StartPage>
  );
}

interface ProposalsProps {
  readonly proposals: ReturnType<typeof proposalsOf>;
  readonly onAdd: (servers: readonly string[]) => void;
}

function Proposals({ proposals, onAdd }: ProposalsProps): ReactNode {
  if (proposals.length === 0) return null;
  return (
    <section className={`card ${styles.proposals}`} aria-label="Other replicas">
      <p>
        <b>The availability group has more replicas.</b> One that is not attached is drawn as one bar: its
        network and its disk cannot be separated.
      </p>
      <ul>
        {proposals.map((replica) => (
          <li key={replica.replicaId}>
            <b>{replica.serverName}</b>
            <span className="quiet">
              {[replica.role === "unknown" ? "role unknown" : replica.role, replica.commitMode, replica.group]
                .filter((part) => part !== "" && part !== "undetermined")
                .join(", ")}
              {replica.connected === false ? ", not connected to the primary" : ""}
            </span>
            <Button aria-label={`Add ${replica.serverName}`} onClick={() => onAdd([replica.serverName])}>
              Add
            </Button>
          </li>
        ))}
      </ul>
      {proposals.length < 2 ? null : (
        <Button onClick={() => onAdd(proposals.map((replica) => replica.serverName))}>Add all</Button>
      )}
    </section>
  );
}

/** Title and options of the run, and the button that begins it. */
function RunForm({ servers }: { readonly servers: Servers }): ReactNode {
  const { forms } = servers;
  const [title, setTitle] = useState("");
  const [withoutCommits, setWithoutCommits] = useState(false);
  const [stopAfterMinutes, setStopAfter] = useState<number | null>(null);
  const ready = forms.filter((form) => canAttach(form, servers.stateOf(form)));
  const late = forms.filter((form) => servers.stateOf(form).is === "waiting");
  const out = forms.length - ready.length - late.length;
  const attach = useCommand(() =>
    start(servers, [...ready, ...late], { title: title.trim(), withoutCommits, stopAfterMinutes }),
  );
  return (
    <section className={`card ${styles.run}`}>
      <Field label="Name">
        <input
          type="text"
          value={title}
          maxLength={120}
          placeholder="Load test, run 3"
          onChange={(event) => setTitle(event.target.value)}
        />
      </Field>
      <Check checked={!withoutCommits} onChange={(withCommits) => setWithoutCommits(!withCommits)}>
        with the events of each commit
      </Check>
      <p className="quiet text">
        Without them a busy server has less to send, and commits waiting cannot be shown.
      </p>
      <Field label="Stop and keep automatically">
        <select
          value={stopAfterMinutes ?? ""}
          onChange={(event) => setStopAfter(event.target.value === "" ? null : Number(event.target.value))}
        >
          <option value="">never</option>
          {STOP_MINUTES.map((minutes) => (
            <option key={minutes} value={minutes}>
              after {minutes} min
            </option>
          ))}
        </select>
      </Field>
      <Button
        kind="primary"
        size="large"
        disabled={ready.length === 0 || attach.isRunning}
        onClick={() => attach.run()}
      >
        {attach.isRunning ? "Attaching…" : attachWords(ready.length, forms.length)}
      </Button>
      {ready.length === 0 || late.length === 0 ? null : (
        <p className="quiet text">
          {late.map((form) => form.server).join(", ")} {late.length === 1 ? "joins" : "join"} the run when{" "}
          {late.length === 1 ? "it answers" : "they answer"}.
        </p>
      )}
      {ready.length === 0 || out === 0 ? null : (
        <p className="quiet text">
          {out === 1 ? "One server stays" : `${out} servers stay`} out of this run: a replica that is not
          attached is drawn as one bar, as far as the primary knows it.
        </p>
      )}
      <Problem sentence={attach.error} />
    </section>
  );
}

function attachWords(ready: number, all: number): string {
  if (all === 1) return "Attach";
  return ready === all ? `Attach to ${all} replicas` : `Attach to ${ready} of ${all} replicas`;
}

/** Each server in one line. */
function Answers({ servers }: { readonly servers: Servers }): ReactNode {
  const now = useEachSecond(servers.forms.some((form) => servers.stateOf(form).is === "waiting"));
  return (
    <>
      <h2>Answers of the servers</h2>
      <ul className={`card ${styles.answers}`}>
        {servers.forms.map((form) => {
          const state = servers.stateOf(form);
          const { kind, words } = readinessOf(form, state, now);
          return (
            <li key={form.key}>
              <b>{state.is === "answered" ? state.check.serverName : form.server || "no name yet"}</b>
              <span data-kind={kind}>{words}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface RunChoices {
  readonly title: string;
  readonly withoutCommits: boolean;
  readonly stopAfterMinutes: number | null;
}

/** Begins the run and shows it. @param forms of the servers to attach */
async function start(
  servers: Servers,
  forms: readonly ServerForm[],
  { title, withoutCommits, stopAfterMinutes }: RunChoices,
): Promise<void> {
  const replicas = forms.flatMap((form) => {
    const connection = connectionOf(form, servers.forms[0] ?? form);
    if (typeof connection === "string") return [];
    const { session, everyDatabase } = form;
    const state = servers.stateOf(form);
    const serverName = state.is === "answered" ? state.check.serverName : "";
    return [{ ...connection, ...(session === "" ? {} : { session }), everyDatabase, serverName }];
  });
  const named = title === "" ? {} : { title };
  const { id, control } = await startRun({ ...named, replicas, withoutCommits, stopAfterMinutes });
  keepControl(id, control);
  navigate(`/live/${id}`);
}

function Facts(): ReactNode {
  return (
    <ul className={`card ${styles.facts}`}>
      <li>One event session per replica, without a target: nothing is written to disk there.</li>
      <li>Two connections per replica: one reads the events, one asks for waits and queues once a second.</li>
      <li>
        Under pressure SQL Server drops events rather than waiting for the reader; what was dropped is counted
        and drawn as a gap.
      </li>
      <li>Checking creates nothing. A session with a reader is never proposed for removal.</li>
      <li>
        Stop drops the sessions and checks that they are gone. So does closing this page, after 60&nbsp;s.
      </li>
    </ul>
  );
}
