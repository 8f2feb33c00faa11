import { type ReactNode, useEffect, useState } from "react";
import type { ServerStatus } from "@aglens/contract";
import { mayContribute } from "../../data/access-client.ts";
import { serverStatus } from "../../data/service-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { PageTitle } from "../../frame/page-title.tsx";
import { Message, Page } from "../../frame/page.tsx";
import { statusTexts as texts } from "../../messages/status.ts";
import { useAccount } from "../../state/account.ts";
import { Card, Kbd } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { useKeys } from "../../ui/keys.ts";
import { formatBytes, formatCount } from "../../ui/words.ts";
import { AuditCard } from "./audit-card.tsx";
import { DiskCard } from "./disk-card.tsx";
import { JobsCard } from "./jobs-card.tsx";
import { Readouts } from "./readouts.tsx";
import { ServersCard } from "./servers-card.tsx";
import { upText } from "./status-text.ts";
import { ThreadsCard } from "./threads-card.tsx";
import { UnclaimedCard } from "./unclaimed-card.tsx";
import { useShownServer } from "./use-shown-server.ts";
import styles from "./status-screen.module.css";

const EVERY_MS = 2_000;

/** State of the server: all of it for admins, their own disk space and jobs for contributors. */
export function StatusScreen(): ReactNode {
  const person = useAccount()?.person ?? null;
  const [held, setHeld] = useState(false);
  const isAllowed = mayContribute(person);
  const { value: answer, error, retry } = useAnswer(isAllowed ? serverStatus : null);
  const { status: value, show } = useShownServer(answer);
  useKeys({ hold: () => setHeld(!held) });
  useEffect(() => {
    if (held || !isAllowed) return undefined;
    const timer = setInterval(retry, EVERY_MS);
    return () => clearInterval(timer);
  });
  if (!isAllowed || (value === null && error !== null)) {
    return (
      <Page title={texts.status}>
        <Message title={texts.statusCannotBeShown} detail={error ?? texts.thisNeedsTheRole} onRetry={retry} />
      </Page>
    );
  }
  const up = value?.server == null ? "" : `up ${upText(value.server.begun, value.server.now)}`;
  const shown = value?.server?.servers.find(({ isThis }) => isThis)?.name ?? "";
  return (
    <Page
      title={texts.status}
      what={
        <PageTitle
          name="Status"
          note={[window.location.host, shown, up].filter((part) => part !== "").join(", ")}
        />
      }
      actions={<TextLink href="/captures">{texts.allCaptures}</TextLink>}
      status={
        <>
          <span>{held ? texts.pausedTheServerContinues : texts.every2S}</span>
          <span>
            <Kbd>Space</Kbd> {texts.hold}
          </span>
          {error === null ? null : <span role="alert">{error}</span>}
        </>
      }
      statusRight={value?.server == null ? "" : texts.sameFigures}
    >
      {value === null ? null : (
        <StatusParts status={value} onChanged={retry} onShow={show} hasAudit={person?.role === "admin"} />
      )}
    </Page>
  );
}

interface PartsProps {
  readonly status: ServerStatus;
  readonly onChanged: () => void;
  readonly onShow: (server: string) => void;
  readonly hasAudit: boolean;
}

function StatusParts({ status, onChanged, onShow, hasAudit }: PartsProps): ReactNode {
  const { server, jobs, recognitions, own } = status;
  return (
    <div>
      <h1 className="sr-only">{texts.statusOfTheServer}</h1>
      {server === null ? null : <Readouts figures={server} />}
      <div className={styles.columns}>
        <div className={styles.column}>
          <JobsCard
            jobs={jobs}
            recognitions={recognitions}
            most={server?.analyses.most ?? null}
            onChanged={onChanged}
          />
          {server === null ? null : <ThreadsCard threads={server.threads} />}
          {server === null ? null : <UnclaimedCard {...server.unclaimed} />}
        </div>
        <div className={styles.column}>
          {server === null ? null : (
            <DiskCard disk={server.disk} isOneOfSeveral={server.servers.length > 0} />
          )}
          {own === null ? null : (
            <Card title={texts.yourRoom}>
              <p>
                <b>{formatBytes(own.bytes)}</b>
                {texts.noLimitOf(
                  own.limit === null ? texts.noLimit : texts.of(formatBytes(own.limit)),
                  own.trash,
                  formatBytes(own.trash),
                )}
              </p>
            </Card>
          )}
          {server === null || server.servers.length === 0 ? null : (
            <ServersCard figures={server} onShow={onShow} />
          )}
          {server === null || server.people.length === 0 ? null : <PeopleCard people={server.people} />}
          {hasAudit ? (
            <AuditCard />
          ) : server === null ? null : (
            <Card title={texts.auditLog}>
              <p className="quiet">{texts.usersDontSign}</p>
            </Card>
          )}
        </div>
      </div>
    </div>
  );
}

type People = NonNullable<ServerStatus["server"]>["people"];

function PeopleCard({ people }: { readonly people: People }): ReactNode {
  return (
    <Card title={texts.quotas} aside={texts.captures}>
      <FigureTable<People[number]>
        className={styles.table}
        isHeadHidden
        rows={people}
        columns={[
          { id: "Person", cell: ({ name }) => name, cellProps: ({ name }) => ({ title: name }) },
          {
            id: "Used",
            className: styles.figure,
            cell: ({ bytes, limit }) => (
              <>
                {formatBytes(bytes)}
                {limit === null ? "" : <span className="quiet"> {texts.of(formatBytes(limit))}</span>}
              </>
            ),
          },
          { id: "Captures", className: styles.figure, cell: ({ captures }) => formatCount(captures) },
        ]}
      />
    </Card>
  );
}
