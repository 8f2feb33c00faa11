import { type ReactNode, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { liveAllowance, startRun } from "../../data/live-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Button } from "../../ui/controls.tsx";
import { Message, Page } from "../../frame/page.tsx";
import { canAttach, connectionOf, proposalsOf, type ServerForm } from "./attach.ts";
import { keepControl } from "./control.ts";
import { ServerCard } from "./server-card.tsx";
import { type Servers, useServers } from "./use-servers.ts";
import "../../frame/captures.css";
import "../../frame/share.css";
import "./live.css";

/** Takes the replicas and their logins, says what each server answers, and attaches. */
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
      what={<b>Attach live</b>}
      status="Logins live in memory for the run only: never in files, links or logs"
      statusRight={allowance === null ? "" : allowance.reason}
    >
      <AttachForm />
    </Page>
  );
}

function AttachForm(): ReactNode {
  const servers = useServers();
  const { forms, checks, add } = servers;
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
            state={servers.stateOf(form)}
            onChange={(part) => servers.change(form.key, part)}
            onCheck={() => void servers.check(form)}
            onRemove={i === 0 ? null : () => servers.remove(form.key)}
            onLeftovers={(names) => servers.dropLeftovers(form, names)}
          />
        ))}
        <Proposals proposals={proposalsOf(forms, checks)} onAdd={add} />
        <div className="lv-add">
          <Button kind="quiet" onClick={() => add([""])}>
            Add a server by name
          </Button>
        </div>
      </div>
      <aside className="captures-side" aria-label="The run">
        <h2>The run</h2>
        <RunForm servers={servers} />
        <h2>What happens on the servers</h2>
        <Facts />
      </aside>
    </div>
  );
}

interface ProposalsProps {
  readonly proposals: ReturnType<typeof proposalsOf>;
  readonly onAdd: (servers: readonly string[]) => void;
}

function Proposals({ proposals, onAdd }: ProposalsProps): ReactNode {
  if (proposals.length === 0) return null;
  return (
    <section className="card lv-proposals" aria-label="Other replicas">
      <p>
        <b>The availability group has more replicas.</b> One that is not attached is drawn as one bar: its
        network and its disk cannot be told apart.
      </p>
      <ul>
        {proposals.map((replica) => (
          <li key={replica.replicaId}>
            <b>{replica.serverName}</b>
            <span className="quiet">
              {replica.role}, {replica.commitMode}, {replica.group}
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

/** What the run is called and reads, and the button that begins it. */
function RunForm({ servers }: { readonly servers: Servers }): ReactNode {
  const { forms } = servers;
  const [title, setTitle] = useState("");
  const [withoutCommits, setWithoutCommits] = useState(false);
  const states = forms.map(servers.stateOf);
  const ready = states.every((state) => state.is === "answered") && states.some((state) => canAttach(state));
  const attach = useCommand(() => start(forms, title.trim(), withoutCommits));
  return (
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
      <Button kind="primary" size="large" disabled={!ready || attach.isRunning} onClick={() => attach.run()}>
        {attach.isRunning
          ? "Attaching…"
          : forms.length === 1
            ? "Attach"
            : `Attach to ${forms.length} replicas`}
      </Button>
      <p className="upload-problem" aria-live="polite">
        {attach.error}
      </p>
    </section>
  );
}

/** Begins the run and goes to its view. */
async function start(forms: readonly ServerForm[], title: string, withoutCommits: boolean): Promise<void> {
  const replicas = forms.flatMap((form) => {
    const connection = connectionOf(form, forms[0] ?? form);
    if (typeof connection === "string") return [];
    return [{ ...connection, ...(form.session === "" ? {} : { session: form.session }) }];
  });
  const { id, control } = await startRun({ ...(title === "" ? {} : { title }), replicas, withoutCommits });
  keepControl(id, control);
  navigate(`/live/${id}`);
}

function Facts(): ReactNode {
  return (
    <ul className="lv-facts card">
      <li>One event session per replica, without a target: nothing is written to disk there.</li>
      <li>Two connections per replica: one reads the events, one asks for waits and queues once a second.</li>
      <li>
        Under pressure SQL Server drops events rather than waiting for the reader; what was dropped is counted
        and drawn as a gap.
      </li>
      <li>
        Stop drops the sessions and checks that they are gone. So does closing this page, after 60&nbsp;s.
      </li>
    </ul>
  );
}
