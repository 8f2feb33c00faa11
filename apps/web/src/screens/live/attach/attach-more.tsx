import { type ReactNode, useState } from "react";
import { addReplica } from "../../../data/live-client.ts";
import { useCommand } from "../../../data/use-command.ts";
import { Modal, ModalBody, ModalFoot } from "../../../frame/modal.tsx";
import { Problem } from "../../../frame/problem.tsx";
import { attachTexts as texts } from "../../../messages/attach.ts";
import { Button } from "../../../ui/controls.tsx";
import { canAttach, connectionOf, otherServer, type ServerForm } from "./attach.ts";
import { controlOf } from "../control.ts";
import { useLiveRun } from "../live-run-context.ts";
import { ServerCard } from "./server-card.tsx";
import { useServers } from "./use-servers.ts";

interface AttachMoreProps {
  /** Name of the replica in the topology. */
  readonly name: string;
  /** It was tried before: another address or login is given. */
  readonly isAnew?: boolean;
}

/** Attaches one more replica to the run, or one that could not be attached. */
export function AttachMore({ name, isAnew = false }: AttachMoreProps): ReactNode {
  const { canControl, isRunning } = useLiveRun();
  const [open, setOpen] = useState(false);
  if (!canControl || !isRunning) return null;
  return (
    <>
      <Button
        aria-label={isAnew ? texts.attachByAnotherAddress(name) : texts.attach(name)}
        onClick={() => setOpen(true)}
      >
        {isAnew ? texts.otherAddressOrLogin : texts.attachLabel}
      </Button>
      <Modal open={open} onOpenChange={setOpen} title={texts.attachToThisRun(name)} width={760}>
        <AttachForm name={name} isAnew={isAnew} onAttached={() => setOpen(false)} />
      </Modal>
    </>
  );
}

interface AttachFormProps {
  readonly name: string;
  readonly isAnew: boolean;
  readonly onAttached: () => void;
}

/** Checks the server first, as at the beginning of a run. */
function AttachForm({ name, isAnew, onAttached }: AttachFormProps): ReactNode {
  const { id } = useLiveRun();
  const servers = useServers(name);
  const [form] = servers.forms;
  const attach = useCommand(async (asked: ServerForm) => {
    const control = controlOf(id);
    const connection = connectionOf(asked, asked);
    if (control === null || typeof connection === "string") return;
    const { session, everyDatabase } = asked;
    const serverName = name;
    await addReplica(id, control, {
      ...connection,
      ...(session === "" ? {} : { session }),
      everyDatabase,
      serverName,
    });
    onAttached();
  });
  if (form === undefined) return null;
  const state = servers.stateOf(form);
  // A replica that never answered is named by the address that the user entered.
  const other = isAnew ? null : otherServer(state, name);
  return (
    <>
      <ModalBody>
        <ServerCard
          form={form}
          position={1}
          state={state}
          onChange={(part) => servers.change(form.key, part)}
          onCheck={() => void servers.check(form)}
          onAccept={(certificate) => servers.acceptCertificate(form, certificate)}
          onContact={null}
          onRemove={null}
          onLeftovers={(names) => servers.dropLeftovers(form, names)}
        />
        <Problem sentence={other ?? attach.error} />
      </ModalBody>
      <ModalFoot>
        <Button
          kind="primary"
          disabled={!canAttach(form, state) || other !== null || attach.isRunning}
          onClick={() => attach.run(form)}
        >
          {texts.attach(name)}
        </Button>
      </ModalFoot>
    </>
  );
}
