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
import { attachTexts as texts } from "../../../messages/attach.ts";
import { canAttach, connectionOf, headlineOf, proposalsOf, readinessOf, type ServerForm } from "./attach.ts";
import { keepControl } from "../control.ts";
import { FirstContactDialog } from "./first-contact-dialog.tsx";
import { ServerCard } from "./server-card.tsx";
import { STOP_MINUTES } from "../run-text.ts";
import { useEachSecond } from "../../../ui/use-each-second.ts";
import { type Servers, useServers } from "./use-servers.ts";
import styles from "./attach-screen.module.css";

/** Accepts the replicas and their logins, shows the answer of each server, and attaches. */
export function AttachScreen(): ReactNode {
  const { value: allowance, error, retry } = useAnswer(liveAllowance);
  if (error !== null) {
    return (
      <Page title={texts.attachLive}>
        <Message title={texts.attachingIsNotPossible} detail={error} onRetry={retry} />
      </Page>
    );
  }
  if (allowance?.enabled === false) {
    return (
      <Page title={texts.attachLive}>
        <Message title={texts.thisServerDoesNot} detail={allowance.reason} />
      </Page>
    );
  }
  return (
    <Page
      title={texts.attachLive}
      what={<PageTitle name={texts.attachLive} />}
      status={texts.loginsStayInMemory}
      statusRight={allowance === null ? "" : allowance.reason}
    >
      <AttachForm />
    </Page>
  );
}

function AttachForm(): ReactNode {
  const servers = useServers();
  const { forms, checks, add } = servers;
  const [contacted, setContacted] = useState<ServerForm | null>(null);
  const headline = headlineOf(forms, forms.map(servers.stateOf));
  return (
    <StartPage
      title={headline?.title ?? texts.attachToReplicasWhile}
      lead={headline?.lead ?? texts.nameThePrimary}
      side={{
        label: texts.run,
        content: (
          <>
            <h2>{texts.run}</h2>
            <RunForm servers={servers} />
            {forms.length < 2 ? null : <Answers servers={servers} />}
            <h2>{texts.actionsOnTheServers}</h2>
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
        <Button onClick={() => add([""])}>{texts.addAServer}</Button>
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
    <section className={`card ${styles.proposals}`} aria-label={texts.otherReplicas}>
      <p>
        <b>{texts.availabilityGroupHasMore}</b> {texts.oneThatIsNot}
      </p>
      <ul>
        {proposals.map((replica) => (
          <li key={replica.replicaId}>
            <b>{replica.serverName}</b>
            <span className="quiet">
              {texts.notConnected(
                [
                  replica.role === "unknown" ? texts.roleUnknown : replica.role,
                  replica.commitMode,
                  replica.group,
                ]
                  .filter((part) => part !== "" && part !== "undetermined")
                  .join(", "),
                replica.connected === false,
              )}
            </span>
            <Button aria-label={texts.add(replica.serverName)} onClick={() => onAdd([replica.serverName])}>
              {texts.addLabel}
            </Button>
          </li>
        ))}
      </ul>
      {proposals.length < 2 ? null : (
        <Button onClick={() => onAdd(proposals.map((replica) => replica.serverName))}>{texts.addAll}</Button>
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
      <Field label={texts.name}>
        <input
          type="text"
          value={title}
          maxLength={120}
          placeholder={texts.loadTestRun3}
          onChange={(event) => setTitle(event.target.value)}
        />
      </Field>
      <Check checked={!withoutCommits} onChange={(withCommits) => setWithoutCommits(!withCommits)}>
        {texts.withTheEvents}
      </Check>
      <p className="quiet text">{texts.withoutThemABusy}</p>
      <Field label={texts.stopAndKeepAutomatically}>
        <select
          value={stopAfterMinutes ?? ""}
          onChange={(event) => setStopAfter(event.target.value === "" ? null : Number(event.target.value))}
        >
          <option value="">{texts.never}</option>
          {STOP_MINUTES.map((minutes) => (
            <option key={minutes} value={minutes}>
              {texts.afterMin(minutes)}
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
        {attach.isRunning ? texts.attaching : attachText(ready.length, forms.length)}
      </Button>
      {ready.length === 0 || late.length === 0 ? null : (
        <p className="quiet text">
          {texts.joinTheRunWhen(late.map((form) => form.server).join(", "), late.length)}
        </p>
      )}
      {ready.length === 0 || out === 0 ? null : <p className="quiet text">{texts.serversStayOut(out)}</p>}
      <Problem sentence={attach.error} />
    </section>
  );
}

function attachText(ready: number, all: number): string {
  if (all === 1) return "Attach";
  return ready === all ? texts.attachToReplicas(all) : texts.attachToOfReplicas(ready, all);
}

/** Each server in one line. */
function Answers({ servers }: { readonly servers: Servers }): ReactNode {
  const now = useEachSecond(servers.forms.some((form) => servers.stateOf(form).is === "waiting"));
  return (
    <>
      <h2>{texts.answersOfTheServers}</h2>
      <ul className={`card ${styles.answers}`}>
        {servers.forms.map((form) => {
          const state = servers.stateOf(form);
          const { kind, words } = readinessOf(form, state, now);
          return (
            <li key={form.key}>
              <b>{state.is === "answered" ? state.check.serverName : form.server || texts.noNameYet}</b>
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
      <li>{texts.oneEventSessionPer}</li>
      <li>{texts.twoConnectionsPerReplica}</li>
      <li>{texts.underPressureSqlServer}</li>
      <li>{texts.checkingCreatesNothing}</li>
      <li>{texts.stopDropsTheSessions}</li>
    </ul>
  );
}
