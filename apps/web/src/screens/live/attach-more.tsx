import { type ReactNode, useState } from "react";
import { addReplica } from "../../data/live-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { Modal, ModalBody, ModalFoot } from "../../frame/modal.tsx";
import { Problem } from "../../frame/problem.tsx";
import { Button } from "../../ui/controls.tsx";
import { canAttach, connectionOf, type ServerForm } from "./attach.ts";
import { controlOf } from "./control.ts";
import { useLiveRun } from "./live-run-context.ts";
import { ServerCard } from "./server-card.tsx";
import { useServers } from "./use-servers.ts";

/** Attaches one more replica to the run; `name` is what the topology calls it. */
export function AttachMore({ name }: { readonly name: string }): ReactNode {
  const { canControl, isRunning } = useLiveRun();
  const [open, setOpen] = useState(false);
  if (!canControl || !isRunning) return null;
  return (
    <>
      <Button aria-label={`Attach ${name}`} onClick={() => setOpen(true)}>
        Attach
      </Button>
      <Modal open={open} onOpenChange={setOpen} title={`Attach ${name} to this run`} width={760}>
        <AttachForm name={name} onAttached={() => setOpen(false)} />
      </Modal>
    </>
  );
}

/** Asks the server first, as at the beginning of a run. */
function AttachForm({
  name,
  onAttached,
}: {
  readonly name: string;
  readonly onAttached: () => void;
}): ReactNode {
  const { id } = useLiveRun();
  const servers = useServers(name);
  const [form] = servers.forms;
  const attach = useCommand(async (asked: ServerForm) => {
    const control = controlOf(id);
    const connection = connectionOf(asked, asked);
    if (control === null || typeof connection === "string") return;
    const { session, everyDatabase } = asked;
    await addReplica(id, control, { ...connection, ...(session === "" ? {} : { session }), everyDatabase });
    onAttached();
  });
  if (form === undefined) return null;
  const state = servers.stateOf(form);
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
          onRemove={null}
          onLeftovers={(names) => servers.dropLeftovers(form, names)}
        />
        <Problem sentence={attach.error} />
      </ModalBody>
      <ModalFoot>
        <Button
          kind="primary"
          disabled={!canAttach(form, state) || attach.isRunning}
          onClick={() => attach.run(form)}
        >
          Attach {name}
        </Button>
      </ModalFoot>
    </>
  );
}
