import * as Dialog from "@radix-ui/react-dialog";
import type { ReactNode } from "react";
import { Kbd } from "../ui/controls.tsx";
import { KEYMAP, type KeyEntry } from "../ui/keymap.ts";
import { CloseIcon } from "./icons.tsx";

/** All keys of the product, from the table that handles them. */
export function KeysDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}): ReactNode {
  const groups = Map.groupBy(KEYMAP as readonly KeyEntry[], (entry) => entry.group);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog keys" aria-describedby={undefined}>
          <header className="dialog-head">
            <Dialog.Title>Keys</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close">
              <CloseIcon />
            </Dialog.Close>
          </header>
          <div className="dialog-body keys-body">
            {[...groups].map(([group, entries]) => (
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
                      <dd>{entry.does}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
