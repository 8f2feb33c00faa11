import type { ReactNode } from "react";
import { Kbd } from "../ui/controls.tsx";
import { KEYMAP, POINTER_MOVES, type KeyEntry } from "../ui/keymap.ts";
import { Modal, ModalBody } from "./modal.tsx";
import styles from "./keys-dialog.module.css";

interface Props {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** What one line of the dialog prints. */
type Printed = Pick<KeyEntry, "id" | "shown" | "does">;

/** All keys of the product, from the table that handles them. */
export function KeysDialog({ open, onOpenChange }: Props): ReactNode {
  const groups: [string, readonly Printed[]][] = [
    ...Map.groupBy(KEYMAP as readonly KeyEntry[], (entry) => entry.group),
    ["Timeline with the pointer", POINTER_MOVES],
  ];
  return (
    <Modal open={open} onOpenChange={onOpenChange} title="Keys" width={760}>
      <ModalBody label="All keys">
        <div className={styles.groups}>
          {groups.map(([group, entries]) => (
            <section key={group}>
              <h3>{group}</h3>
              <dl>
                {entries.map((entry) => (
                  <div key={entry.id}>
                    <dt>
                      {entry.shown.map((key) =>
                        key === "to" ? <span key={key}>to</span> : <Kbd key={key}>{key}</Kbd>,
                      )}
                    </dt>
                    <dd className="muted">{entry.does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </ModalBody>
    </Modal>
  );
}
