import { Fragment, type ReactNode, useState } from "react";
import type { LiveCheck } from "@aglens/contract";
import { CopyCode } from "../../../frame/copy.tsx";
import { CheckIcon } from "../../../frame/icons.tsx";
import { Notice } from "../../../frame/notice.tsx";
import { attachTexts } from "../../../messages/attach.ts";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { Button } from "../../../ui/controls.tsx";
import { grantScript } from "../../server-form/grant-script.ts";
import { RoleChip } from "../../server-form/role-chip.tsx";
import { NO_ADDRESS, type ServerAddress } from "../../server-form/server-address.ts";
import { CertificateFields, Choice, EncryptionChoice, TextField } from "../../server-form/server-fields.tsx";
import formStyles from "../../server-form/server-fields.module.css";
import { FormSection } from "./form-section.tsx";
import {
  cellsOf,
  groupsIn,
  lastRights,
  missingIn,
  problemWith,
  type ReplicaForm,
  replicasIn,
  type RightCell,
  rightsAt,
  rightsOfCheck,
} from "./replica-forms.ts";
import { useWatchForm } from "./watch-form-context.ts";
import styles from "./watch-edit.module.css";

/** Replicas of the group, and the rights of the login on each. @param server name of the primary, where it is known */
export function ReplicasSection({ server }: { readonly server: string }): ReactNode {
  const { form, logins } = useWatchForm();
  const [isEditing, setEditing] = useState(form.replicas.length === 0 || !logins.includes(form.login));
  // Replicas that the typed server named.
  const [found, setFound] = useState<Found | null>(null);
  return (
    <FormSection position={1} title={texts.replicas}>
      {isEditing ? (
        <PrimaryFields
          server={server}
          onFound={(next) => {
            setFound(next);
            setEditing(groupsIn(next.check).length !== 1);
          }}
        />
      ) : null}
      {isEditing && found !== null ? <GroupChoice found={found} /> : null}
      {form.replicas.length === 0 ? null : (
        <>
          <RightsTable from={found?.check.serverName ?? null} />
          <MissingRights />
        </>
      )}
      {isEditing ? null : (
        <p className={styles.under}>
          <Button kind="quiet" onClick={() => setEditing(true)}>
            {texts.changeThePrimary}
          </Button>
        </p>
      )}
    </FormSection>
  );
}

interface Found {
  readonly address: ServerAddress;
  readonly check: LiveCheck;
}

/** Key of the server that is asked first, before its replica is known. */
const TYPED = "typed";

/** The typed server and the login, and the request for the replicas. */
function PrimaryFields({
  server,
  onFound,
}: {
  readonly server: string;
  readonly onFound: (found: Found) => void;
}): ReactNode {
  const { form, change, checks, logins } = useWatchForm();
  const [first] = form.replicas;
  const [address, setAddress] = useState<ServerAddress>(first?.address ?? { ...NO_ADDRESS, server });
  const { login } = form;
  const typed: ReplicaForm = {
    key: TYPED,
    address,
    serverName: texts.primaryServer,
    role: "unknown",
    commitMode: "undetermined",
  };
  const state = rightsAt(checks.rights, typed);
  const isAsking = state.is === "asking";
  const problem = state.is === "known" ? state.rights.problem : null;
  const edit = (part: Partial<ServerAddress>): void => {
    checks.forget([TYPED]);
    setAddress({ ...address, ...part });
  };
  const find = async (): Promise<void> => {
    const check = await checks.check(typed, login);
    if (check === null || check.answer === null) return;
    const { answer } = check;
    onFound({ address, check: answer });
    const groups = groupsIn(answer);
    const group = groups.includes(form.group) ? form.group : (groups[0] ?? "");
    const replicas = group === "" ? [] : replicasIn(address, answer, group);
    change({ group, replicas });
    const own = answer.replicas.find((each) => each.isThisServer && each.group === group)?.replicaId;
    if (own !== undefined) checks.set(own, { is: "known", rights: rightsOfCheck(check) });
    await Promise.all(replicas.filter(({ key }) => key !== own).map((each) => checks.check(each, login)));
  };
  return (
    <>
      <div className={formStyles.fields}>
        <TextField
          label={texts.primaryServer}
          value={address.server}
          placeholder={attachTexts.sql1Sql1Instance}
          wide
          onChange={(text) => edit({ server: text })}
        />
        <Choice
          label={texts.login}
          value={login}
          options={[
            ...(logins.includes(login) ? [] : [{ value: login, label: texts.notInFile(login) }]),
            ...logins.map((name) => ({ value: name, label: name })),
          ]}
          onChange={(name) => {
            checks.forget([TYPED, ...form.replicas.map(({ key }) => key)]);
            change({ login: name });
          }}
        />
        <EncryptionChoice form={address} onChange={edit} />
        <Button
          kind="primary"
          className={styles.find}
          disabled={isAsking || login === ""}
          onClick={() => void find()}
        >
          {isAsking ? texts.finding : texts.findReplicas}
        </Button>
      </div>
      {address.encryption === "off" ? (
        <Notice>{attachTexts.withoutEncryption}</Notice>
      ) : (
        <CertificateFields form={address} onChange={edit} />
      )}
      {form.replicas.length === 0 && problem === null ? (
        <p className={`${styles.under} quiet`}>{texts.nameThePrimary}</p>
      ) : null}
      {problem === null ? null : <Notice role="alert">{problem}</Notice>}
    </>
  );
}

/** The group to watch, where a server has several. */
function GroupChoice({ found: { address, check } }: { readonly found: Found }): ReactNode {
  const { form, change, checks } = useWatchForm();
  const groups = groupsIn(check);
  if (groups.length === 0) return <NoGroup check={check} />;
  if (groups.length === 1) return null;
  const choose = (group: string): void => {
    const replicas = replicasIn(address, check, group);
    change({ group, replicas });
    const unknown = replicas.filter((each) => rightsAt(checks.rights, each).is === "open");
    for (const each of unknown) void checks.check(each, form.login);
  };
  return (
    <Choice
      label={texts.group}
      value={form.group}
      options={groups.map((name) => ({ value: name, label: name }))}
      onChange={choose}
    />
  );
}

/** A server without a group, or whose groups the login can't see. */
function NoGroup({ check: { serverName, replicas, missing } }: Pick<Found, "check">): ReactNode {
  const toSee = missing.filter(({ permission }) => permission === "VIEW ANY DEFINITION");
  if (replicas.length === 0) return <Notice role="alert">{texts.groupHasNone(serverName)}</Notice>;
  return (
    <>
      <Notice role="alert">{texts.groupIsHidden(serverName)}</Notice>
      {toSee.length === 0 ? null : (
        <div className={styles.missing}>
          <CopyCode code={grantScript(toSee)} label={texts.grantOn(serverName)} />
        </div>
      )}
    </>
  );
}

/** @param from name of the server that named the replicas; null where a stored watch has them */
function RightsTable({ from }: { readonly from: string | null }): ReactNode {
  const { form, checks } = useWatchForm();
  return (
    <div className="sideways">
      <table className={styles.rights}>
        <thead>
          <tr>
            <th scope="col">{texts.server}</th>
            <th scope="col">{texts.roleFrom(from)}</th>
            <th scope="col">{texts.signIn}</th>
            <th scope="col">{texts.watch}</th>
            <th scope="col">{texts.record}</th>
          </tr>
        </thead>
        <tbody>
          {form.replicas.map((replica) => {
            const cells = cellsOf(rightsAt(checks.rights, replica));
            return (
              <tr key={replica.key}>
                <th scope="row">{replica.serverName}</th>
                <td>
                  <RoleChip role={replica.role} commitMode={replica.commitMode} />
                </td>
                <Right cell={cells.signIn} />
                <Right cell={cells.watch} />
                <Right cell={cells.record} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const Right = ({ cell: { text, kind } }: { readonly cell: RightCell }): ReactNode => (
  <td data-kind={kind}>
    {kind === "granted" ? <CheckIcon size={12} /> : null} {text}
  </td>
);

/** Each server that needs something: its statement or its address, and a button that asks it again. */
function MissingRights(): ReactNode {
  const { form, change, checks } = useWatchForm();
  const isOpen = form.replicas.some((replica) => rightsAt(checks.rights, replica).is === "open");
  // Addresses that are typed: a field stays until its server is asked, whatever the text is on the way.
  const [typed, setTyped] = useState<readonly string[]>([]);
  const check = (replicas: readonly ReplicaForm[]): void => {
    setTyped((keys) => keys.filter((key) => !replicas.some((each) => each.key === key)));
    for (const replica of replicas) void checks.check(replica, form.login);
  };
  const move = ({ key }: ReplicaForm, server: string): void => {
    setTyped((keys) => [...keys, key]);
    checks.forget([key]);
    change({
      replicas: form.replicas.map((each) =>
        each.key === key ? { ...each, address: { ...each.address, server } } : each,
      ),
    });
  };
  return (
    <>
      {form.replicas.map((replica) => {
        const state = rightsAt(checks.rights, replica);
        const problem = problemWith(replica, state);
        const { toWatch, toRecord } = missingIn(lastRights(state) ?? { missing: [] });
        const isTyped = typed.includes(replica.key);
        if (problem === null && !isTyped && toWatch.length + toRecord.length === 0) return null;
        const { serverName } = replica;
        return (
          <Fragment key={replica.key}>
            {problem === null ? null : <Notice>{problem}</Notice>}
            <div className={styles.missing}>
              {problem === null && !isTyped ? (
                <>
                  <span className="muted">
                    {toWatch.length > 0 ? texts.toWatch(serverName) : texts.toRecord(serverName)}
                  </span>
                  <CopyCode code={grantScript([...toWatch, ...toRecord])} label={texts.grantOn(serverName)} />
                </>
              ) : (
                <TextField
                  label={texts.addressOf(serverName)}
                  wide
                  value={replica.address.server}
                  onChange={(server) => move(replica, server)}
                />
              )}
              <Button
                aria-label={texts.checkAgainOn(serverName)}
                disabled={state.is === "asking"}
                onClick={() => check([replica])}
              >
                {texts.checkAgain}
              </Button>
            </div>
          </Fragment>
        );
      })}
      {isOpen ? (
        <p className={styles.under}>
          <Button onClick={() => check(form.replicas)}>{texts.checkAll}</Button>
        </p>
      ) : null}
    </>
  );
}
